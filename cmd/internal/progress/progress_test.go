package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAFileGetsALineFromTimeToTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := New(&out, false)
		for n := 1; n <= 3000; n++ {
			time.Sleep(100 * time.Millisecond)
			l.Step("games", n, 3000, n, "Elo")
		}
		l.End()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) < 10 || len(lines) > 12 || lines[0] != "1/3000 games | Elo | to go 4m59s | 36000 games/h" || lines[len(lines)-1] != "3000/3000 games | Elo | 36000 games/h" {
			t.Errorf("%d lines for five minutes, want about ten and the last:\n%s", len(lines), &out)
		}
		l.Ends = time.Now().Add(9 * time.Second)
		if got := Count(7, 0, "games") + ", " + l.ToGo(3000, -7); got != "7 games, to go 9s" {
			t.Errorf("a run that time ends: %q", got)
		}
		if got := l.ToGo(3000, 0); got != "" {
			t.Errorf("nothing is left: %q", got)
		}
		out.Reset()
		if l.Step("games", 400, 400, 400); strings.Contains(out.String(), "to go") {
			t.Errorf("the last line of a run with a limit of time: %q", &out)
		}
		if got := l.ToGo(0, 5); got != "to go 9s" {
			t.Errorf("before the first game: %q", got)
		}
	})
}

func TestATerminalHasOneLineThatIsRewritten(t *testing.T) {
	var out bytes.Buffer
	l := &Line{out: &out, terminal: true, columns: 20}
	l.Show("12/100", "Elo 15.0")
	l.Show("13/100")
	l.Write([]byte("message\n"))
	l.End()
	const want = "\r12/100 | Elo 15.0" + "\r13/100           " + "\r      \rmessage\n13/100" + "\n"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestALineIsNeverWiderThanTheTerminal(t *testing.T) {
	words := []string{"1200/10000", "Elo -28.9 ±17", "3600 games/h"}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{80, "1200/10000 | Elo -28.9 ±17 | 3600 games/h"}, {41, "1200/10000 | Elo -28.9 ±17 | 3600 games/h"},
		{40, "1200/10000 | Elo -28.9 ±17"}, {25, "1200/10000"}, {5, "1200/"},
	} {
		if got := fit(words, tt.width); got != tt.want {
			t.Errorf("%d columns: %q, want %q", tt.width, got, tt.want)
		}
	}
	if got := fit(nil, 10); got != "" {
		t.Errorf("no words give %q", got)
	}
}

func TestASlowLineIsShownLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := New(&out, false)
		l.Due(false)
		time.Sleep(4 * time.Second) // time to count a long match
		l.Show("x")
		time.Sleep(time.Minute)
		if l.Due(false) {
			t.Error("it is due after a minute and took 4 s, more than a twentieth")
		}
	})
}

func TestANilLineIsQuiet(t *testing.T) {
	l := New(os.Stderr, true)
	if n, err := l.Write([]byte("x\n")); l.Due(true) || l.Terminal() || n != 2 || err != nil {
		t.Error("a nil line does something")
	}
	l.Show("x")
	l.Step("games", 1, 1, 1)
	l.End()
}

func TestFilesAndTheNullDeviceAreNoTerminals(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, f := range []*os.File{file, null} {
		if New(f, false).Terminal() {
			t.Errorf("%s is taken for a terminal", f.Name())
		}
	}
}

func TestSpansHaveTwoUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 59 * time.Second: "59s", 61 * time.Second: "1m01s", 3*time.Hour + 5*time.Minute: "3h05m", 1e18: "long",
	} {
		if got := Span(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
}
