package protocol

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/protocol/wire"
)

// The commands about the database of positions, as Yixin-Board and Rapfi have them. Answers
// are MESSAGE lines; texts in them are UTF-8.

// databaseName is the file that is used before YXSETDATABASE: see ownFile.
const databaseName = "tengen.db"

var (
	errNoDatabase = errors.New("no database is in use: INFO usedatabase 1 or YXSETDATABASE opens one")
	errReadOnly   = errors.New("the database is read only: INFO database_readonly 0 changes that")
	errNoFile     = errors.New("the database has no file: YXSETDATABASE names one")
)

// use makes d, which belongs to the file at path, the database of the engine.
func (s *server) use(d *database.Database, path string) {
	s.database, s.databasePath = d, path
	s.d.UseDatabase(d)
}

// wantDatabase opens the database that INFO usedatabase 1 asks for, if there is none yet: that
// in the directory of INFO folder, or an empty one that lasts as long as the conversation.
func (s *server) wantDatabase() {
	if s.database != nil || s.d == nil || !s.e.Options().Database {
		return
	}
	if s.folder != "" {
		path := ownFile(s.folder, databaseName)
		d, err := loadOwn(path)
		if err == nil {
			s.use(d, path)
			return
		}
		s.say(wire.MessageLine(err.Error()))
	}
	s.use(database.New(), "")
	s.say(wire.MessageLine("the database is only in memory and is lost at exit; YXSETDATABASE names a file"))
}

// loadOwn reads the ownFile at path. The folder of the engine need not be there yet, but that of
// INFO folder.
func loadOwn(path string) (*database.Database, error) {
	own := filepath.Dir(path)
	folder := filepath.Dir(own)
	switch at, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("INFO folder %s: there is no such folder", folder)
	case err == nil && !at.IsDir():
		return nil, fmt.Errorf("INFO folder %s: it is a file", folder)
	}
	if _, err := os.Stat(own); errors.Is(err, fs.ErrNotExist) {
		return database.ForFile(path), nil
	}
	return database.Load(path)
}

// onDatabase returns the command that calls f with the database, if there is one.
func onDatabase(f func(s *server, t task) error) func(*server, task) error {
	return func(s *server, t task) error {
		if s.awaitImport(t) {
			return nil
		}
		if s.wantDatabase(); s.database == nil {
			return errNoDatabase
		}
		return f(s, t)
	}
}

// asks is onDatabase for questions: where there is no database nothing is known, which is no
// error. Yixin-Board asks after every move, whether it uses a database or not.
func asks(f func(s *server, t task) error) func(*server, task) error {
	return func(s *server, t task) error {
		if s.wantDatabase(); s.database == nil {
			s.database = database.New()
			defer func() { s.database = nil }()
		}
		return f(s, t)
	}
}

// edits returns the command that calls f if the database may be changed.
func edits(f func(s *server, t task) error) func(*server, task) error {
	return onDatabase(func(s *server, t task) error {
		if s.e.Options().ReadOnly {
			return errReadOnly
		}
		return f(s, t)
	})
}

