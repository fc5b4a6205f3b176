package record

import (
	"regexp"
	"strings"
)

// Games in prose, as in a report of a fault or a post of a forum, are many moves that follow each other with
// nothing but blanks, commas or hyphens between them, also at the end of an address. Such a text is read if it is
// nothing else.

var (
	proseWord = regexp.MustCompile(`(?i)\b[a-z]{3,}\b`)
	proseRun  = regexp.MustCompile(`(?i)(#/|\b)((?:[a-v](?:1\d|2[0-2]|[1-9])[ ,_-]{0,2}){7,}[a-v](?:1\d|2[0-2]|[1-9]))\b`)
)

// between takes out what stands between moves.
var between = strings.NewReplacer(" ", "", ",", "", "_", "", "-", "")

// leastWords is how many words a text has that may be prose: fewer of them may be a slip in a list of moves.
const leastWords = 5

// readProse returns the games of a text that is prose, or nil.
func readProse(s string, o Reading) []*Tree {
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = textSize, textSize
	}
	s = folded(s)
	var trees []*Tree
	seen := map[string]bool{}
	left := s
	for _, m := range proseRun.FindAllStringSubmatchIndex(s, -1) {
		moves := strings.ToLower(between.Replace(s[m[4]:m[5]]))
		if seen[moves] {
			continue
		}
		seen[moves] = true
		inAddress := m[3] > m[2]
		t, err := readLine(moves, o.Width, o.Height, o.FromBottom || inAddress, false)
		if err != nil || len(trees) == maxProse {
			return nil
		}
		if inAddress {
			t.Format = Link
		}
		t.Remarks = append(t.Remarks, "moves in prose: what else the text says is left out")
		trees = append(trees, t)
		left = strings.ReplaceAll(left, s[m[4]:m[5]], " ")
	}
	if len(proseWord.FindAllString(left, leastWords)) < leastWords {
		return nil
	}
	return trees
}

// maxProse is the number of games in prose that are read.
const maxProse = 1000
