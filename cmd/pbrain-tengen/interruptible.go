package main

import (
	"context"
	"io"
)

// An interruptible is an input whose Read ends at the end of a context. After that it may
// still take input, which is lost.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (r *interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(p)) // p belongs to the caller again when the context ends
	done := make(chan result, 1)
	go func() {
		n, err := r.in.Read(own)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, own[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}
