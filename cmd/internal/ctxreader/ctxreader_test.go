package ctxreader

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
)

func TestInputIsPassedOn(t *testing.T) {
	for _, text := range []string{"", "h8i9\nh10\n", strings.Repeat("long ", 1<<10)} {
		if err := iotest.TestReader(New(t.Context(), strings.NewReader(text)), []byte(text)); err != nil {
			t.Error(err)
		}
	}
	broken := errors.New("broken")
	r := New(t.Context(), io.MultiReader(strings.NewReader("some"), iotest.ErrReader(broken)))
	if got, err := io.ReadAll(r); string(got) != "some" || err != broken {
		t.Errorf("%q, %v", got, err)
	}
}

// What comes after the end of the context is not written to the slice of the caller.
func TestTheEndOfTheContextEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := io.Pipe()
		p := []byte("own")
		read := make(chan error)
		go func() {
			_, err := New(ctx, in).Read(p)
			read <- err
		}()
		synctest.Wait() // it waits for input
		cancel()
		if err := <-read; err != context.Canceled {
			t.Errorf("error %v", err)
		}
		if _, err := out.Write([]byte("new")); err != nil {
			t.Error(err)
		}
		if synctest.Wait(); string(p) != "own" {
			t.Errorf("%q is read after the end", p)
		}
	})
}

// An ended context is not a matter of chance where there is input.
func TestNothingIsReadAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := bytes.NewBufferString("input")
	for range 100 {
		if n, err := New(ctx, in).Read(make([]byte, 1)); n != 0 || err != context.Canceled {
			t.Fatalf("%d bytes, error %v", n, err)
		}
	}
	if in.Len() != len("input") {
		t.Errorf("%q is left", in)
	}
}
