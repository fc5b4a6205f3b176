package protocol

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/protocol/wire"
)

// The requirement is 1000: go test ./protocol -run 'Stop|Pondering' -stops 1000
var stops = flag.Int("stops", 30, "how often TestStopIsQuick stops a search, and TestStateCommandsEndPondering pondering")

// stopLimit is what a front end may wait for a move after YXSTOP.
const stopLimit = 50 * time.Millisecond

// hungLimit is less than any search or pondering lasts that is not stopped.
const hungLimit = 10 * time.Second

// TestStopIsQuick stops searches of the program with two threads and pondering at random moments.
func TestStopIsQuick(t *testing.T) {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	o := newProgram(t, path)
	t.Cleanup(o.close)
	k := &talk{t, o.in, o}
	k.say("yxshowinfo\nSTART 15\n")
	k.hear("OK")
	k.say("INFO thread_num 2\nINFO hash_size 65536\nINFO timeout_turn -1\nINFO timeout_match -1\nINFO pondering 1\nINFO show_detail 3\n")
	r := rand.New(rand.NewPCG(1, 2))
	positions := []string{"", "7,7,2\n", "7,7,2\n8,6,1\n6,6,2\n", "7,7,1\n8,6,2\n6,6,1\n5,5,2\n", "7,7,1\n0,0,2\n7,8,1\n0,2,2\n"}
	var took []time.Duration
	for i := range *stops {
		k.say("start 15\n")
		if err := k.answer("OK"); err != nil {
			t.Fatal(err)
		}
		k.say("yxboard\n" + positions[i%len(positions)] + "done\n")
		k.say(fmt.Sprintf("yxnbest %d\n", 1+4*(i%2)))
		time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
		begun := time.Now()
		k.say("yxstop\n")
		if err := k.answer(""); err != nil {
			t.Fatalf("stop %d: %v", i+1, err)
		}
		took = append(took, time.Since(begun))
		time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond) // it ponders
	}
	slices.Sort(took)
	worst := took[len(took)-1]
	late := 0
	for _, d := range took {
		if d > stopLimit {
			late++
		}
	}
	t.Logf("%d stops: median %v, worst %v, %d later than %v", len(took), took[len(took)/2], worst, late, stopLimit)
	most := stopLimit
	if *stops < 1000 { // the machine may be busy with other tests
		most = hungLimit
	}
	if worst > most {
		t.Errorf("a stop took %v, want %v at most", worst, most)
	}
}

// answer waits for OK or, if want is empty, for a move, and passes over lines about a search.
func (k *talk) answer(want string) error {
	for {
		got, err := k.out.next(time.Now().Add(answerLimit))
		if err != nil {
			return err
		}
		if strings.HasPrefix(got, "INFO ") {
			continue
		}
		if _, _, isMove := wire.ParsePair(got); got == want || want == "" && isMove {
			return nil
		}
		return fmt.Errorf("got %q, want %q", got, want)
	}
}

// The lines of a list are cells as they are called when the list is executed, also if YXSHOWINFO
// waits as the list is read.
func TestListsAfterAWaitingYXSHOWINFO(t *testing.T) {
	f := &fake{think: untilStopped}
	k := newTalk(t, f)
	k.say("RECTSTART 15,10\nBEGIN\nYXSHOWINFO\nYXBOARD\n3,12,2\nDONE\nTURN 4,11\nABOUT\n")
	k.hear("OK")
	k.hear(aboutLine())
	k.say("STOP\n")
	k.hear("0,0")
	k.say("STOP\n")
	k.hear("0,0")
	if got, want := f.Moves(), []board.Move{board.At(0, 0), board.At(12, 3), board.At(11, 4)}; !slices.Equal(got, want) {
		t.Errorf("stones on %v, want %v", got, want)
	}
}

