package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tengen/brain"
	"tengen/brain/database"
)

// told runs a conversation with the engine and returns what it says.
func told(t *testing.T, in string) string {
	t.Helper()
	e := brain.New(brain.Config{})
	e.Set("hash_size", "256")
	var out bytes.Buffer
	whole := &wholeLines{w: &out}
	if err := Serve(t.Context(), strings.NewReader(in), whole, e); err != nil {
		t.Fatal(err)
	}
	if whole.err != nil {
		t.Error(whole.err)
	}
	return out.String()
}

func files(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name())
	}
	return strings.Join(names, " ")
}

const edit = "YXEDITTVDDATABASE 7 119 0 0\n7,7\nDONE\n"

func TestDatabaseInTheFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	begin := "INFO folder " + dir + "\nSTART 15\nINFO usedatabase 1\n"
	for _, end := range []string{"END\n", ""} { // both save what was changed
		os.RemoveAll(filepath.Join(dir, brain.Name))
		told(t, begin+edit+end)
		if got := files(t, dir) + "/" + files(t, filepath.Join(dir, brain.Name)); got != brain.Name+"/"+databaseName {
			t.Errorf("with %q at the end the folder has %q", end, got)
		}
		if got := told(t, begin+"YXQUERYDATABASEONE\n7,7\nDONE\n"); !strings.Contains(got, "MESSAGE DATABASE ONE 119 ") {
			t.Errorf("it is read again as %q", got)
		}
	}
	os.RemoveAll(filepath.Join(dir, brain.Name))
	told(t, begin+"INFO database_readonly 1\n"+edit)
	told(t, begin+"YXQUERYDATABASEALLT\n7,7\nDONE\n")
	told(t, "INFO folder "+dir+"\nSTART 15\n"+edit)
	if got := files(t, dir); got != "" {
		t.Errorf("without a change the folder has %q", got)
	}
	if got := told(t, "START 15\nINFO usedatabase 1\n"+edit+edit+"END\n"); strings.Count(got, "is only in memory") != 1 {
		t.Errorf("without a file the warning comes otherwise than once:\n%s", got)
	}
	if got := files(t, "."); got != "" {
		t.Errorf("without a folder %q is written", got)
	}
}

// TestTwoEnginesWithANewFolder: both open the database of a folder before either has written one. What
// either stores stays, in whatever order they end.
func TestTwoEnginesWithANewFolder(t *testing.T) {
	for name, order := range map[string][]int{"the first ends first": {0, 1}, "the second ends first": {1, 0}} {
		dir := t.TempDir()
		var talks [2]*talk
		for i, cells := range [2]string{"7,7 8,8", "6,5"} {
			e := brain.New(brain.Config{})
			e.Set("hash_size", "256")
			talks[i] = newTalk(t, e)
			talks[i].say("INFO folder " + dir + "\nINFO usedatabase 1\nSTART 15\n")
			talks[i].hear("OK")
			for _, cell := range strings.Fields(cells) {
				talks[i].say("YXEDITTVDDATABASE 7 119 0 0\n" + cell + "\nDONE\n")
			}
			talks[i].say("START 15\n") // its answer comes after the edits
			talks[i].hear("OK")
		}
		for _, i := range order {
			talks[i].say("END\n")
			<-talks[i].out.gone
		}
		d, err := database.Load(ownFile(dir, databaseName))
		if err != nil || d.Len() != 3 {
			t.Errorf("%s: %d records, want 3; %v", name, d.Len(), err)
		}
	}
}

// Cells on the line of a command belong to its list: without them it would be that of the empty
// board.
func TestCellsBehindTheCommand(t *testing.T) {
	const known, unknown = "MESSAGE DATABASE ONE 119 0 0 3 w*\n", "MESSAGE DATABASE ONE 0 0 0 0\n"
	for command, want := range map[string]string{
		"YXDELETEDATABASEONE 7,7\nDONE\n": known + unknown,
		"YXDELETEDATABASEONE 7,7 DONE\n":  known + unknown,
		"YXDELETEDATABASEONE\nDONE\n":     unknown + known,
		"YXDELETEDATABASEONE 7 7\nDONE\n": known + known, // after an error
	} {
		got := told(t, "START 15\nINFO usedatabase 1\nYXEDITTVDDATABASE 7 119 0 0\nDONE\n"+edit+command+
			"YXQUERYDATABASEONE DONE\nYXQUERYDATABASEONE 7,7 DONE\n")
		if !strings.HasSuffix(got, want) {
			t.Errorf("%q: the end is not %q:\n%s", command, want, got)
		}
	}
}

