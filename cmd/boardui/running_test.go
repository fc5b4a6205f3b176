//go:build !js

package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Started twice by double clicks, there is one program: at another port the browser would find
// none of the games.
func TestSecondStartFindsTheFirst(t *testing.T) {
	flags := []string{"-open=false", "-threads", "1", "-data", "none"}
	_, out := start(t, flags...)
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(line, "The board is at ")
	if err != nil || !found {
		t.Fatalf("its output is %q, %v", line, err)
	}
	second, out := start(t, flags...)
	said := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(out)
		said <- string(text)
	}()
	select {
	case text := <-said:
		if want := "The program is running already; its board is at " + url; text != want {
			t.Errorf("the second says %q, want %q", text, want)
		}
		if err := second.Wait(); err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the second does not end")
	}
	for _, more := range [][]string{{"-threads", "2"}, {"-memory", "99"}, {"-data", t.TempDir()}, {"-engine", "go"}} {
		_, out := start(t, append(flags[:len(flags):len(flags)], more...)...)
		text := bufio.NewReader(out)
		line, err := text.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "The board is at ") || strings.HasSuffix(line, " "+url) {
			t.Errorf("with %q it says %q, %v; the first is at %s", more, line, err, url)
		}
		if line, err := text.ReadString('\n'); err != nil || !strings.HasPrefix(line, "The usual port is taken") {
			t.Errorf("with %q it goes on by %q, %v", more, line, err)
		}
	}
}

// What has the port may be anything.
func TestOnlyThisProgramIsTakenForIt(t *testing.T) {
	specs := []spec{own()}
	setup := setupOf(specs, 1, 160, "none")
	program := newServer(newPool(specs, 1, 1<<20), defaultAddr)
	program.setup = setup
	reply := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, text)
		}
	}
	same := httptest.NewServer(program.handler())
	defer same.Close()
	for _, test := range []struct {
		name    string
		handler http.Handler
		want    bool
	}{
		{"the program", program.handler(), true},
		{"an error", reply(500, `{"setup":"`+setup+`"}`), false},
		{"a version without a setup", reply(200, `{"version":"Tengen 0.2"}`), false},
		{"another setup", reply(200, `{"setup":"`+setupOf(specs, 2, 160, "none")+`"}`), false},
		{"text", reply(200, "hello"), false},
		{"text without end", reply(200, `{"setup":"`+strings.Repeat("x", 1<<20)), false},
		{"a redirect", http.RedirectHandler(same.URL+"/api/about", http.StatusFound), false},
	} {
		server := httptest.NewServer(test.handler)
		if got := runsAt(server.Listener.Addr().String(), setup, time.Minute); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		server.Close()
	}
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if runsAt(mute.Addr().String(), setup, 50*time.Millisecond) {
		t.Error("a server without an answer is taken for the program")
	}
	mute.Close()
	if runsAt(mute.Addr().String(), setup, time.Second) {
		t.Error("no server is taken for the program")
	}
}
