//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path"
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

	".webmanifest": "application/manifest+json",
}

// servePage serves the embedded files and the words of each language as words/LANGUAGE.json.
// Browsers must revalidate them, so that a new version of the program never runs with an old
// page.
func servePage(mux *http.ServeMux) {
	files, err := fs.Glob(page, "page/*")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range files {
		data, err := page.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		where := "/" + path.Base(name)
		if where == "/index.html" {
			where = "/{$}"
		}
		serveFile(mux, where, contentTypes[path.Ext(name)], data)
	}
	all, err := wordsOf(words)
	if err != nil {
		panic(err) // they are part of the program
	}
	for language, data := range all {
		serveFile(mux, "/words/"+language+".json", "application/json", data)
	}
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
