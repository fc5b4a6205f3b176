package eval

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/nnue"
)

// randomTables returns tables for r filled from r's own sequence.
func randomTables(r board.Rule, seed uint64) *Tables {
	rnd := rand.New(rand.NewPCG(seed, uint64(r)))
	t := newTables(r)
	t.Origin = "drawn by lot, größer als nichts"
	for _, s := range t.Sides[:t.colors()] {
		for _, part := range s.parts() {
			for i := range part {
				part[i] = int16(rnd.IntN(1<<16) - 1<<15)
			}
		}
	}
	return t
}

func save(t *testing.T, all ...*Tables) []byte {
	t.Helper()
	var raw []byte
	for _, one := range all {
		var err error
		if raw, err = one.Save(raw); err != nil {
			t.Fatal(err)
		}
	}
	return raw
}

func TestEveryOrderOfFourPatternsHasOneNumber(t *testing.T) {
	seen := make([]int, nnue.Codes)
	for code := range 1 << 16 {
		p := []int{code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12}
		if slices.Max(p) >= 14 {
			continue
		}
		n := CodeNumber(uint16(code))
		seen[n]++
		slices.Sort(p)
		if got, want := int(codePatterns(n)), p[0]|p[1]<<4|p[2]<<8|p[3]<<12; got != want {
			t.Fatalf("code %04x has number %d, which is %04x, want %04x", code, n, got, want)
		}
	}
	all := 0
	for n, times := range seen {
		if times == 0 {
			t.Errorf("number %d belongs to no code", n)
		}
		all += times
	}
	if all != 14*14*14*14 {
		t.Errorf("%d codes", all)
	}
}

func TestTablesComeBackFromAFile(t *testing.T) {
	var all []*Tables
	for i, rule := range rules {
		all = append(all, randomTables(rule, uint64(i)))
	}
	raw := save(t, all...)
	got, err := Load(raw)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, all) {
		t.Error("the tables differ")
	}
	for _, one := range got {
		if same := one.Sides[0] == one.Sides[1]; same != (one.colors() == 1) {
			t.Errorf("%v: %d colors, the same tables: %v", one.Rule, one.colors(), same)
		}
	}
}

// A file with any bit turned, or cut anywhere, is refused.
func TestDamagedTablesAreRefused(t *testing.T) {
	raw := save(t, randomTables(board.Caro, 1), randomTables(board.Freestyle, 2))
	second := len(raw) / 2
	load := func(raw []byte, what string, args ...any) {
		t.Helper()
		all, err := Load(raw)
		if err == nil || all != nil {
			t.Fatalf(what+" was loaded", args...)
		}
	}
	for i := 0; i < len(raw); i += 1 + i%second/64*37 {
		bad := slices.Clone(raw)
		bad[i] ^= 1 << (i % 8)
		load(bad, "a file with a changed byte %d", i)
	}
	for n := 0; n < len(raw); n += 1 + n%second/64*41 {
		if n != second {
			load(raw[:n], "a file cut after %d bytes", n)
		}
	}
	for n := range 8 {
		load(raw[:len(raw)-1-n], "a file cut before its last %d bytes", n+1)
		load(raw[:second-1-n], "a first block cut before its last %d bytes", n+1)
	}
	load(append(slices.Clone(raw), 'x'), "a file with a byte after it")
}

func TestTheErrorSaysWhatIsWrongWithAFile(t *testing.T) {
	le := binary.LittleEndian
	good := save(t, randomTables(board.Freestyle, 3))
	origin := len("drawn by lot, größer als nichts")
	change := func(f func(raw []byte)) []byte {
		raw := slices.Clone(good)
		f(raw)
		le.PutUint32(raw[len(raw)-4:], crc32.Checksum(raw[:len(raw)-4], castagnoli))
		return raw
	}
	tests := []struct {
		name string
		raw  []byte
		is   error
		says string
	}{
		{"nothing", nil, ErrNotTables, "byte 0"},
		{"another file", []byte("h8i9j7 and what follows"), ErrNotTables, "byte 0"},
		{"a part of the magic", good[:5], ErrTruncated, "byte 0"},
		{"half", good[:len(good)/2], ErrTruncated, "byte 0"},
		{"the second block cut", append(slices.Clone(good), good[:100]...), ErrTruncated, "byte 184"},
		{"a changed number", append(slices.Clone(good[:400]), append([]byte{good[400] ^ 1}, good[401:]...)...), ErrChecksum, "byte 0"},
		{"a version to come", change(func(raw []byte) { raw[8] = 2 }), nil, "version 2"},
		{"a rule to come", change(func(raw []byte) { raw[10] = 77 }), nil, "rule 77"},
		{"a continuous rule", change(func(raw []byte) { raw[10] = byte(board.Continuous) }), nil, "rule 2"},
		{"two colors under freestyle", change(func(raw []byte) { raw[11] = 2 }), nil, "2 colors"},
		{"an endless origin", change(func(raw []byte) { le.PutUint32(raw[12:], 1<<31) }), nil, "origin of 2147483648 bytes"},
		{"an origin that is no text", change(func(raw []byte) { raw[tablesHead+origin-1] = 0xff }), nil, "UTF-8"},
		{"the same rule twice", append(slices.Clone(good), good...), nil, "second tables for freestyle"},
		{"far too long", make([]byte, maxTables+2), ErrNotTables, "too long"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(test.raw)
			if err == nil || !strings.Contains(err.Error(), test.says) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %q, want one that says %q and is %v", err, test.says, test.is)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("%q is more than a line", err)
			}
		})
	}
}

