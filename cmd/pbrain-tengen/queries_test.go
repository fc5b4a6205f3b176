package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"tengen/cmd/internal/query"
)

// answers returns the objects of an output by their ids, "" for none.
func answers(t *testing.T, out string) map[string][]map[string]any {
	t.Helper()
	list := map[string][]map[string]any{}
	for line := range strings.Lines(out) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		id := ""
		if a["id"] != nil {
			id = fmt.Sprint(a["id"])
		}
		list[id] = append(list[id], a)
	}
	return list
}

// TestQueries: each query is answered once, by its own position and limits, several at a time, and the
// output can be read again.
func TestQueries(t *testing.T) {
	const input = `
# a comment
{"id":"plain","pos":"h8"}
{"id":7,"moves":["h8","i9","j10"],"nodes":500,"multipv":3,"rule":"renju"}
h8i9
{"id":"large","pos":"-","size":20,"depth":2}
{"id":"wide","pos":"","width":20,"height":12,"depth":2,"priority":3}
{"id":"pass","pos":"h8i9","side":"white"}
{"id":"turn","pos":"h8i9","side":"black"}
{"id":"blocked","pos":"h8a1h9a3h10a5","blocked":["h7","h11","h6","h12"]}
{"id":"over","pos":"h8a1h9a3h10a5h11a7h12"}
`
	want := map[string]map[string]any{
		"plain":   {"pos": "h8", "rule": 0.0, "width": 15.0, "height": 15.0, "side": "white", "moves": 1.0},
		"7":       {"pos": "h8i9j10", "rule": 4.0, "nodes": 500.0},
		"":        {"pos": "h8i9", "source": "standard input, line 5"},
		"large":   {"pos": "-", "width": 20.0, "height": 20.0},
		"wide":    {"pos": "-", "width": 20.0, "height": 12.0},
		"pass":    {"pos": "h8i9pass", "side": "white"},
		"turn":    {"pos": "h8i9", "side": "black"},
		"blocked": {"blocked": "h7h11h6h12", "side": "black"},
		"over":    {"over": "black", "move": nil, "lines": nil},
	}
	check := func(out, errs string, status int) map[string][]map[string]any {
		t.Helper()
		if errs != "" || status != 0 {
			t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
		}
		got := answers(t, out)
		for id, fields := range want {
			if len(got[id]) != 1 {
				t.Fatalf("%q: %d answers\n%s", id, len(got[id]), out)
			}
			for field, value := range fields {
				if field != "nodes" && field != "source" && got[id][0][field] != value {
					t.Errorf("%q: %s is %v, want %v", id, field, got[id][0][field], value)
				}
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d answers, want %d\n%s", len(got), len(want), out)
		}
		return got
	}
	out, errs, status := engine(t, input, "analyze", "-json", "-depth", "3", "-threads", "2")
	got := check(out, errs, status)
	for _, id := range []string{"7", ""} {
		for field, value := range want[id] {
			if got[id][0][field] != value {
				t.Errorf("%q: %s is %v, want %v", id, field, got[id][0][field], value)
			}
		}
	}
	if list, _ := got["7"][0]["lines"].([]any); len(list) != 3 {
		t.Errorf("multipv 3: %v", list)
	}
	if list, _ := got["plain"][0]["lines"].([]any); len(list) != 1 || list[0].(map[string]any)["depth"] != 3.0 {
		t.Errorf("-depth 3: %v", list)
	}
	if move, _ := got["blocked"][0]["move"].(string); move == "" || slices.Contains([]string{"h7", "h11", "h6", "h12"}, move) {
		t.Errorf("the move %q is blocked", move)
	}
	again, errs, status := engine(t, out, "analyze", "-json", "-depth", "2")
	check(again, errs, status)
}

// TestQueriesInclude: what a query asks for besides lines.
func TestQueriesInclude(t *testing.T) {
	const input = `{"id":1,"pos":"h8a1h9a3h10a5","include":["threats","solver"]}
{"id":2,"pos":"h8a1h9a3h10","include":"solver"}
{"id":3,"pos":"h8a1h9a3f7a5g7a7","rule":4,"include":["forbidden","threats","policy"]}
{"id":4,"pos":"h8","include":["forbidden","threats","solver"]}
`
	out, errs, status := engine(t, input, "analyze", "-json", "-depth", "2")
	if errs != "" || status != 0 {
		t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
	}
	got := answers(t, out)
	for id, want := range map[string]string{
		"1": `{"solver":{"threat":"","win":"h11h7h12"},"threats":{"black":{"h11":"open-four","h12":"four","h6":"four","h7":"open-four"},"white":{"a2":"four","a4":"four","a6":"three"}}}`,
		"2": `{"solver":{"holds":"h7h11","threat":"h11h7h12","win":""}}`,
		"4": `{"forbidden":"","solver":{"threat":"","win":""},"threats":{"black":{},"white":{}}}`,
	} {
		parts := map[string]any{}
		for _, name := range query.Inclusion {
			if part := got[id][0][name]; part != nil {
				parts[name] = part
			}
		}
		if text, _ := json.Marshal(parts); string(text) != want {
			t.Errorf("%s: %s, want %s", id, text, want)
		}
	}
	if got := got["3"][0]["forbidden"]; got != "h7" {
		t.Errorf("forbidden: %v, want h7", got)
	}
	sum, last := 0.0, 1.0
	policy, _ := got["3"][0]["policy"].([]any)
	for _, c := range policy {
		move, share := c.(map[string]any)["move"], c.(map[string]any)["share"].(float64)
		if move == "h7" || share > last {
			t.Errorf("policy: %v with %v after %v", move, share, last)
		}
		sum, last = sum+share, share
	}
	if sum < 0.9 || sum > 1.01 {
		t.Errorf("the shares of the policy add up to %v", sum)
	}
}

// TestBadQueries: each is answered by one error, and the others go on.
func TestBadQueries(t *testing.T) {
	tests := []struct{ query, says string }{
		{`{"id":1}`, "want either pos or moves"},
		{`{"id":1,"pos":"h8","moves":["h8"]}`, "want either pos or moves"},
		{`{"id":1,"pos":"h8h8"}`, "pos: "},
		{`{"id":1,"pos":"h8","size":10,"blocked":"p1"}`, "blocked: bad move"},
		{`{"id":1,"pos":"h8","blocked":"h8"}`, "blocked: h8 is no empty cell"},
		{`{"id":1,"pos":"h8","blocked":"h9","include":"solver"}`, "blocked: include solver"},
		{`{"id":1,"pos":"h8","rule":3}`, "rule: "},
		{`{"id":1,"pos":"h8","rule":[]}`, "rule: want a text or a number"},
		{`{"id":1,"pos":"h8","size":"40"}`, "size: "},
		{`{"id":1,"pos":"h8","depth":-1}`, "depth: "},
		{`{"id":1,"pos":"h8","depth":1.5}`, "depth: "},
		{`{"id":1,"pos":"h8","multipv":0}`, "multipv: "},
		{`{"id":1,"pos":"h8","time":"soon"}`, "time: "},
		{`{"id":1,"pos":"h8","time":"-1s"}`, "time: "},
		{`{"id":1,"pos":"h8","side":"red"}`, "side: want black or white"},
		{`{"id":1,"pos":"h8","include":["magic"]}`, `include: "magic", want policy`},
		{`{"id":1,"pos":"h8","updates":"never"}`, "updates: want true"},
		{`{"id":1,"pos":"h8","priority":"high"}`, "priority: want a whole number"},
		{`{"id":1,"pos":"h8","deph":3}`, "deph: there is no such field"},
		{`{"id":1,"pos":"h8","lines":3}`, "lines: there is no such field"},
		{`{"id":[],"pos":"h8"}`, "id: want a text or a number"},
		{`{"id":1,"pos":"h8","pos":"h9"}`, `"pos" is there twice`},
		{`{"id":1,"pos":"h8"} x`, "there is more after the object"},
		{`{"id":1,"pos":"h8"`, "the object is not closed"},
		{`{"id":1,"pos`, "the object is not closed"},
		{`{"id":1,"pos":[`, "\"pos\": the object is not closed"},
		{`{"id":1,"pos":h8}`, "\"pos\": no JSON: "},
		{`{"stop":9}`, "stop: no query of the id 9 waits or runs"},
		{`{"stop":{}}`, "stop: want a text or a number"},
		{`{"stop":9,"pos":"h8"}`, "stop: want no other field"},
		{`h8h8`, "h8"},
	}
	var input strings.Builder
	input.WriteString(`{"id":"first","pos":"h8"}` + "\n")
	for _, test := range tests {
		input.WriteString(test.query + "\n")
	}
	input.WriteString(`{"id":"last","pos":"h8"}` + "\n")
	out, errs, status := engine(t, input.String(), "analyze", "-json", "-depth", "2")
	if errs != "" || status != 2 {
		t.Errorf("status %d, errors %q", status, errs)
	}
	bad := map[string]string{} // errors by the line of the query
	for id, list := range answers(t, out) {
		for _, a := range list {
			if text, _ := a["error"].(string); text != "" {
				bad[fmt.Sprint(a["source"])] = text
			} else if id != "first" && id != "last" {
				t.Errorf("an answer to a bad query: %v", a)
			}
		}
	}
	for i, test := range tests {
		if got := bad[fmt.Sprintf("standard input, line %d", i+2)]; !strings.Contains(got, test.says) {
			t.Errorf("%s: error %q, want %q", test.query, got, test.says)
		}
	}
	if len(bad) != len(tests) || strings.Count(out, "\n") != len(tests)+2 {
		t.Errorf("%d errors of %d\n%s", len(bad), len(tests), out)
	}
	again, _, status := engine(t, out, "analyze", "-json", "-depth", "2")
	if status != 2 || strings.Count(again, `"error":`) != len(tests) || strings.Count(again, `"move":`) < 2 {
		t.Errorf("read again: status %d, output\n%s", status, again)
	}
}

// TestQueriesStop: a running query is answered with what is known, a waiting one without a move, and
// those of a higher priority come first.
func TestQueriesStop(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "analyze", "-json", "-time", "0")
	cmd.Env = append(os.Environ(), "BE_THE_ENGINE=1")
	in, out := converse(t, cmd)
	read := bufio.NewScanner(out)
	next := func() map[string]any {
		t.Helper()
		if !read.Scan() {
			t.Fatal("no answer")
		}
		var a map[string]any
		if err := json.Unmarshal(read.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	fmt.Fprintln(in, `{"id":"long","pos":"h8","updates":"1ms"}`)
	if a := next(); a["id"] != "long" || a["update"] != true || a["move"] == nil {
		t.Fatalf("no update: %v", a)
	}
	fmt.Fprintln(in, `{"id":"low","pos":"h8","depth":2}`+"\n"+`{"id":"high","pos":"h8","depth":2,"priority":1}`+"\n"+`{"id":"never","pos":"h8"}`)
	fmt.Fprintln(in, `{"id":"long","pos":"h8"}`+"\n"+`{"stop":"never"}`+"\n"+`{"stop":"long"}`)
	in.Close()
	var order []string
	for len(order) < 5 {
		a := next()
		if a["update"] == true {
			continue
		}
		text := fmt.Sprint(a["id"])
		if a["error"] != nil {
			text += " error"
		}
		if a["interrupted"] == true {
			text += " interrupted"
		}
		if a["move"] != nil {
			text += " move"
		}
		order = append(order, text)
	}
	want := []string{"long error", "never interrupted", "long interrupted move", "high move", "low move"}
	if !slices.Equal(order, want) {
		t.Errorf("answers %q, want %q", order, want)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("%v, want status 2", err)
	}
}

// TestQueriesHelp: the help explains every field of a query and of an answer.
func TestQueriesHelp(t *testing.T) {
	help, _, _ := engine(t, "", "help", "analyze")
	for _, field := range slices.Concat(query.Settings, query.Inclusion, query.Results, []string{"id", "pos", "blocked", "include", "updates", "priority", "stop", "width", "height", "error", "move", "share"}) {
		if !strings.Contains(help, field) {
			t.Errorf("the help does not explain %s", field)
		}
	}
}
