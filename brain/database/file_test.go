package database

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/lz4"
)

func TestBrokenFiles(t *testing.T) {
	d := New()
	d.Set(boardtest.After(t, 0, 15, "h8i9"), NewRecord(Win, 100, 12, Exact).WithComment("text"), Whole)
	whole := bytesOf(t, d)
	for n := range len(whole) {
		if _, err := Read(bytes.NewReader(whole[:n])); err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%d bytes of %d: %v", n, len(whole), err)
		}
	}
	plain := func(records ...string) string {
		return string(binary.LittleEndian.AppendUint32(nil, uint32(len(records)))) + strings.Join(records, "")
	}
	for _, tt := range []struct{ raw, want string }{
		{"", "not a database"},
		{"hello, this is a text and not a database", "not a database: the file ends early"},
		{plain("\x05\x00\x09\x0f\x0f\x07\x07\x00\x00"), "rule 9"},
		{plain("\x05\x00\x00\xff\xff\x07\x07\x00\x00"), "board of 255x255"},
		{plain("\x05\x00\x00\x0f\x0f\x07\x0f\x00\x00"), "stone on 7,15"},
		{plain("\x07\x00\x00\x0f\x0f\x07\x07\x07\x07\x00\x00"), "stone on 7,7"},
		{plain("\x04\x00\x00\x0f\x0f\x07\x00\x00"), "position of 4 bytes"},
		{"\xff\xff\xff\xff", "the file ends early"},
		{strings.Repeat("\x00", 1000), "there is data after the last of 0 records"},
		{string(whole) + string(whole), "there is data after"},
	} {
		if _, err := Read(strings.NewReader(tt.raw)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.raw, err, tt.want)
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "x.db")
	if err := os.WriteFile(name, whole[:len(whole)-3], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a damaged file: %v", err)
	}
	if _, err := Load(dir); err == nil {
		t.Error("a folder was read")
	}
	if _, err := Load(filepath.Join(dir, "no", "new.db")); err == nil {
		t.Error("a file in no folder")
	}
	if d, err := Load(filepath.Join(dir, "new.db")); err != nil || d.Len() != 0 {
		t.Errorf("a new file: %v", err)
	}
	for _, text := range []string{"", "x", textHead + "\nx", textHead + "\n0,f-15-15-h8--w,w,1,2,exact,x", textHead + "\n0,f-15-15-h8h8--w,w,1,2,exact,\"\"",
		textHead + "\n0,f-99-15-h8--w,w,1,2,exact,\"\"", textHead + "\n0,f-15-15-h8--w,w,1,2,exactly,\"\"", textHead + "\n0,f-15-15-h8--w,w,40000,2,exact,\"\""} {
		d := New()
		if _, err := d.ReadText(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "line ") || d.Len() != 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The letters of an old file take more bytes here. What is too long ends with a whole one.
func TestLongTextsOfOldFiles(t *testing.T) {
	for _, first := range []string{"", "a"} {
		text := first + strings.Repeat("\xe9", maxText-len(first))
		raw := "\x01\x00\x00\x00\x03\x00\x00\x0f\x0f\xff\xff\xff\x00\x00\x00\x00" + text
		d, err := Read(strings.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		r, _ := d.Get(boardtest.After(t, 0, 15, ""))
		if c := r.Comment(); !utf8.ValidString(c) || len(c) < maxText-1 || len(c) > maxText || !strings.HasPrefix(c, first+"é") {
			t.Errorf("%d bytes, that end with %q", len(c), c[len(c)-3:])
		}
	}
}

// TestReadAtMost counts what a file has when it is unpacked.
func TestReadAtMost(t *testing.T) {
	d := New()
	if err := d.Set(boardtest.After(t, 0, 15, "h8i9"), NewRecord(Win, 100, 12, Exact).WithComment(strings.Repeat("x", 10_000)), Whole); err != nil {
		t.Fatal(err)
	}
	raw := bytesOf(t, d)
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(lz4.NewReader(bytes.NewReader(raw))); err != nil || len(raw) > 1000 {
		t.Fatalf("%d bytes, %v", len(raw), err)
	}
	size := int64(plain.Len())
	for _, file := range [][]byte{raw, plain.Bytes()} {
		if got, err := ReadAtMost(bytes.NewReader(file), size); err != nil || got.Len() != 1 {
			t.Errorf("as many as it has: %v", err)
		}
		if _, err := ReadAtMost(bytes.NewReader(file), size-1); err == nil || !strings.Contains(err.Error(), "more than 9 KiB") {
			t.Errorf("one less: %v", err)
		}
	}
}

func FuzzDatabase(f *testing.F) {
	d := New()
	d.Set(boardtest.After(f, 0, 15, "h8i9"), NewRecord(Win, 100, 12, Exact).WithComment("text").withCell(3, "a"), Whole)
	f.Add(bytesOf(f, d))
	var plain bytes.Buffer
	plain.ReadFrom(lz4.NewReader(bytes.NewReader(bytesOf(f, d))))
	f.Add(plain.Bytes())
	f.Add([]byte("\x01\x00\x00\x00\x05\x00\x00\x0f\x0f\x07\x07\x03\x00\x00\x05\x00")) // a value without a label
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := Read(bytes.NewReader(raw))
		if err != nil {
			return
		}
		again, err := Read(bytes.NewReader(bytesOf(t, d)))
		if err != nil || len(again.records) != len(d.records) {
			t.Fatalf("written and read again: %v", err)
		}
		for key, r := range d.records {
			if again.records[key] != r {
				t.Fatalf("%v: %+v, want %+v", key, again.records[key], r)
			}
			r.Comment()
			r.cells()
			r.Display()
			if b, err := key.Board(); err == nil {
				d.Children(b)
				d.Delete(b)
			}
		}
	})
}

