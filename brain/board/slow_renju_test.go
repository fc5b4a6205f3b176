package board

// Forbidden points of renju as Piskvork's judge finds them, by putting stones on the
// board and looking.

// A foul is what black makes with a forbidden move.
type foul int

const (
	noFoul foul = iota
	doubleFour
	doubleThree
	overline
)

func (f foul) String() string {
	return [...]string{"no foul", "double four", "double three", "overline"}[f]
}

// forbidden reports whether black may not play on x, y, whoever is to move.
func (b *slowBoard) forbidden(x, y int) bool { return b.foul(x, y) != noFoul }

// foul returns why black may not play on x, y, in the order of the judge: exactly five in
// any direction is a win whatever else the stone makes, then double four, double three, six
// or more. It is noFoul for other rules and for cells that are not empty.
func (b *slowBoard) foul(x, y int) foul {
	if b.rule&Renju == 0 || b.at(x, y) != Empty {
		return noFoul
	}
	b.cells[y][x] = Black
	defer func() { b.cells[y][x] = Empty }()

	six := false
	for d := range slowDirs {
		switch n := b.blacks(x, y, d); {
		case n == 5:
			return noFoul
		case n > 5:
			six = true
		}
	}
	fours := 0
	for d := range slowDirs {
		fours += b.fours(x, y, d)
	}
	if fours >= 2 {
		return doubleFour
	}
	if b.threes(x, y) >= 2 {
		return doubleThree
	}
	if six {
		return overline
	}
	return noFoul
}

// blacks returns the length of the black row through the black stone x, y.
func (b *slowBoard) blacks(x, y, d int) int {
	back, fore := b.row(Black, x, y, d)
	return back + 1 + fore
}

// fives returns the empty cells, as steps from the black stone x, y, where one more
// black stone makes exactly five in a row with it. There are at most two, one at
// each end of the row through x, y.
func (b *slowBoard) fives(x, y, d int) (steps []int) {
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	for q := -4; q <= 4; q++ {
		qx, qy := x+q*dx, y+q*dy
		if b.at(qx, qy) != Empty {
			continue
		}
		b.cells[qy][qx] = Black
		if b.blacks(qx, qy, d) == 5 && b.connected(x, y, qx, qy, d) {
			steps = append(steps, q)
		}
		b.cells[qy][qx] = Empty
	}
	return steps
}

// connected reports whether the black stones x, y and qx, qy, both on one line of
// direction d, are in the same row.
func (b *slowBoard) connected(x, y, qx, qy, d int) bool {
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	if (qx-x)*dx+(qy-y)*dy < 0 {
		x, y, qx, qy = qx, qy, x, y
	}
	for ; x != qx || y != qy; x, y = x+dx, y+dy {
		if b.at(x, y) != Black {
			return false
		}
	}
	return true
}

// fours counts the fours that the black stone x, y is part of in direction d. One cell
// that makes five is one four. Two are one four if they are the ends of four in a
// row, and two fours otherwise, X_XXX_X, XX_XX_XX and XXX_X_XXX.
func (b *slowBoard) fours(x, y, d int) int {
	switch s := b.fives(x, y, d); {
	case len(s) == 2 && s[1]-s[0] == 5:
		return 1
	default:
		return len(s)
	}
}

// openFours returns the cells where one more black stone makes an open four in direction d
// with the black stone x, y: four in a row, each end of which makes exactly five. It makes
// no five elsewhere; whether black may play there is not checked.
func (b *slowBoard) openFours(x, y, d int) (cells []Move) {
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	for e := -4; e <= 4; e++ {
		ex, ey := x+e*dx, y+e*dy
		if b.at(ex, ey) != Empty {
			continue
		}
		b.cells[ey][ex] = Black
		s := b.fives(x, y, d)
		isOpen := b.connected(x, y, ex, ey, d) && len(s) == 2 && s[1]-s[0] == 5
		five := false
		for other := range slowDirs {
			five = five || b.blacks(ex, ey, other) == 5
		}
		b.cells[ey][ex] = Empty
		if isOpen && !five {
			cells = append(cells, At(ex, ey))
		}
	}
	return cells
}

// threes counts the directions in which the black stone x, y is part of a three that
// counts: black may play one of the cells that make it an open four. If only one direction
// looks like a three it is counted unchecked: fewer than two are no foul, and checking them
// makes the fuzzer's boards take minutes.
func (b *slowBoard) threes(x, y int) int {
	var looks [][]Move
	for d := range slowDirs {
		if cells := b.openFours(x, y, d); len(cells) > 0 {
			looks = append(looks, cells)
		}
	}
	if len(looks) < 2 {
		return len(looks)
	}
	n := 0
	for _, cells := range looks {
		for _, e := range cells {
			if !b.forbidden(e.X(), e.Y()) {
				n++
				break
			}
		}
	}
	return n
}
