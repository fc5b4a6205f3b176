//go:build e2e

package main

import (
	"strings"
	"testing"
)

// The browser reads what is served as it reads the sources: it knows all scripts for scripts, and
// the style sheet and the page are the same but for blanks between elements.
func TestStrippedPageIsThePage(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	var scripts, wrong []string
	for _, name := range pageFiles(t) {
		if strings.HasSuffix(name, ".js") {
			scripts = append(scripts, "/"+name)
		}
	}
	b.js(`return Promise.all(arguments[0].map((name) => import(name).then(() => '', (error) => name + ': ' + error))).then((list) => list.filter(Boolean))`, &wrong, scripts)
	if len(wrong) > 0 {
		t.Errorf("the browser cannot read %q", wrong)
	}
	var same bool
	b.js(`const rules = (text) => { // values with variables are as they are written
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(text);
			return Array.from(sheet.cssRules, (r) => r.cssText.replace(/, /g, ',').replace(/\b0\./g, '.'));
		};
		const source = rules(arguments[0]);
		return fetch('/style.css').then((r) => r.text()).then(rules).then((served) => source.length === served.length ? source.filter((rule, i) => rule !== served[i]) : ['all']);`, &wrong, pageFile(t, "style.css"))
	if len(wrong) > 0 {
		t.Errorf("the style sheet has other rules than %q", wrong)
	}
	b.js(`const page = (text) => new DOMParser().parseFromString(text, 'text/html').documentElement.outerHTML.replace(/\s+/g, ' ');
		return fetch('/').then((r) => r.text()).then((text) => page(text).length > 10000 && page(arguments[0]) === page(text))`, &same, pageFile(t, "index.html"))
	if !same {
		t.Error("the page is another one")
	}
	b.quiet()
}
