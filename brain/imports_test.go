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

// module is the module path in go.mod, with a slash.
var module = func() string {
	raw, err := os.ReadFile("../go.mod")
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	return strings.TrimPrefix(strings.TrimSpace(first), "module ") + "/"
}()

// doors says which packages of this module each package may import. It is a statement of
// policy: widen it in a commit of its own, with the reason. cmd/boardui imports brain
// because it is its own engine: it starts itself once more, as a process that serves the
// protocol.
var doors = map[string]string{
	"brain/about":      "",
	"brain/linecode":   "",
	"brain/board":      "brain/internal/inuse brain/linecode",
	"brain/score":      "",
	"brain/clock":      "",
	"brain/setup":      "brain/board",
	"brain/hashtable":  "brain/board brain/internal/mapped brain/score",
	"brain/nnue":       "brain/linecode",
	"brain/winrate":    "",
	"brain/book":       "brain/atomicfile brain/board",
	"brain/opening":    "brain/board",
	"brain/threat":     "brain/board brain/eval brain/internal/mapped",
	"brain/eval":       "brain/board brain/nnue brain/internal/inuse",
	"brain/proof":      "brain/board brain/record",
	"brain/record":     "brain/board brain/record/charset",
	"brain/sample":     "brain/board brain/record brain/score",
	"brain/solver":     "brain/board brain/eval brain/threat",
	"brain/search":     "brain/board brain/eval brain/hashtable brain/internal/eventloop brain/internal/failure brain/score brain/solver brain/threat",
	"brain/continuous": "brain/board brain/eval brain/internal/mapped brain/threat brain/internal/inuse",
	"brain/play":       "brain/about brain/board brain/continuous brain/eval brain/internal/eventloop brain/internal/failure brain/score brain/search",
	"brain/level":      "brain/board brain/eval brain/internal/random brain/play brain/score brain/search brain/threat",
	"brain/blocks":     "brain/board brain/search",
	"brain/opener":     "brain/board brain/book brain/internal/random brain/opening brain/play brain/score brain/search",
	"brain/knowledge":  "brain/board brain/book brain/database brain/play brain/score brain/search",
	"brain/prover":     "brain/board brain/eval brain/internal/eventloop brain/proof brain/threat",
	"brain/puzzle":     "brain/board brain/eval brain/proof brain/prover brain/threat",
	"brain":            "brain/about brain/blocks brain/board brain/book brain/clock brain/database brain/eval brain/hashtable brain/internal/mapped brain/internal/random brain/knowledge brain/level brain/nnue brain/opener brain/opening brain/play brain/score brain/search brain/setup brain/threat brain/winrate",
	"brain/review":     "brain/board brain/winrate",
	"testdata":         "",
	"protocol/wire":    "brain/about brain/board",
	"protocol/client":  "brain/board protocol/wire",
	"protocol":         "brain brain/atomicfile brain/board brain/database brain/opening protocol/wire",

	"brain/atomicfile": "",
	"brain/database":   "brain/board brain/record brain/winrate brain/atomicfile brain/lz4",
	"brain/lz4":        "",

	"brain/record/charset": "",

	"brain/internal/boardtest": "brain/board",
	"brain/longtest":           "",
	"brain/internal/eventloop": "",
	"brain/internal/failure":   "",
	"brain/internal/mapped":    "",
	"brain/internal/inuse":     "",
	"brain/internal/random":    "brain/board",
	"brain/internal/playtest":  "brain/about brain/board brain/play brain/score brain/search",

	"cmd/pbrain-tengen": "brain brain/atomicfile brain/board brain/database brain/book brain/proof brain/prover brain/puzzle brain/record brain/review brain/search cmd/internal/ctxreader cmd/internal/evalflags cmd/internal/flags cmd/internal/heap cmd/internal/inorder cmd/internal/progress cmd/internal/query protocol",
	"cmd/arena":         "brain/about brain/board brain/opening brain/record brain/sample cmd/arena/internal/check cmd/internal/elo cmd/internal/flags cmd/internal/openings cmd/internal/progress cmd/internal/resume brain/atomicfile protocol/client protocol/wire",
	"cmd/boardui":       "brain brain/about brain/board brain/database brain/eval brain/nnue brain/opening brain/prover brain/record brain/record/charset brain/review cmd/internal/flags cmd/internal/heap cmd/internal/query protocol protocol/client protocol/wire testdata",

	"cmd/arena/internal/check": "brain/board protocol/client protocol/wire",

	"cmd/learn":            "cmd/internal/flags cmd/learn/book cmd/learn/generation cmd/learn/network cmd/learn/selfplay cmd/learn/tune",
	"cmd/learn/book":       "brain brain/board brain/book brain/eval brain/opening brain/score brain/search cmd/internal/evalflags cmd/internal/flags cmd/internal/inorder cmd/internal/openings cmd/internal/progress cmd/internal/resume cmd/learn/match brain/atomicfile",
	"cmd/learn/generation": "brain/atomicfile brain/board brain/eval brain/record brain/search cmd/internal/checkpoint cmd/internal/elo cmd/internal/evalflags cmd/internal/flags cmd/internal/openings cmd/internal/progress cmd/internal/resume cmd/learn/match cmd/learn/network cmd/learn/selfplay",
	"cmd/learn/network":    "brain/board brain/eval brain/linecode brain/nnue brain/sample brain/score brain/winrate cmd/internal/chart cmd/internal/checkpoint cmd/internal/flags cmd/internal/progress cmd/internal/resume cmd/learn/dataset brain/atomicfile",
	"cmd/learn/match":      "brain/board brain/eval brain/record brain/score brain/search cmd/internal/elo cmd/internal/flags cmd/internal/inorder cmd/internal/openings cmd/internal/progress cmd/internal/resume",
	"cmd/learn/selfplay":   "brain/board brain/eval brain/record brain/sample brain/score brain/search cmd/internal/evalflags cmd/internal/flags cmd/internal/inorder cmd/internal/openings cmd/internal/progress cmd/internal/resume cmd/learn/dataset cmd/learn/match brain/atomicfile brain/lz4",
	"cmd/learn/tune":       "brain/search cmd/internal/elo cmd/internal/flags cmd/internal/openings cmd/internal/progress cmd/internal/resume cmd/learn/match",
	"cmd/learn/dataset":    "brain/board brain/eval brain/record brain/sample brain/score brain/winrate cmd/internal/ctxreader cmd/internal/flags brain/lz4",

	"cmd/internal/chart":      "",
	"cmd/internal/openings":   "brain/board brain/record",
	"cmd/internal/elo":        "",
	"cmd/internal/flags":      "brain/about brain/board brain/atomicfile",
	"cmd/internal/evalflags":  "brain/board brain/eval cmd/internal/flags",
	"cmd/internal/heap":       "",
	"cmd/internal/inorder":    "",
	"cmd/internal/charsets":   "",
	"cmd/internal/ctxreader":  "",
	"cmd/internal/progress":   "",
	"cmd/internal/release":    "brain cmd/internal/flags",
	"cmd/internal/query":      "brain/board brain/record brain/review cmd/internal/flags",
	"cmd/internal/resume":     "",
	"cmd/internal/checkpoint": "brain/atomicfile cmd/internal/resume",
}

