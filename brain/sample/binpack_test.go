package sample

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

func packGames(raw []byte) ([]*Game, error) {
	return allGames(newBinpackReader(bytes.NewReader(raw)))
}

// A renju game of 15x15 by hand: opening 7,7 (move 231), White to move and lost; White
// plays 8,6 (262) with value -2, Black 9,9 (297) where 0,1 (1) was best with 100, White
// passes, Black 14,14 (462) unsearched. Five stones and a pass, five lines.
func TestBinpackIsTheseBytes(t *testing.T) {
	g := &Game{Rule: board.Renju, Width: 15, Height: 15, Outcome: record.BlackWon, Opening: 1, Plies: []Ply{
		{Move: board.At(7, 7), Value: NoValue},
		{Move: board.At(8, 6), Best: board.At(8, 6), Value: -2},
		{Move: board.At(9, 9), Best: board.At(0, 1), Value: 100},
		{Value: NoValue},
		{Move: board.At(14, 14), Value: NoValue},
	}}
	head := uint32(15 | 4<<5 | 0<<8 | 4<<12 | 1<<22)
	want := string(le.AppendUint32(nil, head)) + string(le.AppendUint32(nil, 5<<14)) + "\xe7\x00" +
		string(le.AppendUint16(nil, 262<<6|3)) + "\xfe\xff" +
		string(le.AppendUint16(nil, 297<<6|1)) + "\x63\x00" +
		string(le.AppendUint16(nil, 1<<6|2)) + "\x64\x00" +
		"\x0f\x00\x00\x00" +
		string(le.AppendUint16(nil, 462<<6|7)) + "\x00\x00"
	var b bytes.Buffer
	if err := writeBinpack(&b, g); err != nil || b.String() != want {
		t.Fatalf("%x, %v; want %x", b.String(), err, want)
	}
	games, err := packGames(b.Bytes())
	if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0], g) {
		t.Errorf("read back %+v, %v; want %+v", games, err, g)
	}
}

func TestBinpackKeepsAllButTheNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var b bytes.Buffer
	var want []*Game
	for i := range 200 {
		g := cliGame(r, true)
		if err := writeBinpack(&b, g); err != nil {
			t.Fatal(err)
		}
		g.Number = uint32(i)
		for j, p := range g.Plies[:g.Opening] {
			if p.Move == board.None {
				g.Opening = j // a pass cannot stand in an opening
				break
			}
		}
		want = append(want, g)
	}
	got, err := packGames(b.Bytes())
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d games, %v; want %d", len(got), err, len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("game %d:\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
}

// Rapfi and others write several lines of a search with a value each.
func TestBinpackLinesOfOnePosition(t *testing.T) {
	line := func(flags, move uint16, value int16) string {
		return string(le.AppendUint16(le.AppendUint16(nil, move<<6|flags), uint16(value)))
	}
	head := func(lines uint32) string {
		return string(le.AppendUint32(nil, 15|2<<8|2<<12)) + string(le.AppendUint32(nil, lines<<14))
	}
	in := head(5) +
		line(packFirst, 231, 50) + line(0, 232, 50) + line(packLast, 233, 40) + // the first of equals is best
		line(packFirst|packNoValue, 262, 0) + line(packLast, 263, -7)
	games, err := packGames([]byte(in))
	want := []Ply{
		{Move: board.At(7, 7), Best: board.At(7, 7), Value: 50},
		{Move: board.At(8, 6), Best: board.At(8, 7), Value: -7},
	}
	if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0].Plies, want) || games[0].Outcome != record.BlackWon {
		t.Errorf("%+v, %v; want %+v", games, err, want)
	}
}

func TestDamagedBinpackNamesTheGame(t *testing.T) {
	var b bytes.Buffer
	g := &Game{Width: 15, Height: 15, Outcome: record.Drawn, Opening: 1, Plies: []Ply{
		{Move: board.At(7, 7), Value: NoValue}, {Move: board.At(8, 6), Value: NoValue}}}
	if err := writeBinpack(&b, g); err != nil {
		t.Fatal(err)
	}
	good := b.Bytes() // 14 bytes: head 8, opening 2, line 4
	for cut := range good {
		games, err := packGames(append(bytes.Clone(good), good[:cut]...))
		if len(games) != 1 || cut > 0 && (!errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), "game 2 at byte 14")) {
			t.Errorf("cut at %d: %d games, %v", cut, len(games), err)
		}
	}
	tests := []struct {
		name  string
		at    int
		value byte
		want  string
	}{
		{"board size 0", 0, 0, "size 0"},
		{"rule 3", 0, 15 | 3<<5, "rule 3"},
		{"result 9", 1, 9, "result 9"},
		{"an opening that fills more than the board", 3, 0xff, "an opening of"},
		{"an opening move off the board", 8, 31, "not on a board"},
		{"a line that is not the first", 10, 2, "without a first line"},
		{"lines without an end", 10, 0x81, "no last line"},
		{"a stone twice", 11, 0x39, "on a stone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := bytes.Clone(good)
			bad[tt.at] = tt.value
			if tt.name == "a stone twice" {
				bad[10] = 0xc7 // move 231
			}
			_, err := packGames(bad)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "game 1 at byte 0") {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// What can be read is written so that it reads as the same games.
func FuzzBinpack(f *testing.F) {
	r := rand.New(rand.NewPCG(17, 18))
	var b bytes.Buffer
	for range 2 {
		writeBinpack(&b, cliGame(r, true))
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		games, err := packGames(raw)
		if err != nil {
			return
		}
		var b bytes.Buffer
		var want []*Game
		for i, g := range games {
			for j, p := range g.Plies {
				if p.Searched() && p.Value < -32000 { // what is a point less would be no value
					g.Plies[j].Value = -32000
				}
				if p.Searched() && p.Best == board.None { // of two lines, the pass
					g.Plies[j].Best = p.Move
				}
			}
			if err := writeBinpack(&b, g); err != nil {
				if len(g.Plies) == g.Opening {
					continue // nothing but an opening
				}
				t.Fatalf("game %d: %v", i, err)
			}
			g.Number = uint32(len(want))
			want = append(want, g)
		}
		again, err := packGames(b.Bytes())
		if err != nil || !reflect.DeepEqual(again, want) {
			t.Fatalf("%+v\nwrites and reads as\n%+v, %v", want, again, err)
		}
	})
}
