package main

import (
	"testing"

	"tengen/brain/board"
)

func TestDrawing(t *testing.T) {
	b, err := board.New(board.Freestyle, 6, 5)
	if err != nil {
		t.Fatal(err)
	}
	b.Play(board.At(0, 0))
	b.Play(board.At(1, 1))
	got := drawing(b, map[board.Move]string{board.At(2, 2): "1", board.At(3, 3): "2", board.At(5, 4): "*"})
	want := `     a  b  c  d  e  f
  5  .  .  .  .  .  *
  4  .  .  .  2  .  .
  3  .  .  1  .  .  .
  2  .  O  .  .  .  .
  1  X  .  .  .  .  .
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
