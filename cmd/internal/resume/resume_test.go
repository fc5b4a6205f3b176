package resume

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

type line struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

// numbers reads a journal and returns the numbers of its lines.
func numbers(path string) (all []int, err error) {
	err = ReadJournal(path, `{"n":`, collect(&all))
	return all, err
}

func collect(all *[]int) func([]byte) error {
	return func(text []byte) error {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		*all = append(*all, l.N)
		return nil
	}
}

// A journal cut anywhere continues after its last whole line.
func TestAJournalGoesOnWhereverItWasCut(t *testing.T) {
	const whole = `{"n":1,"text":"a"}` + "\n" + `{"n":2,"text":"b"}` + "\n"
	for cut := range len(whole) + 1 {
		for _, tail := range []string{"", "\x00\x00\x00"} {
			path := filepath.Join(t.TempDir(), "j")
			if err := os.WriteFile(path, []byte(whole[:cut]+tail), 0o666); err != nil {
				t.Fatal(err)
			}
			var before []int
			if cut == 0 && tail != "" {
				continue // zeros alone are no journal
			}
			j, err := OpenJournal(path, `{"n":`, collect(&before))
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			if err := errors.Join(j.Add(line{N: 9}), j.Close()); err != nil {
				t.Fatal(err)
			}
			want := []int{1, 2, 9}
			switch first := strings.Index(whole, "\n"); {
			case cut < first, cut == first && tail != "":
				want = []int{9}
			case cut < len(whole)-1, cut == len(whole)-1 && tail != "":
				want = []int{1, 9}
			}
			if got, err := numbers(path); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("cut at %d, then %q: %v, %v, want %v", cut, tail, got, err, want)
			}
			if !reflect.DeepEqual(before, want[:len(want)-1]) && len(before) > 0 {
				t.Errorf("cut at %d: %v were read, want %v", cut, before, want[:len(want)-1])
			}
		}
	}
}

func TestAFileThatIsNoJournalStays(t *testing.T) {
	for _, text := range []string{"#!/bin/sh\n", `{"name":"x"}` + "\n", `{"n":1}` + "\nrubbish\n" + `{"n":2}` + "\n", `{"n":1}` + "\nrubbish"} {
		path := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if j, err := OpenJournal(path, `{"n":`, collect(new([]int))); err == nil {
			j.Close()
			t.Errorf("%q was taken for a journal", text)
		}
		if raw, _ := os.ReadFile(path); string(raw) != text {
			t.Errorf("%q has become %q", text, raw)
		}
	}
	if _, err := OpenJournal(t.TempDir(), `{"n":`, nil); err == nil {
		t.Error("a folder was taken for a journal")
	}
	if err := ReadJournal(filepath.Join(t.TempDir(), "none"), "", nil); err == nil {
		t.Error("a journal that does not exist was read")
	}
}

func TestAFileIsCutBehindItsWholePart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("whole\ntorn"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Truncate(f, 6); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("next\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "whole\nnext\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTheBuildHasAName(t *testing.T) {
	if name := Build(); name == "" || strings.ContainsAny(name, "\n\t") {
		t.Errorf("%q", name)
	}
}

// On a full disk a line may be cut short. What another goroutine adds after it would be no line of
// its own.
func TestNothingFollowsALineThatWasNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := OpenJournal(path, `{"n":`, collect(new([]int)))
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(line{N: 1}); err != nil {
		t.Fatal(err)
	}
	file := j.file
	if j.file, err = os.Open(path); err != nil { // for reading only: no line can be written
		t.Fatal(err)
	}
	failure := j.Add(line{N: 2})
	j.file.Close()
	j.file = file
	if again := j.Add(line{N: 3}); failure == nil || again != failure {
		t.Errorf("%v, then %v", failure, again)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := numbers(path); err != nil || !reflect.DeepEqual(got, []int{1}) {
		t.Errorf("%v, %v", got, err)
	}
}

// A run without a journal adds to none.
func TestNoJournal(t *testing.T) {
	t.Chdir(t.TempDir())
	j, err := OpenJournal("", "{", func([]byte) error { return errors.New("a line") })
	if j != nil || err != nil || j.Add(1) != nil || j.Close() != nil {
		t.Errorf("%v, %v", j, err)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}
