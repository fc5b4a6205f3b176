package record

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A session of the Gomocup protocol is what a manager and an engine have said to each other, as logs and
// scripts have it: a line a command or an answer, perhaps with an arrow before it.

var (
	sessionFirst = regexp.MustCompile(`(?i)^(?:START\s+\d|RECTSTART\s+\d|RESTART\s*$|TURN\s+\d|BEGIN\s*$|(?:YX)?BOARD\s*$|INFO\s+[a-z_]+\s)`)
	sessionArrow = regexp.MustCompile(`^(?:(?:-+>|<-+|=>|<=|>+|<+)\s*|\[[^\]]*\]\s*)+`)
	sessionMove  = regexp.MustCompile(`^(?:(?i:TURN|PLAY|TAKEBACK)\s+)?(\d{1,2})\s*,\s*(\d{1,2})\s*$`)
	sessionStone = regexp.MustCompile(`^(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*([123])\s*$`)
	sessionSize  = regexp.MustCompile(`^\S+\s+(\d{1,2})(?:\s*,\s*(\d{1,2}))?\s*$`)
)

// isSession reports whether a line begins a session of the protocol.
func isSession(line string) bool {
	return sessionFirst.MatchString(sessionArrow.ReplaceAllString(strings.TrimSpace(line), ""))
}

// A sessionReader reads the games of a session.
type sessionReader struct {
	rule          board.Rule
	ruleKnown     bool
	width, height int
	moves         []board.Move
	list          [2][]board.Move // of a BOARD: own and the opponent's
	order         []board.Move    // as they stand there
	inBoard       bool
	trees         []*Tree
}

// readSession reads a session: a game for each START and RESTART, and a position for each BOARD that is
// not the first of a game. Columns and rows count from 0 at the top left.
func readSession(s string, o Reading) ([]*Tree, error) {
	r := sessionReader{width: o.Width, height: o.Height}
	if r.width == 0 || r.height == 0 {
		r.width, r.height = textSize, textSize
	}
	n := 0
	items := 0
	for line := range strings.Lines(s) {
		n++
		line = sessionArrow.ReplaceAllString(strings.TrimSpace(line), "")
		if line == "" || isComment(line) {
			continue
		}
		if err := r.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if items += treeItems; items > maxItems {
			return nil, errItems
		}
	}
	if r.inBoard {
		return nil, fmt.Errorf("line %d: no DONE ends the list of stones", n)
	}
	err := r.finish()
	return r.trees, err
}

// line reads one command or answer.
func (r *sessionReader) line(line string) error {
	word := strings.ToUpper(strings.Fields(line)[0])
	if r.inBoard {
		if word == "DONE" {
			return r.done()
		}
		m := sessionStone.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%.40q is no stone", line)
		}
		at, err := r.at(m[1], m[2])
		if err != nil {
			return err
		}
		if m[3] != "3" { // which is a row of a continuous game
			r.order = append(r.order, at)
			r.list[m[3][0]-'1'] = append(r.list[m[3][0]-'1'], at)
		}
		return nil
	}
	switch word {
	case "START", "RECTSTART", "RESTART":
		err := r.finish()
		if m := sessionSize.FindStringSubmatch(line); m != nil && err == nil {
			w, _ := strconv.Atoi(m[1])
			h := w
			if m[2] != "" {
				h, _ = strconv.Atoi(m[2])
			}
			if !board.ValidSize(w, h) {
				return fmt.Errorf("size %dx%d is not supported", w, h)
			}
			r.width, r.height = w, h
		}
		return err
	case "BOARD", "YXBOARD":
		err := r.finish()
		r.inBoard = true
		return err
	case "INFO":
		if f := strings.Fields(line); len(f) == 3 && strings.EqualFold(f[1], "rule") {
			var ok bool
			if r.rule, ok = ruleOf(f[2]); !ok {
				return fmt.Errorf("unknown rule %.20q", f[2])
			}
			r.ruleKnown = true
		}
		return nil
	}
	m := sessionMove.FindStringSubmatch(line)
	if m == nil {
		if word == "TURN" || word == "PLAY" || word == "TAKEBACK" || word[0] >= '0' && word[0] <= '9' {
			return fmt.Errorf("%.40q is no move", line)
		}
		return nil // another command or answer
	}
	at, err := r.at(m[1], m[2])
	if err != nil {
		return err
	}
	if word == "TAKEBACK" {
		if k := len(r.moves) - 1; k < 0 || r.moves[k] != at {
			return fmt.Errorf("%.20q does not take the last move back", line)
		}
		r.moves = r.moves[:len(r.moves)-1]
		return nil
	}
	r.moves = append(r.moves, at)
	return distinct(r.moves)
}

// at returns a cell.
func (r *sessionReader) at(x, y string) (board.Move, error) {
	column, _ := strconv.Atoi(x)
	row, _ := strconv.Atoi(y)
	m, err := board.AtOn(column, row, r.width, r.height)
	if err != nil {
		err = fmt.Errorf("%d,%d: %w", column, row, err)
	}
	return m, err
}

// done ends a list of stones, after which its owner, who has as many as the other or one more of White,
// is to move.
func (r *sessionReader) done() error {
	own, other := r.list[0], r.list[1]
	black, white := own, other
	switch len(other) - len(own) {
	case 0:
	case 1:
		black, white = other, own
	default:
		return fmt.Errorf("a list of %d own stones and %d others is no game of moves in turn", len(own), len(other))
	}
	if err := distinct(r.order); err != nil {
		return err
	}
	r.moves = r.order
	for i, m := range r.order { // as played, if that is how they stand there
		side := black
		if i&1 == 1 {
			side = white
		}
		if i/2 >= len(side) || side[i/2] != m {
			r.moves = InTurn(r.rule, r.width, r.height, black, white)
			break
		}
	}
	r.list, r.order, r.inBoard = [2][]board.Move{}, nil, false
	return nil
}

// finish ends a game, if there is one.
func (r *sessionReader) finish() error {
	if len(r.moves) == 0 {
		return nil
	}
	t := treeOf(&Game{Width: r.width, Height: r.height, Moves: r.moves})
	t.Rule, t.RuleKnown, t.Format = r.rule, r.ruleKnown, Session
	r.moves = nil
	r.trees = append(r.trees, t)
	var said remarks
	return t.check(&said)
}
