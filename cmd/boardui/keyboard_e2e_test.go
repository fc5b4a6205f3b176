//go:build e2e

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

const (
	keyTab    = "\ue004"
	keyEnter  = "\ue007"
	keyEscape = "\ue00c"
	keyRight  = "\ue014"
)

// namelessControls are the controls that a screen reader would announce without a name or
// without saying what they are, as the browser's accessibility tree has them.
func (b *browser) namelessControls() (bad []string) {
	b.t.Helper()
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
			Properties []struct {
				Name  string
				Value struct{ Value any }
			}
			BackendDOMNodeID int
		}
	}
	b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "Accessibility.getFullAXTree", "params": map[string]any{}}, &tree)
	controls := 0
	for _, n := range tree.Nodes {
		focusable := false
		for _, p := range n.Properties {
			focusable = focusable || p.Name == "focusable" && p.Value.Value == true
		}
		if n.Ignored || !focusable || n.Role.Value == "RootWebArea" {
			continue
		}
		controls++
		name, _ := n.Name.Value.(string)
		role, _ := n.Role.Value.(string)
		if name != "" && !slices.Contains([]string{"", "none", "generic", "presentation"}, role) {
			continue
		}
		var described struct{ Node json.RawMessage }
		b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "DOM.describeNode", "params": map[string]any{"backendNodeId": n.BackendDOMNodeID}}, &described)
		bad = append(bad, fmt.Sprintf("%s %q %.150s", role, name, described.Node))
	}
	if controls == 0 {
		b.t.Error("no control is seen")
	}
	return bad
}

// walk presses Tab from the first control below a part of the page to the last, and checks that
// it stops at every control in the order of the page, that each is in view with a ring around
// it, and has a name.
func (b *browser) walk(what, part string) {
	b.t.Helper()
	var want []string
	b.js(`const part = document.querySelector(arguments[0]);
		const controls = [...part.querySelectorAll('button, select, input, textarea, summary, [tabindex]')].filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility() &&
			!(e.type === 'radio' && !e.checked && part.querySelector('input[name=' + e.name + ']:checked')));
		const name = (e) => e.id ? '#' + e.id : e.tagName + ' ' + (e.getAttribute('aria-label') || e.textContent).slice(0, 30);
		window.path = [];
		window.faults = [];
		if (window.watcher) document.removeEventListener('focusin', window.watcher);
		window.watcher = ({target}) => {
			if (!part.contains(target)) return;
			window.path.push(name(target));
			setTimeout(() => {
				const r = target.getBoundingClientRect(), ring = [target, target.nextElementSibling, target.closest('#frame')].some((e) => e && getComputedStyle(e).outlineStyle !== 'none');
				if (!ring && document.activeElement === target) window.faults.push(name(target) + ' shows no ring');
				if (document.activeElement === target && (r.bottom < 1 || r.top > innerHeight - 1)) window.faults.push(name(target) + ' is out of view');
			});
		};
		document.addEventListener('focusin', window.watcher);
		document.activeElement.blur();
		controls[0].focus();
		return controls.map(name)`, &want, part)
	if len(want) > 1 {
		b.keys(slices.Repeat([]string{keyTab}, len(want)-1)...)
	}
	var got, faults []string
	b.js(`return window.path`, &got)
	b.js(`return new Promise((done) => setTimeout(() => done(window.faults), 20))`, &faults)
	if !slices.Equal(got, want) {
		b.t.Errorf("%s: Tab stops at\n%q, want\n%q", what, got, want)
	}
	for _, f := range faults {
		b.t.Errorf("%s: %s", what, f)
	}
	for _, n := range b.namelessControls() {
		b.t.Errorf("%s: without a name for screen readers: %s", what, n)
	}
}

// focused is the control that has the focus.
func (b *browser) focused() string {
	b.t.Helper()
	return b.text(`(() => { const e = document.activeElement; return e.id || e.className || e.textContent || e.tagName; })()`)
}

