package lz4

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
)

// The blocks of a frame have the content of the frame, in any order, and begin where EndBlock was called.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var b bytes.Buffer
	z := NewWriter(&b)
	var parts [][]byte
	for i := range 30 {
		part := text(r, 1+r.IntN(5000))
		if i%5 == 0 { // does not get shorter
			for j := range part {
				part[j] = byte(r.Uint32())
			}
		}
		parts = append(parts, part)
		z.Write(part)
		if err := z.EndBlock(); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	blocks, err := NewBlocks(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || blocks.Len() != len(parts) {
		t.Fatal(blocks, err)
	}
	var buf []byte
	for _, i := range r.Perm(len(parts)) {
		if buf, err = blocks.Content(buf, i); err != nil || !bytes.Equal(buf, parts[i]) {
			t.Fatalf("block %d: %d bytes, %v; want %d", i, len(buf), err, len(parts[i]))
		}
		for _, n := range []int{0, 5, 100, 1 << 20} {
			if start, err := blocks.Start(i, n); err != nil || !bytes.HasPrefix(parts[i], start) || len(start) > n || n > len(parts[i]) && len(start) == 0 {
				t.Errorf("block %d: it begins with %d bytes, %v; asked for %d", i, len(start), err, n)
			}
		}
	}
	for what, raw := range map[string][]byte{"cut": b.Bytes()[:b.Len()-5], "more behind": append(bytes.Clone(b.Bytes()), 0), "nothing": nil} {
		if _, err := NewBlocks(bytes.NewReader(raw), int64(len(raw))); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestBlocksOfTheReferenceProgram(t *testing.T) {
	for name, ok := range map[string]bool{"linked": false, "linked-sums-size": false, "independent": true} {
		raw, err := os.ReadFile("testdata/" + name + ".lz4")
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := NewBlocks(bytes.NewReader(raw), int64(len(raw)))
		if (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		var all []byte
		for i := range blocks.Len() {
			content, err := blocks.Content(nil, i)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, content...)
		}
		if !bytes.Equal(all, squares()) {
			t.Errorf("%s: %d bytes, want %d", name, len(all), len(squares()))
		}
	}
}
