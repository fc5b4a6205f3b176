package wire

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/brain/about"
)

// Stats are the statistics of a search in MESSAGE and DEBUG lines. Fields that are not given are
// zero.
type Stats struct {
	Depth    int           // plies of the last iteration
	SelDepth int           // plies of the longest line searched
	Scored   bool          // Eval and Mate were given
	Eval     int           // in the engine's own unit, for the side to move; 0 with Mate
	Mate     int           // plies to a proven win, negative to a proven loss, 0 if none
	Nodes    int64         // of this search
	Speed    int64         // nodes a second
	Time     time.Duration // as measured by the engine
	PV       string        // the principal variation as the engine wrote it, moves separated by blanks
}

// Text is the form that ParseMessage reads and that this engine writes, for line n of the given
// number of lines; n counts from 1.
func (s Stats) Text(n, lines int) string {
	var b strings.Builder
	if lines > 1 {
		fmt.Fprintf(&b, "line %d/%d ", n, lines)
	}
	fmt.Fprintf(&b, "depth %d-%d", s.Depth, s.SelDepth)
	if s.Scored {
		b.WriteString(" eval " + about.ScoreText(s.Eval, s.Mate))
	}
	fmt.Fprintf(&b, " nodes %d", s.Nodes)
	if s.Speed > 0 {
		fmt.Fprintf(&b, " nps %d", s.Speed)
	}
	fmt.Fprintf(&b, " time %d", s.Time.Milliseconds())
	if s.PV != "" {
		b.WriteString(" pv " + s.PV)
	}
	return b.String()
}

// ParseMessage reads a MESSAGE or DEBUG line, with or without that word. It knows two
// forms: keys each followed by a value (depth 12-25 eval 34 nodes 9000 pv h8 g7), and the
// same between bars with the principal variation last (Depth 12-25 | Eval 34 | H8 G7).
// Words it does not know are skipped. Line is the number of the principal variation if the
// engine reports several, from 1 for the best. If ok is false the line is not about a
// search.
func ParseMessage(text string) (s Stats, line int, ok bool) { return Stats{}.Updated(text) }

// Updated returns s with the fields that text gives changed, as in ParseMessage.
func (s Stats) Updated(text string) (_ Stats, line int, ok bool) {
	line = 1
	words := strings.Fields(strings.ReplaceAll(text, "|", " | "))
	for i, word := range words {
		var value string
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch strings.ToLower(strings.TrimSuffix(word, ":")) {
		case "line", "multipv": // "2/5", "2"
			value, _, _ = strings.Cut(value, "/")
			if n, err := strconv.Atoi(value); err == nil && n >= 1 {
				line = n
			}
		case "depth": // "12-25", "12"
			depth, selDepth, _ := strings.Cut(value, "-")
			if n, good := count(depth); good {
				s.Depth, ok = int(n), true
				if n, good := count(selDepth); good {
					s.SelDepth = int(n)
				}
			}
		case "seldepth":
			if n, good := count(value); good {
				s.SelDepth, ok = int(n), true
			}
		case "eval", "ev", "evaluation":
			if eval, mate, good := ParseEval(value); good {
				s.Eval, s.Mate, s.Scored, ok = eval, mate, true, true
			}
		case "node", "nodes", "n", "visit":
			if n, good := count(value); good {
				s.Nodes, ok = n, true
			}
		case "nps", "speed":
			if n, good := count(value); good {
				s.Speed, ok = n, true
			}
		case "time", "tm":
			if d, good := duration(value); good {
				s.Time, ok = d, true
			}
		case "pv", "bestline":
			if pv := moves(words[i+1:]); pv != "" {
				s.PV, ok = pv, true
			}
			return s, line, ok
		case "|":
			if pv := moves(words[i+1:]); pv != "" && ok {
				s.PV = pv
			}
		}
	}
	return s, line, ok
}

// ParseEval reads an evaluation for the side to move: a number in the engine's own unit, or the
// plies to a proven result. It reads what about.ScoreText writes.
func ParseEval(s string) (eval, mate int, ok bool) {
	sign := 1
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = -1, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	s, isMate := strings.CutPrefix(strings.ToUpper(s), "M")
	n, err := strconv.ParseUint(s, 10, 31)
	if isMate {
		return 0, sign * int(n), err == nil
	}
	return sign * int(n), 0, err == nil
}

// count reads a number that may end in K, M or G for thousands, millions and so on.
func count(s string) (int64, bool) {
	unit := 1.0
	if s != "" {
		switch s[len(s)-1] | 0x20 {
		case 'k':
			unit = 1e3
		case 'm':
			unit = 1e6
		case 'g', 'b':
			unit = 1e9
		}
	}
	if unit == 1 {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil && n >= 0
	}
	f, err := strconv.ParseFloat(s[:len(s)-1], 64)
	return int64(f * unit), err == nil && f >= 0 && f < 1e9
}

// duration reads a time: milliseconds, or a number with the unit ms, s or min. It refuses one that is
// negative or that a Duration cannot hold.
func duration(s string) (time.Duration, bool) {
	unit := time.Millisecond
	t := strings.ToLower(s)
	for _, u := range []struct {
		name string
		unit time.Duration
	}{{"ms", time.Millisecond}, {"min", time.Minute}, {"s", time.Second}} {
		if v, ok := strings.CutSuffix(t, u.name); ok {
			t, unit = v, u.unit
			break
		}
	}
	f, err := strconv.ParseFloat(t, 64)
	if f *= float64(unit); err != nil || !(f >= 0 && f < 1<<63) { // also NaN
		return 0, false
	}
	return time.Duration(f), true
}

// moves joins the words at the start of w that are moves, a letter and a number each.
func moves(w []string) string {
	n := 0
	for n < len(w) && isMove(w[n]) {
		n++
	}
	return strings.Join(w[:n], " ")
}

func isMove(s string) bool {
	if len(s) < 2 || len(s) > 3 || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	n, err := strconv.Atoi(s[1:])
	return err == nil && n >= 0 && s[1] != '+' && s[1] != '-'
}
