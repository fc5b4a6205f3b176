package mapped

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// held returns the memory of the process in bytes.
func held(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	var size, resident int64
	if _, err2 := fmt.Fscan(strings.NewReader(string(raw)), &size, &resident); err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return resident * int64(os.Getpagesize())
}

// Memory goes back to the system when it is freed, and when nobody holds it any more.
func TestMemoryGoesBack(t *testing.T) {
	const bytes = 64 << 20
	fill := func() *Memory[byte] {
		m := Make[byte](bytes)
		for i := 0; i < bytes; i += os.Getpagesize() {
			m.All()[i] = 1
		}
		return m
	}
	before := held(t)
	m := fill()
	if got := held(t) - before; got < bytes*9/10 {
		t.Errorf("%d MiB are held", got>>20)
	}
	m.Free()
	<-Settled()
	if got := held(t) - before; got > bytes/4 {
		t.Errorf("%d MiB are held after Free", got>>20)
	}
	fill()
	for range 500 {
		runtime.GC()
		if held(t)-before < bytes/4 {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Errorf("%d MiB are held of what nobody holds any more", (held(t)-before)>>20)
}
