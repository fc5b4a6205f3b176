// Package ctxreader makes reading from a terminal or a pipe end when a context ends.
package ctxreader

import (
	"context"
	"io"
)

// New returns a reader of in whose Read ends at the end of ctx, with its error, also while it
// waits. A Read that was ended may still take input, which is lost.
func New(ctx context.Context, in io.Reader) io.Reader { return &reader{ctx, in} }

type reader struct {
	ctx context.Context
	in  io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err // below, select could take input that is there
	}
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
