package database

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

func TestLabelsInTexts(t *testing.T) {
	key, err := KeyOf(boardtest.After(t, 0, 15, "h8"))
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[Label]string{
		Null: "(null)", None: "(none)", Win: "w", 'W': "W", ',': ",", '"': `"`, '(': "(", ' ': "(32)", 7: "(7)", -5: "(-5)", 127: "(127)", -128: "(-128)",
	} {
		d := New()
		d.records[key] = Record{Label: label}
		var text bytes.Buffer
		if _, err := d.WriteText(&text, nil); err != nil || text.String() != textHead+"\n0,f-15-15-h8--w,"+want+",0,0,none,\"\"\n" {
			t.Errorf("%d: %q, %v", label, text.String(), err)
		}
		again := New()
		if _, err := again.ReadText(&text); err != nil || again.records[key] != d.records[key] {
			t.Errorf("%d: %+v is read, %v", label, again.records[key], err)
		}
	}
}

func TestTextsOfARecord(t *testing.T) {
	r := Record{Label: None}
	a, b := point(3<<8|4), point(16<<8|0)
	r = r.withCell(a, "x y").WithComment(" hello\r\nyou ").withCell(b, "q")
	if r.text != "@BTXT@34xy\nG0q\bhello\nyou" {
		t.Errorf("text %q", r.text)
	}
	if r.Comment() != "hello\nyou" || !reflect.DeepEqual(r.cells(), []cellText{{a, "xy"}, {b, "q"}}) {
		t.Errorf("%q, %v", r.Comment(), r.cells())
	}
	last := point((board.MaxSize-1)<<8 | board.MaxSize - 1)
	if cells := (Record{text: "@BTXT@LLx\nMMy\nV0z\n?0q"}).cells(); !reflect.DeepEqual(cells, []cellText{{last, "x"}}) {
		t.Errorf("cells %v, want one on %x", cells, last)
	}
	if r = r.withCell(a, "").withCell(b, ""); r.text != "hello\nyou" {
		t.Errorf("text %q", r.text)
	}
	if r = (Record{}).WithComment(strings.Repeat("é", 50000)); len(r.text) > maxText || strings.ContainsRune(r.Comment(), '\ufffd') || r.Label != None {
		t.Errorf("%d bytes", len(r.text))
	}
}

// A comment may begin like the texts on cells.
func TestCommentsThatLookLikeAHead(t *testing.T) {
	const comment = "@BTXT@34x\nyou"
	r := (Record{}).WithComment(comment)
	if r.Comment() != comment || len(r.cells()) != 0 {
		t.Errorf("comment %q, cells %v", r.Comment(), r.cells())
	}
	at := point(3<<8 | 4)
	if r = r.withCell(at, "x"); r.Comment() != comment || !reflect.DeepEqual(r.cells(), []cellText{{at, "x"}}) {
		t.Errorf("with a cell: comment %q, cells %v", r.Comment(), r.cells())
	}
	if r = r.withCell(at, "").WithComment("hello"); r.text != "hello" {
		t.Errorf("text %q", r.text)
	}
}

// Of two texts the first counts, what it has not comes from the other.
func TestTextsOfTwoRecords(t *testing.T) {
	a := Record{Label: None}.withCell(1, "a").withCell(2, "b")
	b := Record{Label: None}.withCell(2, "c").withCell(3, "d").WithComment("other")
	want := []cellText{{1, "a"}, {2, "b"}, {3, "d"}}
	if r := (Record{Label: Win}).withText(a, b); r.Label != Win || r.Comment() != "other" || !reflect.DeepEqual(r.cells(), want) {
		t.Errorf("%v, %q, %v", r.Label, r.Comment(), r.cells())
	}
	if r := a.withText(a.WithComment("own"), b); r.Comment() != "own" {
		t.Errorf("%q", r.Comment())
	}
}

func TestDisplay(t *testing.T) {
	for want, r := range map[string]Record{
		"w5":  NewRecord(Win, -MaxValue+4, 0, Exact),
		"l3":  NewRecord(Loss, MaxValue-2, 0, Exact),
		"w*":  NewRecord(Win, 0, 0, NoBound),
		"x":   NewRecord(Block, 0, 0, NoBound),
		"50%": NewRecord(None, 0, 3, Exact),
		"26%": NewRecord(None, 200, 3, Exact),
		"99%": NewRecord(None, -MaxValue+4, 0, Exact),
		"0%":  NewRecord(None, MaxValue-4, 0, Exact),
		"":    NewRecord(None, 200, 3, Lower),
	} {
		if got := r.Display(); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}
