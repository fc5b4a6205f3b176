package main

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tengen/cmd/arena/internal/check"
)

// TestCheckJSON: the object for scripts, with the numbers that differ from run to run left out.
func TestCheckJSON(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := arena(t, "check", "-json", "-quick", "-quiet", "-leagues", "renju", "-against", "none", "'"+exe+"' engine 'exits at START' 1")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("status %d, stderr %q; want 1 and a line", code, stderr)
	}
	var report check.Report
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Fail == 0 || report.Pass+report.Warn+report.Fail != len(report.Results) || strings.Join(report.Leagues, " ") != "renju-15" {
		t.Errorf("%d PASS, %d WARN, %d FAIL of %d for %q", report.Pass, report.Warn, report.Fail, len(report.Results), report.Leagues)
	}
	got := regexp.MustCompile(`("(?:at|seconds)": )[0-9.]+`).ReplaceAllString(stdout.String(), "${1}0")
	got = regexp.MustCompile(`("(?:command|system)": )"[^\n]*"`).ReplaceAllString(got, `$1""`)
	got = regexp.MustCompile(`"text": "(?:linked|needs|is no program)[^\n]*"`).ReplaceAllString(got, `"text": ""`)
	golden := filepath.Join("testdata", "check.json")
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// TestCheckPage: a FAIL stands above the dialogue of it, and the games against another engine are judged.
func TestCheckPage(t *testing.T) {
	t.Parallel() // it waits for engines that think
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd, stdout, _ := arena(t, "check", "-quick", "-quiet", "-leagues", "standard", "-against", "'"+exe+"' engine '' 2", "'"+exe+"' engine 'eight ERRORs@3' 1")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("status %d, want 1", code)
	}
	page := stdout.String()
	for _, want := range []string{
		"\nPASS  start: sizes ", "\nFAIL  moves: TURN ", "> TURN ", "< ERROR no idea\n",
		"\nFAIL  match: standard-15 ", "a game is lost by protocol: not a move: \"ERROR no idea\"",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "Ready for") || t.Failed() {
		t.Errorf("the page:\n%s", page)
	}
}

// TestCheckArchive: the programs of an archive, their names and what they need.
func TestCheckArchive(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string // lines of the page
	}{
		{"no program", map[string]string{"readme.txt": "x"}, []string{"FAIL  archive: program ", "no program, which is a file pbrain-NAME.exe"}},
		{"below", map[string]string{"mine/pbrain-mine.exe": "x"}, []string{"there is mine/pbrain-mine.exe, which Gomocup does not find"}},
		{"another name", map[string]string{"mine.exe": "x"}, []string{"such as pbrain-mine.exe"}},
		{"out of the folder", map[string]string{"../pbrain-mine.exe": "x"}, []string{"FAIL  archive: files ", "is no name of a file in a folder"}},
		{"blanks", map[string]string{"pbrain-my engine.exe": "x"}, []string{"FAIL  archive: pbrain-my engine.exe ", "a name with blanks"}},
		{"leagues", map[string]string{"pbrain-mine_renju.exe": "x", "pbrain-mine_20.exe": "x", "pbrain-mine.exe": "x"}, []string{
			"PASS  archive: renju-15 +is played by pbrain-mine_renju.exe\n",
			"PASS  archive: freestyle-20 +is played by pbrain-mine_20.exe\n",
			"PASS  archive: caro-15 +is played by pbrain-mine.exe\n",
			"FAIL  archive: libraries of pbrain-mine.exe ",
		}},
		{"a program of this system", map[string]string{"pbrain-mine": string(program)}, []string{"PASS  archive: caro-15 ", "WARN  archive: pbrain-mine ", "PASS  caro-15: an open four "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "mine.zip")
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			z := zip.NewWriter(f)
			for name, text := range test.files {
				w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
				if err != nil {
					t.Fatal(err)
				}
				w.Write([]byte(text))
			}
			z.Close()
			f.Close()
			cmd, stdout, _ := arena(t, "check", "-quick", "-quiet", "-leagues", "caro", "-against", "none", file)
			cmd.Env = append(os.Environ(), "PATH=", programVar+"=1") // no wine
			cmd.Run()
			for _, want := range test.want {
				if !regexp.MustCompile(want).MatchString(stdout.String()) {
					t.Errorf("the page lacks %q:\n%s", want, stdout)
				}
			}
		})
	}
}
