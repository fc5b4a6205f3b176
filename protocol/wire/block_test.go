package wire

import (
	"testing"

	"tengen/brain/board"
)

func TestPassesHaveNoLine(t *testing.T) {
	got := Block("BOARD", []board.Move{board.At(3, 3), board.None, board.At(5, 4), board.None, board.At(6, 6)}, true)
	if want := "BOARD\n3,3,2\n5,4,2\n6,6,2\nDONE\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
