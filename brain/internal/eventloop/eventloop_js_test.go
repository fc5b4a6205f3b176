package eventloop

import (
	"testing"
	"time"
)

// A timer goes off while a goroutine computes that yields, and soon.
func TestYield(t *testing.T) {
	for name, yield := range map[string]func(){"Yield": Yield, "YieldOften": YieldOften} {
		const wait = 30 * time.Millisecond
		start, fired := time.Now(), time.Duration(0)
		time.AfterFunc(wait, func() { fired = time.Since(start) })
		for fired == 0 && time.Since(start) < 10*time.Second {
			yield()
		}
		if fired == 0 || fired > 20*wait {
			t.Errorf("%s: a timer of %v went off after %v", name, wait, fired)
		}
	}
}
