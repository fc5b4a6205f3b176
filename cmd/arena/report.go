package main

import (
	"errors"
	"io"
)

func runReport(args []string, stdout io.Writer) error { return errors.New("no report yet") }