// pure lists the packages between a position and a move. Their result depends on nothing
// but what they are given, on every machine: they open no files, and they use no clock and
// no floating-point numbers, except in the time management and in the pauses of the goroutine that
// prepares the memory of the hash table.
var pure = []string{"brain/board", "brain/threat", "brain/eval", "brain/nnue", "brain/score", "brain/clock", "brain/hashtable", "brain/setup", "brain/solver", "brain/search", "brain/continuous"}

// impure lists what the pure packages may not import of the standard library.
var impure = []string{"io/ioutil", "log", "math", "math/big", "math/cmplx", "math/rand", "math/rand/v2", "net", "os", "os/exec", "path/filepath", "syscall", "time"}

// fileOwners lists the packages under brain that open files. The others take readers and writers.
var fileOwners = []string{"brain/atomicfile", "brain/book", "brain/database"}

// filePackages lists what the others do not import.
var filePackages = []string{module + "brain/atomicfile", "io/ioutil", "net", "os", "os/exec", "path/filepath"}

// sources calls f for every Go file of the module, with its path from the module's root.
func sources(t *testing.T, f func(file, pkg string)) {
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

// syntax calls f for every Go file of the module, parsed in the given mode.
func syntax(t *testing.T, mode parser.Mode, f func(file, pkg string, tree *ast.File)) {
	t.Helper()
	sources(t, func(file, pkg string) {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, mode)
		if err != nil {
			t.Error(err)
			return
		}
		f(file, pkg, tree)
	})
}

// unreachable says which packages a package does not reach by any way: it works without an engine.
var unreachable = map[string]string{
	"protocol/wire":      "brain brain/continuous brain/eval brain/nnue brain/search brain/threat",
	"protocol/client":    "brain brain/continuous brain/eval brain/nnue brain/search brain/threat protocol",
	"cmd/arena":          "brain brain/continuous brain/eval brain/nnue brain/search brain/threat protocol",
	"cmd/internal/flags": "brain brain/continuous brain/eval brain/nnue brain/search brain/threat protocol",
}

