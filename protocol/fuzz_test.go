package protocol

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain"
	"tengen/protocol/wire"
)

// checkEnds runs Serve on in. It must end, and write only complete lines of a known kind.
func checkEnds(t *testing.T, in []byte, e Engine) {
	checkTalk(t, bytes.NewReader(in), e, math.MaxInt)
}

// checkTalk is checkEnds for an input that comes in pieces, and a manager that is gone after
// the given number of lines.
func checkTalk(t *testing.T, in io.Reader, e Engine, lines int) {
	var out bytes.Buffer
	whole := &wholeLines{w: &out}
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), in, io.MultiWriter(&failing{lines}, whole), e) }()
	select {
	case err := <-ended:
		if err != nil && lines == math.MaxInt {
			t.Fatal(err)
		}
	case <-time.After(answerLimit):
		t.Fatal("Serve does not end")
	}
	if whole.err != nil {
		t.Error(whole.err)
	}
	quoted := false
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		within := quoted
		if quoted = stillQuoted(quoted, line); within {
			continue
		}
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "OK", "SWAP", "ERROR", "UNKNOWN", "MESSAGE", "INFO", "FORBID", `name="Tengen",`:
			if strings.Contains(line, "fail") {
				t.Errorf("an internal failure: %q", line)
			}
			continue
		}
		for _, move := range strings.Fields(line) {
			if _, _, ok := wire.ParsePair(move); !ok {
				t.Errorf("the line %q is of no known kind", line)
			}
		}
	}
}

// addDialogues adds seeds to a fuzz test.
func addDialogues(f *testing.F) {
	for _, in := range []string{
		"START 15\nTURN 7,7\nBOARD\n7,7,1\nx\nDONE\nEND\n", "START 5\rYXBOARD\r\n1,1,1\nDONE\nYXNBEST 3\nYXSHOWFORBID\n",
		"INFO rule 2\nyxshowinfo\nSWAP2BOARD\nDONE\nRECTSTART 20,15\nRESTART\nTAKEBACK 1,1\nPLAY 2,2\n", "\x00\xff\nABOUT\nSTOP\nINFO\n",
		"START 5\nINFO rule 2\nBOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\n0,1,1\n1,1,3\nDONE\nTAKEBACK 2,0\nTURN 2,0\n",
		"START 6\nINFO rule 4\nYXBOARD\n2,2,1\n2,3,1\n3,2,1\n3,4,1\nDONE\nYXSHOWFORBID\nYXNBEST 9\nINFO rule 11\nTURN 0,0\n",
	} {
		f.Add([]byte(in))
	}
}

// harmless changes the input so that files it may name are written to an empty directory.
func harmless(t *testing.T, in []byte) []byte {
	t.Chdir(t.TempDir())
	in = bytes.ReplaceAll(in, []byte("/"), []byte("_"))
	return bytes.ReplaceAll(in, []byte("\\"), []byte("_"))
}

// FuzzServe sends any bytes to Serve with an engine that answers at once.
func FuzzServe(f *testing.F) {
	addDialogues(f)
	f.Fuzz(func(t *testing.T, in []byte) { checkEnds(t, harmless(t, in), &fake{}) })
}

// A hasty engine is the real one with a limit of a few nodes a move that INFO cannot change.
type hasty struct{ *brain.Engine }

func (h hasty) Set(key, value string) error {
	if key == "rule" {
		return h.Engine.Set(key, value)
	}
	return nil
}

// FuzzServeWithTheEngine sends any bytes to Serve with the real engine.
func FuzzServeWithTheEngine(f *testing.F) {
	addDialogues(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		e := brain.New(brain.Config{})
		e.Set("hash_size", "64")
		e.Set("max_node", "20")
		checkEnds(t, harmless(t, in), hasty{e})
	})
}

// A script makes a conversation of any bytes: commands most of which are well formed, with
// cells on the board and blocks that end. It is the reader of what the manager sends, in
// pieces of a byte, of a few or of lines, some after a pause in which the engine thinks.
type script struct {
	choices       []byte
	width, height int

	text   []byte
	sent   int
	piece  int // bytes of a Read
	pause  time.Duration
	silent int // Reads up to the next pause; 0 for none
	pauses int // that are left
}

// choose returns the next choice among n; 0 when there are no more.
func (s *script) choose(n int) int {
	if len(s.choices) == 0 {
		return 0
	}
	c := int(s.choices[0])
	s.choices = s.choices[1:]
	return c % n
}