// Blanks around the comma of a cell on the line of its command do not matter.
func TestTheCellOfALabel(t *testing.T) {
	const query = "DONE\nYXQUERYDATABASEALL\nDONE\n"
	for args, want := range map[string]string{
		"7,8 a,b":    " 7 8 -1 0 0 0 0 a,b\n",
		"7 , 8  a,b": " 7 8 -1 0 0 0 0 a,b\n",
		"7, 8":       "",
		"7 8 a":      "ERROR ",
		"7, a":       "ERROR ",
	} {
		got := told(t, "START 15\nINFO usedatabase 1\nYXEDITLABELDATABASE "+args+"\n"+query)
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "ERROR") {
			t.Errorf("%q: got\n%s", args, got)
		}
	}
}

// A remover removes a folder when the answer to an edit is written.
type remover struct {
	bytes.Buffer
	folder string
}

func (w *remover) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("DATABASE ONE")) {
		os.Remove(w.folder)
	}
	return w.Buffer.Write(line)
}

// The user learns once that a database without a file is lost: when it is opened, for searches store in
// it too.
func TestALossIsTold(t *testing.T) {
	const begin = "START 15\nINFO usedatabase 1\nINFO max_node 50\n"
	for in, want := range map[string]int{
		edit + edit: 1,
		"BOARD\n5,5,1\n0,0,2\n6,5,1\n0,2,2\n7,5,1\n0,4,2\nDONE\n" + edit:                           1,
		"YXEDITTVDDATABASE 8 0 0 0\nDONE\nYXDBMERGE\n" + filepath.Join(t.TempDir(), "none") + "\n": 1,
		"TURN 7,7\n":                           1,
		"INFO database_readonly 1\nTURN 7,7\n": 1,
		"YXSETDATABASE\n" + filepath.Join(t.TempDir(), "a.db") + "\n" + edit: 0,
	} {
		if out := told(t, begin+in); strings.Count(out, "lost at exit") != want {
			t.Errorf("%q: want the loss told %d times:\n%s", in, want, out)
		}
	}
}

// A folder that is not there, or is a file, is named as INFO folder had it.
func TestAFolderThatIsMissingIsNamed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{filepath.Join(dir, "none"): "there is no such folder", file: "it is a file"} {
		want = "MESSAGE INFO folder " + folder + ": " + want + "\nMESSAGE the database is only in memory"
		if got := told(t, "INFO folder "+folder+"\nINFO usedatabase 1\nSTART 15\n"+edit); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// A database that cannot be saved at the end is reported.
func TestADatabaseThatIsNotSavedIsTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	for _, end := range []string{"END\n", ""} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		out := &remover{folder: dir}
		err := Serve(t.Context(), strings.NewReader("INFO folder "+dir+"\nSTART 15\nINFO usedatabase 1\n"+edit+end), out, brain.New(brain.Config{}))
		if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); err == nil || !strings.HasPrefix(lines[len(lines)-1], "MESSAGE the database is not saved: ") {
			t.Errorf("with %q at the end: %v, the last line is %q", end, err, lines[len(lines)-1])
		}
	}
}

// A manager that is gone has sent no END, but what was changed is kept.
func TestTheDatabaseIsSavedAfterAWriteError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.db")
	const lines = 5 // OK, three about the database, and the answer to the edit
	in := strings.NewReader("START 15\nYXSETDATABASE\n" + name + "\n" + edit + "ABOUT\n")
	if err := Serve(t.Context(), in, &failing{lines}, brain.New(brain.Config{})); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	if d, err := database.Load(name); err != nil || d.Len() != 1 {
		t.Errorf("the database is not saved: %v", err)
	}
}

// A search uses the database of the folder although no command has asked for it.
func TestASearchOpensTheDatabase(t *testing.T) {
	dir := t.TempDir()
	begin := "INFO folder " + dir + "\nSTART 15\nINFO max_node 300\nINFO usedatabase 1\n"
	told(t, begin+"YXEDITTVDDATABASE 7 119 0 0\n7,7\n0,0\nDONE\nEND\n")
	if got := told(t, begin+"TURN 7,7\n"); !strings.HasSuffix(got, "\n0,0\n") && !strings.HasSuffix(got, "\n14,14\n") &&
		!strings.HasSuffix(got, "\n0,14\n") && !strings.HasSuffix(got, "\n14,0\n") {
		t.Errorf("the move is not that of the database:\n%s", got)
	}
}

