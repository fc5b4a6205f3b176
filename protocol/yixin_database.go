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
	if s.database != nil || s.d == nil || s.files.opens() || !s.e.Options().Database {
		return
	}
	if s.folder == "" {
		s.useMemory()
		return
	}
	path := ownFile(s.folder, databaseName)
	in := &database.Input{Name: path}
	s.begin(&s.files, &fileWork{kind: workFind, path: path, input: in}, func(ctx context.Context) func() error {
		d, err := loadOwn(ctx, in)
		return func() error {
			switch {
			case err == nil:
				s.use(d, path)
			case !errors.Is(err, context.Canceled):
				s.say(wire.MessageLine(err.Error()))
				s.useMemory()
			}
			return nil
		}
	})
}

// useMemory makes an empty database without a file that of the engine.
func (s *server) useMemory() {
	s.use(database.New(), "")
	s.say(wire.MessageLine("the database is only in memory and is lost at exit; YXSETDATABASE names a file"))
}

// loadOwn reads an ownFile. The folder of the engine need not be there yet, but that of INFO folder.
func loadOwn(ctx context.Context, in *database.Input) (*database.Database, error) {
	own := filepath.Dir(in.Name)
	folder := filepath.Dir(own)
	switch at, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("INFO folder %s: there is no such folder", folder)
	case err == nil && !at.IsDir():
		return nil, fmt.Errorf("INFO folder %s: it is a file", folder)
	}
	if _, err := os.Stat(own); errors.Is(err, fs.ErrNotExist) {
		return database.ForFile(in.Name), nil
	}
	return database.LoadInput(ctx, in)
}

// A dbCommand is a command about the database and the position b, if it needs one.
type dbCommand func(s *server, t task, b *board.Board) error

// onDatabase returns the command that calls f with the database, if there is one, when no file is read
// into it or written.
func onDatabase(f dbCommand) dbCommand {
	return func(s *server, t task, b *board.Board) error {
		s.wantDatabase()
		return s.files.after(func() error {
			if s.database == nil {
				return errNoDatabase
			}
			return f(s, t, b)
		})
	}
}

// edits returns the command that calls f if the database may be changed.
func edits(f dbCommand) dbCommand {
	return func(s *server, t task, b *board.Board) error {
		readOnly := s.e.Options().ReadOnly
		return onDatabase(func(s *server, t task, b *board.Board) error {
			if readOnly {
				return errReadOnly
			}
			return f(s, t, b)
		})(s, t, b)
	}
}

// asks is onDatabase for questions, which wait only until a database is open: where there is none
// nothing is known, which is no error. Yixin-Board asks after every move, whether it uses a database or not.
func asks(f dbCommand) dbCommand {
	return func(s *server, t task, b *board.Board) error {
		ask := func() error {
			if s.database == nil {
				s.database = database.New()
				defer func() { s.database = nil }()
			}
			return f(s, t, b)
		}
		if s.wantDatabase(); s.files.opens() {
			return s.files.after(ask)
		}
		return ask()
	}
}

// whole returns the command that calls f without a position.
func whole(f dbCommand) func(*server, task) error {
	return func(s *server, t task) error { return f(s, t, nil) }
}

