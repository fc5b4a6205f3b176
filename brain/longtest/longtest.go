// Package longtest lets long tests sit out where everything is slow. Only tests import it.
package longtest

import "testing"

// Here is called first by a test that searches many nodes, plays whole games or measures the
// program. It skips the test under the race detector and without assembly, where that takes ten
// times as long: the shorter tests of the package run there, and this one runs in a plain go test.
func Here(t testing.TB) {
	if slow != "" {
		t.Skipf("long: left out %s", slow)
	}
}
