//go:build !amd64 || purego

package board

func (b *Board) change(m Move, log *[room]Change, turns *[room]turn) (changed, turned int) {
	return b.changePlain(m, log, turns)
}
