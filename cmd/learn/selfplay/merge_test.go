package selfplay

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/lz4"
	"tengen/brain/record"
	"tengen/brain/sample"
)

func TestMergeJoinsRunsAndCountsNoGameTwice(t *testing.T) {
	dir := t.TempDir()
	a, copied, b, out := filepath.Join(dir, "a.tgs"), filepath.Join(dir, "copy.tgs"), filepath.Join(dir, "b.tgs"), filepath.Join(dir, "out.tgs")
	must(t, small(copied, "-games", "2")...)
	write(t, a, read(t, copied))
	must(t, small(a, "-games", "4")...)
	must(t, small(b, "-games", "3", "-seed", "2")...)
	must(t, "merge", "-o", out, a, copied, b)
	if got, want := games(t, out), append(games(t, a), games(t, b)...); !reflect.DeepEqual(got, want) {
		t.Errorf("%d games, want %d", len(got), len(want))
	}
	if o := must(t, "info", out); !strings.Contains(o, "7 games") || strings.Count(o, "origin: ") != 2 {
		t.Errorf("info tells\n%s", o)
	}
	// cat does the same, except for what is there twice.
	joined := filepath.Join(dir, "joined.tgs")
	write(t, joined, append(read(t, a), read(t, b)...))
	if !reflect.DeepEqual(games(t, joined), games(t, out)) {
		t.Error("cat gives other games than merge")
	}
	must(t, "merge", "-o", out, a, copied, b) // once more, to the same result
	if status, _, stderr := obey(t, "merge", "-o", out, a); status != 1 || !strings.Contains(stderr, "out.tgs exists with other content") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if len(games(t, out)) != 7 {
		t.Error("a merge of other files has changed the file")
	}
	again := filepath.Join(dir, "again.tgs")
	must(t, "merge", "-o", again, out)
	if !bytes.Equal(read(t, again), read(t, out)) {
		t.Error("merging one file changes it")
	}
}

// A game that lost its run in a conversion is the same game, whichever is read first.
func TestMergeKnowsConvertedGames(t *testing.T) {
	dir := t.TempDir()
	a, out := filepath.Join(dir, "a.tgs"), filepath.Join(dir, "out.tgs")
	must(t, small(a, "-games", "4")...)
	for _, format := range []string{"bin", "binpack"} {
		converted, back := filepath.Join(dir, "a."+format), filepath.Join(dir, format+".tgs")
		must(t, "convert", "-o", converted, a)
		must(t, "convert", "-o", back, converted)
		for _, files := range [][]string{{a, converted}, {converted, a}, {a, back}, {back, converted}} {
			os.Remove(out)
			must(t, append([]string{"merge", "-o", out}, files...)...)
			if n := len(games(t, out)); n != 4 {
				t.Errorf("%v merge into %d games, want 4", files, n)
			}
		}
	}
}

// Info says how well values predict results: 200 points are odds of e to 1, so a position of the
// winner costs .313 and one of the loser 1.313, and a draw half of each.
func TestInfoJudgesValues(t *testing.T) {
	game := func(o record.Outcome, values ...int16) *sample.Game {
		g := &sample.Game{Width: 15, Height: 15, Outcome: o}
		for i, v := range values {
			g.Plies = append(g.Plies, sample.Ply{Move: board.At(2*i, 0), Best: board.At(2*i, 0), Value: v})
		}
		return g
	}
	name := filepath.Join(t.TempDir(), "x.tgs")
	var file bytes.Buffer
	w, err := sample.NewWriter(&file, "a test")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*sample.Game{
		game(record.BlackWon, 200, 200), game(record.Drawn, 200), game(record.Unknown, 200), game(record.WhiteWon, sample.NoValue, 200, -29990),
	} {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	write(t, name, file.Bytes())
	want := "log-loss 0.551, without draws 0.485; 20.0% of 5 positions proven\n" // (.313 + 1.313 + .813 + .313 + .001)/5
	if out := must(t, "info", name); !strings.Contains(out, want) {
		t.Errorf("info says\n%swant %s", out, want)
	}
}

// The shards of a run, one of them stopped and continued, merge into its games.
func TestShardsMergeIntoTheSingleRun(t *testing.T) {
	dir := t.TempDir()
	whole, out := filepath.Join(dir, "whole.tgs"), filepath.Join(dir, "out.tgs")
	must(t, small(whole, "-games", "8")...)
	var parts []string
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		part := filepath.Join(dir, "part"+shard[:1]+".tgs")
		parts = append(parts, part)
		if shard == "2/3" {
			must(t, small(part, "-games", "4", "-shard", shard)...)
		}
		must(t, small(part, "-games", "8", "-shard", shard)...)
		must(t, small(part, "-games", "8", "-shard", shard)...) // there is nothing left to do
	}
	if status, _, stderr := obey(t, small(parts[0], "-games", "8", "-shard", "2/3")...); status != 2 || !strings.Contains(stderr, "part1.tgs: game 1 follows instead of game 2") {
		t.Errorf("another shard's file: status %d, %s", status, stderr)
	}
	must(t, append([]string{"merge", "-o", out, parts[2]}, parts...)...)
	got := games(t, out)
	if want := games(t, whole); !reflect.DeepEqual(got, want) {
		t.Errorf("%d games of the shards differ from the %d of the single run", len(got), len(want))
	}
}

func TestMergeNamesWhatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	a, cut, out := filepath.Join(dir, "a.tgs"), filepath.Join(dir, "cut.tgs"), filepath.Join(dir, "out.tgs")
	must(t, small(a, "-games", "3")...)
	raw := read(t, a)
	write(t, cut, raw[:len(raw)-3])
	status, _, stderr := obey(t, "merge", "-o", out, cut)
	if status != 2 || !strings.Contains(stderr, "cut.tgs: section 4 at byte") {
		t.Errorf("status %d, %s", status, stderr)
	}

	// A game of the same run with other moves is no copy.
	var b bytes.Buffer
	r, err := sample.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	w, _ := sample.NewWriter(&b, r.Origin())
	g := games(t, a)[1]
	g.Plies = g.Plies[:len(g.Plies)-1]
	w.Write(g)
	w.Flush()
	write(t, cut, b.Bytes())
	if status, _, stderr := obey(t, "merge", "-o", filepath.Join(dir, "x.tgs"), a, cut); status != 1 || !strings.Contains(stderr, "differs from a game of the same run") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

func TestConvertKeepsGames(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	must(t, small(name("a.tgs"), "-games", "6")...)
	want := games(t, name("a.tgs"))
	for _, format := range []string{"binpack", "bin", "binpack.lz4", "bin.lz4", "tgs.lz4"} {
		must(t, "convert", "-o", name("x."+format), name("a.tgs"))
		if plain, compressed := strings.CutSuffix(format, ".lz4"); compressed != lz4.IsFrame(read(t, name("x."+format))) {
			t.Errorf("%s: the file is not compressed as its name says, or is", plain)
		}
		must(t, "convert", "-o", name(format+".tgs"), name("x."+format))
		got := games(t, name(format+".tgs"))
		if len(got) != len(want) {
			t.Errorf("%s: %d games, want %d", format, len(got), len(want))
			continue
		}
		for i := range want {
			w := *want[i]
			if strings.HasPrefix(format, "bin.") || format == "bin" { // moves alone
				w.Plies = nil
				for _, p := range want[i].Plies {
					w.Plies = append(w.Plies, sample.Ply{Move: p.Move, Value: sample.NoValue})
				}
			}
			if !reflect.DeepEqual(*got[i], w) {
				t.Errorf("%s, game %d: got\n%+v, want\n%+v", format, i, *got[i], w)
			}
		}
	}
	// Games of others count once as well.
	must(t, "merge", "-o", name("once.tgs"), name("bin.tgs"), name("bin.tgs"))
	if got := games(t, name("once.tgs")); len(got) != len(want) {
		t.Errorf("%d games, each twice, are %d when merged", len(want), len(got))
	}
	// The name of a file may leave its format open.
	write(t, name("nameless"), read(t, name("x.binpack")))
	if out := must(t, "info", "-from", "binpack", name("nameless")); !strings.Contains(out, "6 games") {
		t.Errorf("info tells\n%s", out)
	}
	write(t, name("nameless.lz4"), read(t, name("x.binpack.lz4")))
	if out := must(t, "info", "-from", "binpack", name("nameless.lz4")); !strings.Contains(out, "6 games") {
		t.Errorf("info tells\n%s", out)
	}
	raw := read(t, name("x.binpack.lz4"))
	write(t, name("cut.binpack.lz4"), raw[:len(raw)-5])
	if status, _, stderr := obey(t, "info", name("cut.binpack.lz4")); status != 2 || !strings.Contains(stderr, "cut.binpack.lz4: ") || !strings.Contains(stderr, "damaged LZ4 data: truncated") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, _, stderr := obey(t, "info", name("nameless")); status != 2 || !strings.Contains(stderr, "neither SGF") {
		t.Errorf("status %d, %s", status, stderr)
	}
	must(t, small(name("caro.tgs"), "-games", "1", "-rule", "8")...)
	if status, _, stderr := obey(t, "convert", "-o", name("caro.binpack"), name("caro.tgs")); status != 1 || !strings.Contains(stderr, "the format has no rule 8") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// What cannot be written whole leaves no file, which a corrected run would find in its way.
func TestFailedMergeLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	a, b, out := filepath.Join(dir, "a.tgs"), filepath.Join(dir, "b.tgs"), filepath.Join(dir, "out.bin")
	must(t, small(a, "-games", "2")...)
	must(t, small(b, "-games", "1", "-size", "9x11")...)
	for _, command := range []string{"merge", "convert"} {
		if status, _, stderr := obey(t, command, "-o", out, a, b); status != 1 || !strings.Contains(stderr, "the format has no boards of 9x11") {
			t.Errorf("%s: status %d, %s", command, status, stderr)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
			t.Errorf("%s leaves %v, %v", command, files, err)
		}
	}
	must(t, "merge", "-o", out, a)
}