func TestTablesThatCannotBeSaved(t *testing.T) {
	for name, bad := range map[string]*Tables{
		"a continuous rule":          {Rule: board.Continuous},
		"renju and caro":             {Rule: board.Renju | board.Caro},
		"an origin that is no text":  {Origin: "\xff"},
		"an origin without an end":   {Origin: strings.Repeat("x", maxOrigin+1)},
		"a rule beyond the protocol": {Rule: 64},
	} {
		if _, err := bad.Save(nil); err == nil {
			t.Errorf("%s was saved", name)
		}
	}
}

// Every table the package carries must load, or no program starts.
func TestEmbeddedTablesLoad(t *testing.T) {
	for _, rule := range rules {
		one := Default(rule)
		if one.Rule != rule || one.Sides[0] == nil || one.Sides[1] == nil {
			t.Errorf("%v: tables of %v", rule, one.Rule)
		}
		if on := Default(rule | board.Continuous); !reflect.DeepEqual(on, one) {
			t.Errorf("%v: other tables when play goes on after a five", rule)
		}
	}
}

// TestTablesByHand: black gets nothing for what renju forbids, and white nothing for
// preventing it; own threats never lower the value, others never raise it.
func TestTablesByHand(t *testing.T) {
	one := ByHand(board.Renju)
	black, white := one.Sides[board.Black], one.Sides[board.White]
	twoFours := CodeNumber(uint16(board.ClosedFour) | uint16(board.ClosedFour)<<4)
	if black.Cells[twoFours] != 0 || black.Own[twoFours] != 0 || white.Other[twoFours] != 0 {
		t.Errorf("two fours of black: %d %d %d", black.Cells[twoFours], black.Own[twoFours], white.Other[twoFours])
	}
	if white.Cells[twoFours] <= 0 || white.Own[twoFours] <= 0 || black.Other[twoFours] <= 0 {
		t.Errorf("two fours of white: %d %d %d", white.Cells[twoFours], white.Own[twoFours], black.Other[twoFours])
	}
	for mask := range board.ThreatMasks {
		for bit := 1; bit < board.ThreatMasks; bit *= 2 {
			without, with := black.Threat[mask&^bit], black.Threat[mask|bit]
			if bit < board.OtherOpenFour && with < without || bit >= board.OtherOpenFour && with > without {
				t.Errorf("mask %011b: %d points, %d with %011b", mask&^bit, without, with, bit)
			}
		}
	}
	if black.Threat[board.OwnFourPlus|board.OwnFour] != black.Threat[board.OwnFourPlus] {
		t.Error("a weaker four counts beside a stronger one")
	}
}

// Evaluators look into the tables of their tableSet, by the color's own, and into Default for
// rules that it has none of.
func TestTableSet(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.String(), func(t *testing.T) {
			one := randomTables(rule, 5)
			for _, s := range one.Sides[:one.colors()] {
				for i := range s.Cells {
					s.Cells[i] /= 1000
				}
				for i := range s.Threat {
					s.Threat[i] /= 1000
				}
			}
			set := newTableSet(one)
			r := rand.New(rand.NewPCG(12, uint64(rule)))
			b := boardtest.New(t, rule|board.Continuous, 12, 14)
			e := set.New(b)
			for range 60 {
				m := board.At(r.IntN(12), r.IntN(14))
				if b.Cell(m) != board.Empty {
					continue
				}
				s := b.Side()
				k := b.Code(m)
				want := int(one.Sides[s].Own[CodeNumber(k.Of(s))]) + int(one.Sides[s].Other[CodeNumber(k.Of(s.Other()))])
				var score [1]int32
				if e.Order([]board.Move{m}, score[:]); int(score[0]) != want {
					t.Fatalf("order %d, want %d", score[0], want)
				}
				b.Play(m)
				if got, want := e.Value(), plainValue(b, one); got != want {
					t.Fatalf("after %d moves: value %d, want %d", b.Ply(), got, want)
				}
			}
			for _, r := range rules {
				b := boardtest.New(t, r, 9, 9)
				b.Play(board.At(4, 4))
				if got, want := set.New(b).Value(), defaults.New(b).Value(); r != rule && got != want {
					t.Errorf("under %v: value %d, want %d of the default", r, got, want)
				}
			}
		})
	}
}

// plainValue is the value of b by the definition of Tables.
func plainValue(b *board.Board, t *Tables) int {
	sum := func(b *board.Board) (v int) {
		for _, m := range b.Open().Append(nil) {
			k := b.Code(m)
			v += int(t.Sides[0].Cells[CodeNumber(k.Of(board.Black))]) - int(t.Sides[1].Cells[CodeNumber(k.Of(board.White))])
		}
		return v
	}
	before := b.Clone()
	before.Undo()
	v := (sum(b) + sum(before)) / 2
	if b.Side() == board.White {
		v = -v
	}
	return max(-Max, min(Max, v+int(t.Sides[b.Side()].Threat[b.ThreatMask()])))
}

func FuzzLoad(f *testing.F) {
	raw, err := randomTables(board.Freestyle, 6).Save(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:40])
	f.Add([]byte(tablesMagic))
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := Load(raw)
		if err != nil {
			return
		}
		var again []byte
		for _, one := range all {
			if again, err = one.Save(again); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(again, raw) {
			t.Error("what was loaded is saved differently")
		}
	})
}