// Choices in openings are written with rows first, since Yixin-Board asks.
func TestOpeningChoicesAreTold(t *testing.T) {
	const three, five = "yxboard\n7,7,1\n6,8,2\n9,9,1\ndone\n", "yxboard\n7,7,1\n6,8,2\n9,9,1\n5,5,2\n4,4,1\ndone\n"
	const rows = "7,7\n6,8\n9,9\n"
	var (
		swap    = opening.Choice{Action: opening.DoSwap}
		stay    = opening.Choice{Action: opening.Stay}
		two     = opening.Choice{Action: opening.Two}
		declare = opening.Choice{Action: opening.Declare, Number: 3}
		choose  = func(a opening.Action, x int) opening.Choice { return opening.Choice{Action: a, Move: board.At(x, 12)} }
		put     = func(x int) opening.Choice { return choose(opening.Put, x) }
		offer   = func(x int) opening.Choice { return choose(opening.Offer, x) }
	)
	tests := []struct {
		in   string
		list []opening.Choice
		want string
	}{
		{"yxswap2step1\n", []opening.Choice{put(1), put(2), put(3)}, "SWAP2 MOVE1 12 1|SWAP2 MOVE2 12 2|SWAP2 MOVE3 12 3"},
		{three + "yxswap2step2\n", []opening.Choice{swap}, "SWAP2 SWAP1 YES"},
		{three + "yxswap2step2\n", []opening.Choice{stay}, "SWAP2 SWAP1 NO"},
		{three + "yxswap2step2\n", []opening.Choice{two, put(1), put(2)}, "SWAP2 MOVE4 12 1|SWAP2 MOVE5 12 2"},
		{five + "yxswap2step3\n", []opening.Choice{swap}, "SWAP2 SWAP2 YES"},
		{five + "yxswap2step3\n", []opening.Choice{stay}, "SWAP2 SWAP2 NO"},
		{"yxsoosorvstep1\n", []opening.Choice{put(1), put(2), put(3)}, "SOOSORV MOVE1 12 1|SOOSORV MOVE2 12 2|SOOSORV MOVE3 12 3"},
		{"yxsoosorvstep2\n" + rows + "done\n", []opening.Choice{swap}, "SOOSORV SWAP1 YES"},
		{"yxsoosorvstep2\n" + rows + "done\n", []opening.Choice{stay, put(1), declare}, "SOOSORV SWAP1 NO"},
		{"yxsoosorvstep3\n" + rows + "done\n", []opening.Choice{put(1), declare}, "SOOSORV MOVE4 12 1 3"},
		{"yxsoosorvstep4 2\n" + fourStones + "done\n", []opening.Choice{swap}, "SOOSORV SWAP2 YES"},
		{"yxsoosorvstep4 2\n" + fourStones + "done\n", []opening.Choice{stay, offer(1), offer(2)}, "SOOSORV SWAP2 NO"},
		{"yxsoosorvstep5 2\n" + fourStones + "done\n", []opening.Choice{offer(1), offer(2)},
			"SOOSORV MOVE5 REFRESH|SOOSORV MOVE5 12 1|SOOSORV MOVE5 12 2|SOOSORV MOVE5 DONE"},
		{"yxsoosorvstep6\n" + fourStones + "8,8\n6,6\ndone\n", []opening.Choice{choose(opening.Pick, 6)}, "SOOSORV MOVE5C 12 6"},
	}
	for _, test := range tests {
		var out strings.Builder
		if err := Serve(t.Context(), strings.NewReader("YXSHOWINFO\nSTART 15\n"+test.in), &out, &fake{choices: test.list}); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(out.String(), "\nOK\n")
		if want := "MESSAGE " + strings.ReplaceAll(test.want, "|", "\nMESSAGE ") + "\n"; got != want {
			t.Errorf("%q: got\n%swant\n%s", test.in, got, want)
		}
	}
}

// The path of a hash table stands on the line of the command or on the next one, with blanks in it.
func TestPathsOfTheHashTable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("a b", 0o777); err != nil {
		t.Fatal(err)
	}
	got := told(t, "START 15\nYXHASHDUMP\n  a b/c d.bin \nyxhashdump  a b/c.bin \nYXHASHDUMP end\nYXHASHLOAD\n x y.z \nYXHASHLOAD end\n")
	for _, name := range []string{"a b/c d.bin", "a b/c.bin", "end"} {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%v in\n%s", err, got)
		}
	}
	if strings.Count(got, "MESSAGE HASH DUMP ") != 3 || strings.Count(got, "ERROR") != 1 || !strings.Contains(got, "x y.z") || !strings.Contains(got, "MESSAGE HASH LOAD ") {
		t.Errorf("%s", got)
	}
}

