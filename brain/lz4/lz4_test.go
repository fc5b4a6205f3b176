package lz4

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// squares is the content of the files in testdata.
func squares() []byte {
	var b bytes.Buffer
	for i := range 5000 {
		fmt.Fprintf(&b, "%d squared is %d\n", i%97, i%97*(i%97))
	}
	return b.Bytes()
}

// The files were made with lz4 1.9.4: -1 -B4 -BD, -9 -B4 -BD -BX --content-size and
// -9 -B5 --no-frame-crc.
func TestFramesOfTheReferenceProgramAreRead(t *testing.T) {
	want := squares()
	var all []byte
	for _, name := range []string{"linked", "linked-sums-size", "independent"} {
		raw, err := os.ReadFile("testdata/" + name + ".lz4")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(NewReader(bytes.NewReader(raw)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
		all = append(all, raw...)
		all = append(all, "\x5f\x2a\x4d\x18\x03\x00\x00\x00xyz"...) // to be skipped
	}
	got, err := io.ReadAll(NewReader(bytes.NewReader(all)))
	if err != nil || !bytes.Equal(got, bytes.Repeat(want, 3)) {
		t.Errorf("end to end: %d bytes, %v", len(got), err)
	}
}

// Two frames of the reference program, small enough to read by eye.
func TestSmallFramesByHand(t *testing.T) {
	for want, raw := range map[string]string{
		"abc": "\x04\x22\x4d\x18\x64\x40\xa7\x03\x00\x00\x80abc\x00\x00\x00\x00\xff\x53\xd1\x32",
		"":    "\x04\x22\x4d\x18\x64\x40\xa7\x00\x00\x00\x00\x05\x5d\xcc\x02",
		// 1 literal and a match of 9 at distance 1, then 5 literals
		"aaaaaaaaaabcdef": "\x04\x22\x4d\x18\x60\x40\x82\x0a\x00\x00\x00\x15a\x01\x00\x50bcdef\x00\x00\x00\x00",
	} {
		got, err := io.ReadAll(NewReader(strings.NewReader(raw)))
		if err != nil || string(got) != want {
			t.Errorf("%x: %q, %v; want %q", raw, got, err, want)
		}
	}
}

// text makes n bytes with some repetitions.
func text(r *rand.Rand, n int) []byte {
	var b []byte
	for len(b) < n {
		if k := 1 + r.IntN(40); r.IntN(3) == 0 {
			for range k {
				b = append(b, byte(r.Uint32()))
			}
		} else if len(b) > 0 {
			at := r.IntN(len(b))
			for i := range k * k {
				b = append(b, b[at+i%(len(b)-at)])
			}
		}
	}
	return b[:n]
}

func TestContentComesBackAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 70000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	tests := [][]byte{nil, []byte("a"), []byte(strings.Repeat("a", 12)), []byte(strings.Repeat("ab", 7)), noise,
		make([]byte, 100000), text(r, blockMax+1000)}
	for n := range 300 {
		tests = append(tests, text(r, n))
	}
	for _, in := range tests {
		var b bytes.Buffer
		w := NewWriter(&b)
		for p := in; len(p) > 0; {
			k := min(len(p), 1+r.IntN(1<<20))
			if n, err := w.Write(p[:k]); n != k || err != nil {
				t.Fatal(n, err)
			}
			p = p[k:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if limit := len(in) + len(in)/1000 + 30; b.Len() > limit {
			t.Errorf("%d bytes became %d", len(in), b.Len())
		}
		got, err := io.ReadAll(NewReader(&b))
		if err != nil || !bytes.Equal(got, in) {
			t.Fatalf("%d bytes came back as %d, %v", len(in), len(got), err)
		}
	}
	if n := len(appendBlock(nil, make([]byte, 100000))); n > 500 {
		t.Errorf("100000 zeros take %d bytes", n)
	}
}

// In a frame with checksums every changed bit and every cut gives an error. (Bits without
// effect on the content are covered by the checksum of the descriptor.)
func TestDamageIsAnError(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Write(text(rand.New(rand.NewPCG(2, 2)), 600))
	w.Close()
	raw := b.Bytes()
	for i := range raw {
		if _, err := io.ReadAll(NewReader(bytes.NewReader(raw[:i]))); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut at %d: %v", i, err)
		}
		for bit := range 8 {
			bad := bytes.Clone(raw)
			bad[i] ^= 1 << bit
			if _, err := io.ReadAll(NewReader(bytes.NewReader(bad))); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "byte ") {
				t.Errorf("bit %d of byte %d: %v", bit, i, err)
			}
		}
	}
}

func TestXXH32OfKnownText(t *testing.T) {
	for in, want := range map[string]uint32{
		"":    0x02cc5d05,
		"abc": 0x32d153ff,
		"Nobody inspects the spammish repetition": 0xe2293b2f,
	} {
		if got := xxh32Of([]byte(in)); got != want {
			t.Errorf("%q: %08x, want %08x", in, got, want)
		}
		x := newXXH32()
		for i := range in {
			x.write([]byte(in[i : i+1]))
		}
		if got := x.sum(); got != want {
			t.Errorf("%q byte by byte: %08x, want %08x", in, got, want)
		}
	}
}

// Any bytes give an error or content, and any content comes back.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"linked", "linked-sums-size", "independent"} {
		raw, err := os.ReadFile("testdata/" + name + ".lz4")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte("\x15a\x01\x00\x50bcdef"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		io.Copy(io.Discard, io.LimitReader(NewReader(bytes.NewReader(raw)), 1<<24))
		const limit = 1 << 16
		if got, err := decodeBlock([]byte("prefix"), raw, limit); err == nil && len(got) > limit+len("prefix") {
			t.Fatalf("%d bytes, more than %d", len(got), limit)
		}
		packed := appendBlock(nil, raw)
		if got, err := decodeBlock(nil, packed, len(raw)); err != nil || !bytes.Equal(got, raw) {
			t.Fatalf("%x packs as %x and comes back as %x, %v", raw, packed, got, err)
		}
	})
}
