package dataset

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/lz4"
	"tengen/brain/record"
	"tengen/brain/sample"
)

// randomGame returns a game of 100 stones with values.
func randomGame(r *rand.Rand) *sample.Game {
	g := &sample.Game{Width: 15, Height: 15, Outcome: record.BlackWon}
	for _, cell := range r.Perm(15 * 15)[:100] {
		m := board.At(cell%15, cell/15)
		g.Plies = append(g.Plies, sample.Ply{Move: m, Best: m, Value: int16(r.IntN(2000) - 1000)})
	}
	return g
}

// packed returns a file of games, compressed.
func packed(t *testing.T, format string, games []*sample.Game) []byte {
	t.Helper()
	var b bytes.Buffer
	z := lz4.NewWriter(&b)
	sink := sample.NewSink(z, format)
	for _, g := range games {
		if err := sink.Write(g, "a run"); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Files compressed by LZ4 are read as those that are not, by their names in any case.
func TestCompressedFilesAreRead(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	games := []*sample.Game{randomGame(r), randomGame(r), randomGame(r)}
	for i, g := range games {
		g.Number = uint32(i)
	}
	for _, name := range []string{"x.binpack.lz4", "X.BINPACK.LZ4", "x.tgs.lz4", "x.binpack"} {
		format, _ := FormatOf(name)
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, packed(t, format, games), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Read(t.Context(), []string{file}, -1)
		if err != nil || !reflect.DeepEqual(s.Games, games) {
			t.Errorf("%s: %v, %+v", name, err, s)
		}
	}
}

// The memory for reading does not grow with the file: 16 MiB of games take less than 10.
func TestMemoryIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const count = 16 << 20 / (100 * 4)
	games := slices.Repeat([]*sample.Game{randomGame(r), randomGame(r), randomGame(r)}, count/3)
	file := filepath.Join(t.TempDir(), "x.binpack.lz4")
	if err := os.WriteFile(file, packed(t, "binpack", games), 0o666); err != nil {
		t.Fatal(err)
	}
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, n := live(), 0
	in, err := Open(t.Context(), file, "", -1)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Each(func(*sample.Game) error {
		if n++; n%10000 == 0 {
			if now := live(); now > before+10<<20 {
				t.Errorf("%d MiB more after %d games", (now-before)>>20, n)
			}
		}
		return nil
	}); err != nil || n != len(games) {
		t.Errorf("%d games, %v", n, err)
	}
}
