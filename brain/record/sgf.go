package record

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const sgfLine = 8 // moves a line

// openingComment is the comment of a move of the opening in the dialect of c-gomoku-cli.
const openingComment = "opening move"

// timeComment returns the comment of any other move there: its time in milliseconds.
func timeComment(ms int) string { return strconv.Itoa(ms) + "ms" }

// parseTimeComment is the inverse of timeComment. ok is false for other comments, and for times
// that are negative or too large for an int.
func parseTimeComment(comment string) (ms int, ok bool) {
	digits, ok := strings.CutSuffix(comment, "ms")
	ms, err := strconv.Atoi(digits)
	if !ok || err != nil || ms < 0 {
		return 0, false
	}
	return ms, true
}

// WriteSGF writes g as one game tree in the dialect of c-gomoku-cli, followed by an empty
// line: GM[4], GN is the number of the game (in Round after the point), RU the rule number of
// the protocol, SZ the side or columns:rows, RE is B+1, W+1 or 0, TE the reason. Coordinates
// are two letters, x then y, from the top left. The comment of a move is "opening move" or
// its time as in "12ms". A pass has no letters. It makes one Write.
func WriteSGF(w io.Writer, g *Game) error {
	_, number, ok := strings.Cut(g.Round, ".")
	if !ok {
		number = "1"
	}
	var b bytes.Buffer
	line := func(s string) string { return sgfValue(sgfEscapeLine, s) }
	fmt.Fprintf(&b, "(;FF[4]GM[4]GN[%s]EV[%s]DT[%s]RO[%s]RU[%d]SZ[%s]PB[%s]PW[%s]RE[%s]TE[%s]",
		line(number), line(g.Event), line(g.Date), line(g.Round), g.Rule, sgfSize(g.Width, g.Height),
		line(g.Black), line(g.White), cmp.Or(resultText[g.Outcome&3], "?"), line(g.Reason))
	for i, m := range g.Moves {
		if i == 0 || i >= g.Opening && (i-g.Opening)%sgfLine == 0 {
			b.WriteByte('\n')
		}
		comment := openingComment
		if i >= g.Opening {
			comment = timeComment(g.millis(i))
		}
		fmt.Fprintf(&b, ";%c[%s]C[%s]", "BW"[i&1], sgfLetters(m), comment)
	}
	b.WriteString(")\n\n")
	_, err := w.Write(b.Bytes())
	return err
}
