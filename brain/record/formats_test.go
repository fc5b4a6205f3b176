package record

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// Every format has one entry with a name of its own, and a way to recognize it if it can be read.
func TestFormats(t *testing.T) {
	names := map[string]bool{"unknown": true}
	for f := UnknownFormat + 1; f <= AppJSON; f++ {
		if names[f.String()] {
			t.Errorf("format %d: the name %q", f, f)
		}
		names[f.String()] = true
	}
	if len(fileFormats) != len(names)-1 {
		t.Errorf("%d entries for %d formats", len(fileFormats), len(names)-1)
	}
	for _, f := range fileFormats {
		if (f.read != nil) != (f.raw != nil || f.text != nil || f.line != nil) && f.format != Database {
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

// Endings are those of files, and .gz is one.
func TestEndings(t *testing.T) {
	if got := strings.Join(Endings(), " "); got != "bdt gz json lib pos psq renjs rif sav sgf txt xml" {
		t.Errorf("endings %s", got)
	}
}
