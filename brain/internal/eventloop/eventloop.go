//go:build !js

// Package eventloop lets long work in a browser be interrupted. There nothing reaches a program
// while it computes, and nothing that it writes gets out: messages and timers wait until all
// goroutines do. Everywhere else its functions are empty, and inlined to nothing.
package eventloop

// Yield lets the browser handle what waits for it, if the last time was more than some
// milliseconds ago. Call it at least every few milliseconds of work, from a goroutine that a
// callback of JavaScript does not wait for.
func Yield() {}

// YieldOften is Yield for places that are reached every few microseconds: most calls only count.
func YieldOften() {}
