package brain

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The checks of every change fuzz every fuzz target of the module.
func TestEveryTargetIsFuzzed(t *testing.T) {
	checks, err := os.ReadFile("../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	var listed, there []string
	for _, m := range regexp.MustCompile(`(?m)^fuzz \./(\S+ Fuzz\w+) \d+$`).FindAllStringSubmatch(string(checks), -1) {
		listed = append(listed, m[1])
	}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	sources(t, func(file, pkg string) {
		if !strings.HasSuffix(file, "_test.go") {
			return
		}
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			there = append(there, pkg+" "+m[1])
		}
	})
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf(".ci/run fuzzes\n\t%s\nthe tests have\n\t%s", strings.Join(listed, "\n\t"), strings.Join(there, "\n\t"))
	}
}
