package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/review"
)

// blundered is a game in which Black lets an open three pass with the seventh move.
const blundered = "h8i9i7g9h10h9g8f9a1j9"

func reviewOf(t *testing.T, args ...string) reviewJSON {
	t.Helper()
	out, errs, status := engine(t, "", append([]string{"review", "-json", "-depth", "6"}, args...)...)
	var r reviewJSON
	if err := json.Unmarshal([]byte(strings.Join(lines(t, out, errs, status), "\n")), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReviewJSON(t *testing.T) {
	r := reviewOf(t, "-opening", "2", blundered)
	if r.Pos != blundered || r.Opening != 2 || r.From != 2 || len(r.Moves) != 10 || len(r.Positions) != 11 {
		t.Fatalf("%+v", r)
	}
	for k, p := range r.Positions {
		if (p == nil) != (k < 2) {
			t.Errorf("position %d is %+v", k, p)
		}
	}
	worst := r.Moves[6]
	if worst.Class != "blunder" || worst.Side != "black" || worst.Move != "g8" || worst.Better == "" || worst.Loss < 0.3 {
		t.Errorf("the seventh move: %+v", worst)
	}
	if worst.After == nil || worst.After.Mate == nil || *worst.After.Mate != -4 || worst.After.WinRate != 0 {
		t.Errorf("after it: %+v", worst.After)
	}
	if p := r.Positions[7]; p.Mate == nil || *p.Mate != -3 || p.WinRate != 0 {
		t.Errorf("the position after it: %+v", p)
	}
	if p := r.Positions[10]; p.Mate == nil || *p.Mate != 0 || p.WinRate != 0 {
		t.Errorf("the end: %+v", p)
	}
	b, w := r.Sides["black"], r.Sides["white"]
	if b.Moves != 4 || w.Moves != 4 || w.Accuracy <= b.Accuracy || b.Count["blunder"] != 1 || w.Count["blunder"] > 0 {
		t.Errorf("black %+v, white %+v", b, w)
	}
	// The scores of the positions are those of the moves, for black.
	for _, m := range r.Moves[2:] {
		want := m.After.WinRate
		if m.Side == "white" {
			want = 1 - want
		}
		if got := r.Positions[m.Number].WinRate; math.Abs(got-want) > 0.001 {
			t.Errorf("move %d: %.3f, but the position is worth %.3f", m.Number, want, got)
		}
	}
}

func TestReviewChoosesAGame(t *testing.T) {
	name := file(t, "two.sgf", twoGames)
	if r := reviewOf(t, "-game", "2", name); len(r.Moves) != 9 || r.Rule != board.Renju || r.Source != name+", game 2" {
		t.Errorf("the second game: %+v", r)
	}
	_, errs, status := engine(t, "", "review", "-game", "3", name)
	if status != 2 || !strings.Contains(errs, "games in all: 2") {
		t.Errorf("the third game: status %d, %q", status, errs)
	}
	for _, args := range [][]string{{"review"}, {"review", "a.psq", "b.psq"}, {"review", "-json", "-html", "h8"}, {"review", file(t, "empty.sgf", "(;GM[4]SZ[15])")}} {
		out, errs, status := engine(t, "", args...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, %q, output %q", args, status, errs, out)
		}
	}
}

// A game is reviewed whatever is wrong with the others of its file.
func TestReviewBesideGamesThatCannotBe(t *testing.T) {
	for name, text := range map[string]string{
		"lines.txt": "h8i9\nh8h8\nh8i9j10\n",
		"games.sgf": "(;SZ[15];B[hh];W[ig])(;SZ[15]RU[2];B[hh])(;SZ[15];B[hh];W[ig];B[jf])",
	} {
		name := file(t, name, text)
		for number, moves := range map[string]int{"1": 2, "3": 3} {
			if r := reviewOf(t, "-game", number, name); len(r.Moves) != moves {
				t.Errorf("%s, game %s: %+v", name, number, r)
			}
		}
		for number, says := range map[string]string{"2": "2", "4": "games in all: 3"} {
			if out, errs, status := engine(t, "", "review", "-game", number, name); status != 2 || out != "" || !strings.Contains(errs, says) {
				t.Errorf("%s, game %s: status %d, output %q, errors %q", name, number, status, out, errs)
			}
		}
	}
}

func TestReviewText(t *testing.T) {
	out, errs, status := engine(t, "", "review", "-depth", "6", file(t, "g.psq", onePSQ))
	got := lines(t, out, errs, status)
	if !strings.HasSuffix(got[0], "g.psq: one (black) against two (white)") || got[1] != "freestyle, 20x15, 2 moves" {
		t.Errorf("the head is\n%s\n%s", got[0], got[1])
	}
	if !strings.HasPrefix(got[4], "  2. O  g4") { // row 12 of 15 from the top
		t.Errorf("the second move: %q", got[4])
	}
	out, errs, status = engine(t, "", "review", "-depth", "1", file(t, "g.sgf", "(;SZ[15]PB[\x1b[2Jone\ntwo]PW[\t];B[hh])"))
	if got := lines(t, out, errs, status)[0]; !strings.HasSuffix(got, "g.sgf: [2Jone two (black) against ? (white)") {
		t.Errorf("names with control characters are shown as %q", got)
	}
	out, errs, status = engine(t, "", "review", "-depth", "1", "h8")
	if got := lines(t, out, errs, status)[1]; got != "freestyle, 15x15, 1 move" {
		t.Errorf("the head of a game of one move is %s", got)
	}
	out, errs, status = engine(t, "", "review", "-depth", "6", blundered)
	lines(t, out, errs, status)
	for _, want := range []string{"  7. X  g8 ??", "-M4", "blunder, ", ": better ", "\nblack: accuracy ", "%, moves judged 5: ", "blunder 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("the review lacks %q:\n%s", want, out)
		}
	}
}

func TestScoresHaveSigns(t *testing.T) {
	for want, s := range map[string]review.Score{
		"0": {}, "+5": {Value: 5}, "-5": {Value: -5}, "+M7": {Proven: 1, Plies: 7}, "-M6": {Proven: -1, Plies: 6},
	} {
		if got := scoreText(s); got != want {
			t.Errorf("%+v is written %s, want %s", s, got, want)
		}
	}
}

// TestReviewPage: the page is whole without other files, names cannot become markup, and its
// data is that of -json except the rows.
func TestReviewPage(t *testing.T) {
	name := file(t, "evil.sgf", "(;GM[4]SZ[15]PB[</script><b>]PW[\"&'];B[hh];W[gl])")
	out, errs, status := engine(t, "", "review", "-html", "-depth", "4", name)
	lines(t, out, errs, status)
	if !strings.HasPrefix(out, "<!DOCTYPE html>") || strings.Contains(out, "<b>") || strings.Count(out, "</script>") != 2 {
		t.Errorf("the page is\n%.600s", out)
	}
	for _, never := range []string{"http://", "https://", "src=", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(out, "http://www.w3.org/2000/svg", ""), never) {
			t.Errorf("the page has %q", never)
		}
	}
	_, data, _ := strings.Cut(out, `id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	var r reviewJSON
	if err := json.Unmarshal([]byte(data), &r); err != nil {
		t.Fatal(err)
	}
	if r.Pos != "h8g4" || r.Black != "</script><b>" || len(r.Positions) != 3 || len(r.Moves) != 2 {
		t.Errorf("the data is %+v", r)
	}
}

// A game that ended by a foul of Black is reviewed. A foul within a game is an error.
func TestReviewOfAFoul(t *testing.T) {
	const game = "h8a1h9a3f7a5g7a7h7"
	r := reviewOf(t, "-rule", "4", game)
	last := r.Moves[len(r.Moves)-1]
	if len(r.Moves) != 9 || !last.Foul || r.Moves[7].Foul || last.After.Mate == nil || *last.After.Mate != -1 {
		t.Errorf("the last of %d moves: %+v", len(r.Moves), last)
	}
	if p := r.Positions[9]; p.Mate == nil || *p.Mate != 0 || p.WinRate != 0 {
		t.Errorf("the end: %+v", p)
	}
	out, errs, status := engine(t, "", "review", "-depth", "2", "-rule", "4", game)
	lines(t, out, errs, status)
	if !strings.Contains(out, "-M1") || strings.Count(out, "  forbidden") != 1 {
		t.Errorf("the review does not name the foul:\n%s", out)
	}
	_, errs, status = engine(t, "", "review", "-depth", "2", "-rule", "4", game+"a9")
	if status != 2 || !strings.Contains(errs, "bad move 9, h7: forbidden for black") {
		t.Errorf("a move after the foul: status %d, %q", status, errs)
	}
}
