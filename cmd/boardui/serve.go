//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed page
var page embed.FS

// http returns the server with its limits on time and size.
func (s *server) http() *http.Server {
	return &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(os.Stderr, "boardui: ", 0), // stacks of panics, too

		DisableGeneralOptionsHandler: true, // OPTIONS * passes the guard like all other requests
	}
}

// handler serves the page and answers its requests.
func (s *server) handler() http.Handler {
	mux := s.answers()
	servePage(mux)
	mux.HandleFunc("GET /api/addresses", s.addresses)
	mux.HandleFunc("POST /api/quit", s.quit)
	mux.HandleFunc("POST "+apiPath, s.query)
	return s.guard(mux)
}

var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".png":  "image/png",

	".json": "application/json",

	".webmanifest": "application/manifest+json",
}

// servePage serves the page. Browsers must revalidate its files, so that a new version of the
// program never runs with an old page.
func servePage(mux *http.ServeMux) {
	files := loadPage()
	stampWorker(files)
	for name, data := range files {
		where := "/" + name
		if name == "index.html" {
			where = "/{$}"
		}
		serveFile(mux, where, contentTypes[path.Ext(name)], data)
	}
}

// loadPage returns the embedded files of the page by name, and the words of each language as
// words/LANGUAGE.json.
func loadPage() map[string][]byte {
	files := map[string][]byte{}
	addFiles(files, page, "page")
	all, err := wordsOf(words)
	if err != nil {
		panic(err) // they are part of the program
	}
	for language, data := range all {
		files["words/"+language+".json"] = data
	}
	return files
}

// addFiles adds the files of an embedded folder by name.
func addFiles(files map[string][]byte, from embed.FS, folder string) {
	names, err := fs.Glob(from, folder+"/*")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		data, err := from.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		files[path.Base(name)] = data
	}
}

// stampWorker writes into the service worker which files it is for, a hash of all of them: a browser
// that has the worker of others installs the new one, which loads all files anew.
func stampWorker(files map[string][]byte) {
	const unstamped = "const version = '';"
	if !bytes.Contains(files["sw.js"], []byte(unstamped)) {
		panic("boardui: the service worker has no version")
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(all, "%s %d\n%s", name, len(files[name]), files[name])
	}
	stamped := fmt.Sprintf("const version = '%x';", all.Sum(nil)[:8])
	files["sw.js"] = bytes.Replace(files["sw.js"], []byte(unstamped), []byte(stamped), 1)
}

func serveFile(mux *http.ServeMux, where, kind string, data []byte) {
	sum := sha256.Sum256(data)
	tag := hex.EncodeToString(sum[:8])
	small := compress(data)
	mux.HandleFunc("GET "+where, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Cache-Control", "no-cache")
		h.Set("Vary", "Accept-Encoding")
		if small == nil || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("ETag", `"`+tag+`"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
			return
		}
		h.Set("ETag", `"`+tag+`z"`)
		h.Set("Content-Encoding", "gzip")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(small))
	})
}

// compress returns data compressed by gzip, or nil if that does not make it smaller.
func compress(data []byte) []byte {
	small := pack(data)
	if len(small) >= len(data) {
		return nil
	}
	return small
}
