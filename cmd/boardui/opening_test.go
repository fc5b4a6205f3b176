//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"tengen/brain/opening"
)

func (q *tester) opening(rule int, name string, choices []string, choose bool) (last openingStep) {
	q.t.Helper()
	raw, _ := json.Marshal(openingOrder{"game-of-a-test-o", 15, 15, 0, name, choices, choose})
	raw = []byte(fmt.Sprintf(`%s,"rule":%d}`, raw[:len(raw)-1], rule))
	response := q.post("/api/opening", string(raw), nil)
	in := bufio.NewScanner(response.Body)
	for in.Scan() {
		last = openingStep{}
		if err := json.Unmarshal(in.Bytes(), &last); err != nil {
			q.t.Fatalf("%v in %q", err, in.Text())
		}
	}
	q.server.games.forget()
	return last
}

// The engine plays both sides of every opening to its end. It gets one decision after the
// other, and all of them are legal.
func TestEngineOpensUnderEveryRule(t *testing.T) {
	q := newTester(t, 2, stub("meek"))
	q.server.openingTime = 100 * time.Millisecond
	for _, rule := range opening.Rules() {
		if rule == opening.Free {
			continue
		}
		var choices []string
		for range 20 {
			a := q.opening(4, rule.String(), choices, false)
			if a.fault != nil || !a.Known {
				t.Fatalf("%v after %q: %+v", rule, choices, a.fault)
			}
			if a.Done {
				break
			}
			if len(a.Actions) == 0 || a.By == "" {
				t.Fatalf("%v after %q: %+v", rule, choices, a)
			}
			next := q.opening(4, rule.String(), choices, true)
			if next.fault != nil || len(next.Choices) <= len(choices) {
				t.Fatalf("%v after %q: %+v %v", rule, choices, next, next.fault)
			}
			choices = next.Choices
		}
		if end := q.opening(4, rule.String(), choices, false); !end.Done || len(end.Stones) < 6 {
			t.Errorf("%v ends with %q: %+v", rule, choices, end)
		}
		t.Log(rule, choices)
	}
	q.expectIdle(2 * stopLimit)
}

func TestOnlyLegalChoicesAreTaken(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	tests := []struct {
		name    string
		opening string
		choices []string
	}{
		{"an unknown rule", "chess", nil},
		{"no rule", "", nil},
		{"black begins outside of the middle", "RIF", []string{"put a1"}},
		{"white's second far away", "RIF", []string{"put h8", "put a1"}},
		{"a swap too early", "RIF", []string{"put h8", "swap"}},
		{"a third stone of pro in the middle", "pro", []string{"put h8", "put a1", "put h9"}},
		{"no choice at all", "RIF", []string{"put"}},
		{"a stone on a stone", "long pro", []string{"put h8", "put h8"}},
		{"too many", "RIF", make([]string, mostChoices+1)},
	}
	for _, test := range tests {
		status, _ := q.ask("/api/opening", openingOrder{"game-of-a-test-o", 15, 15, 4, test.opening, test.choices, false}, &struct{}{})
		if status != 400 {
			t.Errorf("%s: %d, want 400", test.name, status)
		}
	}
	// Rows count from the bottom for people, other than in requests.
	o := openingOrder{"game-of-a-test-o", 15, 15, 4, "swap2", []string{"put h1", "put h1"}, false}
	if _, f := o.state(); f == nil || f.Text != "choice 2: h15 is taken" {
		t.Errorf("of a stone on a stone it says %v", f)
	}
	// Two fifth moves that mirror each other are one offer: the second is not among the cells.
	a := q.opening(4, "RIF", []string{"put h8", "put h7", "put h6", "stay", "put h9", "offer g7"}, false)
	if a.fault != nil || len(a.Actions) != 1 || a.Actions[0] != "offer" || contains(a.Cells, "i7") || !contains(a.Cells, "g8") {
		t.Errorf("after one offer: %+v %v", a, a.fault)
	}
}

// contains reports whether pos notation has a move.
func contains(cells, move string) bool {
	for i := 0; i+len(move) <= len(cells); i++ {
		if cells[i:i+len(move)] == move && (i+len(move) == len(cells) || cells[i+len(move)] >= 'a') {
			return true
		}
	}
	return false
}

// An opening with as many fifth moves as its rule allows can be played to the end.
func TestManyFifthMoves(t *testing.T) {
	o := openingOrder{"game-of-a-test-o", 21, 21, 4, "Yamaguchi", []string{"put k11", "put k12", "put l13", "declare 218", "stay", "put a1"}, false}
	for {
		s, f := o.state()
		if f != nil {
			t.Fatalf("after %d choices: %v", len(o.Choices), f.Text)
		}
		step := s.Step()
		if !step.Can(opening.Offer) {
			break
		}
		o.Choices = append(o.Choices, opening.Choice{Action: opening.Offer, Move: step.Cells.First()}.String())
	}
	if want := 6 + 218; len(o.Choices) != want {
		t.Errorf("%d choices until the pick, want %d", len(o.Choices), want)
	}
}
