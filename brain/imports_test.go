package brain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "tengen/" // the module path in go.mod, with a slash

// rooms says what each package may import: packages of this module by path,
// packages of the standard library by name, * for all of the latter. It is a
// statement of policy. Widen it in a commit of its own, with the reason.
//
// eval may touch sync, to build the tables of a rule once; search and threat may touch
// slices, to sort moves outside the hot path. brain may touch runtime/debug, because the
// session alone knows the memory limit a manager sets, and the garbage collector has to
// keep to it. protocol may touch os and syscall, because Client drives a process and the
// pipes to it, and must find all its descendants to end them; syscall stays in files
// with build tags. cmd/boardui may touch brain, because it is its own engine: it starts
// itself once more, as a process that serves the protocol. cmd/internal/longrun is no
// command: what the commands need alike to be killed and to go on, to tell a wrong
// command line and by what program a file was made (runtime/debug), stood in each of
// them, and was mended in one only.
var rooms = map[string]string{
	"brain/board":          "errors fmt math/bits strconv strings sync",
	"brain/nnue":           "encoding/binary errors fmt hash/crc32 math/bits slices sync unicode/utf8",
	"brain/threat":         "brain/board math/bits slices",
	"brain/eval":           "brain/board brain/nnue bytes embed encoding/binary errors fmt io math/bits sync",
	"brain/book":           "brain/board bufio bytes embed errors fmt io slices strconv strings",
	"brain/record":         "brain/board bufio bytes encoding/binary errors fmt hash/crc32 io slices strconv strings",
	"brain/record/lz4":     "encoding/binary errors fmt io math/bits slices",
	"brain/search":         "brain/board brain/eval brain/threat cmp context math/bits slices sync sync/atomic time",
	"brain":                "brain/board brain/book brain/eval brain/nnue brain/search brain/threat context errors fmt runtime/debug slices strconv strings sync time",
	"protocol":             "brain brain/board bufio bytes context errors fmt io math/bits os os/exec strconv strings sync syscall time",
	"cmd/pbrain-tengen":    "brain protocol *",
	"cmd/arena":            "brain/board brain/record cmd/internal/longrun protocol *",
	"cmd/generation":       "brain/board brain/eval brain/record cmd/internal/longrun *",
	"cmd/internal/longrun": "errors fmt io os runtime/debug strings syscall unsafe",
	"cmd/boardui":          "brain brain/board brain/record protocol *",
	"cmd/selfplay":         "brain/board brain/eval brain/nnue brain/record brain/search cmd/internal/longrun *",
	"cmd/train":            "brain/board brain/eval brain/nnue brain/record cmd/internal/longrun *",
	"cmd/tune":             "brain/board brain/eval brain/record brain/search cmd/internal/longrun *",

	"cmd/internal/atomicfile": "*",
	"cmd/internal/decks":      "brain/board brain/record *",
	"cmd/internal/flags":      "brain/board *",
	"cmd/internal/resume":     "cmd/internal/atomicfile *",
	"cmd/internal/elo":        "fmt math strings",
	"cmd/internal/progress":   "fmt io os strconv strings time unicode/utf8",
}

// sources calls f for every Go file of the module, with its path from the module's root.
func sources(t *testing.T, f func(file, room string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		file = strings.TrimPrefix(filepath.ToSlash(file), "../")
		f(file, path.Dir(file))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImports(t *testing.T) {
	sources(t, func(file, room string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		rule, ok := rooms[room]
		if !ok {
			t.Errorf("%s: package %s is not in the map of rooms", file, room)
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		allowed := strings.Fields(rule)
		for _, imp := range f.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Error(err)
				continue
			}
			own := strings.HasPrefix(name, module)
			name = strings.TrimPrefix(name, module)
			if !slices.Contains(allowed, name) && (own || !slices.Contains(allowed, "*")) {
				t.Errorf("%s imports %s, which %s may not touch", file, name, room)
			}
		}
	})
}

// A name that cannot be typed cannot be searched for, and a file in another encoding
// cannot be read by most tools.
func TestSourcesArePlain(t *testing.T) {
	sources(t, func(file, room string) {
		raw, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Error(err)
			return
		}
		if !utf8.Valid(raw) {
			t.Errorf("%s is not UTF-8", file)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, raw, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				for _, r := range id.Name {
					if r >= utf8.RuneSelf {
						t.Errorf("%s: the name %s is not ASCII", file, id.Name)
						break
					}
				}
			}
			return true
		})
	})
}

// The standard library is enough: a require line in go.mod is a decision, not an accident.
func TestNoRequire(t *testing.T) {
	raw, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "require") {
		t.Error("go.mod has a require line")
	}
}
