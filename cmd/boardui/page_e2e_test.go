//go:build e2e

package main

import (
	"context"
	"flag"
	"net"
	"testing"
)

var shots = flag.String("shots", "", "keep pictures of the page in this folder")

// serve starts the program with the given engines and returns where the page is.
func serve(t *testing.T, specs ...spec) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(specs, 2, 100<<20)
	s := newServer(p, "127.0.0.1:0")
	h := s.http()
	ctx, cancel := context.WithCancel(context.Background())
	go h.Serve(listener)
	go s.keep(ctx)
	t.Cleanup(func() {
		cancel()
		h.Close()
		p.close()
	})
	return pageURL(listener.Addr())
}

func TestPictures(t *testing.T) {
	if *shots == "" {
		return
	}
	url := serve(t, own())
	b := startBrowser(t, desktop)
	b.visit(url)
	b.shot("empty")
	b.place("h8")
	b.place("i9")
	b.place("g7")
	b.shot("play")
	b.quiet()
}
