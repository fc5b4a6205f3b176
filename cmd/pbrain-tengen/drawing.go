package main

import (
	"fmt"
	"strings"

	"tengen/brain/board"
)

// drawing shows a board to people: X is black, O is white, # a blocked cell, and marks has
// the text of other cells, of one or two letters. Columns have letters from the left, and rows
// numbers from the bottom: the labels of Move.String, as gomoku sites draw them.
func drawing(b *board.Board, marks map[board.Move]string) string {
	var d strings.Builder
	d.WriteString("   ")
	for x := range b.Width() {
		fmt.Fprintf(&d, "%3c", 'a'+x)
	}
	d.WriteByte('\n')
	for y := b.Height() - 1; y >= 0; y-- {
		fmt.Fprintf(&d, "%3d", y+1)
		for x := range b.Width() {
			m := board.At(x, y)
			cell := [...]string{"X", "O", "#", "."}[b.Cell(m)]
			if text, ok := marks[m]; ok {
				cell = text
			}
			fmt.Fprintf(&d, "%3s", cell)
		}
		d.WriteByte('\n')
	}
	return d.String()
}
