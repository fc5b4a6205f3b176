//go:build !js

package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A folder with something else in it is not filled with files, and stays as it was.
func TestExportRefusesOtherFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "letters.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := export(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "neither empty nor an earlier export") {
		t.Errorf("the error is %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %d entries, %v", len(entries), err)
	}
}

// Every network that the engine has lies in the folder.
func TestExportedNetworks(t *testing.T) {
	built, err := filepath.Glob("../../brain/eval/networks/*.tnn")
	if err != nil || len(built) < 2 {
		t.Fatalf("%q, %v", built, err)
	}
	var want []string
	for _, file := range built {
		want = append(want, filepath.Base(file)+packedSuffix)
	}
	files := map[string][]byte{}
	addNetworks(files)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The script that answers requests runs before those of the page, which are modules.
func TestExportedPageAnswersItself(t *testing.T) {
	raw, err := page.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`<script[^>]*>`).Find(withScript(raw))
	if string(first) != `<script src="web.js">` {
		t.Errorf("the first script is %s", first)
	}
}

// Everything that the page and its service worker ask for by an address of their own is found in whatever
// folder they lie: only requests to the program begin at the root.
func TestPageLiesAnywhere(t *testing.T) {
	files, err := filepath.Glob("page/*")
	if err != nil {
		t.Fatal(err)
	}
	rooted := regexp.MustCompile("(?:fetch\\(|addAll\\(\\[|import\\(|from |src=|href=|\"(?:start_url|scope)\": )[\"'`]/[^\"'`]*")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range rooted.FindAllString(string(raw), -1) {
			if !strings.Contains(found, "/api/") {
				t.Errorf("%s: %s", file, found)
			}
		}
	}
}

// The service worker of other files is another one, so that browsers install it.
func TestWorkerHasAVersion(t *testing.T) {
	stamped := func(change func(files map[string][]byte)) string {
		files := loadPage()
		change(files)
		stampWorker(files)
		return string(files["sw.js"])
	}
	now := stamped(func(map[string][]byte) {})
	if again := stamped(func(map[string][]byte) {}); again != now {
		t.Error("the same files have two workers")
	}
	for name := range loadPage() {
		if other := stamped(func(files map[string][]byte) { files[name] = append(slices.Clone(files[name]), '\n') }); other == now {
			t.Errorf("the worker does not change with %s", name)
		}
	}
	if other := stamped(func(files map[string][]byte) { delete(files, "review.js") }); other == now {
		t.Error("the worker does not change when a file goes")
	}
}
