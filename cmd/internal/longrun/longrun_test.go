package longrun

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFileGoesOnBehindItsWholePart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("whole\ntorn"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Continue(f, 6); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("next\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "whole\nnext\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAFileAndNothingAreNoTerminals(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, f := range []*os.File{file, null} {
		if IsTerminal(f) {
			t.Errorf("%s is taken for a terminal", f.Name())
		}
		if n := Columns(f); n != 0 {
			t.Errorf("%s has %d columns", f.Name(), n)
		}
	}
}
