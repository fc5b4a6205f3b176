package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tengen/brain"
)

//go:embed files
var files embed.FS

//go:embed CHANGELOG.md
var changes string

// mostGomocup is the size in bytes that the zip for Gomocup may have.
const mostGomocup = 8 << 20

// mostWeb is the size in bytes of all files for the web. A visitor loads about two thirds of them.
const mostWeb = 6 << 20

// An archive is one file to download.
type archive struct {
	file  string // its name; .zip or .tar.gz says of what kind
	top   string // directory that everything in it lies in, empty for none
	items []item // in the order of the archive
	most  int    // bytes that it may have, 0 for any number
}

// An item is a file in an archive. Just one of program, source, text and content is set.
type item struct {
	name    string
	program string // the file of the programs built for the system
	source  string // a file of the module
	text    string // a file of files
	content string
	crlf    bool // lines end as on Windows
	run     bool // it is a program or a script
}

// archives returns the archives for s: for players, for those who want the tools and, on 64-bit
// Windows, for Gomocup.
func archives(s system) []archive {
	crlf := s.os() == "windows"
	program := func(name string) item { return item{name: s.exe(name), program: s.exe(name), run: true} }
	text := func(name, of string) item { return item{name: name, text: of, crlf: crlf} }
	license := item{name: "LICENSE.txt", source: "LICENSE", crlf: crlf}
	common := []item{
		{name: "CHANGELOG.txt", content: changes, crlf: crlf},
		license,
	}
	kind := ".tar.gz"
	if crlf {
		kind = ".zip"
	}
	named := func(what, suffix string) archive {
		top := what + "-" + brain.Version
		return archive{file: top + "-" + suffix, top: top}
	}
	start := text(s.as, s.start)
	start.run = true
	players := named("tengen", s.title+kind)
	players.items = append([]item{program("boardui"), program("pbrain-tengen"), start, text("README.txt", "readme.txt")}, common...)
	tools := named("tengen-tools", s.title+kind)
	tools.items = append([]item{program("arena"), program("learn"), program("pbrain-tengen"), text("README.txt", "tools.txt")}, common...)
	all := []archive{players, tools}
	if s.name == "windows/amd64" {
		gomocup := named("pbrain-tengen", "gomocup.zip")
		gomocup.top, gomocup.most = "", mostGomocup
		gomocup.items = []item{program("pbrain-tengen"), license}
		all = append(all, gomocup)
	}
	return all
}

// buildArchives builds what is for s into the directory bin, and returns the archives of that.
func (s system) buildArchives(ctx context.Context, bin string) ([]archive, error) {
	if s != web {
		return archives(s), build(ctx, s, bin)
	}
	if err := buildWeb(ctx, bin); err != nil {
		return nil, err
	}
	a, err := webArchive(bin)
	return []archive{a}, err
}

// webArchive returns the archive of the board for the web, which lies in the directory bin.
func webArchive(bin string) (archive, error) {
	a := archive{file: "tengen-web-" + brain.Version + ".zip", top: "tengen-web-" + brain.Version, most: mostWeb}
	err := fs.WalkDir(os.DirFS(bin), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			a.items = append(a.items, item{name: name, program: name})
		}
		return err
	})
	return a, err
}

// data returns the content of i; bin is the directory of the programs.
func (i item) data(bin string) ([]byte, error) {
	if i.program != "" {
		return os.ReadFile(filepath.Join(bin, i.program))
	}
	content := i.content
	var raw []byte
	var err error
	switch {
	case i.source != "":
		raw, err = os.ReadFile(i.source)
	case i.text != "":
		raw, err = files.ReadFile("files/" + i.text)
	}
	if err != nil {
		return nil, err
	}
	content += string(raw)
	content = strings.ReplaceAll(content, "VERSION", brain.Version)
	if i.crlf {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	return []byte(content), nil
}

// pack returns the bytes of a with the programs in the directory bin. Every file in it has the
// time when, no owner, and bits that everybody may read.
func (a archive) pack(bin string, when time.Time) ([]byte, error) {
	var out bytes.Buffer
	var add func(name string, mode int64, data []byte) error
	var closers []io.Closer
	if strings.HasSuffix(a.file, ".zip") {
		z := zip.NewWriter(&out)
		closers = []io.Closer{z}
		add = func(name string, mode int64, data []byte) error {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: when}
			h.SetMode(os.FileMode(mode))
			w, err := z.CreateHeader(h)
			if err == nil {
				_, err = w.Write(data)
			}
			return err
		}
	} else {
		g, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		t := tar.NewWriter(g)
		closers = []io.Closer{t, g}
		add = func(name string, mode int64, data []byte) error {
			h := &tar.Header{Name: name, Mode: mode, Size: int64(len(data)), ModTime: when, Format: tar.FormatUSTAR}
			err := t.WriteHeader(h)
			if err == nil {
				_, err = t.Write(data)
			}
			return err
		}
	}
	for _, i := range a.items {
		data, err := i.data(bin)
		if err != nil {
			return nil, err
		}
		mode := int64(0o644)
		if i.run {
			mode = 0o755
		}
		if err := add(path.Join(a.top, i.name), mode, data); err != nil {
			return nil, err
		}
	}
	for _, c := range closers {
		if err := c.Close(); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// sums writes SHA256SUMS for these files of dir, as sha256sum -c reads it.
func sums(dir string, names []string) error {
	slices.Sort(names)
	var out strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(out.String()), 0o666)
}

var heading = regexp.MustCompile(`(?m)^## (\S+) \((\d{4}-\d{2}-\d{2})\)$`)

// released returns the date of version, which has to be the first in the list of changes.
func released(changes, version string) (time.Time, error) {
	m := heading.FindStringSubmatch(changes)
	if m == nil || m[1] != version {
		return time.Time{}, fmt.Errorf("CHANGELOG.md does not begin with version %s and its date", version)
	}
	return time.Parse(time.DateOnly, m[2])
}
