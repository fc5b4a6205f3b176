package sample

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

// randomGame makes a game that passes Check: stones anywhere, some plies not searched,
// some best moves not played, some passes.
func randomGame(r *rand.Rand, number uint32) *Game {
	side := func() int { return board.MinSize + r.IntN(board.MaxSize-board.MinSize+1) }
	g := &Game{
		Number: number, Rule: []board.Rule{0, 1, 4, 8, 9}[r.IntN(5)], Width: side(), Height: side(),
		Outcome: record.Outcome(r.IntN(4)),
	}
	cells := r.Perm(g.Width * g.Height)
	at := func(i int) board.Move { return board.At(cells[i]%g.Width, cells[i]/g.Width) }
	n := r.IntN(len(cells))
	for i := range n {
		p := Ply{Move: at(i), Value: NoValue}
		if r.IntN(4) > 0 {
			p.Value = int16(r.IntN(60001) - 30000)
			p.Best = p.Move
			if r.IntN(4) == 0 && i+1 < len(cells) {
				p.Best = at(i + 1)
			}
		}
		if p.Searched() && r.IntN(5) == 0 { // some have lines
			for k := range min(1+r.IntN(4), len(cells)-i) {
				g.Lines = append(g.Lines, Line{uint16(len(g.Plies)), at(i + k), int16(r.IntN(60001) - 30000)})
			}
		}
		g.Plies = append(g.Plies, p)
		if r.IntN(50) == 0 {
			g.Plies = append(g.Plies, Ply{Value: NoValue})
		}
	}
	if len(g.Plies) > 0 {
		g.Opening = r.IntN(len(g.Plies))
	}
	return g
}

func sampleFile(t testing.TB, origin string, games ...*Game) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readSamples(raw []byte) (games []*Game, origins []string, offset int64, err error) {
	r, err := NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, 0, err
	}
	for {
		g := &Game{}
		if err := r.Read(g); err == io.EOF {
			return games, origins, r.Offset(), nil
		} else if err != nil {
			return games, origins, r.Offset(), err
		}
		games, origins = append(games, g), append(origins, r.Origin())
	}
}

func TestSamplesComeBackAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var games []*Game
	for i := range 300 { // several blocks
		games = append(games, randomGame(r, uint32(i)))
	}
	raw := sampleFile(t, "an origin", games...)
	got, origins, offset, err := readSamples(raw)
	if err != nil || len(got) != len(games) || offset != int64(len(raw)) {
		t.Fatalf("%d games, %d of %d bytes, %v; want %d games", len(got), offset, len(raw), err, len(games))
	}
	for i := range games {
		if !reflect.DeepEqual(got[i], games[i]) || origins[i] != "an origin" {
			t.Fatalf("game %d: got %+v from %q, want %+v", i, got[i], origins[i], games[i])
		}
	}
}

// A file written by hand, so that the format cannot change by accident.
func TestSampleFileIsTheseBytes(t *testing.T) {
	g := &Game{Number: 7, Rule: board.Renju, Width: 15, Height: 16, Outcome: record.WhiteWon, Opening: 1,
		Plies: []Ply{
			{Move: board.At(7, 7), Value: NoValue},
			{Move: board.At(8, 7), Best: board.At(8, 7), Value: -2},
			{Move: board.At(0, 1), Best: board.At(14, 15), Value: 29999},
			{Value: NoValue},
		}}
	sum := func(s string) string {
		return s[:8] + string(le.AppendUint32(nil, crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli)))) + s[8:]
	}
	want := sum("TGSH"+"\x06\x00\x00\x00"+"\x01\x00\x00\x00"+"me") +
		sum("TGSB"+"\x1a\x00\x00\x00"+"\x07\x00\x00\x00"+"\x04\x0f\x10\x02"+"\x01\x00"+"\x04\x00"+
			"\x70\x00"+"\x71\x06\xfe\xff"+"\x0f\x0a\x2f\x75\xef\x00"+"\xff\x01")
	if got := string(sampleFile(t, "me", g)); got != want {
		t.Errorf("got  %x\nwant %x", got, want)
	}
	if g.Positions() != 2 {
		t.Errorf("%d positions, want 2", g.Positions())
	}
}

