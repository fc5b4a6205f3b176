// Package testdata holds the positions with proven wins for the programs that show them; the
// tests read the files themselves.
package testdata

import "embed"

// Positions are the files tactics/*.txt, for record.ReadTactics, and puzzles/*.txt and threat/*.txt, for
// record.ReadPuzzles.
//
//go:embed puzzles/*.txt tactics/*.txt threat/*.txt
var Positions embed.FS
