package board

// PlayRows is Play in a continuous game: the stones of all winning rows that the stone on m
// completes become blocked cells. It returns the number of these rows. Undo takes it back.
// Without a row it costs little more than Play.
func (b *Board) PlayRows(m Move) int {
	c := b.side
	b.Play(m)
	if b.points[m%Cells].classes.of(c) != MakesFive { // as it was when m was empty
		return 0
	}
	var buffer [1 + Directions*(MaxSize-1)]Move
	cells, rows := b.Rows(buffer[:0], c, m)
	for _, w := range cells {
		b.cells[w] = Wall
		b.lines.toggle(w, uint64(c^Wall))
		b.hash ^= zobristKeys[c&1][w] ^ zobrist(Wall, w)
		b.walled = append(b.walled, w)
		b.refresh(w)
	}
	return rows
}

// Walled returns the cells that became blocked cells with the given ply, by PlayRows. They are only
// valid until the next change of the board.
func (b *Board) Walled(ply int) []Move {
	end := len(b.walled)
	if ply+1 < len(b.frames) {
		end = int(b.frames[ply+1].walled)
	}
	return b.walled[b.frames[ply].walled:end]
}

// unwall turns the blocked cells beyond the first n of walled back to stones of the side to
// move, whose last move is being taken back.
func (b *Board) unwall(n int) {
	for _, w := range b.walled[n:] {
		b.cells[w] = b.side
		b.lines.toggle(w, uint64(b.side^Wall))
		b.hash ^= zobristKeys[b.side&1][w] ^ zobrist(Wall, w)
	}
	b.walled = b.walled[:n]
}
