package protocol

import (
	"strconv"
	"strings"
)

// A verb is the kind of a command.
type verb uint8

// The commands of a manager, with the fields of command that they use.
const (
	verbBlank     verb = iota // an empty line
	verbUnknown               // Text is the word
	verbBad                   // Text says what is wrong
	verbStart                 // START, RECTSTART: Width, Height
	verbRestart               // RESTART
	verbBegin                 // BEGIN
	verbTurn                  // TURN: X, Y
	verbPlay                  // PLAY: X, Y
	verbTakeBack              // TAKEBACK: X, Y
	verbSetBoard              // BOARD: stones up to DONE
	verbShowBoard             // YXBOARD: the same, without an answer
	verbSwap2                 // SWAP2BOARD: stones without owner up to DONE
	verbInfo                  // INFO: Key, Value
	verbAbout                 // ABOUT
	verbStop                  // STOP, YXSTOP
	verbEnd                   // END
	verbExtension             // a command of the dialect: Name, Args, Numbers
)

// A command is one line of a manager.
type command struct {
	Verb          verb
	Width, Height int    // cells, which may be an unsupported size
	X, Y          int    // column and row from 0, which may be off the board
	Name, Args    string // of verbExtension, the name in upper case
	Numbers       []int  // of verbExtension, if its arguments are numbers
	Key, Value    string // of INFO, the key in lower case; either may be empty
	Text          string // the word of verbUnknown, the reason of verbBad
	Yixin         bool   // only the dialect has this command (others send YXSTOP too)
	List          bool   // of verbBad: lines up to DONE belong to the command
	Inline        string // the rest of the line before a list of stones or cells
}

// A word is a command of the protocol. All that a manager may send is here and in dialect.
type word struct {
	verb  verb
	usage string // an example of its arguments
	doc   string
}

var verbs = map[string]word{
	"START":      {verbStart, "15", "starts a game on an empty board of so many cells a side"},
	"RECTSTART":  {verbStart, "20,15", "starts a game on an empty board with so many columns and rows"},
	"RESTART":    {verbRestart, "", "starts another game on a board of the same size"},
	"BEGIN":      {verbBegin, "", "asks for the first move"},
	"TURN":       {verbTurn, "7,7", "the move of the opponent, column and row from 0, and asks for an answer"},
	"PLAY":       {verbPlay, "7,7", "the move that the engine has to make"},
	"TAKEBACK":   {verbTakeBack, "7,7", "takes a stone from the board"},
	"BOARD":      {verbSetBoard, "", "a position, and asks for a move: a line column,row,owner for each stone, up to DONE; owner 1 the engine, 2 the opponent, 3 a cell not to be used"},
	"YXBOARD":    {verbShowBoard, "", "a position as in BOARD, but asks for no move"},
	"SWAP2BOARD": {verbSwap2, "", "an opening of swap2, and asks for the next step: a line column,row for each stone, up to DONE"},
	"INFO":       {verbInfo, "timeout_turn 5000", "sets a key to a value"},
	"ABOUT":      {verbAbout, "", "asks for the name and version of the engine"},
	"STOP":       {verbStop, "", "ends the search: the engine answers with the best move so far"},
	"YXSTOP":     {verbStop, "", "as STOP"},
	"END":        {verbEnd, "", "ends the program"},
}

// parse parses one line. Case does not matter, nor white space around words and commas. An
// unknown word gives verbUnknown, and wrong arguments give verbBad with the reason.
func parse(line string) command {
	line = strings.Trim(line, " \t\r\n")
	first, rest := cutWord(line)
	if first == "" {
		return command{}
	}
	name := upper(first)
	w, known := verbs[name]
	verb := w.verb
	c := command{Verb: verb, Yixin: strings.HasPrefix(name, "YX") && verb != verbStop}
	if x, ok := dialect[name]; ok {
		c.parseExtension(x, name, rest)
		return c
	}
	switch {
	case !known:
		c.Verb, c.Text = verbUnknown, first
	case name == "START":
		c.size(strings.Fields(rest), 1, "START needs a size, as in START 20")
	case name == "RECTSTART":
		c.size(strings.Split(rest, ","), 2, "RECTSTART needs width,height, as in RECTSTART 20,15")
	case verb == verbTurn || verb == verbPlay || verb == verbTakeBack:
		var ok bool
		if c.X, c.Y, ok = pair(rest); !ok {
			c.bad(name + " needs column,row, as in " + name + " 7,7")
		}
	case verb == verbInfo:
		key, value := cutWord(rest)
		c.Key, c.Value = strings.ToLower(key), value
	case verb == verbSetBoard || verb == verbShowBoard || verb == verbSwap2:
		c.Inline = rest
	}
	return c
}

// bad makes c a verbBad for the given reason.
func (c *command) bad(reason string) {
	*c = command{Verb: verbBad, Text: reason, Yixin: c.Yixin, List: dialect[c.Name].shape == cellList}
}

// size reads the arguments of START or RECTSTART: two numbers, or only one if least is 1.
func (c *command) size(args []string, least int, usage string) {
	sides := make([]int, 0, 2)
	for _, arg := range args {
		n, err := strconv.Atoi(strings.Trim(arg, " \t"))
		if err != nil || len(sides) == 2 {
			c.bad(usage)
			return
		}
		sides = append(sides, n)
	}
	if len(sides) < least {
		c.bad(usage)
		return
	}
	c.Width, c.Height = sides[0], sides[len(sides)-1]
}

// cutWord returns the first word of s, which begins with it, and what follows.
func cutWord(s string) (word, rest string) {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.Trim(s[i:], " \t")
	}
	return s, ""
}

// pair parses "x,y", with white space anywhere but inside a number. The numbers may be
// negative or off the board.
func pair(s string) (x, y int, ok bool) {
	a, b, found := strings.Cut(s, ",")
	if !found {
		return 0, 0, false
	}
	x, errX := strconv.Atoi(strings.TrimSpace(a))
	y, errY := strconv.Atoi(strings.TrimSpace(b))
	return x, y, errX == nil && errY == nil
}

// tight removes the white space around commas.
func tight(s string) string {
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, ",")
}

// upper is strings.ToUpper for ASCII only: other letters may have ASCII upper cases.
func upper(s string) string {
	b := []byte(s)
	for i, ch := range b {
		if 'a' <= ch && ch <= 'z' {
			b[i] = ch - 'a' + 'A'
		}
	}
	return string(b)
}
