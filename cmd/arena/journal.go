package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/longrun"
	"tengen/protocol"
)

// A settings is everything that decides which games a match consists of. Its hash names
// the match: journals with the same hash belong together.
type settings struct {
	Engines    []engine `json:"engines"`
	Rule       int      `json:"rule"`
	Size       int      `json:"size"`
	Openings   []string `json:"openings,omitempty"` // pos notation, in file order
	Order      string   `json:"order,omitempty"`
	Seed       uint64   `json:"seed,omitempty"`
	Symmetries bool     `json:"symmetries,omitempty"`
	Games      int      `json:"games"`
	Rounds     int      `json:"rounds"`
	Gauntlet   bool     `json:"gauntlet,omitempty"`
	DrawAfter  int      `json:"drawafter,omitempty"`
	Adjudicate *award   `json:"adjudicate,omitempty"`
	SPRT       *sprt    `json:"sprt,omitempty"`
}

// endlessGames is the schedule of a test that was given none: it stops by itself.
const endlessGames = 1_000_000

// endless reports whether only a verdict is thought to end the match.
func (s *settings) endless() bool { return s.SPRT != nil && s.Games == endlessGames && s.Rounds == 1 }

// id returns the hash of the settings, 16 hex digits.
func (s *settings) id() string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain data always marshals
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

func (s *settings) schedule() *schedule {
	odd := make([]bool, len(s.Openings))
	for i, text := range s.Openings {
		moves, err := board.ParseMoves(text, s.Size, s.Size)
		odd[i] = err == nil && len(moves)%2 == 1
	}
	return &schedule{
		odd: odd, pairs: pairings(len(s.Engines), s.Gauntlet), games: s.Games, rounds: s.Rounds,
		openings: len(s.Openings), order: openingOrder(len(s.Openings), s.Order == "random", s.Seed),
		symmetries: s.Symmetries, width: s.Size, height: s.Size,
	}
}

// A gameRecord is one line of the journal: a finished game.
type gameRecord struct {
	Game    int    `json:"game"` // number in the schedule, from 1
	Round   int    `json:"round"`
	Black   string `json:"black"`
	White   string `json:"white"`
	Result  string `json:"result"` // from Black's side: 1-0, 0-1, 1/2-1/2
	Reason  string `json:"reason"` // five, draw, timeout, illegal, forbidden, crash, protocol, memory, adjudication
	Detail  string `json:"detail,omitempty"`
	Moves   string `json:"moves"`   // pos notation, opening included
	Opening int    `json:"opening"` // how many of the moves were given
	Rule    int    `json:"rule"`
	Size    int    `json:"size"`

	// One entry for each move after the opening. Depth, Eval and Nodes are left out
	// where no engine told any.
	Time  []float64 `json:"time"` // ms, measured from command to answer
	Depth []int     `json:"depth,omitempty"`
	Eval  []eval    `json:"eval,omitempty"`
	Nodes []int64   `json:"nodes,omitempty"`

	Started string  `json:"started"` // UTC, RFC 3339
	Seconds float64 `json:"seconds"` // from the first to the last command
	Match   string  `json:"match"`   // hash of the settings
	Shard   string  `json:"shard,omitempty"`

	// The settings stand on the first line of each run, what an engine says of itself on
	// the line of its first game.
	Settings *settings         `json:"settings,omitempty"`
	About    map[string]string `json:"about,omitempty"` // engine name to its own words
}

func (r *gameRecord) addAbout(name, text string) {
	if r.About == nil {
		r.About = map[string]string{}
	}
	r.About[name] = text
}

func (m *match) addAbout(name, text string) {
	if m.about == nil {
		m.about = map[string]string{}
	}
	m.about[name] = text
}

// An eval is an engine's opinion of its own position: a number in its own unit, a
// proven win ("+M7") or loss ("-M6") in plies, or null where it said nothing.
type eval struct {
	told  bool
	value int
	mate  int
}

func (e eval) MarshalJSON() ([]byte, error) {
	switch {
	case !e.told:
		return []byte("null"), nil
	case e.mate > 0:
		return fmt.Appendf(nil, `"+M%d"`, e.mate), nil
	case e.mate < 0:
		return fmt.Appendf(nil, `"-M%d"`, -e.mate), nil
	}
	return strconv.AppendInt(nil, int64(e.value), 10), nil
}

func (e *eval) UnmarshalJSON(raw []byte) error {
	s := strings.Trim(string(raw), `"`)
	*e = eval{told: s != "null"}
	if !e.told {
		return nil
	}
	var ok bool
	if e.value, e.mate, ok = protocol.ParseEval(s); !ok {
		return fmt.Errorf("%s is not an evaluation", raw)
	}
	return nil
}

