package selfplay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tengen/brain/record"
	"tengen/brain/record/atomicfile"
	"tengen/cmd/internal/resume"
)

// A sampleFile is a file of samples that games are added to. Every game goes out as a
// block of its own, in one write, so that a kill leaves at most one block unfinished, at
// the end, which the next start cuts off.
type sampleFile struct {
	f *os.File
	w *record.SampleWriter

	games     uint32 // that it holds: numbers 0 to games-1
	positions int    // of these that have a value
}

// openSamples opens the file to be continued by s, or makes it. Errors: another process
// writes it, it is no sample file or damaged, or it holds other games than s would have
// played so far. note is called with what the user should know.
func openSamples(name string, s *Settings, note func(string, ...any)) (*sampleFile, error) {
	f, err := resume.Open(name)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*sampleFile, error) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file := &sampleFile{f: f}
	origin, end, err := file.scan()
	if err != nil && !errors.Is(err, record.ErrTruncated) {
		return fail(err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fail(err)
	}
	if err := unfinished(f, end, size); err != nil {
		return fail(err)
	}
	settings, engine := s.String(), s.engine()
	if was, rest, _ := strings.Cut(origin, "\n"); end > 0 {
		if was != settings {
			return fail(fmt.Errorf("it was made with other settings: %q, now %q", was, settings))
		}
		if build := "\nbuild "; before(rest, build) != before(engine, build) {
			note("%s: from game %d on another engine plays", name, file.games)
			origin = ""
		}
	}
	if size > end {
		note("%s: %d bytes of an unfinished block at byte %d are cut off", name, size-end, end)
	}
	if err := resume.Truncate(f, end); err != nil {
		return fail(err)
	}
	if origin != "" {
		file.w = record.ContinueSamples(f)
	} else if file.w, err = record.NewSampleWriter(f, settings+"\n"+engine); err != nil {
		return fail(err)
	}
	return file, nil
}

// unfinished reports what is wrong if the bytes of f from end to size cannot be what a
// kill left of one write. A length that is damaged looks like a file cut short, but the
// games behind it must not be cut off.
func unfinished(f io.ReaderAt, end, size int64) error {
	const most = 1 << 17 // bytes of a header and a game, and some more
	tail := make([]byte, min(size-end, most))
	if _, err := f.ReadAt(tail, end); err != nil && err != io.EOF {
		return err
	}
	if len(tail) < most && !(len(tail) > 4 && (bytes.Contains(tail[4:], []byte("TGSB")) || bytes.Contains(tail[4:], []byte("TGSH")))) {
		return nil
	}
	return fmt.Errorf("the section at byte %d is damaged: it has no end, though others follow", end)
}

func before(s, sep string) string {
	s, _, _ = strings.Cut(s, sep)
	return s
}

// scan reads the whole file, counts its games and returns the last origin and where the
// last whole section ends. An empty file ends at 0.
func (f *sampleFile) scan() (origin string, end int64, err error) {
	in := bufio.NewReaderSize(f.f, 1<<16)
	if _, err := in.Peek(1); err == io.EOF {
		return "", 0, nil
	}
	r, err := record.NewSampleReader(in)
	if err != nil {
		return "", 0, err
	}
	var g record.SampleGame
	for {
		switch err := r.Read(&g); {
		case err == io.EOF:
			return r.Origin(), r.Offset(), nil
		case err != nil:
			return r.Origin(), r.Offset(), err
		case g.Number != f.games:
			return "", 0, fmt.Errorf("game %d stands where %d should: it is not the file of one run and cannot be continued", g.Number, f.games)
		}
		f.games++
		f.positions += g.Positions()
	}
}

// write adds the next game.
func (f *sampleFile) write(g *record.SampleGame) error {
	if err := f.w.Write(g); err != nil {
		return err
	}
	f.games++
	f.positions += g.Positions()
	return f.w.Flush()
}

// Close puts the games on disk and closes the file.
func (f *sampleFile) Close() error { return errors.Join(f.f.Sync(), f.f.Close()) }

// A stopwatch keeps in a file how long a run took in all its starts. One that was not
// started keeps nothing.
type stopwatch struct {
	name   string
	before time.Duration // of earlier starts
	began  time.Time
	saved  time.Time
}

// saveEvery is the least time between two saves: what a kill may take from the account.
const saveEvery = 5 * time.Second

// startStopwatch goes on with the time in the file of that name, if there is one and the
// run is not new.
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
		return nil, fmt.Errorf("%s: %w; remove it to count the time from zero", name, err)
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
