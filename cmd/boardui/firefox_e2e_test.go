//go:build e2e && figures

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A marionette is a firefox without a window, and the connection to it: messages of JSON after their
// length, [0, number, command, parameters] and [1, number, error, result].
type marionette struct {
	firefox *exec.Cmd
	conn    net.Conn

	mu   sync.Mutex
	in   *bufio.Reader
	last int
}

// firefoxSettings are those of a new profile: nothing is asked of other hosts.
const firefoxSettings = `user_pref("marionette.port", 0);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("dom.serviceWorkers.testing.enabled", true);
`

// startFirefox returns a browser that is Debian's firefox-esr. What only chromium has, DevTools and
// logs, answers nothing.
func startFirefox(t *testing.T) *browser {
	t.Helper()
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxSettings), 0o644); err != nil {
		t.Fatal(err)
	}
	m := &marionette{firefox: exec.Command("firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile)}
	m.firefox.Env = append(os.Environ(), "HOME="+t.TempDir(), "MOZ_CRASHREPORTER_DISABLE=1", fmt.Sprintf("MOZ_HEADLESS_WIDTH=%d", desktop.width), fmt.Sprintf("MOZ_HEADLESS_HEIGHT=%d", desktop.height))
	if err := m.firefox.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		m.firefox.Process.Kill()
		m.firefox.Wait()
	})
	for end := time.Now().Add(waitLimit); m.conn == nil; time.Sleep(50 * time.Millisecond) {
		if port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort")); err == nil {
			m.conn, _ = net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
		}
		if time.Now().After(end) {
			t.Fatal("firefox does not start")
		}
	}
	m.in = bufio.NewReader(m.conn)
	if _, err := m.receive(); err != nil { // who it is
		t.Fatal(err)
	}
	if _, err := m.command("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}}); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(m)
	t.Cleanup(h.Close)
	b := &browser{t: t, base: h.URL, driver: m.firefox}
	b.must("GET", "/window", nil, &b.tab)
	return b
}

// receive returns the next message.
func (m *marionette) receive() (json.RawMessage, error) {
	length, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	var n int
	if _, err := fmt.Sscanf(length, "%d:", &n); err != nil {
		return nil, err
	}
	raw := make([]byte, n)
	_, err = io.ReadFull(m.in, raw)
	return raw, err
}

// command sends a command and returns its result.
func (m *marionette) command(name string, parameters any) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	raw, err := json.Marshal([]any{0, m.last, name, parameters})
	if err == nil {
		_, err = fmt.Fprintf(m.conn, "%d:%s", len(raw), raw)
	}
	if err != nil {
		return nil, err
	}
	answer, err := m.receive()
	if err != nil {
		return nil, err
	}
	var parts [4]json.RawMessage
	if err := json.Unmarshal(answer, &parts); err != nil {
		return nil, err
	}
	if string(parts[2]) != "null" {
		return nil, fmt.Errorf("%s: %s", name, parts[2])
	}
	var wrapped map[string]json.RawMessage
	if json.Unmarshal(parts[3], &wrapped) == nil && len(wrapped) == 1 && wrapped["value"] != nil {
		return wrapped["value"], nil
	}
	return parts[3], nil
}

// marionetteCommands are the commands for requests of WebDriver.
var marionetteCommands = map[string]string{
	"GET /window": "WebDriver:GetWindowHandle", "POST /window": "WebDriver:SwitchToWindow", "GET /window/handles": "WebDriver:GetWindowHandles",
	"POST /url": "WebDriver:Navigate", "POST /refresh": "WebDriver:Refresh", "POST /execute/sync": "WebDriver:ExecuteScript",
	"POST /element": "WebDriver:FindElement", "POST /actions": "WebDriver:PerformActions",
}

// ServeHTTP answers a request of WebDriver.
func (m *marionette) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var parameters map[string]any
	json.NewDecoder(r.Body).Decode(&parameters) // none is an error
	answer := func(v any, err error) {
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			v = err.Error()
		}
		json.NewEncoder(w).Encode(map[string]any{"value": v})
	}
	request := r.Method + " " + r.URL.Path
	switch command := marionetteCommands[request]; {
	case command != "":
		answer(m.command(command, parameters))
	case strings.HasPrefix(r.URL.Path, "/element/"):
		parameters["id"] = strings.Split(r.URL.Path, "/")[2]
		answer(m.command("WebDriver:ElementSendKeys", parameters))
	case request == "POST /se/log" && parameters["type"] == "browser":
		answer(m.chrome(consoleScript))
	case request == "POST /goog/cdp/execute" && parameters["cmd"] == "Browser.setDownloadBehavior":
		answer(m.chrome(downloadScript, parameters["params"].(map[string]any)["downloadPath"]))
	default:
		answer([]any{}, nil)
	}
}

// consoleScript returns what pages have written to the console, or caused there, and forgets it.
const consoleScript = `
	const events = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
	const said = events.getEvents().filter((e) => /^http/.test(e.filename)).map((e) => ({ level: e.level, message: Array.from(e.arguments).join(' ') + ' ' + e.filename }));
	const errors = Services.console.getMessageArray().filter((e) => e instanceof Ci.nsIScriptError && /^http/.test(e.sourceName)).map((e) => ({ level: e.category, message: e.errorMessage + ' ' + e.sourceName }));
	events.clearEvents();
	Services.console.reset();
	return [...said, ...errors];`

// downloadScript makes the browser save files in a folder without asking.
const downloadScript = `
	Services.prefs.setIntPref('browser.download.folderList', 2);
	Services.prefs.setStringPref('browser.download.dir', arguments[0]);
	return null;`

// chrome runs a script with the rights of the browser itself.
func (m *marionette) chrome(script string, args ...any) (json.RawMessage, error) {
	if _, err := m.command("Marionette:SetContext", map[string]any{"value": "chrome"}); err != nil {
		return nil, err
	}
	defer m.command("Marionette:SetContext", map[string]any{"value": "content"})
	return m.command("WebDriver:ExecuteScript", map[string]any{"script": script, "args": append([]any{}, args...)})
}
