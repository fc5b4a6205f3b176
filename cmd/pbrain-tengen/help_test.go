package main

import (
	"strings"
	"testing"

	"tengen/protocol"
)

func TestHelp(t *testing.T) {
	help := func(args ...string) string {
		t.Helper()
		out, errs, status := engine(t, "", args...)
		if status != 0 || errs != "" || !strings.HasPrefix(out, "usage: pbrain-tengen") {
			t.Errorf("%q: status %d, error %q, output %q", args, status, errs, out)
		}
		return out
	}
	whole := help("-help")
	for _, args := range []string{"-h", "--help", "help"} {
		if help(args) != whole {
			t.Errorf("%s and -help differ", args)
		}
	}
	for _, c := range commands() {
		if !strings.Contains(whole, "\n  "+c.name+" ") {
			t.Errorf("the help does not list %s", c.name)
		}
		text := help(c.name, "-help")
		if help("help", c.name) != text {
			t.Errorf("help %[1]s and %[1]s -help differ", c.name)
		}
		for _, f := range c.flags() {
			if !strings.Contains(text, "\n  -"+f.Name) {
				t.Errorf("the help of %s does not list -%s", c.name, f.Name)
			}
		}
	}
}

func TestHelpOfTheProtocol(t *testing.T) {
	out, errs, status := engine(t, "", "help", "protocol")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, error %q", status, errs)
	}
	names := map[string]bool{}
	for _, line := range strings.Split(out, "\n") {
		if len(line) > 80+nameColumns {
			t.Errorf("the line is too long: %s", line)
		}
		if f := strings.Fields(line); len(f) > 0 && strings.HasPrefix(line, "  ") && line[2] != ' ' {
			names[f[0]] = true
		}
	}
	want := 0
	for _, c := range protocol.Commands() {
		want++
		if !names[c.Name] {
			t.Errorf("%s is missing", c.Name)
		}
	}
	for _, k := range protocol.InfoKeys() {
		want++
		if !names[k.Name] {
			t.Errorf("%s is missing", k.Name)
		}
	}
	if len(names) != want {
		t.Errorf("%d names, want %d", len(names), want)
	}
}

// TestHelpOfTheDialect: the commands after which rule 2 is renju, where a double three is forbidden, are those
// that the help names.
func TestHelpOfTheDialect(t *testing.T) {
	help, _, _ := engine(t, "", "help", "protocol")
	_, intro, _ := strings.Cut(help, "\nCommands of Yixin-Board")
	intro, _, _ = strings.Cut(intro, ":\n")
	for _, command := range []string{"YXSHOWINFO", "RELOADCONFIG", "YXSHOWFORBID", "YXHASHCLEAR", "YXDRAW", "YXSTOP", "INFO show_detail 1"} {
		out, _, _ := engine(t, "START 15\n"+command+"\nINFO rule 2\n"+
			"YXBOARD\n5,7,1\n0,0,2\n6,7,1\n0,2,2\n7,5,1\n0,4,2\n7,6,1\n0,6,2\nDONE\nYXSHOWFORBID\nEND\n")
		renju := strings.Contains(out, "FORBID 0707.")
		if !renju && !strings.Contains(out, "FORBID .") {
			t.Errorf("%s: no answer in %q", command, out)
		}
		if named := strings.Contains(intro, "After "+command) || strings.Contains(intro, "or "+command+","); named != renju {
			t.Errorf("after %s rule 2 is renju: %v, named in %q: %v", command, renju, intro, named)
		}
	}
}

func TestHelpNamesWhatIsWrong(t *testing.T) {
	for _, args := range [][]string{{"help", "slove"}, {"help", "solve", "bench"}, {"completion"}, {"completion", "fish"}, {"version", "x"}} {
		out, errs, status := engine(t, "", args...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, error %q, output %q", args, status, errs, out)
		}
	}
}

func TestCompletionForZshNamesAllCommands(t *testing.T) {
	script, _, _ := engine(t, "", "completion", "zsh")
	if !strings.HasPrefix(script, "#compdef pbrain-tengen\n") {
		t.Errorf("zsh would not take it: %.40q", script)
	}
	for _, c := range commands() {
		if !strings.Contains(script, "'"+c.name+":") || !strings.Contains(script, "\n\t\t"+c.name+")") {
			t.Errorf("%s is missing", c.name)
		}
	}
}
