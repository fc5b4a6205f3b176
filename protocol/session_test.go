package protocol

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/brain"
)

// TestRandomSessions sends random commands, most of them well formed, under all rules on
// small boards that fill up. Every answer must be of a known kind, and nothing may panic.
func TestRandomSessions(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		var in strings.Builder
		width, height := 5+r.IntN(4), 5+r.IntN(4)
		fmt.Fprintf(&in, "RECTSTART %d,%d\n", width, height)
		cell := func() string { return fmt.Sprintf("%d,%d", r.IntN(width), r.IntN(height)) }
		block := func(name string, n int, owner bool) {
			in.WriteString(name + "\n")
			owners := map[string]int{} // a cell has one
			for range n {
				c := cell()
				in.WriteString(c)
				if owner {
					// Mostly stones, and rarely so unequal in number that passes are needed.
					owners[c] = cmp.Or(owners[c], []int{1, 2, 1, 2, 1, 2, 3}[r.IntN(7)])
					fmt.Fprintf(&in, ",%d", owners[c])
				}
				in.WriteByte('\n')
			}
			in.WriteString("DONE\n")
		}
		for range 60 {
			switch r.IntN(16) {
			case 0:
				fmt.Fprintf(&in, "INFO rule %d\n", r.IntN(16))
			case 1:
				block("BOARD", r.IntN(width*height+3), true)
			case 2:
				block("YXBOARD", r.IntN(width*height), true)
			case 3:
				block("SWAP2BOARD", []int{0, 3, 5, 4}[r.IntN(4)], false)
			case 4:
				fmt.Fprintf(&in, "YXNBEST %d\n", 1+r.IntN(40))
			case 5:
				in.WriteString("YXSHOWFORBID\n")
			case 6, 7:
				fmt.Fprintf(&in, "TAKEBACK %s\n", cell())
			case 8:
				fmt.Fprintf(&in, "PLAY %s\n", cell())
			case 9:
				in.WriteString([]string{"BEGIN\n", "ABOUT\n", "YXHASHCLEAR\n", "FOO\n", "YXSHOWINFO\n"}[r.IntN(5)])
			default:
				fmt.Fprintf(&in, "TURN %s\n", cell())
			}
		}
		e := brain.New(brain.Config{})
		e.Set("hash_size", "64")
		e.Set("max_node", "30")
		checkEnds(t, []byte(in.String()), hasty{e})
		if t.Failed() {
			t.Fatalf("seed %d: the input was\n%s", seed, in.String())
		}
	}
}
