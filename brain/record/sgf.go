package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tengen/brain/board"
)

const sgfLine = 8 // moves a line

// WriteSGF writes g as one game tree in the dialect of c-gomoku-cli, followed by an empty
// line: GM[4], GN is the number of the game (in Round after the point), RU the rule number of
// the protocol, SZ the side or columns:rows, RE is B+1, W+1 or 0, TE the reason. Coordinates
// are two letters, x then y, from the top left. The comment of a move is "opening move" or
// its time as in "12ms". It makes one Write.
func WriteSGF(w io.Writer, g *Game) error {
	size := strconv.Itoa(g.Width)
	if g.Width != g.Height {
		size += ":" + strconv.Itoa(g.Height)
	}
	re := [...]string{"?", "B+1", "W+1", "0"}[g.Outcome&3]
	_, number, ok := strings.Cut(g.Round, ".")
	if !ok {
		number = "1"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "(;FF[4]GM[4]GN[%s]EV[%s]DT[%s]RO[%s]RU[%d]SZ[%s]PB[%s]PW[%s]RE[%s]TE[%s]",
		sgfText(number), sgfText(g.Event), sgfText(g.Date), sgfText(g.Round), g.Rule, size,
		sgfText(g.Black), sgfText(g.White), re, sgfText(g.Reason))
	for i, m := range g.Moves {
		if i == 0 || i >= g.Opening && (i-g.Opening)%sgfLine == 0 {
			b.WriteByte('\n')
		}
		comment := "opening move"
		if i >= g.Opening {
			comment = strconv.Itoa(g.millis(i)) + "ms"
		}
		fmt.Fprintf(&b, ";%c[%c%c]C[%s]", "BW"[i&1], 'a'+m.X(), 'a'+m.Y(), comment)
	}
	b.WriteString(")\n\n")
	_, err := w.Write(b.Bytes())
	return err
}