// The lines of a search, written by hand, and games that cannot have them.
func TestLinesAreTheseBytes(t *testing.T) {
	game := func() *Game {
		return &Game{Width: 15, Height: 15, Plies: []Ply{
			{Move: board.At(7, 7), Value: NoValue},
			{Move: board.At(8, 7), Best: board.At(8, 7), Value: -2},
			{Move: board.At(0, 0), Best: board.At(14, 14), Value: 100},
		}, Lines: []Line{{1, board.At(8, 7), -2}, {1, board.At(0, 1), -3}, {2, board.At(14, 14), 100}}}
	}
	g := game()
	want := "\x00\x00\x00\x00" + "\x00\x0f\x0f\x00" + "\x00\x00" + "\x03\x00" +
		"\x70\x00" + "\x71\x16\xfe\xff" + "\x02" + "\x71\x00\xfe\xff" + "\x0f\x00\xfd\xff" +
		"\x00\x1a\x64\x00\xe0\x00" + "\x01" + "\xe0\x00\x64\x00"
	if got := string(appendGame(nil, g)); got != want || g.Check() != nil {
		t.Errorf("got  %x\nwant %x, %v", got, want, g.Check())
	}
	for i, want := range []int{0, 2, 1, 0} {
		if l := g.LinesOf(i); len(l) != want || want > 0 && int(l[0].Ply) != i {
			t.Errorf("ply %d has the lines %v", i, l)
		}
	}
	for name, change := range map[string]func(*Game){
		"out of order":         func(g *Game) { g.Lines[1], g.Lines[2] = g.Lines[2], g.Lines[1] },
		"out of order, or the": func(g *Game) { g.Lines[2].Ply = 3 },
		"without a value":      func(g *Game) { g.Lines[1].Value = NoValue },
		"or one without":       func(g *Game) { g.Lines[0].Ply = 0; g.Lines[1].Ply = 0 },
		"is on a stone":        func(g *Game) { g.Lines[1].Move = board.At(7, 7) },
		"in two lines":         func(g *Game) { g.Lines[1].Move = board.At(8, 7) },
		"not on a board":       func(g *Game) { g.Lines[1].Move = board.At(16, 7) },
		"too many": func(g *Game) {
			for i := range MaxLines {
				g.Lines = append(g.Lines, Line{2, board.At(i%14, 10+i/14), 1})
			}
		},
	} {
		g := game()
		if change(g); g.Check() == nil || !strings.Contains(g.Check().Error(), name) {
			t.Errorf("%s: %v", name, g.Check())
		}
	}
}

func TestSampleFilesJoinEndToEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a, b := randomGame(r, 0), randomGame(r, 0)
	raw := append(sampleFile(t, "one", a), sampleFile(t, "two", b)...)
	got, origins, _, err := readSamples(raw)
	if err != nil || !reflect.DeepEqual(got, []*Game{a, b}) || !reflect.DeepEqual(origins, []string{"one", "two"}) {
		t.Errorf("%d games of %q, %v", len(got), origins, err)
	}
}

// Wherever a file is truncated, zeros may follow or not, the complete sections can be read, the
// error says so, and a writer can continue at Offset.
func TestTruncatedSampleFileCanBeContinued(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var b bytes.Buffer
	w, err := NewWriter(&b, "cut")
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int]int{b.Len(): 0} // games in the whole sections before each section's end
	for i := range 3 {
		w.Write(randomGame(r, uint32(i)))
		w.Flush()
		ends[b.Len()] = i + 1
	}
	raw := b.Bytes()
	whole, games := 0, 0
	for cut := range raw {
		if n, ok := ends[cut]; ok {
			whole, games = cut, n
		}
		got, _, offset, err := readSamples(raw[:cut])
		switch {
		case cut == 0:
			if !errors.Is(err, ErrNotSamples) {
				t.Errorf("empty file: %v", err)
			}
		case whole == cut:
			if err != nil || len(got) != games {
				t.Errorf("cut at %d, a section's end: %d games, %v; want %d", cut, len(got), err, games)
			}
		case !errors.Is(err, ErrTruncated) || len(got) != games || offset != int64(whole):
			t.Fatalf("cut at %d: %d games, offset %d, %v; want %d, %d", cut, len(got), offset, err, games, whole)
		}
		// The zeros may be what was there.
		for _, zeros := range []int{2 * leastZeros, 100, 1000} {
			filled := append(bytes.Clone(raw[:cut]), make([]byte, zeros)...)
			whole, games := whole, games
			for end, n := range ends {
				if end > whole && bytes.HasPrefix(filled, raw[:end]) {
					whole, games = end, n
				}
			}
			got, _, offset, err := readSamples(filled)
			switch {
			case whole == 0:
				if !errors.Is(err, ErrNotSamples) && !errors.Is(err, ErrTruncated) {
					t.Fatalf("cut at %d and %d zeros: %v", cut, zeros, err)
				}
			case whole == len(filled):
				if err != nil || len(got) != games {
					t.Fatalf("cut at %d and %d zeros: %d games, %v; want %d", cut, zeros, len(got), err, games)
				}
			case !errors.Is(err, ErrTruncated) || len(got) != games || offset != int64(whole):
				t.Fatalf("cut at %d and %d zeros: %d games, offset %d, %v; want %d, %d", cut, zeros, len(got), offset, err, games, whole)
			}
		}
	}
}

// No byte can change without an error that names a section.
func TestDamagedSampleFileIsAnError(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	g := randomGame(r, 1)
	g.Plies = g.Plies[:min(len(g.Plies), 20)]
	g.Lines = slices.DeleteFunc(g.Lines, func(l Line) bool { return int(l.Ply) >= len(g.Plies) })
	g.Opening = 0
	raw := sampleFile(t, "damaged", g)
	for i := range raw {
		for bit := range 8 {
			bad := bytes.Clone(raw)
			bad[i] ^= 1 << bit
			games, _, _, err := readSamples(bad)
			if err == nil || !strings.Contains(err.Error(), "section") || !strings.Contains(err.Error(), "at byte") || len(games) > 0 {
				t.Fatalf("bit %d of byte %d: %d games, %v", bit, i, len(games), err)
			}
		}
	}
}

