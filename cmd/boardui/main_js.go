package main

import (
	"context"
	"os"
	"syscall/js"
	"time"
)

// In a browser the program runs in workers: one answers the requests of the page, as the server
// does elsewhere, and starts others as its engines. worker.js says which one it is.
func main() {
	global := js.Global()
	if isEngine() {
		serveEngine(receiveLines(), lineSender{global})
		return
	}
	p := newPool([]spec{{command: engineName, own: true}}, engineWorkers(global), webMemory)
	p.most, p.web = 1, true // a worker is one thread
	p.startLimit, p.stopLimit = webStartLimit, webStopLimit
	s := newServer(p, "")
	s.explorer.note(s.explorer.open(dataName))
	servePosted(s.answers())
	go s.explorer.keepSaving(context.Background())
	s.maintain(context.Background())
}

// isEngine reports whether this worker is an engine.
func isEngine() bool { return len(os.Args) == 2 && os.Args[1] == engineWord }

// webMemory is the memory of each engine in bytes. Telephones have little, and a slow search
// needs no large table.
const webMemory = 64 << 20

// webStartLimit is the time for the answer to START. A slow device that does much else takes long to
// start a worker, and has no other engine.
const webStartLimit = time.Minute

// webStopLimit is the time for the answer to YXSTOP, after which a worker is replaced. That takes
// a tenth of a second.
const webStopLimit = time.Second

// engineWorkers returns how many engines may run: two where there are processors and memory for them,
// so that an analysis does not hold up a move. Few browsers tell the memory, in GiB.
func engineWorkers(global js.Value) int {
	navigator := global.Get("navigator")
	if n := navigator.Get("hardwareConcurrency"); n.Type() != js.TypeNumber || n.Int() < 2 {
		return 1
	}
	if n := navigator.Get("deviceMemory"); n.Type() == js.TypeNumber && n.Float() < 2 {
		return 1
	}
	return 2
}
