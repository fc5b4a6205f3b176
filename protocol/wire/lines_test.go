package wire

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// all returns the lines of r up to its end, with what stands after the last line end.
func all(t *testing.T, r io.Reader) (list []string) {
	t.Helper()
	last := time.Now()
	for lines := NewLines(r); ; {
		line, at, err := lines.Next()
		if at.Before(last) {
			t.Errorf("%q was read at %v, the line before it at %v", line, at, last)
		}
		last = at
		list = append(list, line)
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			return list
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", MaxLine+100)
	for text, want := range map[string][]string{
		"":                        {""},
		"a":                       {"a"},
		"a\nb\n":                  {"a", "b", ""},
		"a\r\nb\r\n":              {"a", "b", ""},
		"a\rb\r":                  {"a", "b", ""},
		"a\n\nb\r\r\nc\n\rd":      {"a", "", "b", "", "c", "", "d"},
		"\ufeffa\nb\ufeff\n":      {"a", "b\ufeff", ""},
		long + "\nshort\n":        {long[:MaxLine], "short", ""},
		long + long + "\r\nb\r\n": {long[:MaxLine], "b", ""},
	} {
		for name, r := range map[string]io.Reader{
			"at once": strings.NewReader(text), "by bytes": iotest.OneByteReader(strings.NewReader(text)),
			"with the end": iotest.DataErrReader(strings.NewReader(text)),
		} {
			if got := all(t, r); !slices.Equal(got, want) {
				t.Errorf("%.40q %s: got %.40q, want %.40q", text, name, got, want)
			}
		}
	}
}

// A line may arrive in any pieces.
func FuzzLines(f *testing.F) {
	f.Add("a\r\nb\n\rc\r", uint8(3))
	f.Add("\ufeff\r\n\ufeff", uint8(1))
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		want := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
		for i := range want {
			want[i] = strings.TrimPrefix(want[i][:min(len(want[i]), MaxLine)], "\ufeff")
		}
		r := &pieces{text, int(n%7) + 1}
		if got := all(t, r); !slices.Equal(got, want) {
			t.Errorf("%q in pieces of %d: got %q, want %q", text, r.n, got, want)
		}
	})
}

// pieces reads at most n bytes of a text at once.
type pieces struct {
	text string
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(p.n, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}