// atPosition returns the command that calls f with the position of the list of t.
func atPosition(f func(s *server, t task, b *board.Board) error) func(*server, task) error {
	return func(s *server, t task) error {
		b, err := s.listed(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		return f(s, t, b)
	}
}

// listed returns the position of the list of t, black first.
func (s *server) listed(t task) (*board.Board, error) {
	b, err := board.New(s.e.Options().Rule, s.width, s.height)
	if err != nil {
		return nil, err
	}
	v := s.view()
	for _, stone := range t.stones {
		if b.Cell(stone.Move) != board.Empty {
			return nil, fmt.Errorf("the cell %s is taken", v.move(stone.Move))
		}
		b.Play(stone.Move)
	}
	return b, nil
}

// setDatabase opens the database of a file, which need not exist yet. One that was changed
// is saved before. After an error it stays in use, and the error says so.
func (s *server) setDatabase(t task) error {
	if s.awaitImport(t) {
		return nil
	}
	err := s.openDatabase(t)
	switch {
	case err == nil || s.database == nil:
		return err
	case s.databasePath == "":
		return fmt.Errorf("%w; still using the database without a file", err)
	}
	return fmt.Errorf("%w; still using %s", err, s.databasePath)
}

func (s *server) openDatabase(t task) error {
	if err := s.keepDatabase(); err != nil {
		return err
	}
	s.say(rawLine("DATABASE LOAD START " + t.path))
	d, err := database.Load(t.path)
	if err == nil {
		s.use(d, t.path)
		s.e.Set("usedatabase", "1")
	}
	s.say(rawLine("DATABASE LOAD DONE")) // also after an error: Yixin-Board waits for it
	if err == nil {
		s.say(wire.MessageLine(fmt.Sprintf("the database has %d records", d.Len())))
	}
	return err
}

// keepDatabase saves the database if it was changed and has a file. INFO database_readonly does
// not matter: what was changed was changed before it.
func (s *server) keepDatabase() error {
	if s.database == nil || s.databasePath == "" || !s.database.Changed() {
		return nil
	}
	return save(s.database, s.databasePath)
}

// save writes d to the file at path.
func save(d *database.Database, path string) error {
	if err := makeRoom(path); err != nil {
		return err
	}
	return d.Save(path)
}

func (s *server) saveDatabase(task) error {
	d, path := s.database, s.databasePath
	if path == "" {
		return errNoFile
	}
	s.say(rawLine("DATABASE SAVE START " + path))
	err := save(d, path)
	s.say(rawLine("DATABASE SAVE DONE")) // also after an error: Yixin-Board waits for it
	if err == nil {
		s.say(wire.MessageLine(fmt.Sprintf("saved %d records", d.Len())))
	}
	return err
}

// queryAll answers a line for every move that the database knows: the cell, what is drawn there
// as up to four bytes of one number, value, depth and bound of the position after
// it, whether that has a comment, and the text on the cell.
func (s *server) queryAll(_ task, b *board.Board) error {
	s.say(rawLine("DATABASE REFRESH"))
	v := s.view()
	for _, c := range s.database.Children(b) {
		tag := -1
		if text := c.Record.Display(); text != "" {
			tag = 0
			for _, ch := range []byte(text[:min(len(text), 4)]) {
				tag = tag<<8 | int(ch)
			}
		}
		comment := 0
		if c.Record.Comment() != "" {
			comment = 1
		}
		s.say(rawLine(strings.TrimSpace(fmt.Sprintf("DATABASE %s %d %d %d %d %d %s",
			v.spaced(c.Move), tag, c.Record.Value, c.Record.Depth(), c.Record.Bound(), comment, c.Text))))
	}
	s.say(rawLine("DATABASE DONE"))
	return nil
}

func (s *server) queryOne(_ task, b *board.Board) error {
	r, ok := s.database.Get(b)
	if !ok {
		s.say(rawLine("DATABASE ONE 0 0 0 0"))
		return nil
	}
	s.say(rawLine(strings.TrimSpace(fmt.Sprintf("DATABASE ONE %d %d %d %d %s", r.Label, r.Value, r.Depth(), r.Bound(), r.Display()))))
	return nil
}

// queryText tells the comment of the position, in quotes and with its line ends.
func (s *server) queryText(_ task, b *board.Board) error {
	r, _ := s.database.Get(b)
	text := `DATABASE TEXT "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(r.Comment()) + `"`
	first, rest, more := strings.Cut(text, "\n")
	s.say(rawLine(first))
	for more {
		first, rest, more = strings.Cut(rest, "\n")
		s.say(printable(first))
	}
	return nil
}

func (s *server) queryAllAndText(t task, b *board.Board) error {
	if err := s.queryAll(t, b); err != nil {
		return err
	}
	return s.queryText(t, b)
}

const (
	textUsage   = `YXEDITTEXTDATABASE "text"`
	editUsage   = "YXEDITTVDDATABASE 7 119 -200 12"
	labelUsage  = "YXEDITLABELDATABASE 7,7 text"
	deleteUsage = "YXDELETEDATABASEALL wlinstep 20"
)

// editValues changes what the mask in front says: 1 the label, 2 the value, 4 the depth.
func (s *server) editValues(t task, b *board.Board) error {
	mask, label := t.Numbers[0], t.Numbers[1]
	if mask < 1 || mask > 7 || label < -128 || label > 127 {
		return fmt.Errorf("YXEDITTVDDATABASE needs a mask of 1 to 7, the number of a letter, a value and a depth, as in %s", editUsage)
	}
	r := database.NewRecord(database.Label(label), t.Numbers[2], t.Numbers[3], database.Exact)
	switch r.Label.Folded() {
	case database.Win, database.Loss, database.Draw, database.Block:
		r.Label = r.Label.Folded()
	}
	if err := s.database.Set(b, r, database.Part(mask)); err != nil {
		return err
	}
	return s.queryOne(t, b)
}

func (s *server) editComment(t task, b *board.Board) error {
	return s.database.SetComment(b, t.quoted)
}

// editLabel changes the text on a cell, which is the first argument.
func (s *server) editLabel(t task, b *board.Board) error {
	first, rest, _ := strings.Cut(t.Args, ",")
	second, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
	x, y, ok := wire.ParsePair(first + "," + second)
	if !ok {
		return fmt.Errorf("YXEDITLABELDATABASE needs a cell and a text, as in %s", labelUsage)
	}
	m, err := s.view().at(x, y)
	if err != nil {
		return err
	}
	return s.database.SetCellText(b, m, text)
}

func (s *server) deleteOne(_ task, b *board.Board) error { return s.database.Delete(b) }

// deleteAll removes what follows the position, or what the filter picks of it, and answers what
// is left.
func (s *server) deleteAll(t task, b *board.Board) error {
	words := strings.Fields(t.Args)
	name, n := "", 0
	var err error
	if len(words) > 0 {
		name = words[0]
	}
	if len(words) > 1 {
		n, err = strconv.Atoi(words[1])
	}
	f, unknown := database.ParseFilter(name, n)
	numbered := strings.HasPrefix(strings.ToUpper(name), "WLINSTEP")
	if err != nil || unknown != nil || len(words) > 2 || len(words) == 2 != numbered {
		return fmt.Errorf("YXDELETEDATABASEALL takes W, L, WL, WLD, NONWL, NONWLD, WLNOSTEP or WLINSTEP n, each with RECURSIVE behind it or not, as in %s", deleteUsage)
	}
	if n, err = s.database.DeleteBelow(b, f); err != nil {
		return err
	}
	s.say(wire.MessageLine(fmt.Sprintf("deleted %d records", n)))
	return s.queryAll(t, b)
}

// setBest returns the command that labels the position as the result of a move to be played,
// or takes that label away.
func setBest(on bool) func(*server, task, *board.Board) error {
	return func(s *server, t task, b *board.Board) error {
		label := database.Force
		if r, _ := s.database.Get(b); !on {
			if r.Label != database.Force {
				return nil
			}
			label = database.None
		}
		return s.database.Set(b, database.NewRecord(label, 0, 0, database.NoBound), database.PartLabel)
	}
}

// file returns the command that calls f with the database and the present position. Its
// number goes into the text.
func file(text string, f func(d *database.Database, path string, b *board.Board) (int, error)) func(*server, task) error {
	return func(s *server, t task) error {
		b, err := s.d.Position()
		if err != nil {
			return err
		}
		if err := s.notDatabase(t.path); err != nil {
			return err
		}
		n, err := f(s.database, t.path, b)
		if err == nil {
			s.say(wire.MessageLine(fmt.Sprintf(text, n)))
		}
		return err
	}
}

// notDatabase returns an error if path is the file of the database.
func (s *server) notDatabase(path string) error {
	if sameFile(path, s.databasePath) {
		return fmt.Errorf("%s is the file of the database", path)
	}
	return nil
}

// sameFile reports whether two paths lead to one file that is there, or are the same.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return a == b || err == nil && err2 == nil && os.SameFile(one, other)
}

