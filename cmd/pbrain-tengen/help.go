package main

import (
	"flag"
	"fmt"
	"math"
	"strings"

	"tengen/cmd/internal/flags"
	"tengen/protocol"
)

// protocolTopic is the topic of help beside the commands.
const protocolTopic = "protocol"

// help prints the help of the program or of what r.args names.
func help(r invocation) error {
	if len(r.args) == 0 {
		_, _, _, err := parse([]string{"-help"}, r.stdout)
		return err
	}
	if r.args[0] == protocolTopic {
		_, err := r.stdout.WriteString(protocolHelp())
		return err
	}
	c := commandOf(r.args[0])
	if c == nil {
		return flags.UnknownCommand("pbrain-tengen", r.args[0])
	}
	err := c.start(r, []string{"-help"})
	if err == flag.ErrHelp {
		return nil
	}
	return err
}

// protocolHelp lists the commands of the protocol and the keys of INFO.
func protocolHelp() string {
	var s strings.Builder
	s.WriteString("Commands of the Gomocup protocol, one a line, in upper or lower case:\n\n")
	yixin := false
	for _, c := range protocol.Commands() {
		if c.Yixin && !yixin {
			s.WriteString("\nCommands of Yixin-Board and of what was made after it. A search that one of them asks for without\n" +
				"limits goes on until YXSTOP. After " + greetings() + ", which only these front ends send,\n" +
				"the hash table lasts over games, rule 2 is renju, 5 freestyle with a swap after the first move, 6\n" +
				"freestyle with swap2, and timeout_turn 0 no limit:\n\n")
			yixin = true
		}
		item(&s, c.Usage, c.Doc)
	}
	s.WriteString("\nKeys of INFO. Numbers outside the range are moved to its nearer end:\n\n")
	for _, k := range protocol.InfoKeys() {
		doc := k.Doc
		if k.Min < k.Max {
			doc += fmt.Sprintf(" (%s, %s to %s)", k.Unit, bound(k.Min), bound(k.Max))
		}
		item(&s, k.Name, doc)
	}
	return s.String()
}

// greetings names the commands after which the engine speaks the dialect of Yixin-Board.
func greetings() string {
	var names []string
	for _, c := range protocol.Commands() {
		if c.Greets {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, " or ")
}

// Columns of a list.
const (
	nameColumns = 24
	docColumns  = 72
)

// item writes a name and what it means, on as many lines as it takes.
func item(s *strings.Builder, name, doc string) { describe(s, nameColumns, docColumns, name, doc) }

// describe is item with columns of other widths.
func describe(s *strings.Builder, nameColumns, docColumns int, name, doc string) {
	line := fmt.Sprintf("  %-*s", nameColumns, name)
	if len(name) >= nameColumns {
		s.WriteString(line + "\n")
		line = strings.Repeat(" ", nameColumns+2)
	}
	used := 0
	for _, word := range strings.Fields(doc) {
		if used > 0 && used+1+len(word) > docColumns {
			s.WriteString(line + "\n")
			line, used = strings.Repeat(" ", nameColumns+2), 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += len(word)
	}
	s.WriteString(line + "\n")
}

// bound formats an end of a range: powers of two from 1<<20 on as 2^n.
func bound(n int64) string {
	if n < 0 {
		return "-" + strings.TrimPrefix(bound(-n), "-")
	}
	if n >= 1<<20 && n&(n-1) == 0 {
		return fmt.Sprintf("2^%.0f", math.Log2(float64(n)))
	}
	return fmt.Sprint(n)
}
