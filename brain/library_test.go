package brain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public lists the packages that are meant for others: see README.md.
var public = []string{"brain", "brain/board", "brain/database", "brain/opening", "brain/prover", "brain/record", "brain/review", "protocol", "protocol/client", "protocol/wire"}

// TestPublicPackagesAreDocumented: each has a package comment, and everything that it exports
// has a comment, its own or that of its group.
func TestPublicPackagesAreDocumented(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	syntax(t, parser.ParseComments|parser.SkipObjectResolution, func(file, pkg string, tree *ast.File) {
		if strings.HasSuffix(file, "_test.go") || !slices.Contains(public, pkg) {
			return
		}
		documented[pkg] = documented[pkg] || tree.Doc != nil
		for _, d := range tree.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", file, name)
			}
		}
	})
	for _, pkg := range public {
		if !documented[pkg] {
			t.Errorf("%s has no package comment", pkg)
		}
		if !strings.Contains(string(readme), "\n| `"+pkg+"` |") {
			t.Errorf("README.md does not list %s", pkg)
		}
	}
}

// TestReadmeExample: the program of README.md is the example of the package, which is compiled.
func TestReadmeExample(t *testing.T) {
	body := func(file, begin string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n"+begin+" {\n")
		code, _, ok := strings.Cut(rest, "\n}\n")
		if !ok {
			t.Fatalf("%s has no %s", file, begin)
		}
		return code
	}
	if readme, example := body("README.md", "func main()"), body("example_test.go", "func Example()"); readme != example {
		t.Errorf("README.md has\n%s\nand example_test.go\n%s", readme, example)
	}
}

// undocumented returns what a declaration exports without a comment.
func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && d.Name.Name != "String" && d.Name.Name != "Error" {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil && !typed(d) {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// exportedReceiver reports whether d is no method or one of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	id, ok := t.(*ast.Ident)
	return !ok || id.IsExported()
}

// typed reports whether a group of constants has a type of its own, whose comment is theirs.
func typed(d *ast.GenDecl) bool {
	first, ok := d.Specs[0].(*ast.ValueSpec)
	return ok && d.Tok == token.CONST && first.Type != nil
}

// touching lists what changes the process, or writes where its owner does not expect it.
var touching = []string{
	"os.Stdin", "os.Stdout", "os.Stderr", "os.Exit", "os.Setenv", "os.Unsetenv", "os.Chdir", "fmt.Print", "fmt.Println", "fmt.Printf",
	"debug.SetGCPercent", "debug.SetMemoryLimit", "debug.SetMaxStack", "debug.SetMaxThreads", "debug.SetPanicOnFault", "debug.FreeOSMemory",
	"runtime.GOMAXPROCS", "runtime.GC", "runtime.LockOSThread", "signal.Notify", "signal.NotifyContext", "signal.Ignore", "flag.Parse",
	"flag.String", "flag.Int", "flag.Bool", "http.Handle", "http.HandleFunc", "time.Local",
}

// TestNoSideEffectsOnTheProcess: an imported engine leaves the process to its owner.
func TestNoSideEffectsOnTheProcess(t *testing.T) {
	syntax(t, parser.SkipObjectResolution, func(file, pkg string, tree *ast.File) {
		if strings.HasSuffix(file, "_test.go") || pkg != "protocol" && !strings.HasPrefix(pkg, "protocol/") && pkg != "brain" && !strings.HasPrefix(pkg, "brain/") {
			return
		}
		for _, imp := range tree.Imports {
			if imp.Path.Value == `"log"` || imp.Path.Value == `"log/slog"` || imp.Path.Value == `"expvar"` {
				t.Errorf("%s imports %s", file, imp.Path.Value)
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok && slices.Contains(touching, id.Name+"."+n.Sel.Name) {
					t.Errorf("%s uses %s.%s", file, id.Name, n.Sel.Name)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "println" || id.Name == "print") {
					t.Errorf("%s uses %s", file, id.Name)
				}
			}
			return true
		})
	})
}

// TestProgramOfReadme: the program in README.md, in a module of its own that imports this one as
// README.md says, compiles and finds a move.
func TestProgramOfReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```go\n")
	program, _, ok := strings.Cut(program, "```")
	if lines := strings.Count(program, "\n"); !ok || lines > 20 {
		t.Fatalf("a program of %d lines", lines)
	}
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSuffix(module, "/")
	for _, args := range [][]string{
		{"mod", "init", "yourprogram"},
		{"mod", "edit", "-require", path + "@v0.0.0", "-replace", path + "=" + here},
		{"run", "."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[0] == "run" {
			if f := strings.Fields(string(out)); len(f) != 2 || len(f[0]) > 3 || f[1] != "<nil>" {
				t.Errorf("it prints %q", out)
			}
		}
	}
}
