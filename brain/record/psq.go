package record

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// maxGames is the most games that a reader of .psq keeps of one file.
const maxGames = 1 << 17

// maxMoves is the most moves that a reader keeps of one game: the cells of the largest board.
const maxMoves = board.MaxSize * board.MaxSize

// WritePSQ writes g as Piskvork saves a tournament game: a header, a line
// "x,y,milliseconds" for each move with coordinates from 1, the two names with that of Black
// first, and the end code. The format has neither rule nor winner. It makes one Write.
// Source: Piskvork, .psq; end codes 0 normal, 15 time-out, 7 invalid move, 16 memory, -2 engine error.
func WritePSQ(w io.Writer, g *Game) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Piskvorky %dx%d, 11:11, 0\n", g.Width, g.Height)
	for i, m := range g.Moves {
		fmt.Fprintf(&b, "%d,%d,%d\n", m.X()+1, m.Y()+1, g.millis(i))
	}
	fmt.Fprintf(&b, "%s\n%s\n%d\n", psqName(g.Black), psqName(g.White), psqCode(g.Reason))
	_, err := w.Write(b.Bytes())
	return err
}

// psqName returns a name that a reader cannot take for a header, a line end or a move, as
// Piskvork takes every line that begins with a number.
func psqName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	s = strings.TrimSpace(s)
	digits := strings.TrimLeft(s, "+-")
	number := digits != "" && digits[0] >= '0' && digits[0] <= '9'
	if s == "" || number || strings.HasPrefix(s, "Piskvorky ") {
		return "brain " + s
	}
	return s
}

func psqCode(reason string) int {
	word, _, _ := strings.Cut(reason, " ")
	switch word {
	case "timeout":
		return 15
	case "illegal", "forbidden":
		return 7
	case "memory":
		return 16
	case "crash", "protocol":
		return -2
	}
	return 0
}

// psqMove parses "x,y" or "x,y,millis".
func psqMove(s string) (x, y, millis int, ok bool) {
	f := strings.Split(s, ",")
	if len(f) != 2 && len(f) != 3 {
		return 0, 0, 0, false
	}
	var n [3]int
	for i := range f {
		v, err := strconv.Atoi(strings.TrimSpace(f[i]))
		if err != nil {
			return 0, 0, 0, false
		}
		n[i] = v
	}
	return n[0], n[1], n[2], true
}

// ReadPSQ reads all games of a file of one or more concatenated .psq records. Fields that
// the format lacks are zero: rule, and but for games of GomocupJudge length of the opening, outcome
// and event. Errors name the line. The error is a BrokenGames if games cannot be used, of which the
// moves before the fault are returned.
func ReadPSQ(r io.Reader) ([]Game, error) {
	var games []Game
	var g *Game
	broken := BrokenGames{}
	var tail []string // lines after the moves: names, if it was a tournament game, end code, and the verdict of GomocupJudge
	var second bool   // the second name is Black's
	finish := func() {
		if g == nil {
			return
		}
		var names [2]string
		for i := range names {
			if i >= len(tail) || isNumber(tail[i]) {
				break
			}
			names[i] = tail[i]
		}
		if g.Black, g.White = names[0], names[1]; second {
			g.Black, g.White = g.White, g.Black
		}
		if len(tail) == judgeTail && tail[judgeTail-2] == judgeCode {
			g.judge(tail[judgeTail-1])
		}
		games, g, tail = append(games, *g), nil, nil
	}
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "Piskvorky "); ok {
			if finish(); len(games) == maxGames {
				return nil, fmt.Errorf("line %d: more than %d games", n, maxGames)
			}
			w, h, ok := psqSize(rest)
			if !ok {
				broken[len(games)] = fmt.Errorf("line %d: bad header %.40q, want sides of %d to %d", n, line, board.MinSize, board.MaxSize)
			}
			g = &Game{Width: w, Height: h}
			second = strings.TrimSpace(rest[strings.LastIndexByte(rest, ',')+1:]) == "1"
			continue
		}
		if g == nil {
			return nil, fmt.Errorf("line %d: %.40q stands before a header", n, line)
		}
		x, y, t, ok := psqMove(line)
		if !ok || len(tail) > 0 {
			if len(tail) < judgeTail {
				tail = append(tail, line)
			}
			continue
		}
		if broken[len(games)] != nil {
			continue // moves after a fault
		}
		m, err := board.AtOn(x-1, y-1, g.Width, g.Height)
		switch {
		case err != nil:
			broken[len(games)] = fmt.Errorf("line %d: %d,%d is not on a board of %dx%d", n, x, y, g.Width, g.Height)
		case len(g.Moves) >= maxMoves:
			broken[len(games)] = fmt.Errorf("line %d: more moves than cells", n)
		default:
			g.Moves = append(g.Moves, m)
			g.Millis = append(g.Millis, t)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("not a .psq file: %w", err)
	}
	finish()
	return games, broken.orNil()
}

// GomocupJudge writes the end code that stands for no known end, and then its verdict.
const (
	judgeTail = 4 // lines after the moves
	judgeCode = "-1"
)

// judge reads the verdict of GomocupJudge, "result,tournament", in which 0 is a draw. In 1 and 2
// the engines count as they were paired, which is not always by color. But a game ends when a side
// wins or when it has a fault. What is a fault is not recorded, except a move to a taken cell, so
// that who has made the last move has won. The stones of the opening have no time; moves after them
// that took less than 11 ms have none either and count as the opening's.
// Source: GomocupJudge, server.py and ai_match.py.
func (g *Game) judge(verdict string) {
	result, event, found := strings.Cut(verdict, ",")
	if !found || result != "0" && result != "1" && result != "2" {
		return
	}
	g.Event = strings.TrimSpace(event)
	n := len(g.Moves)
	for g.Opening < n && g.Millis[g.Opening] == 0 {
		g.Opening++
	}
	switch {
	case result == "0":
		g.Outcome = Drawn
	case g.Opening < n: // else the fault may be one of the opening
		last := board.Color((n - 1) & 1)
		if slices.Contains(g.Moves[:n-1], g.Moves[n-1]) {
			last = last.Other()
		}
		g.Outcome = WonBy(last)
	}
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func psqSize(s string) (w, h int, ok bool) {
	size, _, _ := strings.Cut(s, ",")
	a, b, ok := strings.Cut(strings.TrimSpace(size), "x")
	w, err := strconv.Atoi(a)
	h, err2 := strconv.Atoi(b)
	return w, h, ok && err == nil && err2 == nil && board.ValidSize(w, h)
}
