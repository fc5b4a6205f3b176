//go:build !js

package main

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
)

// lanURLs returns the addresses of the page for other computers in the network, private IPv4
// addresses first. There are none if the program listens on this computer only.
func lanURLs(listening net.Addr) []string {
	tcp, ok := listening.(*net.TCPAddr)
	if !ok {
		return nil
	}
	own := tcp.AddrPort()
	if !own.Addr().IsUnspecified() {
		if own.Addr().IsLoopback() {
			return nil
		}
		return []string{"http://" + netip.AddrPortFrom(own.Addr().Unmap(), own.Port()).String() + "/"}
	}
	found, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var list []netip.Addr
	for _, a := range found {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil {
			continue
		}
		if ip := prefix.Addr().Unmap(); !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			list = append(list, ip)
		}
	}
	rank := func(ip netip.Addr) int {
		switch {
		case ip.Is4() && ip.IsPrivate():
			return 0
		case ip.Is4():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return rank(a) - rank(b) })
	var urls []string
	for _, ip := range list {
		urls = append(urls, "http://"+netip.AddrPortFrom(ip, own.Port()).String()+"/")
	}
	return urls
}

// addresses answers the addresses for phones, with a QR code of the first.
func (s *server) addresses(w http.ResponseWriter, r *http.Request) {
	var a struct {
		URLs []string `json:"urls"`
		Code []string `json:"code,omitempty"` // rows, # for dark
	}
	a.URLs = s.urls
	if len(s.urls) > 0 {
		if q, err := newQR(s.urls[0]); err == nil {
			a.Code = q.rows()
		}
	}
	answer(w, a)
}
