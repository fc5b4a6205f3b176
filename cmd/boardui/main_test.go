//go:build !js

package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// With mainVar set the test binary runs as the program.
const mainVar = "TENGEN_TEST_MAIN"

func start(t *testing.T, args ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	home := t.TempDir() // what the program keeps goes there
	cmd.Env = append(os.Environ(), mainVar+"=1", "HOME="+home, "XDG_CONFIG_HOME="+home, "APPDATA="+home)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd, out
}

func TestProgramServesThePage(t *testing.T) {
	_, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "1")
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		t.Fatalf("its output is %q, %v", line, err)
	}
	response, err := http.Get("http://" + url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 || !strings.Contains(string(body), "<title>Tengen</title>") {
		t.Errorf("status %s, %v, %.100q", response.Status, err, body)
	}
}

func TestVersion(t *testing.T) {
	for _, word := range []string{"version", "-version", "--version"} {
		var stdout, stderr bytes.Buffer
		if err := run(t.Context(), []string{word}, &stdout, &stderr); err != nil || !strings.HasPrefix(stdout.String(), engineName+" "+engineVersion) || stderr.Len() > 0 {
			t.Errorf("%s: %v, %q, %q", word, err, &stdout, &stderr)
		}
	}
}

func TestWrongFlagsGiveOneLine(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		args []string
		want string
		exit int
	}{
		{[]string{"-threads", "0"}, "-threads: want a number of 1 to 256", 2},
		{[]string{"-memory", "1"}, "-memory: want a number of 16 to 1048576", 2},
		{[]string{"-engine", `"open`}, "quote \" is not closed", 2},
		{[]string{"-addr", "nonsense"}, `-addr: want HOST:PORT or an IP address, not "nonsense"`, 2},
		{[]string{"-addr", "127.0.0.1:70000"}, `-addr: want HOST:PORT or an IP address, not "127.0.0.1:70000"`, 2},
		{[]string{"-addr", taken.Addr().String()}, "another boardui", 1},
		{[]string{"engin"}, `unknown argument "engin"`, 2},
	}
	for _, test := range tests {
		cmd, out := start(t, append([]string{"-open=false"}, test.args...)...)
		text, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if lines := strings.Count(string(text), "\n"); lines != 1 || !strings.Contains(string(text), test.want) || cmd.ProcessState.ExitCode() != test.exit {
			t.Errorf("%q: %q, exit %d, want one line with %q and exit %d", test.args, text, cmd.ProcessState.ExitCode(), test.want, test.exit)
		}
	}
}

func TestHostsOfOtherAddresses(t *testing.T) {
	tests := []struct {
		addr, local, host string
		want              bool
	}{
		{"0.0.0.0:8808", "192.168.1.5:8808", "192.168.1.5:8808", true},
		{"0.0.0.0:8808", "192.168.1.5:8808", "192.168.1.6:8808", false},
		{":8808", "127.0.0.1:8808", "localhost:8808", true},
		{"[::1]:8808", "[::1]:8808", "[::1]:8808", true},
		{"[::1]:8808", "[::1]:8808", "[::2]:8808", false},
		{"[::]:8808", "[::ffff:10.0.0.1]:8808", "10.0.0.1:8808", true},
		{"board.example:8808", "10.0.0.1:8808", "board.example:8808", true},
		{"board.example:8808", "10.0.0.1:8808", "other.example:8808", false},
		{"127.0.0.1:80", "127.0.0.1:80", "127.0.0.1", true},
		{"[::1]:80", "[::1]:80", "[::1]", true},
	}
	for _, test := range tests {
		s := newServer(newPool([]spec{stub("meek")}, 1, 1<<20), test.addr)
		local, err := net.ResolveTCPAddr("tcp", test.local)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
		r.Host = test.host
		if got := s.knows(r); got != test.want {
			t.Errorf("served at %s, reached at %s, host %s: %v", test.addr, test.local, test.host, got)
		}
	}
}

func TestOpponentsOfTheUserComeFirst(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"pbrain-pela.exe", "w b.exe"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("no program"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	list, missing, err := opponents([]string{folder + "/pbrain-pela.exe", folder + "/none", `"` + folder + `/w b.exe" more`})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	p := newPool(list, 1, 1<<20)
	for i := range list {
		names = append(names, p.name(i))
	}
	if got := strings.Join(names, "|"); got != "pela|w b|Tengen" || !list[2].own || list[0].own {
		t.Errorf("engines %s, own %v %v", got, list[0].own, list[2].own)
	}
	if len(missing) != 1 || !strings.Contains(missing[0], "/none\" is left out: ") || strings.Contains(missing[0], "\n") {
		t.Errorf("of a program that is not there it says %q", missing)
	}
	if _, _, err := opponents([]string{" "}); err == nil {
		t.Error("an empty command is taken for an engine")
	}
}

// The program says at its start which engine it does without.
func TestMissingEngineIsNoted(t *testing.T) {
	_, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "1", "-engine", "/no/such/program")
	lines := bufio.NewScanner(out)
	for _, want := range []string{`boardui: the engine "/no/such/program" is left out: `, "The board is at "} {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), want) {
			t.Errorf("it says %q, want %q", lines.Text(), want)
		}
	}
}

func TestProcessesWithoutWorkAreEnded(t *testing.T) {
	q := newPool([]spec{stub("meek")}, 3, 1<<20)
	defer q.close()
	all := map[*worker]*lease{}
	for range 3 {
		w, l, err := q.borrow(context.Background(), 0, "game", forMove, 1, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		all[w] = l
	}
	for w, l := range all {
		q.giveBack(l, w)
	}
	q.trim(time.Now().Add(processIdle / 2))
	if len(q.idle) != 3 {
		t.Errorf("after half the time %d of 3 processes are left", len(q.idle))
	}
	q.trim(time.Now().Add(2 * processIdle))
	if len(q.idle) != 1 {
		t.Errorf("after the time %d processes are left, want 1", len(q.idle))
	}
}
