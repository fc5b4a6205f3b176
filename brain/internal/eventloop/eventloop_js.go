// Package eventloop lets long work in a browser be interrupted. There nothing reaches a program
// while it computes, and nothing that it writes gets out: messages and timers wait until all
// goroutines do.
package eventloop

import (
	"syscall/js"
	"time"
)

const (
	every   = 12 * time.Millisecond // between two turns of the browser
	perTurn = 8                     // calls of YieldOften for one of Yield
)

// A message to oneself comes after what waits already, and at once: timers are delayed by browsers
// to 4 ms and more.
var (
	port  js.Value
	came  = make(chan struct{}, 64) // more than goroutines that yield: a callback must not wait
	last  time.Time                 // end of the last turn
	calls uint
)

// open makes the channel for messages to oneself.
func open() {
	channel := js.Global().Get("MessageChannel").New()
	port = channel.Get("port2")
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		came <- struct{}{}
		return nil
	}))
}

// Yield lets the browser handle what waits for it, if the last time was more than some
// milliseconds ago. Call it at least every few milliseconds of work, from a goroutine that a
// callback of JavaScript does not wait for.
func Yield() {
	if time.Since(last) < every {
		return
	}
	if port.IsUndefined() {
		open()
	}
	port.Call("postMessage", nil)
	<-came
	last = time.Now()
}

// YieldOften is Yield for places that are reached every few microseconds: most calls only count.
func YieldOften() {
	if calls++; calls%perTurn == 0 {
		Yield()
	}
}