var (
	textOut = file("wrote %d records", func(d *database.Database, path string, b *board.Board) (int, error) {
		return d.SaveText(path, b)
	})
	allTextOut = file("wrote %d records", func(d *database.Database, path string, _ *board.Board) (int, error) {
		return d.SaveText(path, nil)
	})
	textIn = into("read %d records", func(ctx context.Context, d *database.Database, in *database.Input, _ *board.Board) (int, error) {
		return d.AddText(ctx, in)
	})
	positionsOut = file("wrote %d positions", func(d *database.Database, path string, b *board.Board) (int, error) {
		return d.SavePositions(path, b)
	})
	libOut = file("wrote %d moves", func(d *database.Database, path string, b *board.Board) (int, error) {
		return d.SaveLib(path, b)
	})
	libIn = into("read %d positions", func(ctx context.Context, d *database.Database, in *database.Input, b *board.Board) (int, error) {
		return d.AddLib(ctx, in, b.Rule())
	})
	splitOut = file("copied %d records", func(d *database.Database, path string, b *board.Board) (int, error) {
		to, err := database.Load(path)
		if err != nil {
			return 0, err
		}
		n, err := d.CopyBelow(b, to)
		if err != nil || n == 0 {
			return 0, err
		}
		return n, to.Save(path)
	})
	mergeIn = into("merged %d records", func(ctx context.Context, d *database.Database, in *database.Input, _ *board.Board) (int, error) {
		return d.AddDatabase(ctx, in)
	})
)

func (s *server) checkDatabase(task) error {
	s.say(wire.MessageLine(fmt.Sprintf("%d of %d records cannot be found; YXDBFIX repairs that", s.database.Check(), s.database.Len())))
	return nil
}

func (s *server) fixDatabase(task) error {
	s.say(wire.MessageLine(fmt.Sprintf("repaired %d records", s.database.Fix())))
	return nil
}

// rawLine is a MESSAGE with a text in UTF-8.
func rawLine(text string) string { return "MESSAGE " + printable(text) }

// printable replaces control characters and what is no UTF-8.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, s)
}
