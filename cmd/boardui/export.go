//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
)

// What the page has instead of a server.
//
//go:embed web
var web embed.FS

// packedSuffix ends the names of the files that are compressed whatever the host does.
const packedSuffix = ".bin"

// webProgram is the program for the browser among the files of the folder.
const webProgram = "tengen.wasm" + packedSuffix

// export writes the page as a folder of files for any web host. The board and its engine are this
// program, which the go command builds for the browser in the current module. What is in the
// folder stays if it is an earlier export, and else there must be nothing.
func export(ctx context.Context, dir string) error {
	old, err := os.ReadDir(dir)
	if err == nil && len(old) > 0 && !slices.ContainsFunc(old, func(e fs.DirEntry) bool { return e.Name() == webProgram }) {
		return fmt.Errorf("the folder %s is neither empty nor an earlier export", dir)
	}
	files, err := webFiles(ctx)
	if err != nil {
		return err
	}
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// webFiles returns the files of the folder by name.
func webFiles(ctx context.Context) (map[string][]byte, error) {
	files := loadPage()
	addFiles(files, web, "web")
	addNetworks(files)
	files["index.html"] = withScript(files["index.html"])
	files["kernels.js"] = withKernels(files["kernels.js"])
	program, err := buildWebProgram(ctx)
	if err != nil {
		return nil, err
	}
	files[webProgram] = program
	root, err := goCommand(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	const support = "wasm_exec.js" // of the same version of Go as the program
	if files[support], err = os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", support)); err != nil {
		return nil, err
	}
	stampWorker(files)
	return files, nil
}

// addNetworks adds the networks of all rules and sizes, packed.
func addNetworks(files map[string][]byte) {
	for r := range board.Rule(16) {
		for _, size := range []int{board.MinSize, board.MaxSize} {
			if name, data := eval.NetworkFile(r, size, size); files[name+packedSuffix] == nil && data != nil {
				files[name+packedSuffix] = pack(data)
			}
		}
	}
}

// withScript returns the page with the script that answers its requests, before all others.
func withScript(page []byte) []byte {
	first := []byte("<link rel=\"modulepreload\"")
	if !bytes.Contains(page, first) {
		panic("boardui: the page has no scripts")
	}
	return bytes.Replace(page, first, append([]byte("<script src=\"web.js\"></script>\n"), first...), 1)
}

// withKernels returns the script with the modules that it loads.
func withKernels(script []byte) []byte {
	gate, kernels := nnue.WasmKernels()
	text := base64.StdEncoding.EncodeToString
	return []byte(strings.NewReplacer("'GATE'", "'"+text(gate)+"'", "'KERNELS'", "'"+text(kernels)+"'").Replace(string(script)))
}

// buildWebProgram returns this program for the browser, compressed. The same sources and the same
// version of Go give the same bytes.
func buildWebProgram(ctx context.Context) ([]byte, error) {
	work, err := os.MkdirTemp("", "tengen-web")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	file := filepath.Join(work, "tengen.wasm")
	if _, err := goCommand(ctx, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-tags=web,bare", "-o", file, "tengen/cmd/boardui"); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	return pack(data), err
}

// goCommand returns the output of the go command for the browser.
func goCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOENV=off", "GOOS=js", "GOARCH=wasm", "GOWASM=", "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && stderr.Len() > 0:
		return "", fmt.Errorf("go %s: %s", args[0], strings.TrimSpace(stderr.String()))
	case err != nil:
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

// pack compresses data by gzip.
func pack(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is right
	}
	w.Write(data) // to memory
	w.Close()
	return b.Bytes()
}
