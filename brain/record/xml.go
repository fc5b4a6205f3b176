package record

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// An xmlReader reads XML tag by tag. It knows what databases of games have: elements, attributes, text,
// comments, CDATA and entities. It does not check that elements are closed in their order.
type xmlReader struct {
	s  string
	at int
}

// An xmlTag begins or ends an element.
type xmlTag struct {
	name       string // without a prefix
	attributes map[string]string
	end        bool   // ends an element
	empty      bool   // begins one and ends it
	text       string // between the tag before and this one
}

// next returns the next tag, or io.EOF. Other errors name the offset of what is not closed.
func (x *xmlReader) next() (xmlTag, error) {
	var text strings.Builder
	for {
		k := strings.IndexByte(x.s[x.at:], '<')
		if k < 0 {
			x.at = len(x.s)
			return xmlTag{}, io.EOF
		}
		text.WriteString(html.UnescapeString(x.s[x.at : x.at+k]))
		x.at += k
		switch rest := x.s[x.at:]; {
		case strings.HasPrefix(rest, "<!--"):
			if _, err := x.skip("<!--", "-->"); err != nil {
				return xmlTag{}, err
			}
		case strings.HasPrefix(rest, "<![CDATA["):
			plain, err := x.skip("<![CDATA[", "]]>")
			if err != nil {
				return xmlTag{}, err
			}
			text.WriteString(plain)
		case strings.HasPrefix(rest, "<?"):
			if _, err := x.skip("<?", "?>"); err != nil {
				return xmlTag{}, err
			}
		case strings.HasPrefix(rest, "<!"):
			end := ">"
			if list := strings.IndexByte(rest, '['); list >= 0 && list < strings.IndexByte(rest, '>') {
				end = "]>"
			}
			if _, err := x.skip("<!", end); err != nil {
				return xmlTag{}, err
			}
		default:
			tag, err := x.tag()
			tag.text = text.String()
			return tag, err
		}
	}
}

// skip goes behind the end of what begins here and returns what is between.
func (x *xmlReader) skip(begin, end string) (string, error) {
	between, _, ok := strings.Cut(x.s[x.at+len(begin):], end)
	if !ok {
		return "", fmt.Errorf("byte %d: %s is not closed", x.at, begin)
	}
	x.at += len(begin) + len(between) + len(end)
	return between, nil
}

// tag reads the tag that begins here.
func (x *xmlReader) tag() (xmlTag, error) {
	const blanks = " \t\r\n"
	start := x.at
	s := x.s[start+1:]
	var t xmlTag
	s, t.end = strings.CutPrefix(s, "/")
	word := func(stops string) string {
		n := strings.IndexAny(s, stops)
		if n < 0 {
			n = len(s)
		}
		w := s[:n]
		s = s[n:]
		return w[strings.IndexByte(w, ':')+1:]
	}
	t.name = word(blanks + "/>")
	for {
		s = strings.TrimLeft(s, blanks)
		switch {
		case s == "":
			return t, fmt.Errorf("byte %d: the tag %.20q is not closed", start, t.name)
		case s[0] == '>':
			x.at = len(x.s) - len(s) + 1
			return t, nil
		case s[0] == '/':
			s = s[1:]
			t.empty = strings.HasPrefix(s, ">")
			continue
		}
		name := word(blanks + "=/>")
		value := ""
		if rest, ok := strings.CutPrefix(strings.TrimLeft(s, blanks), "="); ok {
			s = strings.TrimLeft(rest, blanks)
			if s != "" && (s[0] == '"' || s[0] == '\'') {
				between, rest, ok := strings.Cut(s[1:], s[:1])
				if !ok {
					return t, fmt.Errorf("byte %d: the attribute %.20q is not closed", start, name)
				}
				value, s = between, rest
			} else {
				n := strings.IndexAny(s, blanks+">")
				if n < 0 {
					n = len(s)
				}
				value, s = s[:n], s[n:]
			}
		}
		if t.attributes == nil {
			t.attributes = map[string]string{}
		}
		t.attributes[name] = strings.TrimSpace(html.UnescapeString(value))
	}
}
