//go:build !js

package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"syscall"

	"tengen/cmd/internal/flags"
)

// defaultAddr is where the page is served if -addr does not say otherwise. The browser keeps
// games by address, so the port should be the same each time.
const defaultAddr = "127.0.0.1:8808"

// nextPorts are counted from the default port and tried in this order before any free one, so
// that the page has the same address again. Windows reserves ports by the hundred, sometimes
// around this one: the last are far away.
var nextPorts = [...]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10000, 20000, 30000}

// wsaInUse is the error of Windows for an address in use.
const wsaInUse syscall.Errno = 10048

// listen opens the address of the page, which given says the user has given. One with a port is the
// one to have then. An IP address without a port gets the default one. If that or the default address
// cannot be had, it is one of nextPorts or, last, any free one, and moved is true. What is no address
// is a usage error. If runs says so of the default address or of one that is tried instead, a player
// needs no other program: there is no listener then, but that address.
func listen(addr string, given bool, runs func(addr string) bool) (listener net.Listener, running string, moved bool, err error) {
	chosen := given // with its port
	if net.ParseIP(addr) != nil {
		_, port, _ := net.SplitHostPort(defaultAddr)
		addr, chosen = net.JoinHostPort(addr, port), false
	}
	host, service, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", service)
	}
	if err != nil {
		return nil, "", false, flags.Usage("-addr: want HOST:PORT or an IP address, not %q", addr)
	}
	if addr != defaultAddr {
		runs = func(string) bool { return false } // a program at 127.0.0.1 is none for phones
	}
	if !chosen {
		port, _ := strconv.Atoi(service)
		listener, running, err = listenNear(host, port, net.Listen, runs)
		moved = listener != nil && listener.Addr().(*net.TCPAddr).Port != port
		return listener, running, moved, err
	}
	listener, err = net.Listen("tcp", addr)
	if inUse(err) {
		if runs(addr) {
			return nil, addr, false, nil
		}
		err = fmt.Errorf("%w (is another boardui running? -addr 127.0.0.1:0 takes a free port)", err)
	}
	return listener, "", false, err
}

// inUse reports whether a port cannot be had because another program has it.
func inUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaInUse) }

// listenNear is listen from port on, with bind as net.Listen. If no port can be had, the error
// is that of the first. Others than inUse do not end it: Windows refuses ports that it has
// reserved as if access to them were denied.
func listenNear(host string, port int, bind func(network, addr string) (net.Listener, error), runs func(addr string) bool) (net.Listener, string, error) {
	var first error
	for _, step := range nextPorts {
		addr := net.JoinHostPort(host, strconv.Itoa(port+step))
		listener, err := bind("tcp", addr)
		if err == nil {
			return listener, "", nil
		}
		if inUse(err) && runs(addr) {
			return nil, addr, nil
		}
		first = cmp.Or(first, err)
	}
	listener, err := bind("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, "", first
	}
	return listener, "", nil
}

// quit ends the program. Only a page on the same machine may ask for it.
func (s *server) quit(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game string `json:"game"`
	}
	if !s.accept(w, r, maxBody, &q, &q.Game) {
		return
	}
	if !local(r) {
		answerFault(w, &fault{403, "quit", "only a page on the same computer may end the program"})
		return
	}
	answer(w, struct{}{})
	s.ending.Do(func() { close(s.ended) })
}