// million makes a database of n different positions, whose keys are not the least of the
// eight: that would take longer than what is measured.
func million(n int) *Database {
	r := rand.New(rand.NewPCG(5, 6))
	d := New()
	cells := r.Perm(15 * 15)
	for len(d.records) < n {
		key := []byte{byte(r.IntN(3)), 15, 15}
		for i := range r.IntN(40) {
			j := i + r.IntN(len(cells)-i)
			cells[i], cells[j] = cells[j], cells[i]
			key = append(key, byte(cells[i]/15), byte(cells[i]%15))
		}
		d.records[Key(key)] = NewRecord(None, r.IntN(2000)-1000, r.IntN(30), Exact)
	}
	return d
}

func BenchmarkSaveMillion(b *testing.B) {
	d := million(1_000_000)
	name := filepath.Join(b.TempDir(), "x.db")
	for b.Loop() {
		if err := d.Save(name); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadMillion(b *testing.B) {
	d := million(1_000_000)
	name := filepath.Join(b.TempDir(), "x.db")
	if err := d.Save(name); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if again, err := Load(name); err != nil || again.Len() != 1_000_000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkChildren(b *testing.B) {
	d := million(1000)
	board := boardtest.After(b, 0, 15, "h8i9j10h10k9g9h9j7f8f9")
	for b.Loop() {
		d.Children(board)
	}
}

var kills = flag.Int("kills", 10, "number of times that a saving process is killed")

// TestKilledWhileSaving kills processes that save at random moments. The file holds one of
// the versions as a whole every time.
func TestKilledWhileSaving(t *testing.T) {
	const records = 5000
	if name := os.Getenv("TENGEN_TEST_SAVE"); name != "" {
		d := million(records)
		empty, err := board.New(board.Freestyle, 15, 15)
		for version := 0; err == nil; version++ {
			d.Set(empty, NewRecord(None, version, 0, Exact), Whole)
			d.Set(boardtest.After(t, 0, 15, "h8"), NewRecord(None, version, 0, Exact), Whole)
			if err = d.Save(name); err == nil && version == 0 {
				fmt.Println("saved")
			}
		}
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "x.db")
	r := rand.New(rand.NewPCG(7, 8))
	versions := map[int16]bool{}
	for i := range *kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhileSaving$")
		cmd.Env = append(os.Environ(), "TENGEN_TEST_SAVE="+name)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		out.Read(make([]byte, 10)) // the first version is there
		time.Sleep(time.Duration(r.IntN(100_000)) * time.Microsecond)
		cmd.Process.Kill()
		if err := cmd.Wait(); err == nil {
			t.Fatal("it was not killed")
		}
		d, err := Load(name)
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		a, ok := d.Get(boardtest.After(t, 0, 15, ""))
		b, ok2 := d.Get(boardtest.After(t, 0, 15, "h8"))
		if d.Len() < records || !ok || !ok2 || a != b {
			t.Fatalf("kill %d: %d records, versions %d and %d", i, d.Len(), a.Value, b.Value)
		}
		versions[a.Value] = true
	}
	t.Logf("%d kills, files of %d versions", *kills, len(versions))
}

func TestMisplacedRecordsAreFixed(t *testing.T) {
	d := tree(t, "h8", "h8a1")
	key, _ := KeyOf(boardtest.After(t, 0, 15, "h8a2"))
	misplaced := Key(strings.Replace(string(key), "\x00\x01", "\x0e\x0d", 1))
	if misplaced == key || misplaced.check() != nil {
		t.Fatalf("%v is no other key than %v", misplaced, key)
	}
	d.records[misplaced] = Record{Label: Win}.WithComment("c")
	if n := d.Check(); n != 1 {
		t.Errorf("%d misplaced, want 1", n)
	}
	if n := d.Fix(); n != 1 || d.Check() != 0 || d.Len() != 3 || d.records[key].Label != Win || d.records[key].Comment() != "c" {
		t.Errorf("%d fixed, %d left", n, d.Check())
	}
	d.records[key] = NewRecord(None, 5, 9, Exact)
	d.records[misplaced] = NewRecord(None, 7, 2, Exact).WithComment("c")
	if n := d.Fix(); n != 1 || d.records[key].Value != 5 || d.records[key].Comment() != "c" {
		t.Errorf("%d fixed, %+v is left", n, d.records[key])
	}
}

// A repair of several records of one position comes to the same each time.
func TestRepairsAreTheSame(t *testing.T) {
	key, _ := KeyOf(boardtest.After(t, 0, 15, "h8a2"))
	comments := map[string]bool{}
	for range 20 {
		d := New()
		for i, corner := range []string{"\x00\x0d", "\x01\x00", "\x01\x0e", "\x0d\x00", "\x0d\x0e", "\x0e\x01", "\x0e\x0d"} {
			d.records[Key(strings.Replace(string(key), "\x00\x01", corner, 1))] = Record{Label: None}.WithComment(fmt.Sprint(i))
		}
		if n := d.Fix(); n != 7 || d.Len() != 1 {
			t.Fatalf("%d fixed, %d left", n, d.Len())
		}
		comments[d.records[key].Comment()] = true
	}
	if len(comments) != 1 {
		t.Errorf("comments %v, want one", comments)
	}
}

// A file may hold a white stone alone. It is no position of a black stone, and does not keep a
// text with it from being read.
func TestPositionsWithoutAKeyStay(t *testing.T) {
	d := New()
	key := Key("\x00\x0f\x0f\xff\xff\xff\xff\x07\x07")
	if err := key.check(); err != nil {
		t.Fatal(err)
	}
	d.records[key] = NewRecord(Win, 0, 0, NoBound)
	if n, fixed := d.Check(), d.Fix(); n != 0 || fixed != 0 || d.records[key].Label != Win || d.Len() != 1 {
		t.Errorf("%d misplaced, %d fixed: %v", n, fixed, d.records)
	}
	if err := d.Set(boardtest.After(t, 0, 15, "h8"), NewRecord(None, 5, 9, Exact), Whole); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if n, err := d.WriteText(&text, nil); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	read := New()
	if n, err := read.ReadText(&text); n != 1 || err != nil || read.Len() != 1 {
		t.Errorf("%d of %d records, %v", n, read.Len(), err)
	}
}

func TestOtherFiles(t *testing.T) {
	d := tree(t, "h8", "h8a1")
	dir := t.TempDir()
	for name, save := range map[string]func(string, *board.Board) (int, error){"x.csv": d.SaveText, "x.lib": d.SaveLib, "x.txt": d.SavePositions} {
		if n, err := save(filepath.Join(dir, name), boardtest.After(t, 0, 15, "")); n != 2 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if n, err := save(filepath.Join(dir, "no", name), boardtest.After(t, 0, 15, "")); err == nil {
			t.Errorf("%s in no folder: %d", name, n)
		}
	}
	// Others are left out: of another rule or size, and of lines of moves those after a pass.
	passed := boardtest.After(t, 0, 15, "h8")
	passed.Pass()
	for _, b := range []*board.Board{boardtest.After(t, board.Renju, 15, "h8"), boardtest.After(t, 0, 14, "h8"), passed} {
		d.Set(b, NewRecord(None, 0, 0, NoBound), Whole)
	}
	for name, want := range map[string]int{"y.csv": 3, "x.txt": 2, "x.lib": 2} {
		save := map[string]func(string, *board.Board) (int, error){"y.csv": d.SaveText, "x.txt": d.SavePositions, "x.lib": d.SaveLib}[name]
		if n, err := save(filepath.Join(dir, name), boardtest.After(t, 0, 15, "")); n != want || err != nil {
			t.Errorf("%s: %d of all, %v, want %d", name, n, err, want)
		}
	}
	if n, err := d.SaveLib(filepath.Join(dir, "z.lib"), boardtest.After(t, 0, 14, "")); err == nil {
		t.Errorf("a library of 14x14 has %d moves", n)
	}
	again := New()
	if n, err := again.AddText(t.Context(), &Input{Name: filepath.Join(dir, "x.csv")}); n != 2 || err != nil || again.Len() != 2 {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := again.AddLib(t.Context(), &Input{Name: filepath.Join(dir, "x.lib")}, 0); n != 2 || err != nil || again.Len() != 2 {
		t.Errorf("%d, %v", n, err)
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "x.txt")); err != nil || string(raw) != "h8\nh8a1\n" {
		t.Errorf("%q, %v", raw, err)
	}
	for _, load := range []func() (int, error){
		func() (int, error) { return again.AddText(t.Context(), &Input{Name: filepath.Join(dir, "x.lib")}) },
		func() (int, error) { return again.AddLib(t.Context(), &Input{Name: filepath.Join(dir, "x.csv")}, 0) },
		func() (int, error) { return again.AddLib(t.Context(), &Input{Name: filepath.Join(dir, "none")}, 0) },
	} {
		if n, err := load(); err == nil || again.Len() != 2 {
			t.Errorf("%d read from another file", n)
		}
	}
}

// TestWrittenOver: what is written out replaces a file of its kind and no other.
func TestWrittenOver(t *testing.T) {
	d := tree(t, "h8", "h8a1", "h8a1i9")
	dir := t.TempDir()
	b := boardtest.After(t, 0, 15, "")
	kinds := map[string]func(string, *board.Board) (int, error){"text": d.SaveText, "positions": d.SavePositions, "library": d.SaveLib}
	files := map[string]string{"empty": "", "game": "(;FF[4]GM[4]SZ[15];B[hh])\n", "prose": "hello\n", "moves": "h8 i9\n"}
	for kind, save := range kinds {
		name := filepath.Join(dir, kind)
		if _, err := save(name, b); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[kind] = string(raw)
	}
	if err := d.Save(filepath.Join(dir, "database")); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "database"))
	if err != nil {
		t.Fatal(err)
	}
	files["database"] = string(raw)
	name := filepath.Join(dir, "x")
	for kind, save := range kinds {
		for what, old := range files {
			if err := os.WriteFile(name, []byte(old), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := save(name, b)
			raw, _ := os.ReadFile(name)
			if may := what == kind || old == ""; may != (err == nil) || string(raw) != files[map[bool]string{true: kind, false: what}[may]] {
				t.Errorf("%s over %s: %v, %.20q is left", kind, what, err, raw)
			}
		}
	}
}

// TestSaveTakesOverWhatOthersWrote: two programs with one file lose nothing of what either changed.
func TestSaveTakesOverWhatOthersWrote(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	at := func(moves string) *board.Board { return boardtest.After(t, 0, 15, moves) }
	load := func() *Database {
		t.Helper()
		d, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	save := func(d *Database) {
		t.Helper()
		if err := d.Save(name); err != nil || d.Changed() {
			t.Fatalf("%v, changed %v", err, d.Changed())
		}
	}
	first, second := load(), load() // before there is a file
	first.SetComment(at("h8"), "of the first")
	first.SetComment(at("h8i9"), "to be removed")
	save(first)
	second.SetComment(at("h8i8"), "of the second")
	save(second)
	if second.Len() != 3 {
		t.Errorf("the second has %d records after its Save", second.Len())
	}
	second.SetComment(at("h8"), "changed by the second")
	save(second)
	first.Delete(at("h8i9"))
	save(first)
	second.SetComment(at("h8i10"), "more")
	save(second)
	last := load()
	for moves, want := range map[string]string{"h8": "changed by the second", "h8i9": "", "h8i8": "of the second", "h8i10": "more"} {
		if r, ok := last.Get(at(moves)); ok != (want != "") || r.Comment() != want {
			t.Errorf("%s: known %v, comment %q, want %q", moves, ok, r.Comment(), want)
		}
	}
	if err := os.WriteFile(name, []byte("something else\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	last.SetComment(at("h8"), "too late")
	if err := last.Save(name); err == nil || !last.Changed() || !strings.Contains(err.Error(), "another program") {
		t.Errorf("saved over a file that is no database: %v", err)
	}
}

func TestSaveFailsCleanly(t *testing.T) {
	d := tree(t, "h8")
	dir := t.TempDir()
	if err := d.Save(filepath.Join(dir, "no", "x.db")); err == nil {
		t.Error("saved into a folder that is not there")
	}
	if !d.Changed() {
		t.Error("it says that it is saved")
	}
	name := filepath.Join(dir, "x.db")
	if err := d.Save(name); err != nil || d.Changed() {
		t.Errorf("%v, changed %v", err, d.Changed())
	}
	if _, err := os.Stat(name + atomicfile.Suffix); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file beside is left")
	}
}

// A database that is kept elsewhere than in a file is saved once that has it, and not before.
func TestSaveTo(t *testing.T) {
	d := New()
	b := boardtest.New(t, board.Renju, 15, 15)
	if err := d.Found(b, Searched(10, 0, 12)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no room")
	if err := d.SaveTo(func([]byte) error { return full }); err != full || !d.Changed() {
		t.Errorf("without room: %v, changed %v", err, d.Changed())
	}
	var kept []byte
	err := d.SaveTo(func(raw []byte) error {
		kept = raw
		return nil
	})
	if err != nil || d.Changed() {
		t.Errorf("with room: %v, changed %v", err, d.Changed())
	}
	again, err := Read(bytes.NewReader(kept))
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := again.Get(b); !ok || r.Depth() != 12 {
		t.Errorf("it holds %+v, %v", r, ok)
	}
}
