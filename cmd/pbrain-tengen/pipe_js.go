package main

// ignorePipe does nothing: there are no signals.
func ignorePipe() {}