func (s *script) line(format string, args ...any) {
	line := fmt.Appendf(nil, format, args...)
	switch s.choose(24) {
	case 1: // another character
		if len(line) > 0 {
			line[s.choose(len(line))] = byte(s.choose(256))
		}
	case 2: // cut off
		line = line[:s.choose(len(line)+1)]
	case 3: // longer than any command
		line = append(line, bytes.Repeat([]byte{byte(s.choose(256))}, wire.MaxLine+10)...)
	case 4: // twice
		line = append(append(line, '\n'), line...)
	}
	s.text = append(append(s.text, line...), []string{"\n", "\r\n", "\r", "\n"}[s.choose(4)]...)
}

func (s *script) cell() string {
	return fmt.Sprintf("%d,%d", s.choose(s.width), s.choose(s.height))
}

// block writes the lines that belong to a command of several.
func (s *script) block(owners int) {
	for range s.choose(12) {
		if owners > 0 {
			s.line("%s,%d", s.cell(), 1+s.choose(owners))
		} else {
			s.line("%s", s.cell())
		}
	}
	if s.choose(16) != 1 {
		s.line("DONE")
	}
}

// write makes the text of all choices.
func (s *script) write() {
	commands := Commands()
	for len(s.choices) > 0 && len(s.text) < 1<<18 {
		switch s.choose(16) {
		case 0:
			s.width, s.height = 5+s.choose(5), 5+s.choose(5)
			s.line("RECTSTART %d,%d", s.width, s.height)
		case 1:
			s.line("INFO rule %d", s.choose(16))
		case 2:
			keys := InfoKeys()
			s.line("INFO %s %d", keys[s.choose(len(keys))].Name, s.choose(256)-1)
		case 3:
			s.line("BOARD")
			s.block(3)
		case 4:
			s.line("SWAP2BOARD")
			s.block(0)
		case 5:
			s.line("%s", []string{"STOP", "YXSTOP", "ABOUT", "RESTART", "BEGIN", "END"}[s.choose(6)])
		case 6:
			s.line("TAKEBACK %s", s.cell())
		case 7:
			s.line("PLAY %s", s.cell())
		case 8, 9:
			c := commands[s.choose(len(commands))]
			s.line("%s", c.Usage)
			if x, known := dialect[c.Name]; known && x.shape != oneLine {
				if x.shape == filePath {
					s.line("file%d", s.choose(3))
				} else {
					s.block(0)
				}
			}
		default:
			s.line("TURN %s", s.cell())
		}
	}
}

// Read implements io.Reader.
func (s *script) Read(p []byte) (int, error) {
	if s.sent == len(s.text) {
		return 0, io.EOF
	}
	if s.pauses > 0 && s.silent > 0 && s.sent/s.piece%s.silent == s.silent-1 {
		s.pauses--
		time.Sleep(s.pause)
	}
	n := copy(p[:min(len(p), s.piece)], s.text[s.sent:])
	s.sent += n
	return n, nil
}

// A bounded engine is the real one with a limit of nodes and memory that INFO cannot change.
type bounded struct{ *brain.Engine }

func (b bounded) Set(key, value string) error {
	switch key {
	case "timeout_turn", "timeout_match", "time_left", "max_node", "thread_num", "hash_size", "max_memory":
		return nil
	}
	return b.Engine.Set(key, value)
}

// FuzzConversation has a conversation with the real engine as the bytes say, which may end
// at any place on either side.
func FuzzConversation(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a game of many moves, TURN after TURN, with a rule and a block"))
	f.Add([]byte("a game of  rn, withs, TURckN aftLr , with ")) // INFO show_detail
	f.Add(slices.Repeat([]byte{10, 3, 4, 0, 0, 15, 1, 200, 7}, 40))
	f.Add(slices.Repeat([]byte{8, 255, 17, 3, 99, 5, 2, 0, 1}, 60))
	f.Fuzz(func(t *testing.T, choices []byte) {
		t.Chdir(t.TempDir())
		s := &script{choices: choices[:min(len(choices), 2000)], width: 5, height: 5}
		e := brain.New(brain.Config{})
		e.Set("hash_size", "64")
		e.Set("max_memory", "100000000") // a small solver
		e.Set("max_node", []string{"20", "1", "300", "1000"}[s.choose(4)])
		e.Set("thread_num", []string{"1", "2"}[s.choose(2)])
		lines := math.MaxInt
		if s.choose(8) == 1 {
			lines = s.choose(40)
		}
		s.piece = []int{1 << 20, 1, 7, 200}[s.choose(4)]
		s.pause, s.silent, s.pauses = time.Duration(s.choose(4))*time.Millisecond, s.choose(32), 20
		s.text = fmt.Appendf(nil, "INFO pondering %d\nSTART 5\n", len(choices)%2)
		s.write()
		s.text = s.text[:len(s.text)-s.choose(3)]
		s.piece = max(s.piece, len(s.text)>>13) // not too many pieces
		checkTalk(t, s, bounded{e}, lines)
	})
}
