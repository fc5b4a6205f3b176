package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"tengen/brain/board"
)

// The server of -watch answers two requests of HTTP: one for the page, one for its events. Package
// net/http would do that too, but links so much that arena becomes as large again.
const (
	headLimit  = 16 << 10         // bytes of a request
	readLimit  = 10 * time.Second // for a request
	writeLimit = 10 * time.Second // for each part of a reply
	endLimit   = time.Second      // for the viewers to read the end
)

// A watchServer shows a watch at an address.
type watchServer struct {
	watch    *watch
	listener net.Listener
	host     string // of the address, as it was given
	page     []byte
	wait     sync.WaitGroup
}

// serveWatch listens at an address, HOST:PORT or :PORT, until close.
func serveWatch(addr string, w *watch, m *match) (*watchServer, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("want HOST:PORT or :PORT, not %q", addr)
	}
	page, err := watchPage(m)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &watchServer{watch: w, listener: l, host: host, page: page}
	s.wait.Go(s.accept)
	return s, nil
}

// url returns the address of the page for this machine.
func (s *watchServer) url() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	host := s.host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// close shows the end to all viewers, and waits for them for a second at most.
func (s *watchServer) close() {
	if s == nil {
		return
	}
	s.listener.Close()
	s.watch.end()
	done := make(chan struct{})
	go func() {
		s.wait.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(endLimit):
	}
}

func (s *watchServer) accept() {
	for {
		c, err := s.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(watchEvery) // too many open files, perhaps
			continue
		}
		s.wait.Go(func() {
			defer c.Close()
			s.answer(c)
		})
	}
}

// answer reads a request and answers it.
func (s *watchServer) answer(c net.Conn) {
	c.SetReadDeadline(time.Now().Add(readLimit))
	in := bufio.NewReader(io.LimitReader(c, headLimit))
	line, err := in.ReadString('\n')
	if err != nil {
		return
	}
	host := ""
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		if text = strings.TrimRight(text, "\r\n"); text == "" {
			break
		}
		if key, value, _ := strings.Cut(text, ":"); strings.EqualFold(key, "Host") {
			host = strings.TrimSpace(value)
		}
	}
	words := strings.Fields(line)
	if len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		s.reply(c, "400 Bad Request", "text/plain", nil)
		return
	}
	path, _, _ := strings.Cut(words[1], "?")
	switch {
	case words[0] != "GET" && words[0] != "HEAD":
		s.reply(c, "405 Method Not Allowed", "text/plain", nil)
	case !s.knows(host):
		s.reply(c, "403 Forbidden", "text/plain; charset=utf-8", []byte("this match is shown under another name\n"))
	case path == "/" && words[0] == "HEAD":
		s.reply(c, "200 OK", "text/html; charset=utf-8", nil)
	case path == "/":
		s.reply(c, "200 OK", "text/html; charset=utf-8", s.page)
	case path == "/events" && words[0] == "GET":
		s.stream(c)
	default:
		s.reply(c, "404 Not Found", "text/plain", nil)
	}
}

// knows reports whether a request is for this server: by an address, by localhost, or by the name in
// -watch. A page of another site that has its own name lead here does not learn of the match.
func (s *watchServer) knows(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	return name == "localhost" || name != "" && strings.EqualFold(name, s.host) || net.ParseIP(name) != nil
}

func (s *watchServer) reply(c net.Conn, status, kind string, body []byte) {
	c.SetWriteDeadline(time.Now().Add(writeLimit))
	fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\nCache-Control: no-store\r\n"+
		"Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"+
		"X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n%s", status, kind, len(body), body)
}

// stream sends what changes until the viewer leaves or the match is over.
func (s *watchServer) stream(c net.Conn) {
	v := s.watch.enter()
	if v == nil {
		s.reply(c, "503 Service Unavailable", "text/plain", []byte("too many viewers\n"))
		return
	}
	defer s.watch.leave(v)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // a viewer sends nothing more: its end is that of the connection
		c.SetReadDeadline(time.Time{})
		io.Copy(io.Discard, c)
		cancel()
	}()
	send := func(format string, args ...any) bool {
		c.SetWriteDeadline(time.Now().Add(writeLimit))
		_, err := fmt.Fprintf(c, format, args...)
		return err == nil
	}
	if !send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\r\n") {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.wake:
		}
		text, over := s.watch.next(v)
		if !send("data: %s\n\n", text) || over {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(watchEvery):
		}
	}
}

// watchPage returns the page of a running match.
func watchPage(m *match) ([]byte, error) {
	files, err := pageTexts("watch.html", "report.css", "watch.css", "board.js", "watch.js")
	if err != nil {
		return nil, err
	}
	s := m.settings
	return []byte(strings.NewReplacer(
		"{{title}}", html.EscapeString(title(s)), "{{summary}}", html.EscapeString(fmt.Sprintf("%v, %d×%d", board.Rule(s.Rule), s.Size, s.Size)),
		"{{size}}", fmt.Sprint(s.Size), "{{css}}", files[1]+files[2], "{{js}}", files[3]+files[4],
	).Replace(files[0])), nil
}
