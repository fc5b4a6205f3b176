package record

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
)

// xmlTags returns what encoding/xml says of a text: its tags with the text before each.
func xmlTags(s string) (tags []xmlTag, err error) {
	in := xml.NewDecoder(strings.NewReader(s))
	in.Strict = false
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	text := ""
	for {
		token, err := in.Token()
		if err == io.EOF {
			return tags, nil
		}
		if err != nil {
			return tags, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			tag := xmlTag{name: token.Name.Local, text: text}
			for _, a := range token.Attr {
				if tag.attributes == nil {
					tag.attributes = map[string]string{}
				}
				tag.attributes[a.Name.Local] = strings.TrimSpace(a.Value)
			}
			tags, text = append(tags, tag), ""
		case xml.EndElement:
			tags, text = append(tags, xmlTag{name: token.Name.Local, end: true, text: text}), ""
		case xml.CharData:
			text += string(token)
		}
	}
}

// The reader of XML finds the tags that encoding/xml finds.
func TestXML(t *testing.T) {
	raw, err := os.ReadFile("../../testdata/files/renjunet.rif")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		string(raw),
		`<!DOCTYPE database [ <!ELEMENT a (b)> ]><a><!-- <b> - ></c> --><b x='1"2' y = "a&gt;b&#65;&#x42;"/>t<![CDATA[<i>&amp;]]>u</a >`,
		"<a\n\tp=\"1\"\r\n q='/'><n:b n:c='d>e'/>\u00e9 &quot;&apos;&lt;</a>",
		`<a/><a /><a b=""/><a b=c></a>`,
	} {
		want, err := xmlTags(s)
		if err != nil {
			t.Fatal(err)
		}
		x := xmlReader{s: s}
		var got []xmlTag
		for {
			tag, err := x.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			empty := tag.empty
			tag.empty = false
			if got = append(got, tag); empty {
				got = append(got, xmlTag{name: tag.name, end: true})
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q has the tags\n%+v, want\n%+v", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"<a": "not closed", "<a b": "not closed", `<a b="c>`: `"b" is not closed`, "<!-- a": "<!-- is not closed", "<![CDATA[ a": "is not closed", "<?xml": "<? is not closed", "<!DOCTYPE [ > ": "<! is not closed", "<": "not closed", "<a/": "not closed",
	} {
		x := xmlReader{s: s}
		if _, err := x.next(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", s, err, want)
		}
	}
}

// Of a database that is cut off the games before are read.
func TestDatabaseCutOff(t *testing.T) {
	raw, err := os.ReadFile("../../testdata/files/renjunet.rif")
	if err != nil {
		t.Fatal(err)
	}
	s := string(raw)
	second := strings.Index(s, `<game id="13"`)
	for cut := second + 40; cut < strings.LastIndex(s, "</game>"); cut++ {
		trees, err := Read(raw[:cut], Reading{})
		if err == nil || len(trees) != 2 || trees[0] == nil || trees[1] != nil {
			t.Fatalf("%q: %v, %v", s[second:cut], trees, err)
		}
	}
}

// Addresses are unescaped as net/url does it.
func TestUnescaped(t *testing.T) {
	for _, s := range []string{"", "a", "https://gomocalc.com/#/h8%69%39", "%", "%4", "a%4x", "%e9%bb%91", "a+b%2B", "100%"} {
		want, err := url.PathUnescape(s)
		if err != nil {
			want = s
		}
		if got := unescaped(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

// A database of games has more moves than a tree in memory: only those that are kept count.
func TestLargeDatabaseOfGames(t *testing.T) {
	var s strings.Builder
	s.WriteString(`<database><players><player id="1" name="Ann"/><player id="2" name="Bo"/></players><games>`)
	const games = maxItems/100 + 100
	moves := ""
	for i := range 100 {
		moves += " " + board.At(i%15, 14-i/15).Label(15)
	}
	for i := range games {
		black := 2
		if i%1000 == 0 {
			black = 1
		}
		fmt.Fprintf(&s, `<game id="%d" black="%d"><move>%s</move></game>`, i, black, moves)
	}
	s.WriteString("</games></database>")
	raw := []byte(s.String())
	if _, err := Read(raw, Reading{}); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("all of them: %v", err)
	}
	seen := 0
	trees, err := Read(raw, Reading{Rule: board.Renju, Want: func(t *Tree) bool {
		seen++
		return t.Black == "Ann" && t.Rule == board.Renju
	}})
	if err != nil || len(trees) != games || seen != games {
		t.Fatalf("%d of %d games are seen, %v", seen, games, err)
	}
	for i, tree := range trees {
		if (tree != nil) != (i%1000 == 0) {
			t.Errorf("game %d is kept: %v", i, tree != nil)
		}
	}
}
