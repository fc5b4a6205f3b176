package record

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"tengen/brain/board"
)

// maxHead is how many lines may stand before the moves of a text.
const maxHead = 30

// What may stand before moves, and the first of these.
var (
	moveOne    = regexp.MustCompile(`^[(\[#]?0?1(?:\s*[.):\]]+\s*|\s+)[A-Za-z]\d{1,2}(?:\W|$)`)
	headSize   = regexp.MustCompile(`(?:^|\D)(\d{1,2})\s*[xX×*]\s*(\d{1,2})(?:\D|$)`)
	headPlayer = regexp.MustCompile(`(?i)^(black|white|eks|ohs|黑方|黒番|黑|白方|白番|白)\s*[:=]\s*(\S.*)$`)
	headNames  = regexp.MustCompile(`^(\S+(?: \S+)*)\s{2,}(\S+(?: \S+)*)$`)
	columnI    = regexp.MustCompile(`(?i)(?:^|[^a-z])i\d`)
	columnJ    = regexp.MustCompile(`(?i)(?:^|[^a-z])[j-z]\d`)
)

// A moveHead is what a text says before its moves.
type moveHead struct {
	lines         int // of the text
	width, height int // 0 if they are not there
	tags          [][2]string
	withoutI      bool // letters of columns go from h to j
	said          remarks
}

// headOf returns what stands before the moves of a text if these have numbers: lines with a title, the
// rule, the size or names. Without such lines it has none.
func headOf(lines []string) moveHead {
	var h moveHead
	begin := -1 // the first line that is not empty
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || isComment(line) {
			continue
		}
		if begin < 0 {
			if begin = i; isMoveLine(line) || isLinkText(line) || isProblem(line) {
				return h
			}
		}
		if i-begin > maxHead {
			return h
		}
		if moveOne.MatchString(line) {
			h.lines = i
			break
		}
	}
	board := false
	var left []string
	for _, line := range lines[:h.lines] {
		line = strings.TrimSpace(line)
		if m := headPlayer.FindStringSubmatch(line); m != nil {
			name := "white"
			switch strings.ToLower(m[1]) {
			case "black", "eks", "黑方", "黑", "黒番":
				name = "black"
			}
			h.withoutI = h.withoutI || strings.EqualFold(m[1], "eks")
			h.tags = append(h.tags, [2]string{name, m[2]})
			continue
		}
		switch m := headNames.FindStringSubmatch(line); {
		case strings.Contains(line, "- Text Board -"): // of RenLib
			board = true
			continue
		case board && m != nil:
			if !strings.EqualFold(m[1], "black") {
				h.tags = append(h.tags, [2]string{"black", m[1]}, [2]string{"white", m[2]})
			}
			continue
		}
		if m := headSize.FindStringSubmatch(line); m != nil {
			if w, ht, ok := sgfSides(m[1] + ":" + m[2]); ok {
				h.width, h.height = w, ht
			}
		}
		if line != "" {
			left = append(left, line)
		}
	}
	if len(left) > 0 {
		h.said.add("text before the moves: %.60q", strings.Join(left, " "))
	}
	return h
}

// rule looks for renju in the lines before the moves.
func (h *moveHead) rule(lines []string, t *Tree) {
	if t.RuleKnown {
		return
	}
	if rule, ok := ruleInText(strings.Join(lines[:h.lines], " "), board.Renju); ok {
		t.Rule, t.RuleKnown = rule, true
		h.said.add("the text before the moves says the rule: %v", rule)
	}
}

// skipsI reports whether no move of a text is in column i and some are behind it, as where letters of
// columns go from h to j.
func skipsI(lines []string) bool {
	behind := false
	for _, line := range lines {
		if tagLine.MatchString(line) {
			continue
		}
		if columnI.MatchString(line) {
			return false
		}
		behind = behind || columnJ.MatchString(line)
	}
	return behind
}

// withoutI is what a reader says of columns whose letters leave out i.
const withoutI = "columns are taken for letters without i, as those on a board of Go"

// otherGames are names of games that are neither gomoku nor renju, as foldRule leaves them.
var otherGames = []string{"connect6", "connectsix", "六子棋", "pente", "ninuki", "connect4", "connectfour", "tictactoe", "othello", "reversi", "baduk", "weiqi", "围棋", "圍棋"}

// otherGame returns an error if a text names another game.
func otherGame(v string) error {
	plain := foldRule(v)
	for _, name := range otherGames {
		if strings.Contains(plain, name) {
			return fmt.Errorf("this is another game, %.40q; want gomoku or renju", v)
		}
	}
	return nil
}

// closing are the brackets that end what others begin.
var closing = map[rune]rune{'(': ')', '{': '}', '（': '）', '｛': '｝'}

// foldedMoves is folded for a text of moves: comments in brackets and the values of tags stay as they are.
func foldedMoves(s string) string {
	plain := folded(s)
	if plain == s {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(lineEnds.Replace(s)) {
		if tagLine.MatchString(strings.TrimSpace(line)) {
			b.WriteString(line)
			continue
		}
		for line != "" {
			at := strings.IndexFunc(line, func(r rune) bool { return closing[r] != 0 })
			if at < 0 {
				break
			}
			r, size := utf8.DecodeRuneInString(line[at:])
			n := strings.IndexRune(line[at+size:], closing[r])
			if n < 0 {
				break
			}
			inner := line[at+size : at+size+n]
			b.WriteString(folded(line[:at+size]))
			if text := folded(inner); isComments(text) {
				b.WriteString(inner)
			} else {
				b.WriteString(text)
			}
			line = line[at+size+n:]
		}
		b.WriteString(folded(line))
	}
	return b.String()
}

// isComments reports whether what stands in brackets is neither moves nor a number nor a time.
func isComments(inner string) bool {
	inner = strings.TrimSpace(inner)
	return !onlyMoves.MatchString(inner) && !timeOrValue.MatchString(inner) && !pairFirst.MatchString(inner) && strings.Trim(inner, "0123456789 ") != ""
}
