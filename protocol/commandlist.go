package protocol

import (
	"cmp"
	"slices"
	"strings"

	"tengen/protocol/wire"
)

// A CommandDoc describes a command that Serve executes.
type CommandDoc struct {
	Name   string // in upper case
	Usage  string // the name with an example of its arguments, if it has any
	Doc    string // a line
	Yixin  bool   // a command of Yixin-Board or of what was made after it
	Greets bool   // after it commands of all managers mean what they mean to Yixin-Board
}

// Commands lists the commands that Serve executes, those of the dialect of Yixin-Board last,
// each part by name.
func Commands() []CommandDoc {
	var list []CommandDoc
	add := func(name, usage, doc string, yixin, greets bool) {
		list = append(list, CommandDoc{name, strings.TrimSpace(name + " " + strings.TrimSpace(usage)), doc, yixin, greets})
	}
	for _, d := range wire.Docs() {
		add(d.Name, d.Usage, d.Text, strings.HasPrefix(d.Name, "YX"), false)
	}
	for name, x := range dialect {
		add(name, strings.TrimPrefix(x.usage, name), x.doc+shapeDoc[x.shape], true, x.greets)
	}
	slices.SortFunc(list, func(a, b CommandDoc) int {
		if a.Yixin != b.Yixin {
			return map[bool]int{false: -1, true: 1}[a.Yixin]
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return list
}

// shapeDoc says which lines follow a command of the dialect.
var shapeDoc = map[shape]string{
	cellList:   "; cells follow, one a line, up to DONE",
	filePath:   "; the path of the file follows, on the same line or the next",
	stoneList:  "; stones follow, a line column,row,owner each, up to DONE",
	quotedText: "; cells follow, one a line, up to DONE",
}
