//go:build !js

package main

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// The page loads nothing from other sites, and other sites cannot embed it.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
		"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
}

// startHeader is the header of every reply by which the page knows this run of the program from
// another, which may have other engines.
const startHeader = "Tengen-Start"

// guard rejects requests whose host is not this server, which prevents DNS rebinding, and
// those other than GET and HEAD whose origin is not its page, which prevents cross-site
// request forgery. Programs, whose requests have no origin as those of browsers do, may ask queries.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for key, value := range headers {
			w.Header().Set(key, value)
		}
		w.Header().Set(startHeader, s.start)
		s.limitReply(w)
		if !s.knows(r) {
			http.Error(w, "this board is served under another name", http.StatusForbidden)
			return
		}
		origin := r.Header.Get("Origin")
		program := origin == "" && r.URL.Path == apiPath
		if r.Method != http.MethodGet && r.Method != http.MethodHead && origin != "http://"+r.Host && !program {
			http.Error(w, "only the page itself may request this", http.StatusForbidden)
			return
		}
		select {
		case s.inside <- struct{}{}:
			defer func() { <-s.inside }()
		default:
			answerFault(w, &fault{503, "rate", "too many requests at once"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows reports whether the host of the request is the address it came to, the name in -addr,
// or localhost.
func (s *server) knows(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = strings.TrimSuffix(strings.TrimPrefix(r.Host, "["), "]"), "80"
	}
	localHost, localPort, err := net.SplitHostPort(local.String())
	if err != nil || port != localPort {
		return false
	}
	if strings.EqualFold(host, "localhost") || s.name != "" && strings.EqualFold(host, s.name) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	mine, err := netip.ParseAddr(localHost)
	return err == nil && ip.Unmap() == mine.Unmap()
}
