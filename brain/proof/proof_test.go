package proof

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/record"
	"tengen/brain/threat"
)

// proved returns proofs of every n-th position of testdata/threat, as the solver makes them.
func proved(t testing.TB, n int) (list []*Proof) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/threat/*-15.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("files %v, error %v", files, err)
	}
	v := threat.NewVCT(4 << 20)
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		puzzles, err := record.ReadPuzzles(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range puzzles {
			if i%n > 0 || p.Plies == 0 {
				continue
			}
			b := boardtest.New(t, p.Rule, p.Size, p.Size)
			if err := b.PlayAll(p.Moves); err != nil {
				t.Fatal(err)
			}
			v.SetGuide(eval.Embedded().New(b))
			if won := v.Win(b, threat.Limits{Nodes: 300}); won != nil {
				list = append(list, &Proof{Rule: p.Rule, Width: p.Size, Height: p.Size, Moves: p.Moves, Root: from(won, map[*threat.Proof]*Node{})})
			}
		}
	}
	return list
}

// from copies a proof of package threat.
func from(p *threat.Proof, done map[*threat.Proof]*Node) *Node {
	if p == nil || done[p] != nil {
		return done[p]
	}
	n := &Node{Move: p.Move, Else: from(p.Else, done)}
	for _, r := range p.Replies {
		n.Replies = append(n.Replies, Reply{r.Move, from(r.Next, done)})
	}
	done[p] = n
	return n
}

// to is the inverse of from.
func to(n *Node, done map[*Node]*threat.Proof) *threat.Proof {
	if n == nil || done[n] != nil {
		return done[n]
	}
	p := &threat.Proof{Move: n.Move, Else: to(n.Else, done)}
	for _, r := range n.Replies {
		p.Replies = append(p.Replies, threat.Reply{Move: r.Move, Next: to(r.Answer, done)})
	}
	done[n] = p
	return p
}

// texts returns the proof in both formats.
func texts(t testing.TB, p *Proof) (list [][]byte) {
	t.Helper()
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return p.WriteSGF(b) },
		func(b *bytes.Buffer) error { return p.WriteLines(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		list = append(list, b.Bytes())
	}
	return list
}

// TestProofs: proofs of the solver pass the check, also reduced, written and read again.
func TestProofs(t *testing.T) {
	rules := map[board.Rule]int{}
	for _, p := range proved(t, 25) {
		rules[p.Rule]++
		if _, err := p.Check(t.Context()); err != nil {
			t.Errorf("%v %v: %v", p.Rule, p.Moves, err)
			continue
		}
		small, err := p.Reduced(t.Context())
		if err != nil {
			t.Errorf("%v %v: %v", p.Rule, p.Moves, err)
			continue
		}
		if len(small.Nodes()) > len(p.Nodes()) {
			t.Errorf("%d nodes, reduced %d", len(p.Nodes()), len(small.Nodes()))
		}
		positions, err := small.Check(t.Context())
		if err != nil {
			t.Errorf("%v %v, reduced: %v", p.Rule, p.Moves, err)
		}
		for _, raw := range texts(t, small) {
			back, err := Read(raw)
			if err != nil {
				t.Fatalf("%v in\n%s", err, raw)
			}
			if n, err := back.Check(t.Context()); err != nil || n != positions || back.Plies() != small.Plies() || !slices.Equal(back.Moves, p.Moves) {
				t.Errorf("%d positions, %v, %d plies, of %v; want %d, %d of %v\n%s", n, err, back.Plies(), back.Moves, positions, small.Plies(), p.Moves, raw)
			}
		}
	}
	if len(rules) != 5 {
		t.Errorf("proofs of each rule: %v", rules)
	}
}

// moveChanged is the only damage after which a proof may still be one: by chance the move may be as good.
const moveChanged = "a move changed"

// The ways to damage a node of a proof. They return false if this node has nothing to damage.
var damages = map[string]func(r *rand.Rand, p *Proof, n *Node) bool{
	"a reply left out": func(r *rand.Rand, p *Proof, n *Node) bool {
		if len(n.Replies) == 0 {
			return false
		}
		i := r.IntN(len(n.Replies))
		n.Replies = slices.Delete(n.Replies, i, i+1)
		return true
	},
	"the answer to every other reply left out": func(r *rand.Rand, p *Proof, n *Node) bool {
		left := n.Else != nil && len(n.Replies) > 0
		n.Else = nil
		return left
	},
	moveChanged: func(r *rand.Rand, p *Proof, n *Node) bool {
		old := n.Move
		n.Move = board.At(r.IntN(p.Width), r.IntN(p.Height))
		return n.Move != old
	},
	"a reply changed": func(r *rand.Rand, p *Proof, n *Node) bool {
		m := board.At(r.IntN(p.Width), r.IntN(p.Height))
		if _, own := n.answer(m); own || len(n.Replies) == 0 {
			return false
		}
		n.Replies[r.IntN(len(n.Replies))].Move = m
		return true
	},
	"an end too early": func(r *rand.Rand, p *Proof, n *Node) bool {
		ends := n.Else == nil
		n.Replies, n.Else = nil, nil
		return !ends
	},
	"an end too late": func(r *rand.Rand, p *Proof, n *Node) bool {
		if n.Else != nil {
			return false
		}
		n.Else = &Node{Move: board.At(r.IntN(p.Width), r.IntN(p.Height))}
		return true
	},
}

// TestDamagedProofs: a proof that is damaged at random is refused, at the place of the damage.
func TestDamagedProofs(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 1))
	var small []*Proof
	for _, p := range proved(t, 12) {
		q, err := p.Reduced(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if nodes := len(q.Nodes()); nodes > 8 && nodes < 40 {
			small = append(small, q)
		}
	}
	refused := map[string]int{}
	for name, damage := range damages {
		for tries := 0; tries < 200 && refused[name] < 17; tries++ {
			p := *small[r.IntN(len(small))]
			p.Root = from(to(p.Root, map[*Node]*threat.Proof{}), map[*threat.Proof]*Node{}) // a copy
			nodes := p.Nodes()
			damaged := nodes[r.IntN(len(nodes))]
			if !damage(r, &p, damaged) {
				continue
			}
			_, err := p.Check(t.Context())
			if err == nil && (name != moveChanged || !holds(t, &p)) {
				t.Errorf("%s at %v: the check finds nothing\n%s", name, damaged.Move, texts(t, &p)[1])
			}
			if err == nil {
				continue
			}
			refused[name]++
			var fault *Fault
			if !errors.As(err, &fault) || !passes(&p, fault.Moves, damaged) {
				t.Errorf("%s: %v is not the damage at %v\n%s", name, err, damaged.Move, texts(t, &p)[1])
			}
			for _, raw := range texts(t, &p) {
				back, err := Read(raw)
				if err == nil {
					_, err = back.Check(t.Context())
				}
				if err == nil {
					t.Errorf("%s: written and read it holds\n%s", name, raw)
				}
			}
		}
	}
	all := 0
	for _, n := range refused {
		all += n
	}
	if all < 100 {
		t.Errorf("%d refused, %v", all, refused)
	}
}

// holds reports whether package threat finds no fault in the proof.
func holds(t *testing.T, p *Proof) bool {
	b := boardtest.New(t, p.Rule, p.Width, p.Height)
	if err := b.PlayAll(p.Moves); err != nil {
		t.Fatal(err)
	}
	return to(p.Root, map[*Node]*threat.Proof{}).Check(b) == nil
}

// passes reports whether the line of moves leads through n in the proof.
func passes(p *Proof, moves []board.Move, n *Node) bool {
	at := p.Root
	for at != n && len(moves) > 1 && at != nil && at.Move == moves[0] {
		at, _ = at.answer(moves[1])
		moves = moves[2:]
	}
	return at == n
}

// TestCheckEnds: the check ends with its context.
func TestCheckEnds(t *testing.T) {
	p := proved(t, 40)[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Check: %v", err)
	}
	if _, err := p.Reduced(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Reduced: %v", err)
	}
}

// TestDefense: a threatened win against every move but those that hold.
func TestDefense(t *testing.T) {
	moves, err := board.ParseMoves("h8a1h9a3h10", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	one := func(text string) board.Move {
		m, err := board.ParseMoves(text, 15, 15)
		if err != nil || len(m) != 1 {
			t.Fatal(text, err)
		}
		return m[0]
	}
	five := func(text string) *Node { return &Node{Move: one(text)} }
	p := &Proof{Width: 15, Height: 15, Moves: moves, Holds: []board.Move{one("h7"), one("h11")}, Root: &Node{
		Replies: []Reply{
			{one("h12"), &Node{Move: one("h7"), Replies: []Reply{{one("h6"), five("h11")}}, Else: five("h6")}},
		},
		Else: &Node{Move: one("h11"), Replies: []Reply{{one("h12"), five("h7")}}, Else: five("h12")},
	}}
	if p.Winner() != board.Black || p.Plies() != 3 {
		t.Errorf("%v in %d plies", p.Winner(), p.Plies())
	}
	positions, err := p.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	small, err := p.Reduced(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range texts(t, small) {
		back, err := Read(raw)
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		if n, err := back.Check(t.Context()); err != nil || n != positions || !slices.Equal(back.Holds, p.Holds) || back.Winner() != board.Black {
			t.Errorf("%d positions, want %d; %v holds; %v\n%s", n, positions, back.Holds, err, raw)
		}
	}
	p.Holds = p.Holds[1:]
	if _, err := p.Check(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "after h7") {
		t.Errorf("without h7 among the moves that hold: %v", err)
	}
}

// TestPasses: a position may have passes.
func TestPasses(t *testing.T) {
	const text = `{"proof":1,"rule":0,"width":15,"height":15,"pos":"passh8a1h9a3h10a5h11a7","winner":"white","plies":1,"nodes":1}` + "\n" + `{"n":1,"move":"h12"}` + "\n"
	p, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range texts(t, p) {
		back, err := Read(raw)
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		if n, err := back.Check(t.Context()); err != nil || n != 1 || back.Winner() != board.White || !slices.Equal(back.Moves, p.Moves) {
			t.Errorf("%d positions, %v, %v wins after %v", n, err, back.Winner(), back.Moves)
		}
	}
}

// TestRead: what cannot be read is refused, with the place.
func TestRead(t *testing.T) {
	const head = `{"proof":1,"rule":0,"width":15,"height":15,"pos":"h8a1h9a3h10a5","winner":"black","plies":3,"nodes":3}` + "\n"
	const good = head + `{"n":1,"move":"h11","answers":[{"to":"h12","n":2},{"n":3}]}` + "\n" + `{"n":2,"move":"h7"}` + "\n" + `{"n":3,"move":"h12"}` + "\n"
	p, err := Read([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	tree := string(texts(t, p)[0])
	tests := []struct{ name, text, says string }{
		{"nothing", "", "no proof: the file is empty"},
		{"another object", "{}", "line 1: proof 0, want 1"},
		{"an unknown field", strings.Replace(good, "plies", "plys", 1), `no proof: line 1: unknown field "plys"`},
		{"a text", "hello", "no proof: line 1: no JSON: "},
		{"a line of another kind", strings.Replace(good, `"n":2`, `"n":"two"`, 1), "line 2: answers.n: a string cannot stand there"},
		{"a cut file", good[:len(good)-21], "the file ends after 2 of 3 nodes"},
		{"a cut line", good[:len(good)-3], "line 4: "},
		{"more", good + `{"n":4,"move":"a2"}`, "there is more"},
		{"a node above", strings.Replace(good, `{"n":3}`, `{"n":1}`, 1), "line 2: answer 1"},
		{"no such node", strings.Replace(good, `{"n":3}`, `{"n":4}`, 1), "line 2: answer 4"},
		{"two answers", strings.Replace(good, `"to":"h12"`, `"to":"h12h12"`, 1), "line 2: two answers to h12"},
		{"two other answers", strings.Replace(good, `"to":"h12"`, `"to":""`, 1), "line 2: two answers to every other reply"},
		{"off the board", strings.Replace(good, `"to":"h12"`, `"to":"h16"`, 1), "line 2: bad move"},
		{"two moves", strings.Replace(good, `"move":"h12"`, `"move":"h12h13"`, 1), "line 4: move"},
		{"no move", strings.Replace(good, `,"move":"h12"`, ``, 1), "line 4: move"},
		{"a number too high", strings.Replace(good, `"n":3,"move"`, `"n":4,"move"`, 1), "line 4: node 4"},
		{"another winner", strings.Replace(good, "black", "white", 1), "line 1: the winner"},
		{"many nodes", strings.Replace(good, `"nodes":3`, `"nodes":999999999`, 1), "line 1: 999999999 nodes"},
		{"a large board", strings.Replace(good, `"width":15`, `"width":99`, 1), "line 1: there is no board"},
		{"a taken cell", strings.Replace(good, "h10a5", "h10h9", 1), "move 6 of the position, h9, is not legal"},
		{"a game that is over", strings.Replace(good, "h10a5", "h10a5h11a7h12a9", 1), "over after move 9"},
		{"a continuous game", strings.Replace(good, `"rule":0`, `"rule":2`, 1), "rule 2 has no proofs"},
		{"a tree without a start", strings.Replace(tree, "START[1]", "", 1), "no move has START[1]"},
		{"a tree without a winner", strings.Replace(tree, "RE[B+1]", "", 1), "RE does not say"},
		{"a tree of the other side", strings.Replace(tree, "RE[B+1]", "RE[W+1]", 1), "want one move of white"},
		{"a tree without a rule", strings.Replace(tree, "RU[freestyle]", "", 1), "the rule is not in the file"},
		{"a tree without an answer", strings.Replace(tree, ";B[hi]", "", 1), "no answer to h12"},
		{"two trees", tree + tree, "2 games"},
		{"a move of the wrong color", strings.Replace(tree, ";B[hi]", ";W[hi]", 1), "want one move of black"},
	}
	for _, test := range tests {
		p, err := Read([]byte(test.text))
		if err == nil {
			_, err = p.Check(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q\n%s", test.name, err, test.says, test.text)
		}
	}
}

// TestSame: an SGF tree cannot go on as a node that is not complete, or not there.
func TestSame(t *testing.T) {
	var shared *Proof
	for _, p := range proved(t, 12) {
		small, err := p.Reduced(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(texts(t, small)[0]), goesOn) {
			shared = small
			break
		}
	}
	if shared == nil {
		t.Fatal("no proof has positions that are reached in several ways")
	}
	tree := string(texts(t, shared)[0])
	for _, name := range []string{goesOn + "[0]", goesOn + "[]"} {
		text := strings.Replace(tree, goesOn+"[1]", name, 1)
		if text == tree {
			t.Fatalf("no %s[1] in\n%s", goesOn, tree)
		}
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), "is no node before it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
