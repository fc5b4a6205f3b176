package charset

import (
	"testing"
	"unicode/utf8"
)

// FuzzDecode: text is UTF-8 whatever the bytes are, and what an encoding encodes it decodes.
func FuzzDecode(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.raw))
		f.Add([]byte(s.text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		Guess(raw)
		for e := range encodings {
			text, ok := e.Decode(raw)
			if !utf8.ValidString(text) || ok != e.Valid(raw) {
				t.Fatalf("%v: %q, %v of %q", e, text, ok, raw)
			}
			if again, encoded := e.Encode(text); encoded {
				if back, ok := e.Decode(again); !ok || back != text {
					t.Fatalf("%v: %q is encoded as %q and decoded as %q", e, text, again, back)
				}
			}
		}
	})
}
