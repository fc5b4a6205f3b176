package nnue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomNetwork returns a network with numbers of the size that training makes, so that
// all sums stay within bounds and neither end of a clamp holds everywhere.
func randomNetwork(sets int, seed uint64) *Network {
	r := rand.New(rand.NewPCG(seed, 1))
	n := &Network{Rule: 4, Origin: "random\n", Views: make([]View, sets), Heads: make([]Head, sets)}
	fill := func(values []int16, spread int) {
		for i := range values {
			values[i] = int16(r.IntN(2*spread+1) - spread)
		}
	}
	for s := range n.Views {
		v, h := &n.Views[s], &n.Heads[s]
		for i := range v.Line {
			fill(v.Line[i][:], 100)
		}
		for i := range v.Own {
			fill(v.Own[i][:], 200)
			fill(v.Other[i][:], 200)
		}
		fill(v.Bias[:], 50)
		for i := range Hidden {
			fill(h.Global[i][:], 300)
		}
		h.GlobalShift = 11
		for t := range RegionTypes {
			for i := range RegionHidden {
				fill(h.Region[t][i][:], 200)
				h.RegionBias[t][i] = int32(r.IntN(100000))
			}
			for i := range Hidden {
				fill(h.Merge[t][i][:], 500)
			}
		}
		h.RegionShift, h.MergeShift = 7, 11
		for i := range h.Mask {
			fill(h.Mask[i][:], 1000)
		}
		for i := range h.Bias {
			h.Bias[i] = int32(r.IntN(2000) - 500)
		}
		fill(h.Out[:], 400)
		h.OutBias, h.OutShift = -1234, 10
		for i := range h.Gate {
			fill(h.Gate[i][:], 200)
			h.GateBias[i] = int32(r.IntN(20000) - 10000)
		}
		h.GateShift, h.PolicyShift = 8, 10
		fill(h.PolicyOwn[:], 500)
		fill(h.PolicyOther[:], 500)
		fill(h.Near[0][:], 300)
		fill(h.Near[1][:], 300)
	}
	return n
}

