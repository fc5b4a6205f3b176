package main

import "os"

// ignorePipe does nothing: there are no signals.
func ignorePipe() {}

// endings returns none.
func endings() []os.Signal { return nil }
