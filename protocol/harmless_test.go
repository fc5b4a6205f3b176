package protocol

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNothingIsWrittenElsewhere gives the program all keys of INFO and all commands, those that
// write files with paths in one folder: no file appears in the directory where it runs, nor where
// programs keep what belongs to a user. It takes all keys and commands, since any may write.
func TestNothingIsWrittenElsewhere(t *testing.T) {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, name := range []string{"runs", "home", "folder", "given"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, "runs"))
	for _, key := range []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR", "TMP", "TEMP"} {
		t.Setenv(key, filepath.Join(root, "home"))
	}
	var in strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&in, format+"\n", args...) }
	for _, folder := range []string{"", filepath.Join(root, "folder")} {
		for _, key := range InfoKeys() {
			say("INFO %s 1", key.Name)
		}
		say("INFO folder %s\nINFO rule 0\nINFO strength 100\nINFO thread_num 1\nINFO max_memory 100000000\nINFO max_node 100\nINFO timeout_turn 3600000", folder)
		say("START 9\nBEGIN\nTURN 1,1\nBOARD\n4,4,1\n3,3,2\nDONE\nSWAP2BOARD\nDONE\nPLAY 5,5")
		for i, c := range Commands() {
			if c.Name == "END" {
				continue
			}
			say("%s", c.Usage)
			switch x, known := dialect[c.Name]; {
			case !known || x.shape == oneLine:
			case x.shape == filePath:
				say("%s", filepath.Join(root, "given", fmt.Sprint("file", i)))
			default:
				say("2,2\nDONE")
			}
		}
	}
	o := newProgram(t, path)
	go func() {
		for range o.lines { // so that it can write
		}
	}()
	go func() {
		io.WriteString(o.in, in.String())
		o.in.Close() // what was asked for is still done
	}()
	select {
	case <-o.gone:
	case <-time.After(2 * answerLimit):
		t.Fatal("the program does not end")
	}
	if err := o.check(); err != nil {
		t.Error(err)
	}
	count := map[string]int{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		place, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if count[place]++; place != "folder" && place != "given" {
			t.Errorf("%s is written", rel)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if count["given"] < 4 {
		t.Errorf("%d files where paths were given", count["given"])
	}
}

// starting are the files of the manager's side, which starts programs.
const starting = "client.go process.go tree_other.go tree_unix.go tree_windows.go"

// TestTheEngineStartsNoProgram: whatever a manager sends, the engine's side has no means to run
// another program. The packages below this one may not use any, see the test of their imports.
func TestTheEngineStartsNoProgram(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(starting, file) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if p := strings.Trim(i.Path.Value, `"`); p == "os/exec" || p == "syscall" || p == "unsafe" || p == "C" || p == "plugin" {
				t.Errorf("%s imports %s", file, p)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (id.Name == "Launch" || id.Name == "StartProcess") {
				t.Errorf("%s uses %s", file, id.Name)
			}
			return true
		})
		checked++
	}
	if checked < 10 {
		t.Errorf("only %d files are checked", checked)
	}
}