var sgfEscape = strings.NewReplacer(`\`, `\\`, `]`, `\]`, "\n", " ", "\r", " ")

func sgfText(s string) string { return sgfEscape.Replace(s) }

// ReadSGF reads the main line, the first variation, of every game of an SGF collection.
// Moves must be on the board and alternate, Black first. Stones set up before the first
// move are taken for an opening, played in the order given; there must be as many white
// ones as black, or one less. Errors name the game, counted from 1.
func ReadSGF(r io.Reader) ([]Game, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	p := sgfParser{s: string(raw)}
	var games []Game
	for p.skipTo('(') {
		g := Game{Width: 19, Height: 19}
		p.game, p.setup = &g, [2][]board.Move{}
		err := p.tree(0, true)
		if err == nil {
			err = p.open()
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", len(games)+1, err)
		}
		games = append(games, g)
	}
	return games, nil
}

type sgfParser struct {
	s     string
	i     int
	game  *Game
	setup [2][]board.Move // stones of Black and White that are set up but not moves yet
}

func (p *sgfParser) skipTo(c byte) bool {
	k := strings.IndexByte(p.s[p.i:], c)
	if k < 0 {
		return false
	}
	p.i += k
	return true
}

// tree parses from "(" to its ")". If main is not set, the nodes are ignored.
func (p *sgfParser) tree(depth int, main bool) error {
	if depth > 1000 {
		return errors.New("variations are nested too deep")
	}
	p.i++ // the parenthesis
	first := true
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ')':
			p.i++
			return nil
		case c == '(':
			if err := p.tree(depth+1, main && first); err != nil {
				return err
			}
			first = false
		case c >= 'A' && c <= 'Z':
			if err := p.property(main); err != nil {
				return err
			}
		default:
			p.i++
		}
	}
	return errors.New("the game tree is not closed")
}

// property parses a name and all its values.
func (p *sgfParser) property(main bool) error {
	start := p.i
	for p.i < len(p.s) && p.s[p.i] >= 'A' && p.s[p.i] <= 'Z' {
		p.i++
	}
	name := p.s[start:p.i]
	for n := 0; ; n++ {
		for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
			p.i++
		}
		if p.i >= len(p.s) || p.s[p.i] != '[' {
			if n == 0 {
				return fmt.Errorf("property %s has no value", name)
			}
			return nil
		}
		var v strings.Builder
		for p.i++; ; p.i++ {
			if p.i >= len(p.s) {
				return fmt.Errorf("property %s is not closed", name)
			}
			if p.s[p.i] == ']' {
				p.i++
				break
			}
			if p.s[p.i] == '\\' && p.i+1 < len(p.s) {
				p.i++
			}
			v.WriteByte(p.s[p.i])
		}
		if main && (n == 0 || name == "AB" || name == "AW") {
			if err := p.set(name, v.String()); err != nil {
				return err
			}
		}
	}
}

func (p *sgfParser) set(name, v string) error {
	g := p.game
	switch name {
	case "PB":
		g.Black = v
	case "PW":
		g.White = v
	case "EV":
		g.Event = v
	case "RO":
		g.Round = v
	case "DT":
		g.Date = v
	case "TE":
		g.Reason = v
	case "RU":
		if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < 16 {
			g.Rule = board.Rule(n)
		}
	case "SZ":
		a, b, two := strings.Cut(v, ":")
		if !two {
			b = a
		}
		w, err := strconv.Atoi(a)
		h, err2 := strconv.Atoi(b)
		if err != nil || err2 != nil || !validSide(w) || !validSide(h) {
			return fmt.Errorf("size %q is not supported, want sides of %d to %d", v, board.MinSize, board.MaxSize)
		}
		g.Width, g.Height = w, h
	case "RE":
		switch {
		case strings.HasPrefix(v, "B+"):
			g.Outcome = BlackWon
		case strings.HasPrefix(v, "W+"):
			g.Outcome = WhiteWon
		case v == "0", strings.EqualFold(v, "draw"):
			g.Outcome = Drawn
		}
	case "AB", "AW":
		if len(g.Moves) > 0 {
			return fmt.Errorf("stones are set up after move %d", len(g.Moves))
		}
		m, err := p.point(v)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		i := strings.IndexByte("BW", name[1])
		p.setup[i] = append(p.setup[i], m)
	case "B", "W":
		if err := p.open(); err != nil {
			return err
		}
		if name != "BW"[len(g.Moves)&1:][:1] {
			return fmt.Errorf("move %d is out of turn", len(g.Moves)+1)
		}
		m, err := p.point(v)
		if err != nil {
			return fmt.Errorf("move %d: %w", len(g.Moves)+1, err)
		}
		g.Moves = append(g.Moves, m)
		g.Millis = append(g.Millis, 0)
	case "C":
		i := len(g.Moves) - 1
		if i < 0 {
			return nil
		}
		if ms, ok := strings.CutSuffix(v, "ms"); ok {
			g.Millis[i], _ = strconv.Atoi(ms) // zero if it is not a time
		} else if v == "opening move" {
			g.Opening = i + 1
		}
	}
	return nil
}

// point parses two letters, column and row from the top left.
func (p *sgfParser) point(v string) (board.Move, error) {
	g := p.game
	if len(v) != 2 || len(g.Moves)+len(p.setup[0])+len(p.setup[1]) >= maxMoves {
		return board.None, fmt.Errorf("bad point %q", v)
	}
	m, err := board.AtOn(int(v[0])-'a', int(v[1])-'a', g.Width, g.Height)
	if err != nil {
		return board.None, fmt.Errorf("point %q: %w", v, err)
	}
	return m, nil
}

// open makes the opening of the game from the stones set up.
func (p *sgfParser) open() error {
	g, black, white := p.game, p.setup[0], p.setup[1]
	n := len(black) + len(white)
	if n == 0 {
		return nil
	}
	if len(black)-len(white) != n&1 {
		return fmt.Errorf("%d black and %d white stones are set up, want as many white ones or one less", len(black), len(white))
	}
	for i := range n {
		g.Moves = append(g.Moves, p.setup[i&1][i/2])
	}
	g.Millis = make([]int, n)
	g.Opening = n
	p.setup = [2][]board.Move{}
	return nil
}
