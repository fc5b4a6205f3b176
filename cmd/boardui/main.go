//go:build !js

// Command boardui is a board for gomoku and renju in the browser:
//
//	go run ./cmd/boardui
//
// serves a page on 127.0.0.1:8808 and opens it; started once more, it opens the page of the
// program that is running. The opponent is Tengen or any engine that speaks the Gomocup
// protocol (-engine CMD, twice to watch one play the other). Games live in the browser; this
// program knows the rules, asks engines for moves, and reads and writes files of games.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"tengen/cmd/internal/flags"
)

const synopsis = `usage: boardui [flags]
       boardui version     prints name, version and commit

Opens a board for gomoku and renju in the browser.`

func main() {
	if len(os.Args) == 2 && os.Args[1] == engineWord {
		if serveEngine(os.Stdin, os.Stdout) != nil {
			os.Exit(1) // the server has gone: there is no one to report to
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), flags.Signals()...)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(flags.Status(os.Stderr, "boardui", err))
}

// run serves the page until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if flags.AsksVersion(args) {
		return flags.WriteVersion(stdout)
	}
	var engines []string
	fs := flags.New("boardui")
	addr := fs.String("addr", defaultAddr, "serve on this `ADDRESS`, 0.0.0.0 for phones too; port 0 is a free one")
	open := fs.Bool("open", true, "open the page in a browser")
	threads, memory := min(runtime.NumCPU(), 8), 160
	flags.Number(fs, &threads, "threads", 1, maxThreads, "maximum `NUMBER` of search threads for all games and analyses")
	flags.Number(fs, &memory, "memory", 16, 1<<20, "`MIB` of memory for each engine process")
	data := fs.String("data", dataFolder(), "keep the positions of the opening explorer in this `FOLDER`; none keeps them in memory")
	folder := fs.String("export", "", "write the board as a folder `DIR` of files for a web host, with the engine in the page, and end")
	fs.Func("engine", "`COMMAND` of an opponent that speaks the Gomocup protocol; may be repeated (default Tengen alone)", func(command string) error {
		engines = append(engines, command)
		return nil
	})
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Operands{}); err != nil {
		return err
	}
	if *folder != "" {
		if len(flags.Given(fs)) > 1 {
			return flags.Usage("-export takes no other flags: the files need no server")
		}
		return export(ctx, *folder)
	}
	specs, missing, err := opponents(engines)
	if err != nil {
		return flags.Usage("-engine: %v", err)
	}
	for _, note := range missing {
		fmt.Fprintln(stderr, "boardui:", note)
	}
	setup := setupOf(specs, threads, memory, *data)
	listener, running, moved, err := listen(*addr, flags.Given(fs)["addr"], func(addr string) bool { return runsAt(addr, setup, askTime) })
	if err != nil {
		return err
	}
	if running != "" {
		url := "http://" + running + "/"
		fmt.Fprintln(stdout, "The program is running already; its board is at", url)
		if *open {
			openBrowser(url)
		}
		return nil
	}
	p := newPool(specs, threads, int64(memory)<<20)
	s := newServer(p, *addr)
	if *data != "none" {
		if err := s.explorer.open(*data); err != nil {
			fmt.Fprintf(stdout, "The opening explorer begins empty and is not kept: %s\n", flags.OneLine(err))
			s.explorer.note(err)
		}
	}
	s.setup, s.urls = setup, lanURLs(listener.Addr())
	server := s.http()

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go s.maintain(ctx)
	go s.explorer.fill(ctx)

	url := pageURL(listener.Addr())
	fmt.Fprintln(stdout, "The board is at", url)
	if moved {
		fmt.Fprintln(stdout, "The usual port is taken; at this one the browser keeps other games.")
	}
	for _, other := range s.urls {
		fmt.Fprintln(stdout, "For phones and other devices in the network:", other)
	}
	if *open {
		openBrowser(url)
	}
	select {
	case err = <-failed:
	case <-s.ended:
		end(server)
	case <-ctx.Done():
		end(server)
	}
	p.close()
	if err := s.explorer.save(); err != nil {
		return err
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// dataFolder is the folder for what the program keeps, none if the system has no such place.
func dataFolder() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "none"
	}
	return filepath.Join(folder, "tengen")
}

// end ends the server. Running searches would delay a graceful shutdown, and games lose nothing
// by a short one.
func end(server *http.Server) {
	grace, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	server.Shutdown(grace)
	server.Close()
}

// pageURL returns the URL of the page on this computer. The browser keeps games by it, so it is
// the default one, not that of localhost, if the server listens on all interfaces: what listens
// on those of IPv6 takes IPv4 as well on most systems.
func pageURL(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://" + a.String() + "/"
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		conn, err := net.DialTimeout("tcp", net.JoinHostPort(host, port), time.Second)
		if err != nil {
			host = "::1"
		} else {
			conn.Close()
		}
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
