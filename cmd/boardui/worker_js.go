package main

import (
	"io"
	"sync"
	"syscall/js"

	"tengen/protocol/client"
)

// A mailbox is what messages from JavaScript say, as a stream to read. A callback must not wait, so
// its size has no limit: what it holds are the lines of one side of the protocol.
type mailbox struct {
	mu     sync.Mutex
	more   *sync.Cond
	text   []byte
	closed bool
}

func newMailbox() *mailbox {
	m := new(mailbox)
	m.more = sync.NewCond(&m.mu)
	return m
}

func (m *mailbox) put(text string) {
	m.mu.Lock()
	m.text = append(m.text, text...)
	m.mu.Unlock()
	m.more.Signal()
}

func (m *mailbox) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.text) == 0 {
		if m.closed {
			return 0, io.EOF
		}
		m.more.Wait()
	}
	n := copy(p, m.text)
	m.text = m.text[n:]
	return n, nil
}

func (m *mailbox) Close() error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.more.Broadcast()
	return nil
}

// A lineSender writes by messages to a worker, or to the page.
type lineSender struct{ to js.Value }

func (s lineSender) Write(p []byte) (int, error) {
	s.to.Call("postMessage", string(p))
	return len(p), nil
}

// Close ends the worker.
func (s lineSender) Close() error {
	s.to.Call("terminate")
	return nil
}

// receiveLines returns what is written to this worker.
func receiveLines() io.Reader {
	box := newMailbox()
	onMessages(func(message js.Value) { box.put(message.String()) })
	return box
}

// onMessages has every message to this worker handled, those that came before this call first.
func onMessages(handle func(message js.Value)) {
	global := js.Global()
	early := global.Get("early")
	for i := range early.Length() {
		handle(early.Index(i))
	}
	global.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		handle(args[0].Get("data"))
		return nil
	}))
}

// connect starts an engine in a worker of its own, which gets the compiled program of this one.
func connect(_ spec, o client.Options) (*client.Client, error) {
	worker := js.Global().Get("Worker").New("worker.js", map[string]any{"name": engineWord})
	box := newMailbox()
	worker.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		box.put(args[0].Get("data").String())
		return nil
	}))
	worker.Set("onerror", js.FuncOf(func(_ js.Value, args []js.Value) any {
		args[0].Call("preventDefault") // else it is an error of this worker, too
		return box.Close()
	}))
	worker.Call("postMessage", js.Global().Get("program"))
	return client.Connect(lineSender{worker}, box, o), nil
}
