package selfplay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/sample"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

// A sampleFile is a file of samples that games are appended to. Every game is a block of its
// own, written at once, so that a kill leaves at most one unfinished block, at the end, which
// the next start removes.
type sampleFile struct {
	f *os.File
	w *sample.Writer

	shard     flags.Shard
	games     uint32 // in the file: the first ones of the shard
	positions int    // in these games that have a value
}

// openSamples opens or creates a file to continue it with games of a shard. Their origin is the line
// settings, and engine after it. each, if not nil, is called for every game in the
// file. Errors: another process is writing it, it is no file of samples or damaged, its games were
// made with other settings, or one of each. note receives messages for the user.
func openSamples(name string, shard flags.Shard, settings, engine string, each func(*sample.Game) error, note func(string, ...any)) (*sampleFile, error) {
	f, err := resume.Open(name)
	if errors.Is(err, resume.ErrLocked) {
		return nil, err
	}
	if err != nil {
		return nil, flags.Usage("%v", err)
	}
	fail := func(err error) (*sampleFile, error) {
		f.Close()
		return nil, flags.Usage("%s: %s", name, flags.OneLine(err))
	}
	file := &sampleFile{f: f, shard: shard}
	origin, end, err := file.scan(each)
	if err != nil && !errors.Is(err, sample.ErrTruncated) {
		return fail(err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fail(err)
	}
	if err := sample.CheckUnfinished(f, end, size); err != nil {
		return fail(err)
	}
	if was, rest, _ := strings.Cut(origin, "\n"); end > 0 {
		if was != settings {
			return fail(flags.Usage("its games have other settings: %s", resume.DifferentSettings(was, settings)))
		}
		if build := "\nbuild "; before(rest, build) != before(engine, build) {
			note("%s: from game %d on with a different engine", name, shard.Number(int(file.games)))
			origin = ""
		}
	}
	if size > end {
		note("%s: removed %d bytes of an unfinished block at byte %d", name, size-end, end)
	}
	if err := resume.Truncate(f, end); err != nil {
		return fail(err)
	}
	if origin != "" {
		file.w = sample.Continue(f)
	} else if file.w, err = sample.NewWriter(f, settings+"\n"+engine); err != nil {
		return fail(err)
	}
	return file, nil
}

func before(s, sep string) string {
	s, _, _ = strings.Cut(s, sep)
	return s
}

// scan reads the whole file, counts its games, calls each for them and returns the last origin and
// the end of the last whole section, 0 for an empty file.
func (f *sampleFile) scan(each func(*sample.Game) error) (origin string, end int64, err error) {
	in := bufio.NewReaderSize(f.f, 1<<16)
	if _, err := in.Peek(1); err == io.EOF {
		return "", 0, nil
	}
	r, err := sample.NewReader(in)
	if err != nil {
		return "", 0, err
	}
	var g sample.Game
	for {
		switch err := r.Read(&g); {
		case err == io.EOF:
			return r.Origin(), r.Offset(), nil
		case err != nil:
			return r.Origin(), r.Offset(), err
		case int(g.Number) != f.shard.Number(int(f.games)):
			return "", 0, fmt.Errorf("game %d follows instead of game %d: only the file of one run, or of one -shard of it, can be continued", g.Number, f.shard.Number(int(f.games)))
		}
		if each != nil {
			if err := each(&g); err != nil {
				return "", 0, err
			}
		}
		f.games++
		f.positions += g.Positions()
	}
}

// write adds the next game.
func (f *sampleFile) write(g *sample.Game) error {
	if err := f.w.Write(g); err != nil {
		return err
	}
	f.games++
	f.positions += g.Positions()
	return f.w.Flush()
}

// Close puts the games on disk and closes the file.
func (f *sampleFile) Close() error { return errors.Join(f.f.Sync(), f.f.Close()) }

// A stopwatch keeps the total time of a run over all starts in a file. The zero stopwatch
// keeps nothing.
type stopwatch struct {
	name   string
	before time.Duration // of earlier starts
	began  time.Time
	saved  time.Time
}

// saveEvery is the minimum time between two saves, which a kill may lose.
const saveEvery = 5 * time.Second

// startStopwatch continues the time in the named file, if there is one and the run is not
// new.
func startStopwatch(name string, isNew bool) (*stopwatch, error) {
	s := &stopwatch{name: name, began: time.Now(), saved: time.Now()}
	raw, err := os.ReadFile(name)
	if isNew || errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		s.before, err = time.ParseDuration(strings.TrimSpace(string(raw)))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to start counting at zero", name, err)
	}
	return s, nil
}

// total is the time of all starts.
func (s *stopwatch) total() time.Duration { return s.before + time.Since(s.began) }

// save writes the time if the last save is that long ago.
func (s *stopwatch) save(every time.Duration) error {
	if s.name == "" || time.Since(s.saved) < every {
		return nil
	}
	s.saved = time.Now()
	return atomicfile.Write(s.name, []byte(s.total().Round(time.Millisecond).String()+"\n"))
}