// Everything can be reached and done by keyboard, and a screen reader has a name for it.
func TestKeyboardThroughAllPanels(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.loadPos("h8i9h9h10i8g8j8k8i7")
	b.keys("[", "[")
	b.settle()
	b.place("g7") // a variation
	b.walk("the page", "body")

	// From tab to tab with the arrows.
	b.js(`document.getElementById('tab-play').focus()`, nil)
	for _, panel := range []string{"analysis", "review", "explorer", "puzzles", "moves"} {
		b.js(`document.querySelector('[role=tab][aria-selected=true]').focus()`, nil)
		b.keys(keyRight)
		b.expect("after an arrow", b.focused(), "tab-"+panel)
		b.wait("its panel", `!document.getElementById('panel-`+panel+`').hidden`)
		b.settle() // its module is loaded
		press := func(id string) {
			t.Helper()
			b.wait(id+" can be pressed", `(() => { const e = document.getElementById('`+id+`'); return e && !e.disabled && e.getClientRects().length; })()`)
			b.js(`document.getElementById(arguments[0]).focus()`, nil, id)
			b.keys(keyEnter)
		}
		switch panel {
		case "analysis":
			press("threatened")
			b.wait("what threatens", `document.querySelector('#proof .headline button') && !/Looking/.test(document.getElementById('proof').textContent)`)
			press("even")
			b.wait("an even move", `/^Even/.test(document.getElementById('lines').textContent)`)
			press("why")
			b.wait("the tool", `document.getElementById('tool-text').textContent`)
			b.keys(keyEscape)
			b.wait("Escape leaves the tool", `!document.getElementById('tool-text').textContent`)
		case "review":
			b.choose("#effort", "fast")
			b.hold("/api/review", "")
			press("review")
			b.wait("it runs", `document.activeElement.id === 'review-cancel'`)
			b.release("go")
			b.wait("the summary", `document.querySelectorAll('#summary tr').length === 6`)
			b.wait("the focus stays in the panel", `document.activeElement.closest('#panel-review')`)
		case "explorer":
			b.wait("what is known", `document.getElementById('known-count').textContent`)
		case "puzzles":
			b.wait("the rules", `document.getElementById('puzzle-rule').options[1]?.text === 'Standard'`)
			press("puzzle-start")
			b.wait("a puzzle", `document.getElementById('puzzle-task').textContent`)
			b.settle()
			b.wait("the focus stays in the panel", `document.activeElement.closest('#panel-puzzles')`)
		}
		b.settle()
		b.walk("the panel "+panel, "#panel-"+panel)
		if panel == "puzzles" {
			press("puzzle-leave")
			b.settle()
			b.wait("the focus stays in the panel", `document.activeElement.closest('#panel-puzzles')`)
		}
	}

	// The editor, from its button with Enter: the focus goes to its tools, and Escape leaves.
	b.js(`document.getElementById('edit').focus()`, nil)
	b.keys(keyEnter)
	b.wait("the editor", `!document.getElementById('setup').hidden && document.activeElement.closest('#setup')`)
	b.walk("the editor", "#setup")
	b.keys(keyEscape)
	b.wait("Escape leaves it", `document.getElementById('setup').hidden && document.activeElement.id === 'board'`)

	// The dialogs take the focus, keep it, and give it back.
	dialogs := []string{"new", "library", "files", "help"}
	if !*inFolder { // there no program is asked for its addresses
		dialogs = append(dialogs, "phone")
	}
	for _, dialog := range dialogs {
		b.js(`document.getElementById(arguments[0]).focus()`, nil, dialog)
		b.keys(keyEnter)
		b.wait("the dialog "+dialog, `document.getElementById('`+dialog+`-dialog').open && document.activeElement.closest('#`+dialog+`-dialog')`)
		b.walk("the dialog "+dialog, "#"+dialog+"-dialog")
		b.keys(keyEscape)
		b.wait("Escape closes it", `!document.getElementById('`+dialog+`-dialog').open`)
		b.expect("the focus after the dialog "+dialog, b.focused(), dialog)
	}
	b.quiet()
}

// The keys of letters are where they are on a keyboard with other letters.
func TestKeysOfOtherAlphabets(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.js(`for (const [key, code] of [['т', 'KeyN'], ['ㅅ', 'KeyT']]) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code, bubbles: true}))`, nil)
	b.expect("numbers and threats", b.text(`document.getElementById('numbers').checked + ' ' + document.getElementById('threats').checked`), "true true")
	b.quiet()
}
