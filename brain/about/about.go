// Package about has the texts by which other programs know this engine, so that those which link
// no engine share them.
package about

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
