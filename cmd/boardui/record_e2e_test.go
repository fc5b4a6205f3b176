//go:build e2e

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A pageGame is what the page makes of a game of a file.
type pageGame struct {
	Text  string   // its tree in JSON, and more
	Cells []int    // of the main line
	Back  fileGame // sent to the server again
}

// readAsPage reads and writes games of files as the page does.
func (b *browser) readAsPage(games []fileGame) (list []pageGame) {
	b.t.Helper()
	b.js(`const games = arguments[0];
		return import(new URL('record.js', location.href)).then((m) => games.map(({ tree: { game, ...facts }, outcome, encoding }) => {
			const read = m.read(facts, outcome), Cells = [];
			for (let at = read.root; at.next.length;) Cells.push(([at] = at.next)[0].cell);
			return { Text: JSON.stringify(read), Cells, Back: { encoding, ...m.write({ ...facts, ...read }, { ...facts, outcome }) } };
		}))`, &list, games)
	return list
}

func readSGF(t *testing.T, sgf string) *record.Tree {
	t.Helper()
	trees, err := record.Read([]byte(sgf), record.Reading{})
	if err != nil {
		t.Fatalf("%v in %s", err, sgf)
	}
	return trees[0]
}

func treeText(t *record.Tree) string {
	raw, _ := t.MarshalJSON() // a tree is plain data
	return string(raw)
}

// Every tree that the page gets goes back to a file as it came, and each kind of move is in it.
func TestTreesComeBackFromThePage(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	tests := []struct{ name, sgf, in string }{
		{"a line", "(;SZ[15]RU[renju]PB[A]PW[B]RE[B+1]DT[2026-01-02];B[hh];W[ii];B[jj])", `"cell":112`},
		{"times and opening", "(;SZ[15];B[hh]C[opening move];W[ii]C[opening move];B[jj]C[12ms])", `"took":12`},
		{"variations and comments", "(;SZ[15]C[start];B[hh]C[one\\]two\nthree](;W[ii];B[jj])(;W[ij]N[name];B[ji](;W[aa])(;W[ab])))", "one]two\\nthree"},
		{"marks", "(;SZ[15];B[hh]LB[aa:A][bb:12]TR[cc]SQ[dd]CR[ee]MA[ff])", `"kind":"triangle"`},
		{"unknown properties", "(;SZ[15]XX[a][b];B[hh]YY[c\\]d])", `"more":[["YY"`},
		{"set up stones", "(;SZ[15]AB[hh][ii]AW[jj];W[aa])", `"setup":true`},
		{"set up with a side that is not usual", "(;SZ[15]AB[hh]AW[jj]PL[W];W[aa];B[bb])", `"setup":true`},
		{"a handicap", "(;SZ[15]AB[hh][hj][hl];W[aa];B[bb])", `"opening":5`},
		{"only white stones", "(;SZ[15]AW[hh][hj];B[aa])", `"opening":4`},
		{"white begins", "(;SZ[15];W[hh];B[ii])", `"auto":true`},
		{"a player moves twice", "(;SZ[15];B[hh];B[ii];W[jj])", `"auto":true`},
		{"passes", "(;SZ[15];B[hh];W[];B[jj];W[])", `"cell":-1`},
		{"moves after the five", "(;SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])", `"moves":10`},
		{"a variation in which a player moves twice", "(;SZ[15];B[hh](;B[ii])(;W[jj])(;W[]))", `"auto":true`},
		{"hot and a side", "(;SZ[15]PL[W];W[hh]HO[1])", `"hot":true`},
		{"a large board", "(;SZ[20:19]RU[0];B[ts])", `"cell":379`},
	}
	var sent []fileGame
	for _, test := range tests {
		list, _, f := readGames([]byte(test.sgf), record.Reading{})
		if f != nil {
			t.Fatalf("%s: %v", test.name, f)
		}
		sent = append(sent, list[0])
	}
	for i, got := range b.readAsPage(sent) {
		test := tests[i]
		if !strings.Contains(got.Text, test.in) {
			t.Errorf("%s: the page has %s, want %s in it", test.name, got.Text, test.in)
		}
		data, f := got.Back.write("sgf")
		if f != nil {
			t.Fatalf("%s: %v", test.name, f)
		}
		back, want := readSGF(t, string(data)), readSGF(t, test.sgf)
		if back.RuleKnown = want.RuleKnown; !back.RuleKnown {
			back.Rule = want.Rule
		}
		if !reflect.DeepEqual(back, want) {
			t.Errorf("%s:\nread %s\nback %s", test.name, treeText(want), treeText(back))
		}
	}
	b.quiet()
}

