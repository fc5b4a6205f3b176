package database

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

const textHead = "index,key,label,value,depth,bound,text"

var (
	quoteText   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\b", `\b`, "\x00", "", "\r", "")
	unquoteText = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\b`, "\b")
)

// WriteText writes the records as lines of text, as Rapfi does: index, position, label, value,
// depth, bound and text. If b is not nil, only those of its rule and size are written. It
// returns their number.
func (d *Database) WriteText(w io.Writer, b *board.Board) (int, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	keys := d.keys(b)
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, textHead)
	for i, key := range keys {
		r := d.record(key)
		label := fmt.Sprintf("(%d)", r.Label)
		switch {
		case r.Label == Null:
			label = "(null)"
		case r.Label == None:
			label = "(none)"
		case r.Label > ' ' && r.Label < 127:
			label = string(rune(r.Label))
		}
		fmt.Fprintf(out, "%d,%v,%s,%d,%d,%v,\"%s\"\n", i, key, label, r.Value, r.Depth(), r.Bound(), quoteText.Replace(r.text))
	}
	return len(keys), out.Flush()
}

// keys returns the keys, sorted; if b is not nil, those of its rule and size. The lock is held.
func (d *Database) keys(b *board.Board) []Key {
	var keys []Key
	d.all(func(key Key, _ Record) {
		if b == nil || rules[key[0]] == b.Rule() && int(key[1]) == b.Width() && int(key[2]) == b.Height() {
			keys = append(keys, key)
		}
	})
	slices.Sort(keys)
	return keys
}

// ReadText adds the records that WriteText has written; those of positions that are there
// already are replaced. It returns their number. A position that no key describes, for its
// number of stones, is passed over: a file may have such a record, which is exported as it is.
// Nothing is added if there is an error, which names the line.
func (d *Database) ReadText(r io.Reader) (int, error) {
	return d.readText(r, New().gather(context.Background(), 0))
}

func (d *Database) readText(r io.Reader, g *gathering) (int, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 4*maxText)
	found := map[Key]Record{}
	n := 0
	for n = 1; in.Scan(); n++ {
		line := strings.TrimRight(strings.TrimPrefix(in.Text(), "\ufeff"), "\r")
		if n == 1 {
			if line != textHead {
				return 0, fmt.Errorf("line 1: want %s", textHead)
			}
			continue
		}
		if line == "" {
			continue
		}
		key, record, err := parseText(line)
		if errors.Is(err, errUnbalanced) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		found[key] = record
		if err := g.next(len(found), 0); err != nil {
			return 0, err
		}
	}
	if err := in.Err(); err != nil {
		return 0, fmt.Errorf("line %d: %w", n, err)
	}
	if n == 1 {
		return 0, fmt.Errorf("line 1: want %s", textHead)
	}
	d.add(found, d.put)
	return len(found), nil
}

func parseText(line string) (Key, Record, error) {
	f := strings.SplitN(line, ",", 7)
	if len(f) == 7 && f[2] == "" { // a comma may be a label
		if rest, ok := strings.CutPrefix(line, f[0]+","+f[1]+",,,"); ok {
			f = append([]string{f[0], f[1], ","}, strings.SplitN(rest, ",", 4)...)
		}
	}
	if len(f) != 7 {
		return "", Record{}, fmt.Errorf("%d fields, want 7", len(f))
	}
	key, err := ParseKey(f[1])
	if err != nil {
		return "", Record{}, err
	}
	var label Label
	switch l := f[2]; {
	case l == "(null)":
	case l == "(none)":
		label = None
	case len(l) == 1:
		label = Label(l[0] & 127)
	default:
		n, err := strconv.ParseInt(strings.Trim(l, "()"), 10, 8)
		if err != nil {
			return "", Record{}, fmt.Errorf("label %.20q", l)
		}
		label = Label(n)
	}
	value, err := strconv.ParseInt(f[3], 10, 16)
	if err != nil {
		return "", Record{}, fmt.Errorf("value %.20q", f[3])
	}
	depth, err := strconv.ParseInt(f[4], 10, 14)
	if err != nil {
		return "", Record{}, fmt.Errorf("depth %.20q", f[4])
	}
	bound := slices.Index(boundNames[:], f[5])
	if bound < 0 {
		return "", Record{}, fmt.Errorf("bound %.20q", f[5])
	}
	text := f[6]
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return "", Record{}, fmt.Errorf("the text is not in quotes")
	}
	text = unquoteText.Replace(text[1 : len(text)-1])
	if len(text) > maxText {
		return "", Record{}, fmt.Errorf("a text of %d bytes", len(text))
	}
	return key, Record{Label: label, Value: int16(value), depth: int16(depth<<2 | int64(bound)), text: text}, nil
}
