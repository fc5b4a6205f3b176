// Command boardui is a board for gomoku and renju in the browser:
//
//	go run ./cmd/boardui
//
// serves a page on 127.0.0.1:8808 and opens it. The opponent is Tengen or any engine that
// speaks the Gomocup protocol (-engine CMD, twice to watch one play the other). Games live
// in the browser; this program knows the rules, asks engines for moves, and reads and
// writes files of games.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const usage = `usage: boardui [flags]

A board to play gomoku and renju on, in a browser.

`

func main() {
	if len(os.Args) == 2 && os.Args[1] == engineWord {
		if serveEngine(os.Stdin, os.Stdout) != nil {
			os.Exit(1) // the server has gone: there is no one to report to
		}
		return
	}
	if err := run(os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "boardui:", err)
		os.Exit(1)
	}
}

// commands is a flag that may be repeated.
type commands []string

func (c *commands) String() string { return strings.Join(*c, ", ") }

func (c *commands) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("no command")
	}
	*c = append(*c, s)
	return nil
}

func run(args []string) error {
	var engines commands
	flags := flag.NewFlagSet("boardui", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	addr := flags.String("addr", "127.0.0.1:8808", "serve on this `address`; port 0 takes a free one")
	open := flags.Bool("open", true, "open the page in a browser")
	threads := flags.Int("threads", min(max(runtime.NumCPU(), 1), 8), "at most `N` engine processes for all games, of one thread each")
	memory := flags.Int("memory", 160, "`MiB` for each engine process")
	flags.Var(&engines, "engine", "`COMMAND` of an opponent that speaks the Gomocup protocol; may be repeated")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unknown argument %q, see boardui -help", flags.Arg(0))
	case *threads < 1 || *threads > 256:
		return fmt.Errorf("-threads %d: want 1 to 256", *threads)
	case *memory < 16 || *memory > 1<<20:
		return fmt.Errorf("-memory %d: want 16 to 1048576", *memory)
	}
	specs, err := opponents(engines)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("%w (is another boardui running? -addr 127.0.0.1:0 takes a free port)", err)
	}
	p := newPool(specs, *threads, int64(*memory)<<20)
	s := newServer(p, *addr)
	server := s.http()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go s.keep(ctx)

	url := pageURL(listener.Addr())
	fmt.Println("The board is at", url)
	if *open {
		openBrowser(url)
	}
	select {
	case err = <-failed:
	case <-ctx.Done():
		// A running search would delay a graceful shutdown, and games lose nothing by a short one.
		grace, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		server.Shutdown(grace)
		cancel()
		server.Close()
	}
	p.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// pageURL returns the URL of the page. If the server listens on all interfaces, that is one
// on localhost.
func pageURL(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://" + a.String() + "/"
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// openBrowser opens the page, if there is a display and a browser. The URL has been printed
// in any case.
func openBrowser(url string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	case "darwin":
		cmd = exec.Command("open", url)
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
		cmd = exec.Command("xdg-open", url)
	}
	if cmd.Start() == nil {
		go cmd.Wait()
	}
}
