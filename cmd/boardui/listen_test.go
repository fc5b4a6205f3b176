//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// other stands for what is no boardui.
func other(string) bool { return false }

// A program whose port another one has gets an address, too.
func TestNextPortIsTaken(t *testing.T) {
	for range 2 { // the default port may be in use on this machine
		l, _, _, err := listen(defaultAddr, false, other)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	l, _, moved, err := listen(defaultAddr, false, other)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := l.Addr().(*net.TCPAddr)
	if !at.IP.IsLoopback() || at.Port == 8808 || !moved {
		t.Errorf("the third gets %v, moved: %v", at, moved)
	}
	open, running, moved, err := listen("0.0.0.0", true, func(string) bool { return true }) // without a port
	if err != nil || running != "" {
		t.Fatalf("0.0.0.0 gets %q, %v", running, err)
	}
	defer open.Close()
	if at := open.Addr().(*net.TCPAddr); !at.IP.IsUnspecified() || !slices.Contains(nextPorts[:], at.Port-8808) || moved != (at.Port != 8808) {
		t.Errorf("0.0.0.0 gets %v, moved: %v", at, moved)
	}
	for _, addr := range []string{l.Addr().String(), defaultAddr} {
		if _, _, _, err := listen(addr, true, other); err == nil || !strings.Contains(err.Error(), "another boardui") {
			t.Errorf("an address of the user that is in use, %s: %v", addr, err)
		}
	}
	same := func(addr string) bool { return addr == defaultAddr }
	if _, at, _, err := listen(defaultAddr, true, same); err != nil || at != defaultAddr {
		t.Errorf("the same program at the address of the user: %q, %v", at, err)
	}
}

// Windows reserves blocks of ports and refuses them with WSAEACCES.
func TestReservedPortsArePassedOver(t *testing.T) {
	const reserved syscall.Errno = 10013
	free := []int{8816, 28808, 0}
	var tried []string
	bind := func(network, addr string) (net.Listener, error) {
		tried = append(tried, addr)
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := strconv.Atoi(port); !slices.Contains(free, n) {
			return nil, &net.OpError{Op: "listen", Net: network, Err: fmt.Errorf("port %s: %w", port, reserved)}
		}
		return net.Listen(network, net.JoinHostPort(host, "0"))
	}
	for ; ; free = free[1:] {
		tried = nil
		l, running, err := listenNear("127.0.0.1", 8808, bind, func(addr string) bool {
			t.Errorf("nobody listens at %s", addr)
			return false
		})
		if len(free) == 0 {
			if !errors.Is(err, reserved) || !strings.Contains(err.Error(), "port 8808") {
				t.Errorf("no port can be had: %v, %v", l, err)
			}
			return
		}
		if err != nil || running != "" {
			t.Fatalf("%q, %v", running, err)
		}
		l.Close()
		if want := fmt.Sprintf("127.0.0.1:%d", free[0]); tried[len(tried)-1] != want {
			t.Errorf("it takes %s, want %s", tried[len(tried)-1], want)
		}
	}
}

// The browser keeps games by address: a program that phones reach, too, must have that of one
// they do not reach.
func TestPageOfAllInterfaces(t *testing.T) {
	for _, test := range []struct{ network, addr, want string }{
		{"tcp", "127.0.0.1:0", "127.0.0.1"},
		{"tcp", "0.0.0.0:0", "127.0.0.1"},
		{"tcp4", "0.0.0.0:0", "127.0.0.1"},
		{"tcp", "[::]:0", "127.0.0.1"},
		{"tcp", ":0", "127.0.0.1"},
		{"tcp6", "[::]:0", "[::1]"}, // not for IPv4
		{"tcp", "[::1]:0", "[::1]"},
	} {
		l, err := net.Listen(test.network, test.addr)
		if err != nil {
			t.Logf("%s %s: %v", test.network, test.addr, err) // no IPv6 on this machine
			continue
		}
		defer l.Close()
		if test.network == "tcp6" {
			l = withoutIPv4(t, l)
		}
		want := fmt.Sprintf("http://%s:%d/", test.want, l.Addr().(*net.TCPAddr).Port)
		if got := pageURL(l.Addr()); got != want {
			t.Errorf("%s %s: the page is at %s, want %s", test.network, test.addr, got, want)
		}
	}
}

// withoutIPv4 returns l, or a listener like it, of a port that no other program listens to at
// 127.0.0.1: to the end of the test a connection has that port as its own.
func withoutIPv4(t *testing.T, l net.Listener) net.Listener {
	t.Helper()
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	for range 100 {
		own := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: l.Addr().(*net.TCPAddr).Port}
		conn, err := (&net.Dialer{LocalAddr: own}).Dial("tcp4", other.Addr().String())
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			return l
		}
		t.Logf("%v", err)
		if l, err = net.Listen("tcp6", "[::]:0"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
	}
	t.Fatal("no port is free for IPv4")
	return nil
}

func TestPageEndsTheProgram(t *testing.T) {
	cmd, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "1")
	text := bufio.NewReader(out)
	line, err := text.ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		t.Fatalf("its output is %q, %v", line, err)
	}
	url = "http://" + strings.TrimSuffix(url, "/")
	var about struct {
		Local   bool
		Version string
	}
	response, err := http.Get(url + "/api/about")
	if err != nil {
		t.Fatal(err)
	}
	err = json.NewDecoder(response.Body).Decode(&about)
	response.Body.Close()
	if err != nil || !about.Local || about.Version != engineName+" "+engineVersion {
		t.Errorf("about: %+v, %v", about, err)
	}
	r, _ := http.NewRequest("POST", url+"/api/quit", strings.NewReader(`{"game":"game-of-a-test"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", url)
	response, err = http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 {
		t.Errorf("the answer is %s", response.Status)
	}
	done := make(chan error, 1)
	go func() {
		rest, _ := io.ReadAll(text)
		if len(rest) > 0 {
			t.Errorf("it says %q", rest)
		}
		done <- cmd.Wait()
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
	}
}

func TestOnlyThisMachineEndsTheProgram(t *testing.T) {
	s := newServer(newPool([]spec{stub("meek")}, 1, 1<<20), "0.0.0.0:8808")
	for from, want := range map[string]int{"192.168.1.7:5000": 403, "127.0.0.1:5000": 200, "[::1]:5000": 200, "": 403} {
		r := httptest.NewRequest("POST", "/api/quit", strings.NewReader(`{"game":"game-of-a-test"}`))
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = from
		w := httptest.NewRecorder()
		s.quit(w, r)
		if w.Code != want {
			t.Errorf("from %q: %d, want %d", from, w.Code, want)
		}
	}
}