// atPosition returns the command that calls f with the position of the list of t.
func atPosition(f dbCommand) func(*server, task) error {
	return func(s *server, t task) error {
		b, err := s.listed(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		return f(s, t, b)
	}
}

// atPresent returns the command that calls f with the present position.
func atPresent(f dbCommand) func(*server, task) error {
	return func(s *server, t task) error {
		b, err := s.d.Position()
		if err != nil {
			return err
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
	return s.files.after(func() error {
		s.say(rawLine("DATABASE LOAD START " + t.path))
		old, oldPath := s.database, s.databasePath
		in := &database.Input{Name: t.path}
		s.usageTold = false
		s.begin(&s.files, &fileWork{kind: workOpen, path: t.path, input: in}, func(ctx context.Context) func() error {
			err := keep(old, oldPath)
			var d *database.Database
			if err == nil {
				d, err = database.LoadInput(ctx, in)
			}
			return func() error { return s.opened(d, t.path, err) }
		})
		return nil
	})
}

// opened takes d, which was read from the file at path, or the error of that.
func (s *server) opened(d *database.Database, path string, err error) error {
	if err == nil {
		s.use(d, path)
		if !s.usageTold { // by INFO meanwhile
			s.e.Set("usedatabase", "1")
		}
	}
	s.say(rawLine("DATABASE LOAD DONE")) // also after an error: Yixin-Board waits for it
	if err == nil {
		s.say(wire.MessageLine(fmt.Sprintf("the database has %d records", d.Len())))
		return nil
	}
	return fmt.Errorf("%w%s", err, s.stillUsing())
}

// stillUsing says which database is in use after an error, as the end of a sentence.
func (s *server) stillUsing() string {
	switch {
	case s.database == nil:
		return ""
	case s.databasePath == "":
		return "; still using the database without a file"
	}
	return "; still using " + s.databasePath
}

// keepDatabase saves the database if it was changed and has a file. INFO database_readonly does
// not matter: what was changed was changed before it.
func (s *server) keepDatabase() error { return keep(s.database, s.databasePath) }

// keep is keepDatabase for d, nil for none, with the file at path.
func keep(d *database.Database, path string) error {
	if d == nil || path == "" || !d.Changed() {
		return nil
	}
	return save(d, path)
}

// save writes d to the file at path.
func save(d *database.Database, path string) error {
	if err := makeRoom(path); err != nil {
		return err
	}
	return d.Save(path)
}

func (s *server) saveDatabase(task, *board.Board) error {
	d, path := s.database, s.databasePath
	if path == "" {
		return errNoFile
	}
	s.say(rawLine("DATABASE SAVE START " + path))
	s.begin(&s.files, &fileWork{kind: workSave, path: path}, func(context.Context) func() error {
		err := save(d, path)
		return func() error {
			s.say(rawLine("DATABASE SAVE DONE")) // also after an error: Yixin-Board waits for it
			if err == nil {
				s.say(wire.MessageLine(fmt.Sprintf("saved %d records", d.Len())))
			}
			return err
		}
	})
	return nil
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
	v := view{b.Width(), b.Height(), s.yFirst}
	first, rest, _ := strings.Cut(t.Args, ",")
	second, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
	x, y, ok := wire.ParsePair(first + "," + second)
	if !ok {
		return fmt.Errorf("YXEDITLABELDATABASE needs a cell and a text, as in %s", labelUsage)
	}
	m, err := v.at(x, y)
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
func setBest(on bool) dbCommand {
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

// writes returns the command that calls f with the database and the position in the background. Its
// number goes into the text.
func writes(text string, f func(d *database.Database, path string, b *board.Board) (int, error)) dbCommand {
	return func(s *server, t task, b *board.Board) error {
		if err := s.notDatabase(t.path); err != nil {
			return err
		}
		d := s.database
		s.begin(&s.files, &fileWork{kind: workSave, path: t.path}, func(context.Context) func() error {
			n, err := f(d, t.path, b)
			return func() error { return s.tell(text, n, err) }
		})
		return nil
	}
}

// importParts is the part of max_memory, 1/n, that what is read from a file may take.
const importParts = 4

// reads is writes for a file that f reads into the database.
func reads(text string, f func(ctx context.Context, d *database.Database, in *database.Input, b *board.Board) (int, error)) dbCommand {
	return func(s *server, t task, b *board.Board) error {
		if err := s.notDatabase(t.path); err != nil {
			return err
		}
		if _, err := os.Stat(t.path); err != nil {
			return err
		}
		in := &database.Input{Name: t.path}
		if most := s.e.Options().MaxMemory; most > 0 {
			in.Most = most / importParts
		}
		d := s.database
		s.begin(&s.files, &fileWork{kind: workAdd, path: t.path, input: in}, func(ctx context.Context) func() error {
			n, err := f(ctx, d, in, b)
			return func() error { return s.tell(text, n, err) }
		})
		return nil
	}
}

// tell says the text with its number, or returns err.
func (s *server) tell(text string, n int, err error) error {
	if err == nil {
		s.say(wire.MessageLine(fmt.Sprintf(text, n)))
	}
	return err
}

// notDatabase returns an error if path is the file of the database, or of one that is being opened.
func (s *server) notDatabase(path string) error {
	if sameFile(path, s.databasePath) || s.files.opens() && sameFile(path, s.files.work.path) {
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
	textOut = writes("wrote %d records", func(d *database.Database, path string, b *board.Board) (int, error) {
		return d.SaveText(path, b)
	})
	allTextOut = writes("wrote %d records", func(d *database.Database, path string, _ *board.Board) (int, error) {
		return d.SaveText(path, nil)
	})
	textIn = reads("read %d records", func(ctx context.Context, d *database.Database, in *database.Input, _ *board.Board) (int, error) {
		return d.AddText(ctx, in)
	})
	positionsOut = writes("wrote %d positions", func(d *database.Database, path string, b *board.Board) (int, error) {
		return d.SavePositions(path, b)
	})
	libOut = writes("wrote %d moves", func(d *database.Database, path string, b *board.Board) (int, error) {
		return d.SaveLib(path, b)
	})
	libIn = reads("read %d positions", func(ctx context.Context, d *database.Database, in *database.Input, b *board.Board) (int, error) {
		return d.AddLib(ctx, in, b.Rule())
	})
	splitOut = writes("copied %d records", func(d *database.Database, path string, b *board.Board) (int, error) {
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
	mergeIn = reads("merged %d records", func(ctx context.Context, d *database.Database, in *database.Input, _ *board.Board) (int, error) {
		return d.AddDatabase(ctx, in)
	})
)

func (s *server) checkDatabase(task, *board.Board) error {
	s.say(wire.MessageLine(fmt.Sprintf("%d of %d records cannot be found; YXDBFIX repairs that", s.database.Check(), s.database.Len())))
	return nil
}

func (s *server) fixDatabase(task, *board.Board) error {
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
