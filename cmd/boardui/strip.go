package main

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// strip returns a file of the page as it is served: without what only those who read the source
// need. Line breaks stay, so that no statement ends elsewhere, but for those of a style sheet
// where a mark ends the line.
func strip(name string, data []byte) ([]byte, error) {
	var line func(string) (string, error)
	switch path.Ext(name) {
	case ".js":
		line = stripScript
	case ".css":
		line = stripStyle
	case ".html":
		line = func(s string) (string, error) { return s, nil }
	default:
		return data, nil
	}
	var b bytes.Buffer
	for s := range strings.Lines(string(data)) {
		s, err := line(strings.Trim(s, "\t\n"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if s == "" {
			continue
		}
		b.WriteString(s)
		if path.Ext(name) != ".css" || strings.IndexByte("{};", s[len(s)-1]) < 0 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}

// stripScript returns a line of a script without comments and without blanks beside marks. It
// knows little of the language: a line with a slash that may begin a regular expression stays as
// it is, and so does one with a template in a template. Templates and comments between stars that
// take more than a line are errors.
func stripScript(line string) (string, error) {
	var b []byte
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch c := line[i]; {
		case c == '\'' || c == '"' || c == '`':
			n := quoted(rest)
			if n == 0 {
				return line, fmt.Errorf("a text that does not end on its line: %s", line)
			}
			if text := rest[:n]; c == '`' && strings.Count(text, "{") != strings.Count(text, "}") {
				return line, even(line)
			}
			b = append(b, rest[:n]...)
			i += n - 1
		case strings.HasPrefix(rest, "//"):
			return string(bytes.TrimRight(b, " ")), nil
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				return line, fmt.Errorf("a comment that does not end on its line: %s", line)
			}
			i += n + 1
		case c == '/' && !divides(b, rest):
			return line, even(line)
		case c == ' ' && len(b) > 0 && len(rest) > 1 && idle(b[len(b)-1], rest[1]):
		default:
			b = append(b, c)
		}
	}
	return string(b), nil
}

// divides reports whether a slash at the start of rest divides what b ends with. No regular
// expression here begins with a blank.
func divides(b []byte, rest string) bool {
	before, blank := bytes.CutSuffix(b, []byte(" "))
	return blank && len(before) > 0 && (isWord(before[len(before)-1]) || bytes.HasSuffix(before, []byte(")"))) && strings.HasPrefix(rest, "/ ")
}

// even returns an error if a line that is not understood may begin or end a template.
func even(line string) error {
	if strings.Count(line, "`")%2 != 0 {
		return fmt.Errorf("a template that may not end on its line: %s", line)
	}
	return nil
}

// quoted returns the length of the text in quotes at the start of s, 0 if it does not end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}

const (
	points    = ",;:?(){}[]"
	operators = "=&|<>*+-%"
)

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}

// idle reports whether a script says the same without a blank between two characters: a word and
// a mark, or two marks that do not make another one together.
func idle(before, after byte) bool {
	is := func(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }
	switch {
	case is(after, points):
		return isWord(before) || is(before, points+operators+"'\"`!") && before != '?'
	case is(after, operators):
		return isWord(before) || is(before, "'\"`)]}")
	case after == '.':
		return is(before, ",([{")
	}
	return (isWord(after) || is(after, "'\"`!")) && is(before, points+operators+"!")
}

// stripStyle returns a line of a style sheet without comments and without blanks beside the marks
// that part rules, properties and values. Before a colon a blank matters: it may begin the name of
// a state.
func stripStyle(line string) (string, error) {
	if strings.HasPrefix(line, "/*") && strings.HasSuffix(line, "*/") {
		return "", nil
	}
	var b []byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			n := quoted(line[i:])
			if n == 0 {
				return line, fmt.Errorf("a text that does not end on its line: %s", line)
			}
			b = append(b, line[i:i+n]...)
			i += n - 1
		case c == '\'' || strings.HasPrefix(line[i:], "/*"):
			return line, fmt.Errorf("neither single quotes nor comments beside rules are understood: %s", line)
		case c == ' ' && i+1 < len(line) && (bytes.IndexByte([]byte("{}"), line[i+1]) >= 0 || len(b) > 0 && bytes.IndexByte([]byte(":;,{}"), b[len(b)-1]) >= 0):
		case c == '}' && bytes.HasSuffix(b, []byte(";")):
			b[len(b)-1] = c
		case c == '0' && i > 0 && strings.HasPrefix(line[i+1:], ".") && strings.IndexByte(" :,(-", line[i-1]) >= 0: // as in 0.5
		default:
			b = append(b, c)
		}
	}
	return string(b), nil
}
