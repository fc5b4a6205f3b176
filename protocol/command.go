package protocol

import (
	"strings"

	"tengen/protocol/wire"
)

// A command is one line of a manager: a command of package wire, or of the dialect.
type command struct {
	wire.Command
	ext     *extension // the command of the dialect that Name and Args are, or nil
	Numbers []int      // of ext, if its arguments are numbers
	Yixin   bool       // only the dialect has this command (others send YXSTOP too)
	List    bool       // of a bad one: lines up to DONE belong to the command
}

// parse parses one line, as wire.Parse does. Wrong arguments of the dialect's commands also give Bad
// with the reason.
func parse(line string) command {
	c := command{Command: wire.Parse(line)}
	c.lookUp()
	return c
}

// lookUp finds out whether a word that wire does not know is a command of the dialect.
func (c *command) lookUp() {
	if c.Verb != wire.Unknown {
		return
	}
	if c.ext = dialect[c.Name]; c.ext == nil {
		c.Yixin = strings.HasPrefix(c.Name, "YX")
		return
	}
	c.Yixin = true
	c.readArgs()
}

// shape says which lines belong to c.
func (c *command) shape() shape {
	switch {
	case c.ext != nil:
		return c.ext.shape
	case c.Verb == wire.SetBoard:
		return stoneList
	case c.Verb == wire.Swap2:
		return cellList
	}
	return oneLine
}

// unknown reports whether c is no command at all.
func (c *command) unknown() bool { return c.Verb == wire.Unknown && c.ext == nil }

// readArgs reads the arguments of a command of the dialect.
func (c *command) readArgs() {
	x := c.ext
	if (x.shape == cellList || x.shape == stoneList) && x.most == 0 {
		c.Inline = c.Args
	}
	if x.most <= 0 {
		return
	}
	for _, field := range strings.FieldsFunc(c.Args, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		n, err := wire.ParseNumber(field)
		if err != nil {
			c.bad(c.Name + " needs a number, as in " + x.usage)
			return
		}
		c.Numbers = append(c.Numbers, n)
	}
	switch n := len(c.Numbers); {
	case n < x.least || n > x.most:
		c.bad(c.Name + " needs a number, as in " + x.usage)
	case c.Name == "YXNBEST" && c.Numbers[0] < 1:
		c.bad("YXNBEST needs a number of lines from 1, as in YXNBEST 3")
	}
}

// badCommand is answered with the reason.
func badCommand(reason string) command {
	return command{Command: wire.Command{Verb: wire.Bad, Text: reason}}
}

// bad makes c, a command of the dialect, a Bad for the given reason.
func (c *command) bad(reason string) {
	*c = command{Command: wire.Command{Verb: wire.Bad, Text: reason}, Yixin: true, List: c.ext.shape == cellList}
}