func TestSaveLoad(t *testing.T) {
	for sets := 1; sets <= 2; sets++ {
		want := randomNetwork(sets, 7)
		file, err := want.Save([]byte("before"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Load(file[len("before"):])
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d sets: what was loaded is not what was saved", sets)
		}
	}
}

// TestLoadRefuses loads damaged files and checks the error of each.
func TestLoadRefuses(t *testing.T) {
	file, err := randomNetwork(1, 3).Save(nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(b []byte) []byte {
		return binary.LittleEndian.AppendUint32(b[:len(b)-4], crc32.Checksum(b[:len(b)-4], castagnoli))
	}
	change := func(at int, v byte) []byte {
		b := bytes.Clone(file)
		b[at] = v
		return sum(b)
	}
	for _, tt := range []struct {
		name string
		file []byte
		want error // nil for any
	}{
		{"empty", nil, ErrNotNetwork},
		{"another file", []byte("TENGENTB and so on"), ErrNotNetwork},
		{"magic alone", file[:8], ErrTruncated},
		{"head alone", file[:headBytes+4], ErrTruncated},
		{"one byte short", file[:len(file)-1], ErrChecksum},
		{"one bit wrong", append([]byte(nil), append(file[:1000:1000], append([]byte{file[1000] ^ 1}, file[1001:]...)...)...), ErrChecksum},
		{"another version", change(8, 2), nil},
		{"three sets", change(11, 3), ErrShape},
		{"two sets announced", change(11, 2), ErrTruncated},
		{"one byte too many", sum(append(bytes.Clone(file), 0)), nil},
		{"numbers missing", sum(bytes.Clone(file[:len(file)-100])), ErrTruncated},
		{"a control character in the origin", change(headBytes, 7), nil},
	} {
		if _, err := Load(tt.file); err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestCheckFindsOverflows sets one number after the other too high.
func TestCheckFindsOverflows(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(n *Network)
		want   error
	}{
		{"a line", func(n *Network) { n.Views[0].Line[70][3] = 9000 }, ErrOverflow},
		{"a line below", func(n *Network) { n.Views[0].Line[70][3] = -9000 }, ErrOverflow},
		{"codes", func(n *Network) { n.Views[0].Own[1][0], n.Views[0].Other[2][0] = 16000, 17000 }, ErrOverflow},
		{"global", func(n *Network) {
			for i := range n.Heads[0].Global[5] {
				n.Heads[0].Global[5][i] = 1200
			}
		}, ErrOverflow},
		{"region", func(n *Network) {
			for i := range n.Heads[0].Region[2][1] {
				n.Heads[0].Region[2][1][i] = -1100
			}
		}, ErrOverflow},
		{"region bias", func(n *Network) { n.Heads[0].RegionBias[1][1] = -1 << 31 }, ErrOverflow},
		{"merge", func(n *Network) {
			for i := range n.Heads[0].Merge[0][1] {
				n.Heads[0].Merge[0][1][i] = 32767
			}
		}, ErrOverflow},
		{"bias", func(n *Network) { n.Heads[0].Bias[1] = 1 << 22 }, ErrOverflow},
		{"out", func(n *Network) {
			for i := range n.Heads[0].Out {
				n.Heads[0].Out[i] = 20000
			}
		}, ErrOverflow},
		{"gate", func(n *Network) {
			for i := range n.Heads[0].Gate[63] {
				n.Heads[0].Gate[63][i] = -1200
			}
		}, ErrOverflow},
		{"shift", func(n *Network) { n.Heads[0].PolicyShift = 31 }, ErrShift},
		{"three views", func(n *Network) { n.Views = make([]View, 3) }, ErrShape},
		{"no head", func(n *Network) { n.Heads = nil }, ErrShape},
	} {
		n := randomNetwork(1, 5)
		if err := n.Check(); err != nil {
			t.Fatal(err)
		}
		tt.damage(n)
		if err := n.Check(); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
		if _, err := n.Save(nil); !errors.Is(err, tt.want) {
			t.Errorf("%s: saved with error %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestOriginsAreText: what a file says of itself cannot change the terminal that shows it.
func TestOriginsAreText(t *testing.T) {
	for origin, want := range map[string]bool{
		"": true, "games\n\tof 白\n": true, "a\x1b[31m": false, "a\u009b31m": false, "a\x7f": false, "\xff": false,
	} {
		n := randomNetwork(1, 6)
		n.Origin = origin
		if err := n.Check(); (err == nil) != want {
			t.Errorf("%q: %v", origin, err)
		}
	}
}

// TestCheckTakesWhatFits fills sums up to the last number that fits, and adds one more.
func TestCheckTakesWhatFits(t *testing.T) {
	for _, tt := range []struct {
		name      string
		fill, add func(v *View, h *Head)
	}{
		{"a cell", func(v *View, _ *Head) {
			v.Line[5][3], v.Own[1][3], v.Other[2][3], v.Bias[3] = 4000, 9000, 7000, 767
		}, func(v *View, _ *Head) { v.Bias[3]++ }},
		{"a cell below", func(v *View, _ *Head) {
			v.Line[5][3], v.Own[1][3], v.Other[2][3], v.Bias[3] = -4000, -9000, -7000, -768
		}, func(v *View, _ *Head) { v.Bias[3]-- }},
		{"global", func(_ *View, h *Head) {
			h.Global[7][0], h.Global[7][1], h.Global[7][63], h.Bias[7] = 1<<15-1, 1<<15-1, -3929, -2234
		}, func(_ *View, h *Head) { h.Bias[7]-- }},
		{"bias", func(_ *View, h *Head) { h.GlobalShift, h.Bias[31] = 16, 1<<15-1 },
			func(_ *View, h *Head) { h.Bias[31]++ }},
		{"merge", func(_ *View, h *Head) {
			for i := range h.Merge[2][4] {
				h.Merge[2][4][i] = 1<<15 - 1 // of the one region in the center
			}
			h.Merge[0][4][15], h.Bias[4] = -34, 119 // of the four corners
		}, func(_ *View, h *Head) { h.Bias[4]++ }},
		{"region", func(_ *View, h *Head) {
			h.RegionShift = 5 // half of a unit, 16, is added so that it rounds
			h.Region[1][9][0], h.Region[1][9][1], h.Region[1][9][2], h.RegionBias[1][9] = -1<<15+1, 1<<15-1, 130, 8175
		}, func(_ *View, h *Head) { h.RegionBias[1][9]++ }},
		{"out", func(_ *View, h *Head) {
			for i := range 16 {
				h.Out[2*i] = 1<<15 - 1
			}
			h.OutShift, h.Out[1], h.OutBias = 4, -144, -119
		}, func(_ *View, h *Head) { h.OutBias-- }},
		{"gate", func(_ *View, h *Head) {
			h.GateShift = 3
			h.Gate[63][0], h.Gate[63][1], h.Gate[63][63], h.GateBias[63] = 1<<15-1, 1<<15-1, -3929, 34998
		}, func(_ *View, h *Head) { h.GateBias[63]++ }},
		{"shifts", func(_ *View, h *Head) {
			h.RegionShift, h.OutShift, h.GateShift, h.PolicyShift = MaxShift, MaxShift, MaxShift, MaxShift
		}, nil},
	} {
		n := new(Network).with(1)
		tt.fill(&n.Views[0], &n.Heads[0])
		if err := n.Check(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if tt.add == nil {
			continue
		}
		tt.add(&n.Views[0], &n.Heads[0])
		if err := n.Check(); !errors.Is(err, ErrOverflow) {
			t.Errorf("%s and one more: error %v, want %v", tt.name, err, ErrOverflow)
		}
	}
}

// FuzzLoad: no bytes make Load panic, and what it takes is saved as the same bytes. A
// body is given its head and sum, so that the fuzzer gets past them; it is spread over
// the length of a file, as most files of random length end too soon.
func FuzzLoad(f *testing.F) {
	file, err := new(Network).with(1).Save(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file, false, 0)
	f.Add([]byte{1, 2, 3, 0x80, 4, 5}, true, 40)
	f.Add([]byte{0x80, 127, 0}, true, headBytes)
	f.Fuzz(func(t *testing.T, data []byte, patch bool, at int) {
		if patch {
			b := bytes.Clone(file)
			if at < 0 || at > len(b)-4 {
				return
			}
			copy(b[at:len(b)-4], data)
			data = binary.LittleEndian.AppendUint32(b[:len(b)-4], crc32.Checksum(b[:len(b)-4], castagnoli))
		}
		n, err := Load(data)
		if err != nil {
			return
		}
		again, err := n.Save(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, data) {
			t.Error("a file changes when it is loaded and saved")
		}
	})
}

// with returns n with room for sets of zeros.
func (n *Network) with(sets int) *Network {
	n.Views, n.Heads = make([]View, sets), make([]Head, sets)
	return n
}

func BenchmarkLoad(b *testing.B) {
	file, err := randomNetwork(1, 3).Save(nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(file)), "bytes")
}
