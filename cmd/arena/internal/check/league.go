package check

import (
	"fmt"
	"strings"

	"tengen/brain/board"
)

// A League is a kind of games of Gomocup.
type League struct {
	Name string
	Rule board.Rule
	Size int
}

// Leagues are those of Gomocup.
var Leagues = []League{
	{"freestyle-20", board.Freestyle, 20},
	{"freestyle-15", board.Freestyle, 15},
	{"standard-15", board.ExactFive, 15},
	{"renju-15", board.Renju, 15},
	{"caro-15", board.Caro, 15},
}

// ParseLeagues returns the leagues of a list of names between commas. The name of a rule alone stands for
// all its leagues.
func ParseLeagues(text string) (list []League, err error) {
	seen := map[string]bool{}
	for name := range strings.SplitSeq(text, ",") {
		found := false
		for _, l := range Leagues {
			if rule, _, _ := strings.Cut(l.Name, "-"); name == l.Name || name == rule {
				found = true
				if !seen[l.Name] {
					list = append(list, l)
				}
				seen[l.Name] = true
			}
		}
		if !found {
			return nil, fmt.Errorf("%q: want some of %s", name, LeagueNames())
		}
	}
	return list, nil
}

// LeagueNames lists the names of all leagues.
func LeagueNames() string {
	var names []string
	for _, l := range Leagues {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}
