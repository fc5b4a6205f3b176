package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tengen/protocol/client"
)

func TestTimeControls(t *testing.T) {
	tests := []struct {
		in   string
		want timeControl
	}{
		{"180/30", timeControl{180 * time.Second, 30 * time.Second, 0}},
		{"0/0.5", timeControl{0, 500 * time.Millisecond, 0}},
		{"10+0.1", timeControl{10 * time.Second, 10 * time.Second, 100 * time.Millisecond}},
		{"60/5+0.05", timeControl{60 * time.Second, 5 * time.Second, 50 * time.Millisecond}},
		{"60", timeControl{60 * time.Second, 60 * time.Second, 0}},
		{"60/0", timeControl{60 * time.Second, 0, 0}},
	}
	for _, tt := range tests {
		if got, err := parseTC(tt.in); err != nil || got != tt.want {
			t.Errorf("tc=%s: %+v, %v; want %+v", tt.in, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "x", "0", "0/0", "-1/1", "1/x", "1/1+", "1/2/3", "NaN", "Inf/1", "1e99", "0/1+1", "0/0.0009", "0.0009/1", "1+0.0009"} {
		if got, err := parseTC(bad); err == nil {
			t.Errorf("tc=%s was read as %+v", bad, got)
		}
	}
}

func TestTheLimitOfAMoveIsTheLesserOfTurnAndTimeLeft(t *testing.T) {
	for _, tt := range []struct {
		tc         string
		left, want time.Duration
	}{
		{"60/5", 60 * time.Second, 5 * time.Second},
		{"60/5", 2 * time.Second, 2 * time.Second},
		{"60/5", -time.Second, -time.Second},
		{"0/5", -time.Hour, 5 * time.Second},
		{"60/0", 7 * time.Second, 7 * time.Second},
	} {
		tc, _ := parseTC(tt.tc)
		e := engine{TC: tc}
		if got := e.turnLimit(tt.left); got != tt.want {
			t.Errorf("tc=%s with %v left: %v, want %v", tt.tc, tt.left, got, tt.want)
		}
	}
	if e := (engine{Hang: time.Minute}); e.turnLimit(0) != time.Minute {
		t.Errorf("without tc: %v, want a minute", e.turnLimit(0))
	}
}

func TestSettingsKeepBlanksQuotesAndEqualSigns(t *testing.T) {
	got, err := parseSettings(`name=a b, cmd=wine "C:\my dir\x.exe" --opt=1,tc=0/1,info.folder="x, y",`)
	want := []setting{
		{key: "name", value: "a b"},
		{key: "cmd", value: `wine "C:\my dir\x.exe" --opt=1`},
		{key: "tc", value: "0/1"},
		{key: "info.folder", value: "x, y"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	if _, err := parseSettings("name=a,cmd=x 1,2"); err == nil || !strings.Contains(err.Error(), "quote") {
		t.Errorf("a lone comma: %v", err)
	}
}

func TestEachAppliesBeforeTheEngineItself(t *testing.T) {
	exe, _ := os.Executable()
	each, _ := parseSettings("tc=0/1,memory=350M,info.x=1,info.y=2,pause=30")
	one, _ := parseSettings("cmd='" + exe + "' arg,tc=0/2,info.x=3")
	two, _ := parseSettings("name=two,cmd='" + exe + "',tolerance=0.5,restart=on,nodes=5,depth=6,threads=7")
	es, err := (&engineList{each, [][]setting{one, two}}).build()
	if err != nil {
		t.Fatal(err)
	}
	a, b := es[0], es[1]
	if a.Name != strings.TrimSuffix(filepath.Base(exe), ".exe") || a.TC.Turn != 2*time.Second || a.Memory != 350<<20 ||
		a.Pause != 30*time.Millisecond || a.Tolerance != time.Second ||
		!reflect.DeepEqual(a.Info, [][2]string{{"y", "2"}, {"x", "3"}}) {
		t.Errorf("first engine %+v", a)
	}
	if b.TC.Turn != time.Second || b.Tolerance != 500*time.Millisecond || !b.Restart || b.Nodes != 5 || b.Depth != 6 || b.Threads != 7 {
		t.Errorf("second engine %+v", b)
	}
}

func TestBadEnginesAreRefused(t *testing.T) {
	exe, _ := os.Executable()
	for _, tt := range []struct{ spec, want string }{
		{"name=a", "cmd="},
		{"name=a,cmd=/no/such/program", "cannot run"},
		{"name=a,cmd='" + exe + " -x'", "quotes around"},
		{"cmd='" + exe, "quote"},
		{"cmd='" + exe + "',colour=red", "unknown setting"},
		{"cmd='" + exe + "',tc=0", "no limit"},
		{"cmd='" + exe + "',nodes=-1", "0 is no limit"},
		{"cmd='" + exe + "',memory=lots", "bytes"},
		{"cmd='" + exe + "',restart=maybe", "not on or off"},
		{"cmd='" + exe + "',dir=/no/such/dir", "not a directory"},
		{"cmd='" + exe + "',hang=0", "hang"},
	} {
		spec, err := parseSettings(tt.spec)
		if err == nil {
			_, err = (&engineList{nil, [][]setting{spec}}).build()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", tt.spec, err, tt.want)
		}
	}
	spec, _ := parseSettings("name=a,cmd='" + exe + "'")
	if _, err := (&engineList{nil, [][]setting{spec, spec}}).build(); err == nil {
		t.Error("two engines of one name were accepted")
	}
}

func TestEnginesFromAJSONFileAreThoseOfTheCommandLine(t *testing.T) {
	exe, _ := os.Executable()
	file := filepath.Join(t.TempDir(), "engines.json")
	os.WriteFile(file, []byte(`{"each":{"tc":"0/1","info":{"x":1}},"engines":[
		{"name":"a","cmd":"'`+filepath.ToSlash(exe)+`' 'one word' 2","nodes":100},
		{"name":"b","cmd":"'`+filepath.ToSlash(exe)+`'","restart":true}]}`), 0o644)
	each, specs, err := engineFile(file)
	if err != nil {
		t.Fatal(err)
	}
	es, err := (&engineList{each, specs}).build()
	if err != nil || len(es) != 2 {
		t.Fatalf("%+v, %v", es, err)
	}
	args, _ := client.SplitCommand(es[0].Cmd)
	if len(args) != 3 || args[1] != "one word" || es[0].Nodes != 100 || es[0].Info[0] != [2]string{"x", "1"} || !es[1].Restart {
		t.Errorf("read %+v", es)
	}
	os.WriteFile(file, []byte("\ufeff{\"engines\":[{\"cmd\":\"x\"}]}\r\n"), 0o644) // as editors of Windows save it
	if _, specs, err := engineFile(file); err != nil || len(specs) != 1 {
		t.Errorf("with a byte order mark: %v, %v", specs, err)
	}
	os.WriteFile(file, []byte(`{"engines":[{"name":"a","cmd":"x","colour":"red"}]}`), 0o644)
	if _, specs, err = engineFile(file); err == nil {
		_, err = (&engineList{nil, specs}).build()
	}
	if err == nil {
		t.Error("an unknown key was accepted")
	}
	if err := os.Truncate(file, 65<<20); err != nil {
		t.Fatal(err)
	}
	if _, _, err := engineFile(file); err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("a file much too large: error %v", err)
	}
	for _, tt := range []struct{ text, want string }{
		{`{"engines":[{"cmd":"x","dir":null}]}`, "engines.json: dir: want text"},
		{`{"engines":[{"cmd":["x","y"]}]}`, "engines.json: cmd: want text"},
		{`{"each":{"info":{"x":[1]}}}`, "engines.json: info.x: want text"},
		{`{"engines":[{"cmd":"x"}]}}`, "engines.json: text after the object"},
		{`{"engines":[{"cmd":"x"}]} trailing`, "engines.json: text after the object"},
	} {
		os.WriteFile(file, []byte(tt.text), 0o644)
		if _, _, err := engineFile(file); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.text, err, tt.want)
		}
	}
}

// TestSettingsThatHelp: 0 is no limit, Rapfi gets the pause that it needs unless one is set, and two
// programs of one name get an error that says how to name them.
func TestSettingsThatHelp(t *testing.T) {
	dir := t.TempDir()
	var cmds []string
	for _, name := range []string{"pbrain-rapfi-avx2", "other"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, "cmd="+path)
	}
	build := func(specs ...string) ([]engine, error) {
		l := &engineList{}
		for _, spec := range specs {
			list, err := parseSettings(spec)
			if err != nil {
				t.Fatal(err)
			}
			l.specs = append(l.specs, list)
		}
		return l.build()
	}
	es, err := build(cmds[0]+",nodes=0", cmds[1]+",depth=0", "name=quick,pause=0,"+cmds[0])
	if err != nil || es[0].Pause != 30*time.Millisecond || es[0].Nodes != 0 || es[1].Pause != 0 || es[2].Pause != 0 {
		t.Errorf("%+v, %v", es, err)
	}
	if _, err := build(cmds[1], cmds[1]); err == nil || !strings.Contains(err.Error(), "name=") {
		t.Errorf("two of one name: %v", err)
	}
}
