package record

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Every format has one entry with a name of its own, and a way to recognize it if it can be read.
func TestFormats(t *testing.T) {
	names := map[string]bool{"unknown": true}
	for f := UnknownFormat + 1; f <= Table; f++ {
		if names[f.String()] {
			t.Errorf("format %d: the name %q", f, f)
		}
		names[f.String()] = true
	}
	if len(fileFormats) != len(names)-1 {
		t.Errorf("%d entries for %d formats", len(fileFormats), len(names)-1)
	}
	for _, f := range fileFormats {
		if (f.read != nil) != (f.raw != nil || f.text != nil || f.line != nil) && f.format != Database && f.format != Zip {
			t.Errorf("%v is recognized and not read, or read and not recognized", f.format)
		}
	}
}

// What an output writes is of its format, and has the moves of the main line.
func TestOutputs(t *testing.T) {
	tree := readOne(t, "(;GM[4]SZ[15];B[hh];W[ii];B[jg])", Reading{})
	for _, o := range Outputs() {
		var b bytes.Buffer
		if err := o.Write(&b, tree); err != nil {
			t.Errorf("%s: %v", o.Name, err)
			continue
		}
		if f := Detect(b.Bytes()); f != o.Format {
			t.Errorf("%s: %q is read as %v, want %v", o.Name, b.Bytes(), f, o.Format)
		}
		back, err := Read(b.Bytes(), Reading{FromBottom: o.Name == "txt"})
		if err != nil {
			t.Errorf("%s: %v", o.Name, err)
			continue
		}
		want, _ := tree.Game()
		if got, err := back[0].Game(); err != nil || !reflect.DeepEqual(got.Moves, want.Moves) {
			t.Errorf("%s: the moves %v, want %v (%v)", o.Name, got.Moves, want.Moves, err)
		}
		if named, ok := OutputNamed(o.Name); !ok || named.Format != o.Format || named.Doc == "" {
			t.Errorf("%s is not found by its name", o.Name)
		}
	}
	if _, ok := OutputNamed("exe"); ok {
		t.Error("there is an output named exe")
	}
}

// An archive has the games of all its files; one that is packed far smaller than it is takes no more
// memory than another file, and an archive in one is refused.
func TestArchives(t *testing.T) {
	pack := func(files ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i, content := range files {
			w, err := z.Create(fmt.Sprintf("a/%d.sgf", i+1))
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(content))
		}
		z.Close()
		return b.Bytes()
	}
	trees, err := Read(pack("(;GM[4]SZ[15];B[hh])", "no game", "(;GM[4]SZ[15]AB[hh];B[hh])", "(;GM[4]SZ[15];B[ig])(;GM[4]SZ[15];B[gg])"), Reading{})
	var broken BrokenGames
	if !errors.As(err, &broken) || len(trees) != 4 || trees[0] == nil || trees[1] != nil || trees[3] == nil || !strings.Contains(broken.Error(), "game 2: 3.sgf: move 1") ||
		len(trees[0].Remarks) != 1 || !strings.Contains(trees[0].Remarks[0], "2.sgf") {
		t.Errorf("%d games, %v", len(trees), err)
	}
	if _, err := Read(pack("no game"), Reading{}); err == nil || !strings.Contains(err.Error(), "no game") {
		t.Errorf("without games: %v", err)
	}
	if _, err := Read(pack(string(pack("(;GM[4]SZ[15];B[hh])"))), Reading{}); err == nil || !strings.Contains(err.Error(), "archive within an archive") {
		t.Errorf("an archive in one: %v", err)
	}
	raw := pack(strings.Repeat("a", 100_000))
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil || len(raw) > 2000 {
		t.Fatal(len(raw), err)
	}
	left := 50_000
	if content, err := unzipped(z.File[0], &left); err != errArchive || len(content) > 50_001 {
		t.Errorf("%d bytes of a large archive: %v", len(content), err)
	}
}
