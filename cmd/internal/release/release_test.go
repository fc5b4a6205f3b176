package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain"
	"tengen/cmd/internal/flags"
)

// programs makes a directory with something for each program.
func programs(t *testing.T, s system) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"pbrain-tengen", "boardui", "arena", "learn"} {
		if err := os.WriteFile(filepath.Join(bin, s.exe(name)), []byte("the program "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

// An unpacked file of an archive.
type unpacked struct {
	content string
	mode    os.FileMode
	when    time.Time
}

func unpack(t *testing.T, name string, data []byte) map[string]unpacked {
	t.Helper()
	all := map[string]unpacked{}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
	}
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		check(err)
		for _, f := range z.File {
			r, err := f.Open()
			check(err)
			content, err := io.ReadAll(r)
			check(err)
			all[f.Name] = unpacked{string(content), f.Mode(), f.Modified}
		}
		return all
	}
	g, err := gzip.NewReader(bytes.NewReader(data))
	check(err)
	r := tar.NewReader(g)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		check(err)
		content, err := io.ReadAll(r)
		check(err)
		all[h.Name] = unpacked{string(content), h.FileInfo().Mode(), h.ModTime}
	}
}

// Every archive has the files that the README names, with the bits that make it start, and is
// the same byte for byte when it is packed from another directory at another time.
func TestArchives(t *testing.T) {
	t.Chdir("../../..") // the root, where the command runs
	when := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	for _, s := range systems {
		first, second := programs(t, s), programs(t, s)
		for _, a := range archives(s) {
			if seen[a.file] {
				t.Errorf("two archives are called %s", a.file)
			}
			seen[a.file] = true
			data, err := a.pack(first, when)
			if err != nil {
				t.Fatal(err)
			}
			again, err := a.pack(second, when)
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("%s differs when it is packed again: %v", a.file, err)
			}
			got := unpack(t, a.file, data)
			if len(got) != len(a.items) {
				t.Errorf("%s: %d files, want %d", a.file, len(got), len(a.items))
			}
			for name, f := range got {
				if !f.when.Equal(when) {
					t.Errorf("%s: %s is of %v", a.file, name, f.when)
				}
				script := strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".command") || strings.HasSuffix(name, ".bat")
				if run := script || strings.HasPrefix(f.content, "the program "); run != (f.mode&0o111 == 0o111) {
					t.Errorf("%s: %s has mode %v", a.file, name, f.mode)
				}
				if strings.Contains(f.content, "VERSION") {
					t.Errorf("%s: %s does not name the version", a.file, name)
				}
				lone := strings.Contains(strings.ReplaceAll(f.content, "\r\n", ""), "\n")
				if strings.HasSuffix(name, ".txt") && lone == (s.os() == "windows") {
					t.Errorf("%s: the lines of %s do not end as on %s", a.file, name, s.os())
				}
			}
			top := "tengen-" + brain.Version + "/"
			if a.most > 0 {
				top = ""
			} else if strings.HasPrefix(a.file, "tengen-tools-") {
				top = "tengen-tools-" + brain.Version + "/"
			}
			if got[top+s.exe("pbrain-tengen")].content != "the program pbrain-tengen" {
				t.Errorf("%s is without its engine", a.file)
			}
		}
	}
	if !seen["pbrain-tengen-"+brain.Version+"-gomocup.zip"] {
		t.Error("no zip for Gomocup")
	}
}

// The archive for the web has the files of a folder as they are, whatever they hold.
func TestWebArchive(t *testing.T) {
	bin := t.TempDir()
	want := map[string]string{"index.html": "the page\n", "words/en.json": "{}", "x.bin": "\x1fVERSION\n\x00"}
	if err := os.Mkdir(filepath.Join(bin, "words"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := webArchive(bin)
	if err != nil {
		t.Fatal(err)
	}
	data, err := a.pack(bin, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	got := unpack(t, a.file, data)
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for name, content := range want {
		if f := got[a.top+"/"+name]; f.content != content || f.mode.Perm() != 0o644 {
			t.Errorf("%s has %q and mode %v", name, f.content, f.mode)
		}
	}
}

// The texts of the package name every file that a player needs.
func TestReadmeNamesTheStartFiles(t *testing.T) {
	text, err := files.ReadFile("files/readme.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range systems {
		if strings.Count(string(text), s.as) < 2 {
			t.Errorf("the English or the Chinese part does not name %s", s.as)
		}
	}
}

func TestReleased(t *testing.T) {
	when, err := released(changes, brain.Version)
	if err != nil || when.Year() < 2026 {
		t.Errorf("version %s: %v, %v", brain.Version, when, err)
	}
	for _, bad := range []string{"", "# Changes\n", "## 9.9 (2026-11-22)\n## " + brain.Version + " (2026-11-21)\n", "## " + brain.Version + " (2026-13-01)\n"} {
		if when, err := released(bad, brain.Version); err == nil {
			t.Errorf("%q: %v", bad, when)
		}
	}
}

func TestChoose(t *testing.T) {
	chosen, err := choose("windows/386,linux/amd64,windows/386")
	if err != nil || len(chosen) != 2 || chosen[0].name != "windows/386" || chosen[1].name != "linux/amd64" {
		t.Errorf("%v, %v", chosen, err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"-o", t.TempDir(), "-systems", "plan9/amd64"}, {"-o", t.TempDir(), "x"}, {"-nosuch"}} {
		if err := run(t.Context(), args, io.Discard); !errors.Is(err, flags.ErrUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// What the user has set by "go env -w" is no part of a release: -tags=purego there made one without
// the kernels in assembly.
func TestSettingsOfTheUserDoNotCount(t *testing.T) {
	settings := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(settings, []byte("GOFLAGS=-tags=purego\nGOEXPERIMENT=jsonv2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", settings)
	cmd := exec.Command("go", "env", "GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GOOS")
	cmd.Env = systems[0].environment()
	out, err := cmd.Output()
	if want := "\n\nv1\nwindows\n"; err != nil || string(out) != want {
		t.Errorf("the build has %q, want %q: %v", out, want, err)
	}
}
