package atomicfile

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func read(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestAFileChangesOnlyWithCommit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	for _, text := range []string{"old", "new"} {
		if err := Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, name); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("newer"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, name); got != "new" {
		t.Errorf("%q before Commit", got)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, name); got != "new" {
		t.Errorf("%q after Close", got)
	}
	if _, err := os.Stat(name + Suffix); !os.IsNotExist(err) {
		t.Errorf("what was dropped is still there: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
}

// Two programs that write one file at the same time, as two engines do with the database in one
// folder, leave the whole content of one of them.
func TestTwoWritesAtOnce(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	long := strings.Repeat("long", 1<<16)
	first, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.WriteString(long); err != nil {
		t.Fatal(err)
	}
	second, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Commit(); err != nil {
		t.Error(err)
	}
	if got := read(t, name); got != long {
		t.Errorf("%d bytes after the first Commit, want the %d written", len(got), len(long))
	}
	if _, err := second.WriteString("short"); err != nil {
		t.Error(err)
	}
	if err := second.Commit(); err != nil {
		t.Error(err)
	}
	if got := read(t, name); got != "short" {
		t.Errorf("%d bytes after the second Commit, want its 5", len(got))
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v in the folder, %v", files, err)
	}
}

// What a killed program has left behind is taken away in time, and in the way of none.
func TestAbandonedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	left := name + Suffix
	if err := os.WriteFile(left, []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("new")); err != nil || read(t, name) != "new" || read(t, left) != "half" {
		t.Errorf("%v", err)
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("newer")); err != nil || read(t, name) != "newer" {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what was abandoned is still there: %v", err)
	}
}

// Programs that begin at the same time, beside a file that was abandoned, have a file each.
func TestAbandonedFileAndManyWrites(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	old := time.Now().Add(-2 * abandoned)
	for range 30 {
		if err := os.WriteFile(name+Suffix, []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name+Suffix, old, old); err != nil {
			t.Fatal(err)
		}
		var writers sync.WaitGroup
		var files [4]*File
		for i := range files {
			writers.Go(func() {
				f, err := Create(name)
				if err != nil {
					t.Error(err)
					return
				}
				files[i] = f
			})
		}
		writers.Wait()
		for _, f := range files {
			if f == nil {
				t.FailNow()
			}
			own, err := f.file.Stat()
			if err != nil {
				t.Fatal(err)
			}
			if now, err := os.Lstat(f.Beside()); err != nil || !os.SameFile(own, now) {
				t.Fatalf("%s is not the file that is written: %v", f.Beside(), err)
			}
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Where the folder cannot be read it cannot be synced, but a file in it is replaced. The
// superuser may read every folder, and shows less.
func TestAFolderThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o300); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	name := filepath.Join(dir, "x")
	if err := Write(name, []byte("new")); err != nil || read(t, name) != "new" {
		t.Errorf("%v", err)
	}
}

func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := os.Mkdir(name, 0o777); err != nil { // a folder cannot be replaced by a file
		t.Fatal(err)
	}
	if err := Write(name, []byte("x")); err == nil {
		t.Error("a file took the place of a folder")
	}
	if _, err := os.Stat(name + Suffix); !os.IsNotExist(err) {
		t.Errorf("what could not be placed is still there: %v", err)
	}
	if err := Write(filepath.Join(dir, "none", "x"), nil); err == nil {
		t.Error("a file in a folder that does not exist")
	}
	called := func(io.Writer) error { t.Error("something is written"); return nil }
	if err := WriteTo(filepath.Join(dir, "none", "x"), called); err == nil {
		t.Error("a file in a folder that does not exist")
	}
}

func TestWriteTo(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	broken := errors.New("broken")
	for _, test := range []struct {
		text string
		err  error
		want string
	}{{"old", nil, "old"}, {"half", broken, "old"}, {strings.Repeat("long", 1<<16), broken, "old"}, {"new", nil, "new"}} {
		if err := WriteTo(name, func(w io.Writer) error {
			_, err := io.WriteString(w, test.text)
			return cmp.Or(test.err, err)
		}); err != test.err {
			t.Errorf("error %v, want %v", err, test.err)
		}
		if got := read(t, name); got != test.want {
			t.Errorf("%.20q after %.20q, want %q", got, test.text, test.want)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v in the folder, %v", files, err)
	}
}
