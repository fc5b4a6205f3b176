package record

import (
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
)

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
