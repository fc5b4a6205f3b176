//go:build !unix

package main

// onContinue does nothing where processes are not stopped.
func onContinue(func()) {}
