package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/review"
)

// reviewMark begins the lines of comments that a review has written, which the next one replaces.
const reviewMark = "Tengen: "

// annotations are the properties of SGF for classes of moves: doubtful, bad, very bad.
var annotations = map[review.Class]record.Property{
	review.Inaccuracy: {Name: "DO", Values: []string{""}},
	review.Mistake:    {Name: "BM", Values: []string{"1"}},
	review.Blunder:    {Name: "BM", Values: []string{"2"}},
}

// reviewSGF returns the game as SGF with all that its file says. The comments of its moves get their
// values, mistakes what they cost, and better lines become variations.
func reviewSGF(g *game, r *review.Result, from int) (string, error) {
	t := g.tree
	file := func(moves []board.Move) []board.Move { return g.mirror(moves) }
	if t.Format.Typed() { // with rows from the bottom, as people write
		t.Flip()
		upside := *g
		upside.mirrored = true
		file = upside.mirror
	}
	moves := file(g.moves)
	label := func(m board.Move) string {
		if m == board.None {
			return "pass"
		}
		return m.Label(g.height)
	}
	t.Root.Comment = remarked(t.Root.Comment, reviewHead(g, r))
	k := 0
	parent := t.Root
	for _, n := range t.MainLine() {
		if n.Color < board.Wall {
			for k < len(moves) && (moves[k] != n.Move || board.Color(k&1) != n.Color) {
				k++ // a stone that is set up, or a pass that is not in the file
			}
			if k == len(moves) {
				break
			}
			if k >= from && n.Move != board.None {
				reviewNode(n, parent, board.Color(k&1), r, k, file, label, k == len(moves)-1 && r.Foul)
			}
			k++
		}
		parent = n
	}
	var b bytes.Buffer
	err := record.WriteSGFTree(&b, t)
	return b.String(), err
}

// reviewNode adds to the node of a move what the review says of it.
func reviewNode(n, parent *record.Node, side board.Color, r *review.Result, k int, file func([]board.Move) []board.Move, label func(board.Move) string, foul bool) {
	j := r.Moves[k]
	text := fmt.Sprintf("%s (%.0f%%) for %v", scoreText(j.After), 100*j.After.Chance(), side)
	if foul {
		text += ", forbidden"
	}
	if j.Class >= review.Inaccuracy {
		text += fmt.Sprintf(", %v, %.0f%% lost", j.Class, 100*j.Loss)
		if !slices.ContainsFunc(n.Properties, isAnnotation) {
			n.Properties = append(n.Properties, annotations[j.Class])
		}
	}
	if j.Class >= review.Inaccuracy && len(j.Better) > 0 {
		line := file(j.Better)
		text += ", better " + label(line[0])
		first := parent.AddLine(side, line)
		first.Comment = remarked(first.Comment, fmt.Sprintf("%s (%.0f%%) for %v, better than %s", scoreText(j.Before), 100*j.Before.Chance(), side, label(n.Move)))
	}
	n.Comment = remarked(n.Comment, text)
}

// isAnnotation reports whether a property says how good a move is.
func isAnnotation(q record.Property) bool {
	return slices.Contains([]string{"BM", "DO", "IT", "TE"}, q.Name)
}

// remarked returns a comment with a line of the review, instead of one of an earlier review.
func remarked(comment, text string) string {
	var lines []string
	for line := range strings.Lines(comment) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, reviewMark) {
			lines = append(lines, line)
		}
	}
	return strings.Join(append(lines, reviewMark+text), "\n")
}

// reviewHead summarizes the whole game.
func reviewHead(g *game, r *review.Result) string {
	text := brain.Name + " " + brain.Version + ", " + g.on()
	for i, side := range r.Sides {
		if side.Moves > 0 {
			text += fmt.Sprintf("; %v: accuracy %d%%", board.Color(i), side.Accuracy)
		}
	}
	return text
}
