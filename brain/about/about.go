// Package about has the texts by which other programs know this engine, so that those which link
// no engine share them.
package about

import "strconv"

// The engine in the answer to ABOUT.
const (
	Name    = "Tengen"
	Version = "0.2"
	Author  = "The Tengen authors"
	Country = "World"
)

// SearchFailed begins the note, and with it the MESSAGE, of a search that has failed with a panic. A
// colon and the text of the panic follow it.
const SearchFailed = "the search failed"

// ScoreText formats a value in points, or +M7 and -M6 for a win in 7 plies and a loss in 6: mate has
// the plies, negative for a loss, and is 0 if nothing is proven.
func ScoreText(points, mate int) string {
	switch {
	case mate > 0:
		return "+M" + strconv.Itoa(mate)
	case mate < 0:
		return "-M" + strconv.Itoa(-mate)
	}
	return strconv.Itoa(points)
}
