//go:build e2e && !wasm

package nnue

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run starts a test binary in node with the kernels, as a browser has them.
const run = `
const [, , support, kernels, binary] = process.argv;
globalThis.self = globalThis;
require(kernels);
process.argv = [process.argv[0], support, ...process.argv.slice(4)];
WebAssembly.instantiate = ((plain) => async (bytes, imports) => imports?.gojs && !imports.gate
	? { instance: await self.instantiate(await WebAssembly.compile(bytes), imports) }
	: plain(bytes, imports))(WebAssembly.instantiate);
require(support);
`

// The kernels for browsers pass the tests of the kernels, in node.
func TestKernelsOfBrowsers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	script, err := os.ReadFile("../../cmd/boardui/web/kernels.js")
	if err != nil {
		t.Fatal(err)
	}
	gate, kernels := WasmKernels()
	text := base64.StdEncoding.EncodeToString
	loader := write("kernels.js", strings.NewReplacer("GATE", text(gate), "KERNELS", text(kernels)).Replace(string(script)))
	runner := write("run.js", run)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "nnue.test")
	build := exec.Command("go", "test", "-c", "-tags", "web", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	support := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	out, err := exec.Command("node", runner, support, loader, binary, "-test.run=Kernels", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestKernels") || !strings.Contains(string(out), "PASS: FuzzKernels") {
		t.Errorf("%v: %s", err, out)
	}
}
