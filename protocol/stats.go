package protocol

import (
	"strconv"
	"strings"
	"time"
)

// Stats are what an engine told of its search in MESSAGE lines between a command and
// the answer to it. Zero fields were not told. The last word on each counts, of the
// first line only if the engine reports several.
type Stats struct {
	Depth    int           // plies of the last iteration
	SelDepth int           // plies of the longest line looked at
	Scored   bool          // Eval and Mate were told
	Eval     int           // the engine's own unit, for the side that moves; 0 with Mate
	Mate     int           // plies to a proven win, negative to a proven loss, 0 if none
	Nodes    int64         // in this search
	Speed    int64         // nodes a second
	Time     time.Duration // as the engine measured it
	PV       string        // best line as the engine wrote it, moves parted by blanks
}

// read takes what a MESSAGE line tells. It knows two shapes, words with a value after
// each (depth 12-25 eval 34 nodes 9000 pv h8 g7), and the same between bars with the
// best line last (Depth 12-25 | Eval 34 | Time 500ms | H8 G7), and leaves s alone where
// a line is neither.
func (s *Stats) read(text string) {
	next := *s
	found := false
	words := strings.Fields(strings.ReplaceAll(text, "|", " | "))
	for i := 0; i < len(words); i++ {
		key := strings.ToLower(strings.TrimSuffix(words[i], ":"))
		var value string
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch key {
		case "line": // of several; "line 1/5" is the best one
			if !strings.HasPrefix(value, "1/") {
				return
			}
			i++
		case "multipv":
			if value != "1" {
				return
			}
			i++
		case "depth":
			depth, selDepth, both := strings.Cut(value, "-")
			d, err := strconv.Atoi(depth)
			if err != nil {
				continue
			}
			next.Depth, found = d, true
			if n, err := strconv.Atoi(selDepth); both && err == nil {
				next.SelDepth = n
			}
			i++
		case "seldepth":
			if n, err := strconv.Atoi(value); err == nil {
				next.SelDepth, found = n, true
				i++
			}
		case "eval", "ev", "evaluation":
			if v, mate, ok := score(value); ok {
				next.Eval, next.Mate, next.Scored, found = v, mate, true, true
				i++
			}
		case "node", "nodes", "n", "visit":
			if n, ok := count(value); ok {
				next.Nodes, found = n, true
				i++
			}
		case "nps", "speed":
			if n, ok := count(value); ok {
				next.Speed, found = n, true
				i++
			}
		case "time", "tm":
			if d, ok := span(value); ok {
				next.Time, found = d, true
				i++
			}
		case "pv", "bestline":
			if line := moves(words[i+1:]); line != "" {
				next.PV = line
				*s = next
			}
			return
		case "|":
			if line := moves(words[i+1:]); found && line != "" {
				next.PV = line
			}
		}
	}
	if found {
		*s = next
	}
}

// score reads an evaluation: a number, or +M7 and -M6 for a win in 7 or a loss in 6.
func score(s string) (eval, mate int, ok bool) {
	sign := 1
	t := strings.TrimPrefix(s, "+")
	if u, minus := strings.CutPrefix(s, "-"); minus {
		sign, t = -1, u
	}
	if u, found := strings.CutPrefix(strings.ToUpper(t), "M"); found {
		n, err := strconv.Atoi(u)
		return 0, sign * n, err == nil && n >= 0
	}
	n, err := strconv.Atoi(t)
	return sign * n, 0, err == nil
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

// span reads a time: milliseconds, or a number with the unit ms, s or min.
func span(s string) (time.Duration, bool) {
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
	if err != nil || f < 0 || f > 1e9 {
		return 0, false
	}
	return time.Duration(f * float64(unit)), true
}

// moves joins the words at the start of w that are moves: a letter and a number.
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
