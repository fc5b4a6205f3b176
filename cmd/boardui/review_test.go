//go:build !js

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// reviewed sends a review and calls see with every event until see returns false or the
// answer ends.
func (q *tester) reviewed(o map[string]any, see func(reviewEvent) bool) {
	q.t.Helper()
	full := map[string]any{"game": "game-of-a-test-r", "width": 15, "height": 15, "rule": 0, "opening": 0, "effort": "fast"}
	for k, v := range o {
		full[k] = v
	}
	raw, _ := json.Marshal(full)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "POST", q.url+"/api/review", strings.NewReader(string(raw)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", q.url)
	response, err := q.client.Do(r)
	if err != nil {
		q.t.Fatal(err)
	}
	defer response.Body.Close()
	in := bufio.NewScanner(response.Body)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var e reviewEvent
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			q.t.Fatalf("%v in %q", err, in.Text())
		}
		if !see(e) {
			return
		}
	}
}

// Black makes an open four, does not make five with it, and loses to a four of White.
func TestReviewFindsBlunders(t *testing.T) {
	q := newTester(t, 2, own())
	seen, done := 0, false
	begun := time.Now()
	q.reviewed(map[string]any{"moves": "h8a1h9a2h10a3h11a4o15a5", "opening": 4}, func(e reviewEvent) bool {
		if e.fault != nil {
			t.Fatal(e.fault)
		}
		if e.Moves == nil {
			if e.Done != seen+1 || e.Total < e.Done {
				t.Errorf("progress %d of %d after %d", e.Done, e.Total, seen)
			}
			seen = e.Done
			return true
		}
		done = true
		worst := e.Moves[8]
		if e.Moves[3].Class != "unjudged" || worst.Class != "blunder" || worst.Before.Mate != 1 || worst.After.Mate != -2 ||
			worst.Better != "h7" && worst.Better != "h12" || e.Moves[9].Class != "best" || e.Moves[9].After.Mate != 1 {
			t.Errorf("the moves: %+v", e.Moves)
		}
		if e.Black.Count["blunder"] != 1 || e.Black.Moves != 3 || e.White.Moves != 3 || e.Black.Accuracy > 67 {
			t.Errorf("black %+v, white %+v", e.Black, e.White)
		}
		if e.Scores[3] != nil || e.Scores[4] == nil || e.Scores[9] == nil || e.Scores[10] != nil || len(e.Scores) != 11 {
			t.Errorf("scores %v", e.Scores)
		}
		return true
	})
	if !done || seen < 6 {
		t.Errorf("%d searches, finished: %v", seen, done)
	}
	t.Logf("it took %v", time.Since(begun))
	q.expectIdle(2 * stopLimit)
}

func TestReviewIsCanceled(t *testing.T) {
	q := newTester(t, 2, own())
	q.reviewed(map[string]any{"moves": "h8i9h9h10i7b2g9c3a1", "effort": "deep"}, func(e reviewEvent) bool { return e.Done == 0 })
	q.expectIdle(2 * stopLimit)
	for name, o := range map[string]map[string]any{
		"no move": {"moves": ""}, "only an opening": {"moves": "h8", "opening": 1}, "an unknown effort": {"moves": "h8", "effort": "endless"},
		"a negative opening": {"moves": "h8", "opening": -1}, "a stone on a stone": {"moves": "h8h8"},
	} {
		full := map[string]any{"game": "game-of-a-test-r", "width": 15, "height": 15, "rule": 0, "opening": 0, "effort": "fast"}
		for k, v := range o {
			full[k] = v
		}
		if status, _ := q.ask("/api/review", full, &struct{}{}); status != 400 {
			t.Errorf("%s: %d, want 400", name, status)
		}
	}
}

func TestOneMoveIsJudged(t *testing.T) {
	q := newTester(t, 1, own())
	for move, want := range map[string]string{"h7": "best", "h12": "best", "o1": "blunder"} {
		full := map[string]any{"game": "game-of-a-test-r", "width": 15, "height": 15, "rule": 0, "moves": "h8a1h9a2h10a3h11a4",
			"move": move, "before": map[string]int{"mate": 1}, "better": "h7"}
		var e reviewEvent
		if status, code := q.ask("/api/judge", full, &e); status != 200 || len(e.Moves) != 1 || e.Moves[0].Class != want {
			t.Errorf("%s: %d %s %+v, want %s", move, status, code, e, want)
		}
	}
	for name, move := range map[string]string{"taken": "h8", "two": "o1o2", "none": "", "off": "z9"} {
		full := map[string]any{"game": "game-of-a-test-r", "width": 15, "height": 15, "rule": 0, "moves": "h8", "move": move, "better": ""}
		if status, _ := q.ask("/api/judge", full, &struct{}{}); status != 400 {
			t.Errorf("%s: %d, want 400", name, status)
		}
	}
}

// A game that ended by a foul of black is reviewed. A foul within a game is refused.
func TestReviewOfAFoul(t *testing.T) {
	q := newTester(t, 2, own())
	reviewed := false
	q.reviewed(map[string]any{"rule": 4, "moves": "h8a1h9a3f7a5g7a7h7", "opening": 7}, func(e reviewEvent) bool {
		if e.fault != nil {
			t.Error(e.fault)
		}
		if e.Moves != nil {
			reviewed = true
			if last := e.Moves[8]; last.After.Mate != -1 || e.Scores[8] == nil || e.Scores[9] != nil {
				t.Errorf("the foul: %+v, scores %v", last, e.Scores)
			}
		}
		return true
	})
	if !reviewed {
		t.Error("there is no review")
	}
	full := map[string]any{"game": "game-of-a-test-r", "width": 15, "height": 15, "rule": 4, "opening": 0, "effort": "fast", "moves": "h8a1h9a3f7a5g7a7h7a9"}
	if status, code := q.ask("/api/review", full, &struct{}{}); status != 400 || code != "forbidden" {
		t.Errorf("a move after the foul: %d %q", status, code)
	}
}
