//go:build unix

package protocol

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/database"
)

// long makes a file that is not read to its end in the time of a test, and takes no space: of a
// database or a hash table, whose empty entries are zeros.
func long(t *testing.T, name string) {
	t.Helper()
	if err := os.Truncate(name, 64<<30); err != nil {
		t.Fatal(err)
	}
}

// longDatabase makes such a database.
func longDatabase(t *testing.T, name string) {
	t.Helper()
	if err := os.WriteFile(name, []byte("\xff\xff\xff\xff"), 0o666); err != nil {
		t.Fatal(err)
	}
	long(t, name)
}

// comment returns the comment on the position after the moves in the database of a file.
func comment(t *testing.T, name string, moves ...board.Move) string {
	t.Helper()
	d, err := database.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := board.New(board.Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		b.Play(m)
	}
	r, _ := d.Get(b)
	return r.Comment()
}

// leavesAtEnd sends END.
func (o *opponent) leavesAtEnd(t *testing.T) {
	t.Helper()
	o.send(t, "END\n")
	if err := o.leaves(time.Now().Add(answerLimit)); err != nil {
		t.Error(err)
	}
}

// While a long hash table is read everything else is answered.
func TestALongTableBlocksNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	o := newServed()
	defer o.close()
	o.send(t, "INFO max_node 50\nSTART 15\nYXHASHDUMP\n"+name+"\n")
	o.hears(t, "OK", "MESSAGE HASH DUMP")
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\xff\xff\xff\xff\xff"), 24); err != nil { // the number of entries
		t.Fatal(err)
	}
	f.Close()
	long(t, name)
	load := "YXHASHLOAD\n" + name + "\n"
	o.send(t, load+"ABOUT\nSTOP\nSTART 15\n")
	o.hears(t, "MESSAGE reading "+name, "name=", "MESSAGE nothing is read", "OK")
	o.send(t, load+"RESTART\nINFO timeout_turn 100\n"+load+"BEGIN\n")
	o.hears(t, "MESSAGE reading "+name, "MESSAGE nothing is read", "OK", "MESSAGE reading "+name, "7,7", "MESSAGE reading "+name)
	o.leavesAtEnd(t)
}

// While a long database is opened moves are made, and what concerns it waits.
func TestALongDatabaseBlocksNothing(t *testing.T) {
	dir := t.TempDir()
	name, small := filepath.Join(dir, "long.db"), filepath.Join(dir, "small.db")
	longDatabase(t, name)
	open := "YXSETDATABASE\n" + name + "\n"
	o := newServed()
	defer o.close()
	o.send(t, "INFO max_node 50\nINFO timeout_turn 100\nSTART 15\nYXSETDATABASE\n"+small+"\n")
	o.hears(t, "OK", "MESSAGE the database has 0 records")
	o.send(t, open+"ABOUT\nBEGIN\n")
	o.hears(t, "MESSAGE reading "+name, "name=", "7,7")
	// An edit is of the board for which it was sent, whatever game begins before it is executed.
	o.send(t, "YXEDITTEXTDATABASE \"kept\"\n7,7\nDONE\nSTART 20\nYXQUERYDATABASETEXT\n7,7\nDONE\nABOUT\nSTOP\n")
	o.hears(t, "OK", "name=", "MESSAGE DATABASE LOAD DONE", "MESSAGE nothing is read from "+name, `MESSAGE DATABASE TEXT ""`)
	o.send(t, open)
	o.hears(t, "MESSAGE reading "+name)
	o.leavesAtEnd(t)
	if got := comment(t, small, board.At(7, 7)); got != "kept" {
		t.Errorf("the comment is %q", got)
	}
}

// The database of INFO folder delays neither the OK of a game nor a move.
func TestALongDatabaseInTheFolderDelaysNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, brain.Name), 0o777); err != nil {
		t.Fatal(err)
	}
	longDatabase(t, ownFile(dir, databaseName))
	o := newServed()
	defer o.close()
	o.send(t, "INFO folder "+dir+"\nINFO usedatabase 1\nINFO max_node 50\nINFO timeout_turn 100\nSTART 15\nBEGIN\n")
	o.hears(t, "MESSAGE reading "+dir, "OK", "7,7")
	o.leavesAtEnd(t)
}

// A database for which edits wait is read to its end, though END comes.
func TestEditsWaitForTheirDatabase(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(name, []byte("\xff\xff\xff\x00"), 0o666); err != nil { // 16 million entries without a record
		t.Fatal(err)
	}
	if err := os.Truncate(name, 4+2*0x00ffffff); err != nil {
		t.Fatal(err)
	}
	got := told(t, "START 15\nYXSETDATABASE\n"+name+"\nYXEDITTEXTDATABASE \"one\"\n7,7\nDONE\nTURN 7,7\nYXEDITTEXTDATABASE \"two\"\n7,7\n8,6\nDONE\nEND\n")
	if one, two := comment(t, name, board.At(7, 7)), comment(t, name, board.At(7, 7), board.At(8, 6)); one != "one" || two != "two" {
		t.Errorf("the comments are %q and %q:\n%s", one, two, got)
	}
}
