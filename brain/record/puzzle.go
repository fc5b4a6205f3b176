package record

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A Puzzle is a position for a solver: the side to move has a win that is known, or only seems to
// have one.
type Puzzle struct {
	Rule  board.Rule
	Size  int          // cells of a side, board.MinSize to board.MaxSize
	Moves []board.Move // as played, Black first; the board is square
	Fours bool         // a win by fours alone is asked for, not one by any threats

	Plies int        // to the five of the win at most, odd; 0 if there is none
	Level int        // of difficulty, from 1 for the easiest; 0 if the win is not graded
	Trap  string     // why there seems to be a win where there is none: one of traps, or Refuted
	First board.Move // of the win, or of what is Refuted; else None
	Reply board.Move // to First, by which the other side wins, if it is Refuted; else None

	Line int // in its file, from 1
}

// Refuted is the trap of a first move whose direct stops all lose, while another reply wins.
const Refuted = "refuted"

// traps are the other traps: a reply to a four is a four or a five, or what is a five in freestyle
// is a row too long, capped at both ends, either, or forbidden.
var traps = []string{"counter-four", "overline", "cap", "overline-or-cap", "forbidden"}

// mostLevel is the greatest Level.
const mostLevel = 9

// ReadPuzzles reads a file of puzzles, one a line in six fields separated by spaces, or seven:
//
//	RULE SIZE MOVES KIND ANSWER MARK LEVEL
//	0 15 h8i9h9h7g9i10 vct 17 j8
//	0 15 h8i9h9h7g9i10 vct 17 j8 4
//
// RULE is the number of the protocol and MOVES are in pos notation, as for ReadTactics. KIND is vcf
// or vct, ANSWER the plies of a win with the first move as MARK, none with the trap, or refuted with
// two moves, the first and the reply that wins. LEVEL, 1 to 9, is that of a win. Empty lines and lines that begin with # are skipped.
// MOVES must pass CheckOpening, and moves in MARK must be legal and are not verified to win. Errors
// name the line.
func ReadPuzzles(r io.Reader) ([]Puzzle, error) {
	return parseLines(r, parsePuzzle)
}

func parsePuzzle(number int, line string) (Puzzle, error) {
	p := Puzzle{Line: number}
	f := strings.Fields(line)
	if len(f) != 6 && len(f) != 7 {
		return p, fmt.Errorf("%d fields, want six: rule, size, moves, kind, answer, mark; or the level, too", len(f))
	}
	var b *board.Board
	var err error
	if p.Rule, p.Size, p.Moves, b, err = parsePosition(f); err != nil {
		return p, err
	}
	kind, answer, mark := f[3], f[4], f[5]
	if len(f) == 7 {
		if p.Level, err = strconv.Atoi(f[6]); err != nil || p.Level < 1 || p.Level > mostLevel || answer == "none" || answer == Refuted {
			return p, fmt.Errorf("level %.40q: want 1 to %d, of a win", f[6], mostLevel)
		}
	}
	if kind != "vcf" && kind != "vct" {
		return p, fmt.Errorf("kind %.40q is neither vcf nor vct", kind)
	}
	p.Fours = kind == "vcf"
	if answer == "none" {
		if p.Trap = mark; !slices.Contains(traps, mark) {
			return p, fmt.Errorf("trap %.40q is none of %s", mark, strings.Join(traps, ", "))
		}
		return p, nil
	}
	want := 1
	if answer == Refuted {
		p.Trap = Refuted
		want = 2
	} else if p.Plies, err = parsePlies(answer); err != nil {
		return p, fmt.Errorf("answer: %w", err)
	}
	moves, err := board.ParseMoves(mark, p.Size, p.Size)
	if err != nil {
		return p, fmt.Errorf("mark: %w", err)
	}
	if len(moves) != want {
		return p, fmt.Errorf("mark %.40q has moves: %d, want %d", mark, len(moves), want)
	}
	for _, m := range moves {
		if err := b.Try(m.X(), m.Y()); err != nil {
			return p, fmt.Errorf("marked move %v: %w", m, err)
		}
		b.Play(m)
	}
	p.First = moves[0]
	if want == 2 {
		p.Reply = moves[1]
	}
	return p, nil
}
