package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"

	"tengen/cmd/internal/flags"
)

// defaultAddr is where the page is served if -addr does not say otherwise. The browser keeps
// games by address, so the port should be the same each time.
const defaultAddr = "127.0.0.1:8808"

// nextPorts is how many ports after its own the program tries before it takes any free one.
const nextPorts = 8

// wsaInUse is the error of Windows for an address in use.
const wsaInUse syscall.Errno = 10048

// listen opens the address of the page. An IP address without a port gets the default one. If
// that or the default address is in use, a port after it is taken instead, the same one
// whenever possible. What is no address is a usage error.
func listen(addr string) (net.Listener, error) {
	chosen := addr != defaultAddr // by the user, with its port
	if net.ParseIP(addr) != nil {
		_, port, _ := net.SplitHostPort(defaultAddr)
		addr, chosen = net.JoinHostPort(addr, port), false
	}
	host, service, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", service)
	}
	if err != nil {
		return nil, flags.Usage("-addr: want HOST:PORT or an IP address, not %q", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err == nil || !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, wsaInUse) {
		return listener, err
	}
	if chosen {
		return nil, fmt.Errorf("%w (is another boardui running? -addr 127.0.0.1:0 takes a free port)", err)
	}
	port, _ := strconv.Atoi(service)
	for next := port + 1; next <= port+nextPorts; next++ {
		if listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(next))); err == nil {
			return listener, nil
		}
	}
	return net.Listen("tcp", net.JoinHostPort(host, "0"))
}

// local reports whether the request comes from this machine.
func local(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
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
