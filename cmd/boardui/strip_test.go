package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestStripScript(t *testing.T) {
	tests := []struct{ line, want string }{
		{`const a = { b: [1, 2], c: 'x, y' };`, `const a={b:[1,2],c:'x, y'};`},
		{`if (a === b && !c) return (d) => d; // why`, `if(a===b&&!c)return(d)=>d;`},
		{`// a whole line: it's a comment`, ``},
		{`} catch { /* as above */ }`, `}catch{  }`},
		{`x = y + +z - -w; i++; a--;`, `x=y+ +z- -w;i++;a--;`},
		{`p = q ? .5 : r ?? [s];`, `p=q? .5:r?? [s];`},
		{`f(a, ...b, { ...c, d: !e });`, `f(a,...b,{...c,d:!e});`},
		{`half = (width - 1) / 2, third = n / 3;`, `half=(width-1) / 2,third=n / 3;`},
		{`if (/^(a|b) $/.test(c)) return;`, `if (/^(a|b) $/.test(c)) return;`},
		{`url = 'http://a.b // c'; // d`, `url='http://a.b // c';`},
		{"s = `a ${b} , c`;", "s=`a ${b} , c`;"},
		{"s = `a ${b.map((c) => `d, ${c}`)}` + e;", "s = `a ${b.map((c) => `d, ${c}`)}` + e;"},
		{`quote = 'it\'s , so';`, `quote='it\'s , so';`},
		{`return 'a' in b || typeof c;`, `return 'a' in b||typeof c;`},
		{`import * as api from './api.js';`, `import*as api from './api.js';`},
		{`say('–' + ' ' + '数 , 数');`, `say('–'+' '+'数 , 数');`},
	}
	for _, test := range tests {
		if got, err := stripScript(test.line); err != nil || got != test.want {
			t.Errorf("%s\nis %s, %v\nwant %s", test.line, got, err, test.want)
		}
	}
	for _, line := range []string{"const s = `a", "b` + c;", "x = /`/.test(y);", `it's`, "/* a comment", "`a` / `b"} {
		if got, err := stripScript(line); err == nil {
			t.Errorf("%s becomes %s without an error", line, got)
		}
	}
}

func TestStripStyle(t *testing.T) {
	tests := []struct{ line, want string }{
		{`a :is(b, c) > d:hover { margin: 0 0.5rem -0.25em; }`, `a :is(b,c) > d:hover{margin:0 .5rem -.25em}`},
		{`p::after { content: " ; 0.5 "; width: calc(10.5px - 0.5 * (1px + 2px)); }`, `p::after{content:" ; 0.5 ";width:calc(10.5px - .5 * (1px + 2px))}`},
		{`@media (min-width: 560px) and (max-height: 520px) {`, `@media (min-width:560px) and (max-height:520px){`},
		{`/* why; { */`, ``},
	}
	for _, test := range tests {
		if got, err := stripStyle(test.line); err != nil || got != test.want {
			t.Errorf("%s\nis %s, %v\nwant %s", test.line, got, err, test.want)
		}
	}
	for _, line := range []string{`a { content: "x`, `a { content: 'x, y'; }`, `a { b: c; } /* why`, `/* a comment`} {
		if got, err := stripStyle(line); err == nil {
			t.Errorf("%s becomes %s without an error", line, got)
		}
	}
}

// A token of a script: a comment, a text, a word or number, or the longest mark.
var token = regexp.MustCompile("//.*|/\\*.*?\\*/" + `|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|` + "`(?:\\\\.|[^`\\\\])*`" +
	`|[\w$]+|\.\.\.|===|!==|\*\*=|&&=|\|\|=|\?\?=|>>>|=>|==|!=|<=|>=|\*\*|&&|\|\||\?\?|\?\.|\+\+|--|<<|>>|[-+*/%&|^]=|\S`)

func tokens(line string) []string {
	list := token.FindAllString(line, -1)
	return slices.DeleteFunc(list, func(s string) bool { return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*") })
}

// Every script that is served has the same tokens as its source, line by line. Lines that stay as
// they are need no comparison.
func TestStrippedScriptsSayTheSame(t *testing.T) {
	for _, name := range pageFiles(t) {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		stripped, changed := 0, 0
		for line := range strings.Lines(pageFile(t, name)) {
			line = strings.Trim(line, "\t\n")
			got, err := stripScript(line)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			stripped++
			if got == line {
				continue
			}
			changed++
			if !slices.Equal(tokens(got), tokens(line)) {
				t.Errorf("%s: %s\nhas become %s", name, line, got)
			}
		}
		if changed < stripped/3 {
			t.Errorf("%s: only %d of %d lines are shorter", name, changed, stripped)
		}
	}
}
