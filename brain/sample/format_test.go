package sample

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// Every format is read as it was written; .tgs whatever its name says, and with its origins.
func TestSampleFormats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	games := []*Game{cliGame(r, false), cliGame(r, false), cliGame(r, false)}
	for _, tt := range []struct{ written, read string }{{"tgs", "bin"}, {"bin", "bin"}, {"binpack", "binpack"}} {
		var file bytes.Buffer
		sink := NewSink(&file, tt.written)
		for i, g := range games {
			if err := sink.Write(g, "origin "+string(rune('a'+i/2))); err != nil {
				t.Fatal(err)
			}
		}
		if err := sink.Flush(); err != nil {
			t.Fatal(err)
		}
		source, err := NewSource(&file, tt.read)
		if err != nil {
			t.Fatal(err)
		}
		var g Game
		for i, want := range games {
			if err := source.Read(&g); err != nil || len(g.Plies) != len(want.Plies) || g.Outcome != want.Outcome {
				t.Errorf("%s: game %d: %v, %d plies, want %d", tt.written, i, err, len(g.Plies), len(want.Plies))
			}
			origin := map[bool]string{true: "origin " + string(rune('a'+i/2))}[tt.written == "tgs"]
			if got := source.Origin(); got != origin {
				t.Errorf("%s: origin %q, want %q", tt.written, got, origin)
			}
		}
		if err := source.Read(&g); err != io.EOF {
			t.Errorf("%s: %v after the last game", tt.written, err)
		}
		if !IsFormat(tt.written) {
			t.Errorf("%s is not a format", tt.written)
		}
	}
	if _, err := NewSource(bytes.NewReader([]byte("anything")), "txt"); err == nil || IsFormat("txt") {
		t.Error("an unknown format is accepted")
	}
}
