// Package wire is the text of the Gomocup protocol, without an engine or a process: lines, commands,
// coordinates, and the statistics of a search in a MESSAGE line.
package wire

import "strings"

// A Verb is the kind of a command.
type Verb uint8

// The verbs, with the fields of Command that they use besides Name.
const (
	Blank    Verb = iota // an empty line
	Unknown              // any other word: Text, Args
	Bad                  // wrong arguments: Text says what is wrong
	Start                // START, RECTSTART: Width, Height
	Restart              // RESTART
	Begin                // BEGIN
	Turn                 // TURN: X, Y
	Play                 // PLAY: X, Y
	TakeBack             // TAKEBACK: X, Y
	SetBoard             // BOARD: stones up to DONE
	Swap2                // SWAP2BOARD: stones without owner up to DONE
	Info                 // INFO: Key, Value
	About                // ABOUT
	Stop                 // STOP, YXSTOP
	End                  // END
)

// A Command is one line of a manager.
type Command struct {
	Verb          Verb
	Width, Height int    // cells, which may be an unsupported size
	X, Y          int    // column and row from 0, which may be off the board
	Key, Value    string // of Info, the key in lower case; either may be empty
	Text          string // the word of Unknown as it was sent, the reason of Bad
	Name          string // the word in upper case
	Args          string // of Unknown: what follows the word
	Inline        string // the rest of the line before a list of stones
}

// A word is a command of the protocol.
type word struct {
	verb  Verb
	usage string // an example of its arguments
	doc   string
}

var words = map[string]word{
	"START":      {Start, "15", "starts a game on an empty board of 15 by 15 cells"},
	"RECTSTART":  {Start, "20,15", "starts a game on an empty board of 20 columns and 15 rows"},
	"RESTART":    {Restart, "", "starts another game on a board of the same size"},
	"BEGIN":      {Begin, "", "asks for the first move"},
	"TURN":       {Turn, "7,7", "the opponent's move, column and row from 0; asks for a move"},
	"PLAY":       {Play, "7,7", "the move that the engine has to play"},
	"TAKEBACK":   {TakeBack, "7,7", "takes a stone from the board"},
	"BOARD":      {SetBoard, "", "a position; asks for a move. A line column,row,owner for each stone, up to DONE; owner 1 is the engine, 2 the opponent, 3 a blocked cell"},
	"SWAP2BOARD": {Swap2, "", "an opening of swap2; asks for the next step. A line column,row for each stone, up to DONE"},
	"INFO":       {Info, "timeout_turn 5000", "sets a key to a value"},
	"ABOUT":      {About, "", "asks for the name and version of the engine"},
	"STOP":       {Stop, "", "ends the search; the engine plays the best move so far"},
	"YXSTOP":     {Stop, "", "as STOP"},
	"END":        {End, "", "ends the program"},
}

// A Doc describes a command for people.
type Doc struct {
	Name  string // in upper case
	Usage string // an example of its arguments, empty if it has none
	Text  string // one line
}

// Docs describes the commands that Parse knows, in no order.
func Docs() []Doc {
	list := make([]Doc, 0, len(words))
	for name, w := range words {
		list = append(list, Doc{name, w.usage, w.doc})
	}
	return list
}

// Parse parses one line. Case does not matter, nor white space around words and commas. Another
// word gives Unknown, and wrong arguments give Bad with the reason.
func Parse(line string) Command {
	line = strings.Trim(line, " \t\r\n")
	first, rest := CutWord(line)
	if first == "" {
		return Command{}
	}
	name := upper(first)
	w, known := words[name]
	c := Command{Verb: w.verb, Name: name}
	switch {
	case !known:
		c.Verb, c.Text, c.Args = Unknown, first, rest
	case name == "START":
		c.size(strings.Fields(rest), 1, "START needs a size, as in START 20")
	case name == "RECTSTART":
		c.size(strings.Split(rest, ","), 2, "RECTSTART needs width,height, as in RECTSTART 20,15")
	case c.Verb == Turn || c.Verb == Play || c.Verb == TakeBack:
		var ok bool
		if c.X, c.Y, ok = ParsePair(rest); !ok {
			c.bad(name + " needs column,row, as in " + name + " 7,7")
		}
	case c.Verb == Info:
		key, value := CutWord(rest)
		c.Key, c.Value = strings.ToLower(key), value
	case c.Verb == SetBoard || c.Verb == Swap2:
		c.Inline = rest
	}
	return c
}

// bad makes c a Bad for the given reason.
func (c *Command) bad(reason string) { *c = Command{Verb: Bad, Text: reason} }

// size reads the arguments of START or RECTSTART: two numbers, or only one if least is 1.
func (c *Command) size(args []string, least int, usage string) {
	sides := make([]int, 0, 2)
	for _, arg := range args {
		n, err := ParseNumber(arg)
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

// CutWord returns the first word of s, which begins with it, and what follows.
func CutWord(s string) (word, rest string) {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.Trim(s[i:], " \t")
	}
	return s, ""
}
