package record

import (
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
)

// Lacks returns what of a tree a format cannot keep, in a word or two each: "variations", "names".
func (f Format) Lacks(t *Tree) []string {
	kept := f.find().keeps
	if slices.Equal(kept, everything) {
		return nil
	}
	has := map[string]bool{}
	all := []*Node{t.Root}
	for i := 0; i < len(all); i++ {
		n := all[i]
		all = append(all, n.Children...)
		has["variations"] = has["variations"] || len(n.Children) > 1
		if _, timed := ParseTimeComment(n.Comment); n.Comment != "" && (f != PSQ || !timed && n.Comment != OpeningComment) {
			has["comments"] = true
		}
		for _, m := range n.Marks {
			if m.Kind == Label && m.Text != "" {
				has["labels"] = true
			} else {
				has["marks"] = true
			}
		}
		has["names of positions"] = has["names of positions"] || n.Name != ""
		has["marks of positions"] = has["marks of positions"] || n.Hot || n.Start
		has["other properties"] = has["other properties"] || len(n.Properties) > 0
		has["stones set up"] = has["stones set up"] || len(n.Setup) > 0
	}
	has["the size"] = t.Width != textSize || t.Height != textSize
	has["names"] = t.Black+t.White != ""
	has["the rule"] = t.RuleKnown
	has["the result"] = t.Result+t.Reason != ""
	has["event and date"] = t.Event+t.Round+t.Date != ""
	var lost []string
	for _, what := range []string{"variations", "comments", "labels", "marks", "names of positions", "marks of positions", "other properties", "stones set up", "the size", "names", "the rule", "the result", "event and date"} {
		if has[what] && !slices.Contains(kept, what) {
			lost = append(lost, what)
		}
	}
	return lost
}

// Link returns a link of gomocalc to the main line of a tree, whose size and rule it does not tell. The
// error is one of a game with a pass.
func (t *Tree) Link() (string, error) {
	text, err := t.line(true)
	return "https://gomocalc.com/#/" + text, err
}

// Pos returns the main line of a tree in pos notation, or with rows that count from the bottom. The error
// is one of a game with a pass.
func (t *Tree) Pos(fromBottom bool) (string, error) {
	text, err := t.line(fromBottom)
	if text == "" {
		text = "-"
	}
	return text, err
}

func (t *Tree) line(fromBottom bool) (string, error) {
	g, err := t.Game()
	if err != nil {
		return "", err
	}
	if g.HasPass() {
		return "", errPass
	}
	if fromBottom {
		upsideDown(g.Moves, g.Height)
	}
	return FormatMoves(g.Moves), nil
}

// Merge adds the moves of a tree, with what they say, to t, as variations where they differ. The trees
// must be of one size and set up no stones.
func (t *Tree) Merge(other *Tree) error {
	if t.Width != other.Width || t.Height != other.Height {
		return fmt.Errorf("boards of %dx%d and of %dx%d in one tree", t.Width, t.Height, other.Width, other.Height)
	}
	if len(t.Root.Setup)+len(other.Root.Setup) > 0 {
		return fmt.Errorf("stones are set up, which several games in one tree cannot have")
	}
	merge(t.Root, other.Root)
	return nil
}

func merge(n, other *Node) {
	if !strings.Contains(n.Comment, other.Comment) {
		n.Comment = joinTexts(n.Comment, other.Comment)
	}
	n.Hot, n.Start = n.Hot || other.Hot, n.Start || other.Start
	for _, m := range other.Marks {
		if !slices.Contains(n.Marks, m) {
			n.Marks = append(n.Marks, m)
		}
	}
	for _, child := range other.Children {
		i := slices.IndexFunc(n.Children, func(c *Node) bool {
			return c.Color == child.Color && c.Move == child.Move && child.Color < board.Wall
		})
		if i < 0 {
			n.Children = append(n.Children, child)
		} else {
			merge(n.Children[i], child)
		}
	}
}