// halfPoints gives Black's share: 2, 1 or 0.
func (r *gameRecord) halfPoints() int {
	switch r.Result {
	case "1-0":
		return 2
	case "0-1":
		return 0
	}
	return 1
}

// loser returns the name of the engine that lost, "" after a draw.
func (r *gameRecord) loser() string {
	switch r.Result {
	case "1-0":
		return r.White
	case "0-1":
		return r.Black
	}
	return ""
}

// A journal is an append-only file of games, one JSON object a line, each synced to
// disk before the game counts. It is locked while open where the system can.
type journal struct {
	file *os.File
}

// openJournal opens or creates a journal and returns the games it holds. A last line
// without its end is what a killed writer left: it is completed if it is whole and cut
// off if not. A file that is no journal is left alone.
func openJournal(path string) (*journal, []gameRecord, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	fail := func(err error) (*journal, []gameRecord, error) {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return fail(errors.New("this is no file that could be continued"))
	}
	if err := longrun.Lock(f); err != nil {
		return fail(errors.New("another tournament is writing it"))
	}
	records, whole, err := readJournal(f)
	if err != nil {
		return fail(err)
	}
	if err := longrun.Continue(f, whole); err != nil {
		return fail(err)
	}
	if whole > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, whole-1); err != nil {
			return fail(err)
		}
		if last[0] != '\n' {
			if _, err := f.Write([]byte("\n")); err != nil {
				return fail(err)
			}
		}
	}
	return &journal{f}, records, nil
}

// readJournal reads games up to the end, and how many bytes hold whole lines. Only the
// last line may be broken, and only as a write that was cut short leaves it: the
// beginning of a game, or zeros where the disk never got the data. Of two records of one
// game the first counts.
func readJournal(r io.Reader) (records []gameRecord, whole int64, err error) {
	seen := map[int]bool{}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, 0, err
		}
		ended := err == nil
		text := bytes.TrimSpace(line)
		if !ended {
			text = bytes.TrimSpace(bytes.TrimRight(text, "\x00"))
			if torn(text) || len(text) < len(bytes.TrimSpace(line)) {
				return records, whole, nil
			}
		}
		if len(text) > 0 {
			var g gameRecord
			if bad := g.parse(text); bad != nil {
				return nil, 0, fmt.Errorf("line %d is not a game: %w", n, bad)
			}
			if !seen[g.Game] {
				seen[g.Game] = true
				records = append(records, g)
			}
		}
		whole += int64(len(line))
		if !ended {
			return records, whole, nil
		}
	}
}

// torn reports whether text is the beginning of a line of the journal, but no whole one.
func torn(text []byte) bool {
	const first = `{"game":`
	n := min(len(text), len(first))
	if string(text[:n]) != first[:n] || n == 0 {
		return false
	}
	var whole json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&whole), io.ErrUnexpectedEOF)
}

func (r *gameRecord) parse(text []byte) error {
	if err := json.Unmarshal(text, r); err != nil {
		return err
	}
	switch {
	case r.Game < 1:
		return errors.New(`no "game" number`)
	case r.Result != "1-0" && r.Result != "0-1" && r.Result != "1/2-1/2":
		return fmt.Errorf("result %q", r.Result)
	case r.Black == "" || r.White == "":
		return errors.New("a name is missing")
	}
	return nil
}

// add appends a game and waits until the disk has it.
func (j *journal) add(r *gameRecord) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(raw, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) Close() error { return j.file.Close() }

// loadJournals reads several journals of one match and returns its settings, what the
// engines say of themselves and the games by number. A game in two journals counts
// once, the first time. The second result counts such repeats.
func loadJournals(paths []string) (*match, int, error) {
	m := &match{games: map[int]*gameRecord{}}
	repeats := 0
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, 0, err
		}
		records, _, err := readJournal(f)
		f.Close()
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		for i := range records {
			r := &records[i]
			if m.id == "" {
				m.id = r.Match
			}
			if r.Match != m.id {
				return nil, 0, fmt.Errorf("%s: game %d belongs to another match (%s, not %s)", path, r.Game, r.Match, m.id)
			}
			if r.Settings != nil && m.settings == nil {
				if got := r.Settings.id(); got != m.id {
					return nil, 0, fmt.Errorf("%s: the settings of game %d do not belong to match %s", path, r.Game, m.id)
				}
				m.settings = r.Settings
			}
			for name, text := range r.About {
				m.addAbout(name, text)
			}
			if m.games[r.Game] != nil {
				repeats++
				continue
			}
			m.games[r.Game] = r
		}
	}
	if len(m.games) == 0 {
		return nil, 0, errors.New("no games in " + strings.Join(paths, ", "))
	}
	if m.settings == nil {
		return nil, 0, errors.New("no line of " + strings.Join(paths, ", ") + " holds the settings of the match")
	}
	return m, repeats, m.check()
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