// A right checksum does not make a game: every field is checked.
func TestForgedGamesAreRefused(t *testing.T) {
	good := "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x01\x00\x02\x00" + "\x70\x04" + "\x71\x00"
	tests := []struct{ name, body string }{
		{"an unknown rule", "\x00\x00\x00\x00" + "\x0c\x0f\x0f\x01" + "\x00\x00\x00\x00"},
		{"no width", "\x00\x00\x00\x00" + "\x00\x00\x0f\x01" + "\x00\x00\x01\x00" + "\x00\x00"},
		{"a height of 23", "\x00\x00\x00\x00" + "\x00\x0f\x17\x01" + "\x00\x00\x00\x00"},
		{"an unknown outcome", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x04" + "\x00\x00\x00\x00"},
		{"an opening longer than the game", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x01\x00\x00\x00"},
		{"a stone twice", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x02\x00" + "\x70\x00" + "\x70\x00"},
		{"a best move on a stone", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x02\x00" + "\x70\x00" + "\x71\x08\x70\x00"},
		{"a best move that is the move", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\x71\x08\x71\x00"},
		{"a cell off the board", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\xe1\x00"},
		{"a best move off the board", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\x70\x08\xe1\x00"},
		{"flags of the future", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\x70\x10"},
		{"two best moves", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\x70\x0c\x71\x00"},
		{"a pass that is best", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\xff\x05"},
		{"the value NoValue", "\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x00\x00\x01\x00" + "\x70\x02\x00\x80"},
		{"plies cut short", good[:len(good)-1]},
		{"a head cut short", good + "\x00\x00"},
	}
	file := func(body string) []byte {
		var b bytes.Buffer
		w, _ := NewWriter(&b, "forged")
		w.put(tagGames, append(make([]byte, sectionHead), body...))
		return b.Bytes()
	}
	if games, _, _, err := readSamples(file(good)); err != nil || len(games) != 1 {
		t.Fatalf("the good one: %d games, %v", len(games), err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, _, err := readSamples(file(tt.body))
			if err == nil || !strings.Contains(err.Error(), "section 2 at byte 22, game") {
				t.Errorf("error %v, want one that names section 2 at byte 22", err)
			}
		})
	}
}

func TestOtherFilesAreRecognized(t *testing.T) {
	for _, in := range []string{"h8", "not a sample file at all", "\x04\x22\x4d\x18 and so on"} {
		if _, err := NewReader(strings.NewReader(in)); !errors.Is(err, ErrNotSamples) {
			t.Errorf("%q: %v, want %v", in, err, ErrNotSamples)
		}
	}
	newer := sampleFile(t, "x")
	newer[12] = 2
	le.PutUint32(newer[8:], checksum(newer, newer[12:]))
	if _, err := NewReader(bytes.NewReader(newer)); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a newer version: %v", err)
	}
}

func TestWriterRefusesWhatReaderWould(t *testing.T) {
	w, err := NewWriter(io.Discard, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&Game{Width: 15, Height: 23}); err == nil {
		t.Error("a game on a board of 15x23 was written")
	}
	if _, err := NewWriter(io.Discard, strings.Repeat("x", 1<<16+1)); err == nil {
		t.Error("an origin longer than 64 KiB was written")
	}
}

// Corrupt bytes give an error or games that write and read the same; never a panic.
func FuzzSamples(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 9))
	g := randomGame(r, 1)
	f.Add([]byte("\x00\x00\x00\x00" + "\x00\x0f\x0f\x01" + "\x01\x00\x02\x00" + "\x70\x04" + "\x71\x00"))
	f.Add(appendGame(nil, g))
	f.Add(sampleFile(f, "seed", g, randomGame(r, 2)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		readSamples(raw) // any bytes at all
		if len(raw) > maxSection {
			return
		}
		// And as the body of a block with a sum that fits.
		var b bytes.Buffer
		w, _ := NewWriter(&b, "fuzz")
		w.put(tagGames, append(make([]byte, sectionHead), raw...))
		games, _, _, err := readSamples(b.Bytes())
		if err != nil {
			return
		}
		var again []byte
		for _, g := range games {
			again = appendGame(again, g)
		}
		if !bytes.Equal(again, raw) {
			t.Fatalf("%x reads and writes as %x", raw, again)
		}
	})
}

func BenchmarkReadSamples(b *testing.B) {
	r := rand.New(rand.NewPCG(10, 10))
	var games []*Game
	plies := 0
	for i := range 500 {
		games = append(games, randomGame(r, uint32(i)))
		plies += len(games[i].Plies)
	}
	raw := sampleFile(b, "benchmark", games...)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	var g Game
	for b.Loop() {
		s, err := NewReader(bytes.NewReader(raw))
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			err = s.Read(&g)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*plies), "ns/ply")
}