// TestUnreachable follows the imports of the packages that need no engine to their end.
func TestUnreachable(t *testing.T) {
	imports := map[string]map[string]bool{}
	syntax(t, parser.ImportsOnly, func(file, pkg string, tree *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		if imports[pkg] == nil {
			imports[pkg] = map[string]bool{}
		}
		for _, imp := range tree.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Error(err)
			}
			if own, isOwn := strings.CutPrefix(name, module); isOwn {
				imports[pkg][own] = true
			}
		}
	})
	for from, never := range unreachable {
		if imports[from] == nil {
			t.Errorf("there is no package %s", from)
		}
		for _, pkg := range strings.Fields(never) {
			if imports[pkg] == nil {
				t.Errorf("there is no package %s", pkg)
			}
		}
		way := map[string]string{from: from} // how each package is reached
		for next := []string{from}; len(next) > 0; next = next[1:] {
			for pkg := range imports[next[0]] {
				if way[pkg] == "" {
					way[pkg] = way[next[0]] + " -> " + pkg
					next = append(next, pkg)
				}
			}
		}
		for _, pkg := range strings.Fields(never) {
			if way[pkg] != "" {
				t.Errorf("%s reaches %s: %s", from, pkg, way[pkg])
			}
		}
	}
}

func TestImports(t *testing.T) {
	seen := map[string]bool{} // packages, and "package imports package"
	syntax(t, parser.ImportsOnly, func(file, pkg string, tree *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		seen[pkg] = true
		may, ok := doors[pkg]
		if !ok {
			t.Errorf("%s: package %s is not in the table of doors", file, pkg)
			return
		}
		for _, imp := range tree.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Error(err)
				continue
			}
			own, isOwn := strings.CutPrefix(name, module)
			seen[pkg+" imports "+own] = true
			forbidden := slices.Contains(pure, pkg) && slices.Contains(impure, name) && !(slices.Contains([]string{"brain/search", "brain/clock", "brain/hashtable"}, pkg) && name == "time")
			if strings.HasPrefix(pkg+"/", "brain/") && !slices.Contains(fileOwners, pkg) && slices.Contains(filePackages, name) {
				forbidden = true
			}
			if isOwn && !slices.Contains(strings.Fields(may), own) || forbidden {
				t.Errorf("%s imports %s, which %s may not", file, name, pkg)
			}
		}
	})
	for pkg, may := range doors {
		if !seen[pkg] {
			t.Errorf("the table of doors names %s, which is not there", pkg)
		}
		for _, other := range strings.Fields(may) {
			if !seen[pkg+" imports "+other] {
				t.Errorf("the table of doors lets %s import %s, which it does not", pkg, other)
			}
		}
	}
}

// TestReadmeTable: the table of all packages in README.md has a row for each package, below those of the
// packages that it may import.
func TestReadmeTable(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## The packages, lowest first\n")
	row := map[string]int{}
	for i, line := range strings.Split("\n"+table, "\n") {
		if pkg, ok := strings.CutPrefix(line, "| `"); ok {
			pkg, _, _ = strings.Cut(pkg, "`")
			row[pkg] = i
		}
	}
	for pkg, may := range doors {
		for _, other := range append(strings.Fields(may), pkg) {
			if row[other] == 0 || row[other] > row[pkg] {
				t.Errorf("the row of %s is missing or not above that of %s", other, pkg)
			}
		}
	}
	if len(row) != len(doors) {
		t.Errorf("%d rows for %d packages", len(row), len(doors))
	}
}

// Go fuses x*y+z to one rounding on some machines and not on others, so a float between a
// position and a move would let machines disagree.
func TestNoFloatsBetweenPositionAndMove(t *testing.T) {
	syntax(t, parser.SkipObjectResolution, func(file, pkg string, tree *ast.File) {
		if strings.HasSuffix(file, "_test.go") || !slices.Contains(pure, pkg) {
			return
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			id, isName := n.(*ast.Ident)
			lit, isLiteral := n.(*ast.BasicLit)
			if isName && (id.Name == "float32" || id.Name == "float64") || isLiteral && lit.Kind == token.FLOAT {
				t.Errorf("%s uses floating-point numbers", file)
				return false
			}
			return true
		})
	})
}

// On 32-bit machines a field of type int64 may lie where sync/atomic's functions for 64 bits
// fail; a field of type atomic.Int64 never does.
func TestAtomicsOf64BitsAreTyped(t *testing.T) {
	syntax(t, parser.SkipObjectResolution, func(file, pkg string, tree *ast.File) {
		ast.Inspect(tree, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				from, isName := sel.X.(*ast.Ident)
				name := sel.Sel.Name
				if isName && from.Name == "atomic" && strings.HasSuffix(name, "nt64") && name != "Int64" && name != "Uint64" {
					t.Errorf("%s calls atomic.%s on a plain number", file, name)
				}
			}
			return true
		})
	})
}

// Names that are not ASCII are hard to type and to search for, and most tools read only
// UTF-8.
func TestSourcesArePlain(t *testing.T) {
	sources(t, func(file, pkg string) {
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

// The top level has what a newcomer looks for and nothing else.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, "."):
		case e.IsDir() && slices.Contains([]string{"brain", "cmd", "protocol", "testdata"}, name):
		case slices.Contains([]string{"go.mod", "LICENSE", "README.md"}, name):
		case e.IsDir() || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".md"):
			t.Errorf("%s does not belong to the top level", name)
		}
	}
}
