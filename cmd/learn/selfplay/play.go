package selfplay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

// endless is the number of games when only the time is to end a run.
const endless = math.MaxInt32

// runPlay plays games into a file until it holds as many as asked for or the time is over.
func runPlay(ctx context.Context, args []string, stdout io.Writer, stderr io.Writer) error {
	fs := flag.NewFlagSet("selfplay", flag.ContinueOnError)
	s := &settings{}
	s.flags(fs)
	out := fs.String("o", "", "`FILE` of samples, .tgs; one that exists is continued")
	games := fs.Int("games", 100, "`NUMBER` of games that the file shall hold; with -for it may be left out")
	within := fs.Duration("for", 0, "`TIME` after which to end, as 90s or 2h30m; games that are under way are given up")
	openings := fs.String("openings", "", "`FILE` of openings in pos or offset notation, one a line; without it they are made")
	fs.Int64Var(&s.nodes, "nodes", 2000, "`NODES` of a search")
	fs.Int64Var(&s.made.nodes, "check", 0, "`NODES` of the search that decides whether an opening made here is balanced (default twice -nodes)")
	fs.IntVar(&s.random, "random", 12, "`PLIES` behind the opening of which chance may choose every fourth")
	fs.IntVar(&s.spread, "spread", 60, "`POINTS` that such a move may be worse than the best")
	fs.IntVar(&s.drawAfter, "drawafter", -1, "a draw when so many `STONES` are on the board, 0 for a full board (default 60% of the cells, at least 120)")
	fs.BoolVar(&s.playOut, "playout", false, "play to the five; else a game ends where the side to move has a proven win")
	workers := fs.Int("concurrency", defaultWorkers, "`NUMBER` of games played at the same time")
	quiet := fs.Bool("quiet", false, "no progress on standard error")
	if err := parse(fs, args, stdout, 0, 0); err != nil {
		return err
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given["for"] && !given["games"] {
		*games = endless
	}
	switch {
	case *out == "":
		return flags.Usage("-o FILE is missing")
	case given["for"] && *within <= 0:
		return flags.Usage("-for %v: want a time", *within)
	case *games < 1 || int64(*games) >= 1<<32:
		return flags.Usage("-games %d: want 1 or more", *games)
	case s.nodes < 1:
		return flags.Usage("-nodes %d: want 1 or more", s.nodes)
	case s.made.nodes < 0:
		return flags.Usage("-check %d: want 1 or more", s.made.nodes)
	case s.random < 0 || s.spread < 0 || s.spread > int(search.Win) || s.drawAfter < -1:
		return flags.Usage("-random, -spread and -drawafter want 0 or more")
	case *workers < 1:
		return flags.Usage("-concurrency %d: want 1 or more", *workers)
	}
	if s.made.nodes == 0 {
		s.made.nodes = 2 * s.nodes
	}
	if err := s.check(); err != nil {
		return err
	}
	// Of 285 decided games on 15x15 at 2,000 nodes the longest had 90 stones. Those that
	// go on to a full board are one in twenty, and would be a third of all positions.
	if s.drawAfter < 0 {
		s.drawAfter = max(120, s.width*s.height*6/10)
	}
	if s.drawAfter >= s.width*s.height {
		s.drawAfter = 0
	}
	if *openings != "" {
		if err := s.readOpenings(*openings); err != nil {
			return err
		}
	}
	note := func(format string, args ...any) { fmt.Fprintf(stderr, "selfplay: "+format+"\n", args...) }
	file, err := openSamples(*out, s, note)
	if err != nil {
		return err
	}
	defer file.Close()

	p := newCounter(stderr, *quiet, "games", *games, int(file.games))
	if *within > 0 {
		p.until = time.Now().Add(*within)
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, p.until)
		defer cancel()
	}
	work := func() func(context.Context, uint32) (*record.SampleGame, error) { return newPlayer(s).game }
	err = inOrder(ctx, *workers, file.games, uint32(*games), work, func(n uint32, g *record.SampleGame) error {
		if err := file.write(g); err != nil {
			return err
		}
		p.finished(g.Positions())
		return nil
	})
	p.line.End()
	if *within > 0 && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return errors.Join(err, file.Close())
}

// A sampleFile is a file of samples that games are added to. Every game goes out as a
// block of its own, in one write, so that a kill leaves at most one block unfinished, at
// the end, which the next start cuts off.
type sampleFile struct {
	f     *os.File
	w     *record.SampleWriter
	games uint32 // that it holds: numbers 0 to games-1
}

// openSamples opens the file to be continued by s, or makes it. Errors: another process
// writes it, it is no sample file or damaged, or it holds other games than s would have
// played so far. note is told what people should know.
func openSamples(name string, s *settings, note func(string, ...any)) (*sampleFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*sampleFile, error) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := resume.Lock(f); err != nil {
		return fail(fmt.Errorf("another process writes it: %w", err))
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
	}
}

// write adds the next game.
func (f *sampleFile) write(g *record.SampleGame) error {
	if err := f.w.Write(g); err != nil {
		return err
	}
	f.games++
	return f.w.Flush()
}

// Close closes the file. The second time it does nothing.
func (f *sampleFile) Close() error {
	if f.f == nil {
		return nil
	}
	err := errors.Join(f.f.Sync(), f.f.Close())
	f.f = nil
	return err
}
