package heap

import (
	"testing"
	"unsafe"
)

func TestRoomIsKnown(t *testing.T) {
	if size := unsafe.Sizeof(memoryStatus{}); size != 64 {
		t.Errorf("a structure of %d bytes, which the system refuses", size)
	}
	if got := Room(); got < 64<<20 || got > 1<<50 {
		t.Errorf("room for %d bytes", got)
	}
}