// The main line of the page is the one of package record, in all files that people have.
func TestMainLinesOfThePage(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	names, err := filepath.Glob("../../testdata/files/*")
	if err != nil {
		t.Fatal(err)
	}
	var sent []fileGame
	var from []string
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, _, _ := readGames(raw, record.Reading{}) // some are no games
		for _, v := range list {
			sent, from = append(sent, v), append(from, filepath.Base(name))
		}
	}
	for i, got := range b.readAsPage(sent) {
		tree := sent[i].Tree
		g, err := tree.Game()
		if err != nil {
			t.Fatal(from[i], err)
		}
		var cells []int
		for _, m := range g.Moves {
			cell := -1
			if m != board.None {
				cell = m.Y()*tree.Width + m.X()
			}
			cells = append(cells, cell)
		}
		if !slices.Equal(got.Cells, cells) {
			t.Errorf("%s: cells %v, want %v", from[i], got.Cells, cells)
		}
		back, err := got.Back.Tree.Game()
		if got.Back.Outcome != sent[i].Outcome || err != nil || !slices.Equal(back.Moves, g.Moves) || !slices.Equal(back.Millis, g.Millis) || back.Opening != g.Opening {
			t.Errorf("%s: back come %+v %q, want %+v %q, %v", from[i], back, got.Back.Outcome, g, sent[i].Outcome, err)
		}
	}
	b.quiet()
}

// What nodes of a file say that are no moves of the page, and what moves of the page say that are no
// nodes of the file; how a game has ended besides a row is in its last move.
func TestWhatThePageMakesOfNodes(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	for _, test := range []struct{ sgf, script, want string }{
		{"(;SZ[15];B[hh]C[a];C[b];W[ii])", `const [n] = read.root.next; return [n.comment, n.next.length, n.next[0].cell, read.moves]`, "a\nb,1,128,3"},
		{"(;SZ[15](;C[a](;B[hh];W[ii])(;B[hi]))(;B[gg])(;C[b];B[gh]))", `return [...read.root.next.map((n) => n.cell), read.root.comment]`, "112,127,96,111,a\nb"},
		{"(;SZ[15]AB[hh]AW[jj]C[c];B[aa])", say + `return JSON.stringify([root.comment, root.marks])`, `["before\na\nb\nc",[{"at":"d1","kind":"cross"}]]`},
		{"(;SZ[15];B[hh];B[ii]C[c])", say + `return JSON.stringify(root)`, `{"comment":"before","black":"","white":"","next":[{"color":"black","move":"h8","comment":"a\nb","marks":[{"at":"d1","kind":"cross"}],"next":[{"color":"black","move":"i9","comment":"c"}]}]}`},
		{"(;SZ[15]RE[W+1]TE[resigned];B[hh])", ended, "black, resigned W+1 white"},
		{"(;SZ[15]RE[B+Resign];B[hh])", ended, "white, resigned B+Resign black"},
		{"(;SZ[15]RE[W+1]TE[timeout];B[hh])", ended, "black,true timeout W+1 white"},
		{"(;SZ[15]RE[B+Time];B[hh])", ended, "white,true timeout B+Time black"},
		{"(;SZ[15]RE[0]TE[timeout];B[hh])", ended, ", timeout 0 draw"},
		{"(;SZ[15]RE[W+1];B[hh])", ended, ",  W+1 white"},
		{"(;SZ[15]RE[W+R];B[hh])", `delete m.end(read.root).resigned; return write().tree.result`, ""},
	} {
		list, _, f := readGames([]byte(test.sgf), record.Reading{})
		if f != nil {
			t.Fatalf("%s: %v", test.sgf, f)
		}
		raw, err := json.Marshal(list[0])
		if err != nil {
			t.Fatal(err)
		}
		b.expect(test.sgf, b.module("record.js", `const {tree, outcome} = `+string(raw)+`, read = m.read(tree, outcome), write = () => m.write({...tree, ...read}, {...tree, outcome});`+test.script), test.want)
	}
	b.quiet()
}

const (
	// say adds comments and a mark, as a person does: the second move has a comment of the file, or is a
	// pass between two moves.
	say = `read.root.comment = 'before';
		const [first] = read.root.next, second = first.next[0];
		first.comment = 'a';
		first.marks = [{ cell: 3, kind: 'cross' }];
		second.comment = second.comment ? 'b\n' + second.comment : 'b';
		const { root } = write().tree;`
	ended = `const n = read.root.next[0], { tree: t, outcome: o } = write(); return [n.resigned, n.flagged] + ' ' + [t.reason, t.result, o].join(' ')`
)
