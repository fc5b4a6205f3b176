package protocol

import (
	"fmt"
	"strings"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/protocol/wire"
)

// aboutLine describes the engine. It must begin with name in lower case: qpiskvork does not
// recognize the answer if its first letter is another.
func aboutLine() string {
	return fmt.Sprintf(`name="%s", version="%s", author="%s", country="%s"`,
		brain.Name, brain.Version, brain.Author, brain.Country)
}

// statsLine reports the progress of a search: the number of the line if there are several, the depth
// and selective depth in plies, the value for the side to move, and the principal variation, see
// label.
func (v view) statsLine(i brain.Info) string {
	s := wire.Stats{
		Depth: i.Depth, SelDepth: i.SelDepth, Scored: true, Mate: i.Score.Mate(),
		Nodes: i.Nodes, Time: i.Elapsed, PV: v.labels(i.PV),
	}
	if s.Mate == 0 {
		s.Eval = int(i.Score)
	}
	if i.Elapsed.Milliseconds() > 0 {
		s.Speed = i.Speed()
	}
	return "MESSAGE " + s.Text(i.Line+1, i.Lines)
}

// bookLine is statsLine for a move of the opening book, which was not searched.
func (v view) bookLine(i brain.Info) string {
	return wire.MessageLine("book eval " + brain.ScoreText(i.Score) + " pv " + v.labels(i.PV))
}

// labels names cells for people, with blanks between them.
func (v view) labels(list []board.Move) string {
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = v.label(m)
	}
	return strings.Join(words, " ")
}