// Games that break the rules are not replayed.
func TestInfoReplaysGames(t *testing.T) {
	moves, err := board.ParseMoves("a1a2b1b2c1c2d1d2e1", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	game := func(n int, o record.Outcome, more ...board.Move) *sample.Game {
		g := &sample.Game{Width: 15, Height: 15, Outcome: o}
		for _, m := range append(moves[:n:n], more...) {
			g.Plies = append(g.Plies, sample.Ply{Move: m, Value: sample.NoValue})
		}
		return g
	}
	proof := game(8, record.WhiteWon)
	proof.Plies[7].Value = 29999
	forbidden := game(8, record.BlackWon, board.At(5, 0), board.At(9, 9), board.At(4, 0))
	forbidden.Rule = board.Renju
	continuous := game(9, record.BlackWon)
	continuous.Rule, continuous.Width, continuous.Height = board.Continuous, 5, 5
	for _, row := range []int{2, 3, 4} { // the rest of the board
		for x := range 5 {
			continuous.Plies = append(continuous.Plies, sample.Ply{Move: board.At(x, row), Value: sample.NoValue})
		}
	}
	continuous.Plies = append(continuous.Plies, sample.Ply{Move: board.At(4, 1), Value: sample.NoValue})
	tests := []struct {
		name string
		g    *sample.Game
		want string
	}{
		{"a row", game(9, record.BlackWon), "black won 100.0%"},
		{"a row of the loser", game(9, record.WhiteWon), "game 0: it ends as 1-0, and the result is 0-1"},
		{"a proof", proof, "white won 100.0%"},
		{"an end in the middle", game(7, record.Drawn), "drawn 100.0%"},
		{"moves behind the end", game(9, record.BlackWon, board.At(9, 9)), "game 0: bad move 10, j10: the game is over"},
		{"most rows of a continuous game", continuous, "black won 100.0%"},
		{"a six of black in renju", forbidden, "game 0: bad move 11, e1: forbidden for black"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			w, _ := sample.NewWriter(&b, "by hand")
			if err := w.Write(tt.g); err != nil {
				t.Fatal(err)
			}
			w.Flush()
			file := filepath.Join(t.TempDir(), "x.tgs")
			write(t, file, b.Bytes())
			status, stdout, stderr := obey(t, "info", file)
			if !strings.Contains(stdout+stderr, tt.want) || (status == 1) != strings.HasPrefix(tt.want, "game 0: ") {
				t.Errorf("status %d\n%s%s, want %q", status, stdout, stderr, tt.want)
			}
		})
	}
}