func TestDialectAnswers(t *testing.T) {
	t.Chdir(t.TempDir()) // some write files
	tests := []struct{ name, in, want string }{
		{"two moves", "START 15\nYXBALANCETWO 40\n", "OK|1,2 3,4"},
		{"two moves, rows first", "YXSHOWINFO\nSTART 15\nYXBALANCETWO 40\n", "OK|2,1 4,3"},
		{"forbidden points, rows first", "YXSHOWINFO\nSTART 15\nYXSHOWFORBID\n", "OK|FORBID 01000312."},
		{"a path that looks like a command", "START 15\nYXHASHDUMP\nend of game\nYXHASHDUMP\nSTOP\nABOUT\n", "OK|" + aboutLine()},
		{"END in place of a path", "START 15\nYXHASHDUMP\n end \nABOUT\n", "OK"},
		{"no path", "START 15\nYXHASHDUMP\n \nYXHASHLOAD\n\nABOUT\n", "OK|ERROR YXHASHDUMP needs a path on the next line|ERROR YXHASHLOAD needs a path on the next line|" + aboutLine()},
		{"a list without an end", "START 15\nYXBLOCK\n1,1\nYXBALANCETWO\n", "OK|ERROR YXBLOCK: missing DONE, ignored|1,2 3,4"},
		{"a list without an end, a wrong command", "START 15\nYXBLOCK\nx\nYXEDITTVDDATABASE\n7,7\nABOUT\n",
			"OK|ERROR YXBLOCK: missing DONE, ignored|ERROR YXEDITTVDDATABASE needs a number, as in " + editUsage + "|" + aboutLine()},
		{"a list without an end, a command of all managers", "START 15\nYXBLOCK\n1,1\nTURN 7,7\n", "OK|ERROR YXBLOCK: missing DONE, ignored|0,0"},
		{"a list without an end, a list", "START 15\nYXBLOCK\n1,1\nYXBOARD\n0,0,1\nDONE\nYXNBEST 1\n", "OK|ERROR YXBLOCK: missing DONE, ignored|1,0"},
		{"a board without an end", "START 15\nBOARD\n1,1,1\nYXNBEST 1\n", "OK|ERROR BOARD: missing DONE, ignored|0,0"},
		{"a bad board without an end", "START 15\nBOARD\n1,1\nYXNBEST 1\n", "OK|ERROR BOARD: missing DONE, ignored|0,0"},
		{"a board without an end, commands of all managers", "START 15\nBOARD\n1,1,1\nTURN 7,7\nTURN x\nBOARD\nSWAP2BOARD\n1,1\nPLAY 9,9\n",
			"OK|ERROR BOARD: missing DONE, ignored|0,0|ERROR TURN needs column,row, as in TURN 7,7|ERROR BOARD: missing DONE, ignored|ERROR SWAP2BOARD: missing DONE, ignored|9,9"},
		{"a board without an end and without a game", "BOARD\n1,1,1\nYXNBEST 1\n", "ERROR BOARD: missing DONE, ignored|ERROR no game has been started"},
		{"a text without a list", "START 15\nYXEDITTEXTDATABASE \"\nYXBOARD\n\"7,7\nYXBALANCETWO\n", "OK|ERROR YXEDITTEXTDATABASE: missing DONE, ignored|1,2 3,4"},
		{"a list with an unknown command", "START 15\nYXBLOCK\n1,1\nyxfoo\n1,2\nDONE\nbar\n", `OK|ERROR YXBLOCK: want column,row as in 7,7 or DONE, got "yxfoo"|UNKNOWN command "bar"`},
		{"a board on one line", "START 15\nYXBOARD 0,0,1 1,0,2 DONE\nYXNBEST 1\n", "OK|2,0"},
		{"a board on one line with blanks", "START 15\nYXBOARD 0 , 0,1 1,\t0 ,2  DONE\nYXNBEST 1\n", "OK|2,0"},
		{"half a board on one line", "START 15\nYXBOARD 0,0,1\n1,0,2\nDONE\nYXNBEST 1\n", "OK|2,0"},
		{"a list with an error", "START 15\nYXBLOCK\n1,1\n99,1\nx\nDONE\n", "OK|ERROR YXBLOCK: 99,1 is not on a board of 15x15"},
		{"paths off the board", "START 15\nYXBLOCKPATH\n1,1\n21,21\nDONE\n", "OK"},
		{"no game", "YXBLOCK\n1,1\nDONE\nYXBALANCEONE\nYXHASHDUMP\nx\n", "ERROR no game has been started|ERROR no game has been started|ERROR no game has been started"},
		{"an unknown command and what belongs to it", "yxfoo\n1,1\n2,2\ndone\nSTART 15\nbar\n", `UNKNOWN command "yxfoo"|OK|UNKNOWN command "bar"`},
		{"words behind a bad command and behind a list that is skipped", "START 15\nYXNBEST x\nfoo\nYXEDITTVDDATABASE 7\n1,1\nDONE\nbar\n",
			`OK|ERROR YXNBEST needs a number, as in YXNBEST 3|UNKNOWN command "foo"|ERROR YXEDITTVDDATABASE needs a number, as in ` + editUsage + `|UNKNOWN command "bar"`},
	}
	for _, test := range tests {
		if got := strings.Join(serve(t, &fake{}, test.in), "|"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// A search for lines is wanted for what it finds, not for a move of the book.
func TestLinesAreNotFromTheBook(t *testing.T) {
	f := &fake{}
	serve(t, f, "START 15\nBEGIN\nTURN 7,7\nYXNBEST 1\nYXSEARCHDEFEND\n")
	var got []bool
	for _, q := range f.queries {
		got = append(got, q.Study)
	}
	if !slices.Equal(got, []bool{false, false, true, true}) {
		t.Errorf("without the book: %v", got)
	}
}

// The lines of a report: REALTIME is about the best line alone.
func TestReportsByDetail(t *testing.T) {
	info := brain.Info{Lines: 2, Depth: 3, PV: []board.Move{board.At(7, 7)}}
	for info.Line = range 2 {
		for detail := range 4 {
			text := strings.Join(view{15, 15, false}.report(info, detail), "\n")
			realtime, lines := detail&detailRoot != 0 && info.Line == 0, detail&detailLines != 0
			if strings.Count(text, "MESSAGE line") != 1 || strings.Contains(text, "REALTIME") != realtime || strings.Contains(text, "INFO PV DONE") != lines {
				t.Errorf("line %d, detail %d:\n%s", info.Line, detail, text)
			}
		}
	}
}

// Yixin-Board offers its user as many threads as YXSHOWINFO tells: no more than are started.
func TestThreadsThatAreOffered(t *testing.T) {
	for most, want := range map[int]int{0: brain.MaxThreads, 3: 3, 2 * brain.MaxThreads: brain.MaxThreads} {
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader("YXSHOWINFO\n"), &out, brain.New(brain.Config{MostThreads: most})); err != nil {
			t.Fatal(err)
		}
		if line := fmt.Sprintf("\nMESSAGE INFO MAX_THREAD_NUM %d\n", want); !strings.Contains(out.String(), line) {
			t.Errorf("of %d threads at most it tells\n%s", most, &out)
		}
	}
}

// Yixin-Board shows no MESSAGE that begins with INFO, so what is noted about an option must not.
func TestNotesAboutOptionsAreShown(t *testing.T) {
	const in = "YXSHOWINFO\nSTART 15\nINFO usedatabase 0\nINFO max_node 10\n" +
		"INFO thread_num 200\nINFO max_memory 5000000\nTURN 7,7\n"
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(in), &out, brain.New(brain.Config{MostThreads: 1})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"thread_num 200", "max_memory 5000000 "} {
		if !strings.Contains(out.String(), "\nMESSAGE "+want) {
			t.Errorf("%q is not told in\n%s", want, &out)
		}
	}
}

// After YXSHOWINFO errors name a cell as the manager does, by row and column.
func TestErrorsNameTheRowFirst(t *testing.T) {
	for in, want := range map[string]string{
		"RECTSTART 22,5\nTURN 21,4\n":                       "21,4 is not on a board of 5x22",
		"RECTSTART 22,5\nYXFORBID add 21 4 0\n":             "21,4 is not on a board of 5x22",
		"RECTSTART 22,5\nBOARD\n21,4,1\nDONE\n":             "21,4 is not on a board of 5x22",
		"START 15\nPLAY 3,7\nTURN 3,7\n":                    "the cell 3,7 is taken",
		"START 15\nPLAY 3,7\nPLAY 3,7\n":                    "the cell 3,7 is taken",
		"START 15\nPLAY 9,1\nTAKEBACK 1,9\n":                "there is no stone on 1,9",
		"START 18\nSWAP2BOARD\n3,7\n7,3\n3,17\n3,7\nDONE\n": "the cell 3,7 is listed twice",
	} {
		got := told(t, "YXSHOWINFO\nINFO max_node 10\n"+in)
		if _, fault, _ := strings.Cut(got, "ERROR "); !strings.HasPrefix(fault, want+"\n") {
			t.Errorf("%q: got %q, want %q", in, fault, want)
		}
	}
	if got := told(t, "YXSHOWINFO\nINFO max_node 10\nRECTSTART 22,5\nPLAY 4,21\n"); !strings.HasSuffix(got, "\n4,21\n") {
		t.Errorf("a move in the last corner:\n%s", got)
	}
}

func TestDialectCalls(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"blocks", "YXBLOCK\n1,2\n3,4\nDONE\nYXBLOCKUNDO\n1,2\nDONE\nYXBLOCKRESET\n", "block b3 true; block d5 true; block b3 false; unblock false"},
		{"blocks on one line", "YXBLOCK 1,2 3,4 DONE\nYXBLOCKUNDO 1,2\nDONE\n", "block b3 true; block d5 true; block b3 false"},
		{"blocks, rows first", "YXSHOWINFO\nYXBLOCK\n1,2\nDONE\n", "block c2 true"},
		{"paths", "YXBLOCKPATH\n1,2\n3,4\nDONE\nYXBLOCKPATHUNDO\n1,2\nDONE\nYXBLOCKPATHRESET\n", "path [b3 d5] true; path [b3] false; unblock true"},
		{"a path off the board", "YXBLOCKPATH\n1,2\n15,4\nDONE\n", ""},
		{"a list without an end", "YXBLOCK\n1,2\nYXBLOCKRESET\n", "unblock false"},
		{"cells of a side", "YXFORBID add 1 2 0\nyxforbid DEL 3 4 1\n", "block b3 for black true; block d5 for white false"},
		{"a bias", "YXBALANCEONE -30\nYXBALANCETWO\n", "balance 1 -30; balance 2 0"},
		{"a bias that is too large", "YXBALANCEONE -99999\nYXBALANCETWO 99999\n", "balance 1 -20000; balance 2 20000"},
		{"all lines", "YXSEARCHDEFEND\n", fmt.Sprintf("think %d", brain.AllLines)},
		{"clear", "YXHASHCLEAR\n", "forget"},
	}
	for _, test := range tests {
		f := &fake{}
		serve(t, f, "START 15\n"+test.in)
		var calls []string
		for _, call := range strings.Split(f.asked(), "; ") {
			if !strings.HasPrefix(call, "game ") && !strings.HasPrefix(call, "keep ") {
				calls = append(calls, call)
			}
		}
		if got := strings.Join(calls, "; "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Yixin-Board and gomocalc say in ways of their own that neither time nor depth is limited.
func TestUnlimitedSearchesOfFrontEnds(t *testing.T) {
	const none = brain.NoLimit
	tests := []struct {
		name, in string
		want     func(brain.Options) bool
	}{
		{"Yixin-Board", "yxshowinfo\nINFO timeout_match 100000000\nINFO timeout_turn 2000000\nINFO time_left 99990000\nINFO max_depth 225\n",
			func(o brain.Options) bool {
				return o.Endless && o.Turn == none && o.Match == none && o.Left == none && o.Depth == 0
			}},
		{"a limit of depth", "yxshowinfo\nINFO timeout_match 100000000\nINFO timeout_turn 2000000\nINFO max_depth 224\n",
			func(o brain.Options) bool { return o.Depth == 224 }},
		{"gomocalc", "RELOADCONFIG\nINFO TIMEOUT_MATCH -1\nINFO TIMEOUT_TURN -1\nINFO TIME_LEFT 1\n",
			func(o brain.Options) bool { return o.Endless && o.Turn == none && o.Match == none && o.Left == none }},
		{"a limit of a move", "RELOADCONFIG\nINFO TIMEOUT_MATCH -1\nINFO TIMEOUT_TURN 5000\nINFO TIME_LEFT 1\n",
			func(o brain.Options) bool { return o.Turn == 5*time.Second && o.Left == none }},
		{"a limit of a game", "yxshowinfo\nINFO timeout_match 60000\nINFO timeout_turn 2000000\nINFO time_left 50000\n",
			func(o brain.Options) bool { return o.Match == time.Minute && o.Left == 50*time.Second }},
		{"what is left alone", "RELOADCONFIG\nINFO time_left 5000\n",
			func(o brain.Options) bool { return o.Turn == none && o.Left == 5*time.Second }},
		{"no dialect", "INFO timeout_match 100000000\nINFO timeout_turn 2000000\nINFO time_left 50000\nINFO max_depth 225\n",
			func(o brain.Options) bool {
				return !o.Endless && o.Left == 50*time.Second && o.Turn == 2000*time.Second && o.Depth == 225
			}},
	}
	for _, test := range tests {
		e := brain.New(brain.Config{})
		s := &server{e: e, d: e, w: &strings.Builder{}, state: betweenCommands, width: 15, height: 15}
		for line := range strings.Lines(test.in) {
			s.handle(input{strings.TrimSpace(line), time.Now()})
		}
		if o := s.forDialect(task{}, e.Options()); !test.want(o) {
			t.Errorf("%s: %+v", test.name, o)
		}
	}
}

// After a command of the dialect a move that any manager asks for still ends if nothing was said of
// time, and what the dialect alone asks for is endless.
func TestMovesEndInTheDialect(t *testing.T) {
	for in, want := range map[string]bool{
		"TURN 7,7\n":                        false,
		"BEGIN\n":                           false,
		"BOARD\n7,7,2\nDONE\n":              false,
		"INFO thread_num 2\nTURN 7,7\n":     false,
		"INFO timeout_turn -1\nTURN 7,7\n":  true,
		"INFO timeout_match -1\nTURN 7,7\n": true,
		"YXBOARD\n7,7,2\nDONE\nYXNBEST 2\n": true,
	} {
		f := &fake{opts: brain.DefaultOptions()}
		serve(t, f, "RELOADCONFIG\nSTART 15\n"+in)
		if len(f.thoughtBy) != 1 || f.thoughtBy[0].Endless != want {
			t.Errorf("%q: thought by %+v, want endless %v", in, f.thoughtBy, want)
		}
	}
}

func TestViews(t *testing.T) {
	m := board.At(19, 3) // of a board of 20 columns and 10 rows
	for _, v := range []view{{20, 10, false}, {20, 10, true}} {
		if got := v.label(m); got != "t7" {
			t.Errorf("%+v: label %s, want t7", v, got)
		}
		s, reason := v.stone(v.move(m)+",2", true)
		if reason != "" || s.Move != m || s.Owner != brain.Opponent {
			t.Errorf("%+v: %s reads as %v, %s", v, v.move(m), s, reason)
		}
	}
	if got := (view{20, 10, true}).moves([]board.Move{m, board.At(0, 1)}); got != "3,19 1,0" {
		t.Errorf("got %s", got)
	}
}

func TestEveryExtensionIsDocumented(t *testing.T) {
	for name, x := range dialect {
		if name != strings.ToUpper(name) || x.run == nil || x.doc == "" || x.least > 0 && x.usage == "" || wire.Printable(x.doc) != x.doc {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

const fourStones = "7,7\n6,8\n9,9\n8,6\n" // stones of the steps

func TestSoosyrvStepsReplayWhatWasDecided(t *testing.T) {
	tests := []struct{ in, want string }{
		{"YXSOOSORVSTEP1\n", "[]"},
		{"YXSOOSORVSTEP2\n7,7\n6,8\n9,9\nDONE\n", "[put h8 put g9 put j10]"},
		{"YXSOOSORVSTEP3\n7,7\n6,8\n9,9\nDONE\n", "[put h8 put g9 put j10 stay]"},
		{"YXSOOSORVSTEP4 2\n" + fourStones + "DONE\n", "[put h8 put g9 put j10 stay put i7 declare 2]"},
		{"YXSOOSORVSTEP5 2\n" + fourStones + "DONE\n", "[put h8 put g9 put j10 stay put i7 declare 2 stay]"},
		{"YXSOOSORVSTEP6\n" + fourStones + "8,8\n6,6\nDONE\n", "[put h8 put g9 put j10 stay put i7 declare 2 stay offer i9 offer g7]"},
	}
	for _, test := range tests {
		f := &fake{opts: brain.DefaultOptions()}
		serve(t, f, "START 15\n"+test.in)
		_, got, _ := strings.Cut(f.asked(), "choose after ")
		if want := test.want + ", 10s"; got != want { // with a limit, or the step would never end
			t.Errorf("%q: after %s, want %s", test.in, got, want)
		}
	}
}

// A step of swap2 has a limit in the dialect, where searches have none; other managers get that of
// the engine, and nobody a limit of time besides one of nodes.
func TestSwap2EndsInTheDialect(t *testing.T) {
	for _, test := range []struct {
		in    string
		nodes int64
		want  time.Duration
	}{{"RELOADCONFIG\n", 0, stepTime}, {"", 0, brain.NoLimit}, {"RELOADCONFIG\n", 100, brain.NoLimit}} {
		f := &fake{opts: brain.DefaultOptions()}
		f.opts.Nodes = test.nodes
		serve(t, f, test.in+"START 15\nSWAP2BOARD\n7,7\n8,8\n6,6\nDONE\n")
		if len(f.thoughtBy) != 1 || f.thoughtBy[0].Turn != test.want {
			t.Errorf("%q, %d nodes: thought by %+v", test.in, test.nodes, f.thoughtBy)
		}
	}
}

// An error of a step is about the list that was sent.
func TestSoosyrvStepsNameWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		"YXSOOSORVSTEP5 99\n" + fourStones + "DONE\n":          "YXSOOSORVSTEP5: there are 1 to 8 fifth moves, not 99",
		"YXSOOSORVSTEP6\n" + fourStones + "DONE\n":             "YXSOOSORVSTEP6 needs 5 stones, got 4",
		"YXSOOSORVSTEP2\n7,7\n7,7\n9,9\nDONE\n":                "YXSOOSORVSTEP2: stone 2 of the list: 7,7 is taken",
		"YXSOOSORVSTEP2\n7,8\n7,7\n9,9\nDONE\n":                "YXSOOSORVSTEP2: stone 1 of the list: the first stone lies in the middle of the board, not on 7,8",
		"YXSOOSORVSTEP2\n7,7\n7,9\n9,9\nDONE\n":                "YXSOOSORVSTEP2: stone 2 of the list: 7,9 is outside the 3x3 about the first stone",
		"YXSOOSORVSTEP4 2\n7,7\n6,8\n9,9\n9,9\nDONE\n":         "YXSOOSORVSTEP4: stone 4 of the list: 9,9 is taken",
		"YXSOOSORVSTEP6\n" + fourStones + "7,9\n6,8\nDONE\n":   "YXSOOSORVSTEP6: stone 6 of the list: 6,8 is taken",
		"YXSOOSORVSTEP6\n" + fourStones + "7,9\n7,9\nDONE\n":   "YXSOOSORVSTEP6: stone 6 of the list: 7,9 is offered already",
		"YXSOOSORVSTEP6\n7,7\n6,6\n9,9\n5,5\n0,1\n1,0\nDONE\n": "YXSOOSORVSTEP6: stone 6 of the list: 1,0 is a mirror image of 0,1, which is offered already",
	} {
		f := &fake{opts: brain.DefaultOptions()}
		if got, want := strings.Join(serve(t, f, "YXSHOWINFO\nSTART 15\n"+in), "|"), "OK|ERROR "+want; got != want {
			t.Errorf("%q:\n%s, want\n%s", in, got, want)
		}
	}
}

// A lost position has hundreds of iterations in a moment, each of twenty lines. A front end gets as
// many as it can draw, and the last ones.
func TestLinesOfALostPosition(t *testing.T) {
	const in = "INFO show_detail 2\nSTART 15\nINFO timeout_turn 500\n" +
		"YXBOARD 7,7,2 0,0,1 8,7,2 0,2,1 9,7,2 14,14,1 10,7,2 DONE\nYXNBEST 20\n"
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(in), &out, brain.New(brain.Config{})); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if n := strings.Count(text, "\nINFO "); n < 20*12 || n > 3*20*12 {
		t.Errorf("%d lines, want those of one to three iterations of 20 lines", n)
	}
	if !strings.Contains(text, "\nINFO EVAL -M2\n") || !strings.Contains(text, "\nINFO PV 19\n") {
		t.Errorf("the loss is not told, or not of 20 lines:\n%.2000s", text)
	}
}
