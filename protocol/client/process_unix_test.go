//go:build unix

package client

import (
	"os"
	"testing"
	"time"
)

// The time for what a program has left is waited for as long as there is something.
func TestGrace(t *testing.T) {
	for _, test := range []struct {
		name  string
		grace time.Duration
		left  bool
	}{
		{"good", time.Hour, false},
		{"leaves another", 10 * time.Millisecond, true},
	} {
		p, err := Start(Program{Args: []string{os.Args[0]}, Env: []string{engineVar + "=" + test.name, "GORACE=atexit_sleep_ms=0"}, Grace: test.grace})
		if err != nil {
			t.Fatal(err)
		}
		p.In.Close()
		select {
		case <-p.Exited():
		case <-time.After(30 * time.Second):
			t.Fatalf("%q: the process has not ended", test.name)
		}
		p.Out.Close()
		if how, left := p.Ended(); how != "the engine exited" || left != test.left {
			t.Errorf("%q: %s, left something: %v, want %v", test.name, how, left, test.left)
		}
	}
}
