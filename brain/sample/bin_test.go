package sample

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

// cliGame makes a random game that .bin and .binpack can represent.
func cliGame(r *rand.Rand, passes bool) *Game {
	for {
		g := randomGame(r, 0)
		g.Lines = nil
		g.Rule = []board.Rule{0, 1, 4}[r.IntN(3)]
		g.Outcome = record.BlackWon + record.Outcome(r.IntN(3))
		size := min(g.Width, g.Height)
		g.Width, g.Height = size, size
		plies := g.Plies[:0]
		for _, p := range g.Plies {
			out := func(m board.Move) bool { return m != board.None && (m.X() >= size || m.Y() >= size) }
			if out(p.Move) || p.Move == board.None && !passes {
				continue
			}
			if out(p.Best) {
				p.Best = p.Move
			}
			plies = append(plies, p)
		}
		g.Plies = plies
		g.Opening = min(g.Opening, max(len(plies)-1, 0))
		for i := range plies[:g.Opening] {
			plies[i].Best, plies[i].Value = board.None, NoValue
		}
		if g.Check() == nil && len(plies) > g.Opening {
			return g
		}
	}
}

// allGames reads to the end.
func allGames(r interface{ Read(*Game) error }) (games []*Game, err error) {
	for {
		g := &Game{}
		if err := r.Read(g); err == io.EOF {
			return games, nil
		} else if err != nil {
			return games, err
		}
		games = append(games, g)
	}
}

func binGames(raw []byte) ([]*Game, error) { return allGames(newBinReader(bytes.NewReader(raw))) }

// The example in the description of the format, and a second ply that White lost.
func TestBinIsTheseBytes(t *testing.T) {
	g := &Game{Width: 15, Height: 15, Outcome: record.BlackWon, Plies: []Ply{
		{Move: board.At(7, 7), Value: NoValue}, {Move: board.At(8, 6), Value: NoValue}}}
	want := "\x02\x78\x38\x07" + "\x04\x78\x30\x08\xe7\x00"
	var b bytes.Buffer
	if err := writeBin(&b, g); err != nil || b.String() != want {
		t.Fatalf("%x, %v; want %x", b.String(), err, want)
	}
	games, err := binGames(b.Bytes())
	if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0], g) {
		t.Errorf("read back %+v, %v; want %+v", games, err, g)
	}
}

func TestBinKeepsMovesAndResults(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var b bytes.Buffer
	var want []*Game
	for i := range 40 {
		g := cliGame(r, false)
		if err := writeBin(&b, g); err != nil {
			t.Fatal(err)
		}
		g.Number = uint32(i)
		for i := range g.Plies {
			g.Plies[i].Value, g.Plies[i].Best = NoValue, board.None
		}
		want = append(want, g)
	}
	got, err := binGames(b.Bytes())
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d games, %v; want %d", len(got), err, len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("game %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestFieldFormatsRefuseOtherGames(t *testing.T) {
	ply := []Ply{{Move: board.At(7, 7), Value: NoValue}}
	tests := []struct {
		name string
		g    Game
		pack bool // binpack refuses it as well
	}{
		{"no result", Game{Width: 15, Height: 15, Plies: ply}, true},
		{"not square", Game{Width: 15, Height: 16, Outcome: record.Drawn, Plies: ply}, true},
		{"caro", Game{Rule: board.Caro, Width: 15, Height: 15, Outcome: record.Drawn, Plies: ply}, true},
		{"continuous", Game{Rule: board.Continuous, Width: 15, Height: 15, Outcome: record.Drawn, Plies: ply}, true},
		{"a stone off the board", Game{Width: 7, Height: 7, Outcome: record.Drawn, Plies: ply}, true},
		{"a pass", Game{Width: 15, Height: 15, Outcome: record.Drawn, Plies: []Ply{{Value: NoValue}}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := writeBin(io.Discard, &tt.g); err == nil {
				t.Error("written as bin")
			}
			if err := writeBinpack(io.Discard, &tt.g); (err == nil) == tt.pack {
				t.Errorf("binpack: %v", err)
			}
		})
	}
}

func TestDamagedBinNamesTheEntry(t *testing.T) {
	good := "\x02\x78\x38\x07"
	tests := []struct{ name, in, want string }{
		{"cut in the head", good + "\x04\x78", "entry 2 at byte 4"},
		{"cut in the moves", good + "\x04\x78\x30\x08\xe7", "entry 2 at byte 4"},
		{"cut before the moves", good + "\x04\x78\x30\x08", "entry 2 at byte 4"},
		{"result 3", "\x03\x78\x38\x07", "result 3"},
		{"rule 2", "\x02\x78\x3a\x07", "rule 2"},
		{"board size 4", "\x02\x20\x38\x07", "size 4"},
		{"a move off the board", "\x02\x78\xf8\x07", "7,31 is not on a board"},
		{"a stone twice", "\x04\x78\x38\x07\xe7\x00", "on a stone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := binGames([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "at byte") {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if strings.HasPrefix(tt.name, "cut") && !errors.Is(err, ErrTruncated) {
				t.Errorf("error %v, want %v", err, ErrTruncated)
			}
		})
	}
}

// What can be read is written as the same bytes.
func FuzzBin(f *testing.F) {
	r := rand.New(rand.NewPCG(13, 14))
	var b bytes.Buffer
	for range 2 {
		writeBin(&b, cliGame(r, false))
	}
	f.Add(b.Bytes())
	f.Add([]byte("\x02\x78\x38\x07" + "\x04\x78\x30\x08\xe7\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		games, err := binGames(raw)
		if err != nil {
			return
		}
		var b bytes.Buffer
		for _, g := range games {
			if err := writeBin(&b, g); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(b.Bytes(), raw) {
			t.Fatalf("%x reads and writes as %x", raw, b.Bytes())
		}
	})
}