// The database of the folder is read before a move is asked for, and none without a folder or
// where none is wanted.
func TestTheDatabaseIsReadBeforeAMove(t *testing.T) {
	dir := t.TempDir()
	told(t, "INFO folder "+dir+"\nSTART 15\nINFO usedatabase 1\n"+edit+"END\n")
	for _, c := range []struct {
		name     string
		wanted   bool
		commands []string
		want     string // of the calls: the database of one record, or none
	}{
		{"the folder last", true, []string{"START 15", "INFO folder " + dir}, "database of 1"},
		{"the folder before START", true, []string{"INFO folder " + dir, "START 15"}, "database of 1"},
		{"no folder", true, []string{"START 15", "INFO usedatabase 1"}, ""},
		{"not wanted", false, []string{"INFO folder " + dir, "START 15", "INFO usedatabase 0"}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{}
			f.opts.Database = c.wanted
			k := newTalk(t, f)
			for _, command := range c.commands {
				k.say(command + "\n")
				synctest.Wait()
			}
			if got := f.asked(); strings.Contains(got, "database of") != (c.want != "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: the engine is told %s", c.name, got)
			}
		})
	}
}

func TestADamagedDatabaseIsNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	name := ownFile(dir, databaseName)
	if err := makeRoom(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("half a file"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := told(t, "INFO folder "+dir+"\nINFO usedatabase 1\nINFO max_node 50\nSTART 15\nTURN 7,7\nRESTART\n"); strings.Count(got, "not a database") != 1 {
		t.Errorf("that it cannot be read is reported otherwise than once:\n%s", got)
	}
	got := told(t, "INFO folder "+dir+"\nSTART 15\nINFO usedatabase 1\n"+edit+
		"YXSAVEDATABASE\nYXSETDATABASE\n"+name+"\nYXSAVEDATABASE\nYXDBSPLIT\n"+name+"\nEND\n")
	for _, want := range []string{"not a database", "ERROR the database has no file"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if raw, err := os.ReadFile(name); err != nil || string(raw) != "half a file" {
		t.Errorf("the file has %q, %v", raw, err)
	}
}

// Another database is opened only when the first one is safe.
func TestTheFirstDatabaseIsSaved(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	got := told(t, "START 15\nYXSETDATABASE\n"+a+"\n"+edit+"YXSETDATABASE\n"+b+"\nYXQUERYDATABASEONE\n7,7\nDONE\nEND\n")
	if !strings.Contains(got, "DATABASE ONE 0 0 0 0") {
		t.Errorf("the second has the record of the first:\n%s", got)
	}
	if d, err := database.Load(a); err != nil || d.Len() != 1 {
		t.Errorf("the first was not saved: %v", err)
	}
	if got := files(t, dir); got != "a.db" {
		t.Errorf("files %q", got)
	}
}

// What was changed before INFO database_readonly 1 is saved, at the end and before another
// database is opened.
func TestChangesBeforeReadOnlyAreSaved(t *testing.T) {
	for _, end := range []string{"END\n", "", "YXSETDATABASE\n%sb\n", "YXSETDATABASE\n%sb\nEND\n"} {
		name := filepath.Join(t.TempDir(), "a.db")
		end := strings.ReplaceAll(end, "%s", name)
		got := told(t, "START 15\nYXSETDATABASE\n"+name+"\n"+edit+"INFO database_readonly 1\n"+strings.Replace(edit, "7,7", "8,8", 1)+end)
		if strings.Count(got, "ERROR") != 1 {
			t.Errorf("with %q at the end the second change is not refused:\n%s", end, got)
		}
		if d, err := database.Load(name); err != nil || d.Len() != 1 {
			t.Errorf("with %q at the end the first change is not saved: %v", end, err)
		}
	}
}

// After an error the first database is in use, and the error says so.
func TestTheDatabaseInUseIsNamed(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.db"), filepath.Join(dir, "none", "b.db")
	open := func(path string) string { return "YXSETDATABASE\n" + path + "\n" }
	for in, want := range map[string]string{
		open(a) + open(b):                       "; still using " + a + "\n",
		"INFO usedatabase 1\n" + edit + open(b): "; still using the database without a file\n",
		open(b):                                 "\n",
	} {
		got := told(t, "START 15\n"+in)
		_, fault, _ := strings.Cut(got, "ERROR ")
		if !strings.HasSuffix(fault, want) || strings.Contains(fault, "still") != (want != "\n") || strings.Count(got, "ERROR") != 1 {
			t.Errorf("%q: %q, want %q", in, fault, want)
		}
	}
}

// A hash table is not written over a file of something else.
func TestTheHashTableOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	name, table, empty := filepath.Join(dir, "x.db"), filepath.Join(dir, "table"), filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	dump := func(path string) string { return "YXHASHDUMP\n" + path + "\n" }
	got := told(t, "START 15\nYXSETDATABASE\n"+name+"\n"+dump(name)+edit+"YXSAVEDATABASE\n"+dump(name)+
		dump(table)+dump(table)+dump(empty)+dump(dir)+"YXDBTOTXT\n"+name+".csv\n"+dump(name+".csv")+"END\n")
	for want, n := range map[string]int{
		"ERROR " + name + " is the file of the database\n": 2,
		"MESSAGE HASH DUMP ":                                                3,
		"ERROR write " + dir + ": is a directory\n":                         1,
		"ERROR " + name + ".csv is there already and is not a hash table\n": 1,
		"ERROR": 4,
	} {
		if strings.Count(got, want) != n {
			t.Errorf("%q is not there %d times:\n%s", want, n, got)
		}
	}
	if d, err := database.Load(name); err != nil || d.Len() != 1 {
		t.Errorf("the database is lost: %v", err)
	}
	if text, err := os.ReadFile(name + ".csv"); err != nil || !strings.HasPrefix(string(text), "index,") {
		t.Errorf("the text is lost: %v", err)
	}
}

// A value without a label is kept, by a file, a part and a merge.
func TestEnteredValuesAreKept(t *testing.T) {
	for mask := 1; mask <= 7; mask++ {
		dir := t.TempDir()
		begin := "START 15\nYXSETDATABASE\n" + filepath.Join(dir, "z.db") + "\n"
		const ask = "YXQUERYDATABASEONE\n7,7\nDONE\n"
		part := "\n" + filepath.Join(dir, "part.db") + "\n"
		got := told(t, begin+fmt.Sprintf("YXEDITTVDDATABASE %d 0 50 3\n7,7\nDONE\n", mask)+"YXSAVEDATABASE\nEND\n")
		got += told(t, begin+"YXDBSPLIT"+part+"YXDBMERGE"+part+ask)
		got += told(t, begin+ask)
		if n := strings.Count(got, "DATABASE ONE -1 50 3 3"); n != 3 {
			t.Errorf("with %d it is there %d times of 3:\n%s", mask, n, got)
		}
	}
}

// Capital letters of results are small ones, and only the label of a move to be played is one
// that YXCLEARBESTMOVEDATABASE takes away.
func TestLabels(t *testing.T) {
	const clear = "YXCLEARBESTMOVEDATABASE\n7,7\nDONE\nYXQUERYDATABASEONE\n7,7\nDONE\n"
	for label, want := range map[int]string{'W': "119 0 0 3 w*", 'l': "108 0 0 3 l*", 'A': "65 0 0 3 A", '!': "-1 0 0 3 "} {
		got := told(t, fmt.Sprintf("START 15\nINFO usedatabase 1\nYXEDITTVDDATABASE 1 %d 0 0\n7,7\nDONE\n", label)+clear)
		if i := strings.LastIndex(got, "DATABASE ONE "); i < 0 || !strings.HasPrefix(got[i+len("DATABASE ONE "):], want) {
			t.Errorf("%c: want %s at the end of\n%s", label, want, got)
		}
	}
}

// A mask that names nothing to change changes nothing.
func TestTheMaskOfAnEditIsChecked(t *testing.T) {
	for _, mask := range []int{-1, 0, 8, 9} {
		got := told(t, fmt.Sprintf("START 15\nINFO usedatabase 1\nYXEDITTVDDATABASE %d 119 50 3\n7,7\nDONE\nYXQUERYDATABASEONE\n7,7\nDONE\n", mask))
		if !strings.Contains(got, "ERROR YXEDITTVDDATABASE needs a mask of 1 to 7") || !strings.HasSuffix(got, "DATABASE ONE 0 0 0 0\n") {
			t.Errorf("mask %d:\n%s", mask, got)
		}
	}
}

// A part or a library holds positions that records do not lead to; nothing is written over a
// file if there is nothing to write.
func TestGapsAreNoEnd(t *testing.T) {
	dir := t.TempDir()
	lib, part := filepath.Join(dir, "a.lib"), filepath.Join(dir, "part.db")
	begin := "START 15\nINFO rule 4\nINFO usedatabase 1\n"
	got := told(t, begin+"YXEDITTVDDATABASE 7 119 0 0\n7,7\n6,8\n9,9\nDONE\nYXDBTOLIB\n"+lib+"\nYXDBSPLIT\n"+part+"\n")
	for _, want := range []string{"MESSAGE wrote 3 moves\n", "MESSAGE copied 1 records\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	before, err := os.ReadFile(lib)
	if err != nil {
		t.Fatal(err)
	}
	got = told(t, begin+"YXDBTOLIB\n"+lib+"\nYXDBSPLIT\n"+part+".2\n")
	if !strings.Contains(got, "ERROR nothing is known of the position") {
		t.Errorf("an empty library:\n%s", got)
	}
	if after, err := os.ReadFile(lib); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the library is lost, %v", err)
	}
	if got := files(t, dir); got != "a.lib part.db" {
		t.Errorf("files %q", got)
	}
	if got := told(t, begin+"YXLIBTODB\n"+lib+"\nYXQUERYDATABASEONE\n7,7\n6,8\n9,9\nDONE\n"); !strings.Contains(got, "DATABASE ONE 119 ") {
		t.Errorf("the library is read as\n%s", got)
	}
}

func TestTextsInUTF8(t *testing.T) {
	dir := t.TempDir()
	got := told(t, "START 15\nYXSETDATABASE\n"+filepath.Join(dir, "定石.db")+"\n"+
		"YXEDITTEXTDATABASE \"花月 \\\"x\\\"\n第二\"\n7,7\nDONE\nYXEDITLABELDATABASE 7,8 甲\u0086乙\n7,7\nDONE\nYXQUERYDATABASEALLT\n7,7\nDONE\nYXSAVEDATABASE\n")
	for _, want := range []string{
		"MESSAGE DATABASE LOAD START " + filepath.Join(dir, "定石.db") + "\n",
		"MESSAGE DATABASE 7 8 -1 0 0 0 0 甲?乙\n",
		"MESSAGE DATABASE TEXT \"花月 \\\"x\\\"\n第二\"\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if files(t, dir) != "定石.db" {
		t.Errorf("files %q", files(t, dir))
	}
}

func TestTheDatabaseAnswersDuringASearch(t *testing.T) {
	k := newTalk(t, brain.New(brain.Config{}))
	k.say("START 15\nINFO hash_size 256\nINFO timeout_turn -1\nINFO usedatabase 1\n" + edit)
	k.hear("OK")
	k.say("YXBOARD\nDONE\nYXNBEST 2\nYXQUERYDATABASEONE\n7,7\nDONE\n")
	for range 2 { // the answers to the edit and to the question
		got, err := k.out.find("re DATABASE ONE 119 ", time.Now().Add(answerLimit))
		if err != nil || !strings.Contains(got, "DATABASE ONE 119 ") {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	k.say("YXSTOP\n")
	if err := k.answer(""); err != nil {
		t.Error(err)
	}
}

// ... unless other commands wait, which may change what the answer is.
func TestTheDatabaseAnswersInOrder(t *testing.T) {
	f := &fake{think: untilStopped}
	f.opts.Database = true
	k := newTalk(t, f)
	k.say("START 15\nTURN 7,7\nFOO\nYXQUERYDATABASEONE\nDONE\nABOUT\nSTOP\n")
	for _, want := range []string{"OK", aboutLine(), "0,0", `UNKNOWN command "FOO"`, "MESSAGE DATABASE ONE 0 0 0 0"} {
		if got, err := k.out.find("re MESSAGE DATABASE", time.Now().Add(answerLimit)); err != nil || got != want {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	}
}

// A text without an end does not swallow a conversation for ever.
func TestAnEndlessTextEnds(t *testing.T) {
	got := told(t, "START 15\nINFO usedatabase 1\nYXEDITTEXTDATABASE \"x\n"+strings.Repeat(strings.Repeat("y", 1000)+"\n", 70)+"DONE\nABOUT\n")
	if !strings.Contains(got, "longer than") || !strings.Contains(got, "name=") {
		t.Errorf("got %.300s", got)
	}
}

// END within a text in quotes is a line of it, but the end of the program if nothing more comes:
// the quotes were left open.
func TestEndWithinAText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTalk(t, brain.New(brain.Config{}))
		k.say("START 15\nINFO usedatabase 1\nYXEDITTEXTDATABASE \"the\nEND\nof it\"7,7\nDONE\n")
		k.hear("OK")
		k.say("YXQUERYDATABASETEXT\n7,7\nDONE\nABOUT\n")
		for _, want := range []string{"END", `of it"`, aboutLine()} {
			k.hear(want)
		}
		k.say("YXEDITTEXTDATABASE \"open\nEND\n")
		if err := k.out.leaves(time.Now().Add(2 * endWait)); err != nil {
			t.Error(err)
		}
	})
}
