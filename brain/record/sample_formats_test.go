package record

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// Every format is read as it was written; .tgs whatever its name says, and with its origins.
func TestSampleFormats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	games := []*SampleGame{fieldGame(r, false), fieldGame(r, false), fieldGame(r, false)}
	for _, tt := range []struct{ written, read string }{{"tgs", "bin"}, {"bin", "bin"}, {"binpack", "binpack"}} {
		var file bytes.Buffer
		sink := NewSampleSink(&file, tt.written)
		for i, g := range games {
			if err := sink.Write(g, "origin "+string(rune('a'+i/2))); err != nil {
				t.Fatal(err)
			}
		}
		if err := sink.Flush(); err != nil {
			t.Fatal(err)
		}
		source, err := NewSampleSource(&file, tt.read)
		if err != nil {
			t.Fatal(err)
		}
		var g SampleGame
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
		if !IsSampleFormat(tt.written) {
			t.Errorf("%s is not a format", tt.written)
		}
	}
	if _, err := NewSampleSource(bytes.NewReader([]byte("anything")), "txt"); err == nil || IsSampleFormat("txt") {
		t.Error("an unknown format is accepted")
	}
}
