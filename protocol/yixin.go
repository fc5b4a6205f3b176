package protocol

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/protocol/wire"
)

// The commands of Yixin-Board and of what was made after it. All begin with YX except those of
// Rapfi's front ends. Each means the same to every manager; see server.switchToDialect for what
// changes with a greeting.

// A shape says what lines belong to a command of the dialect.
type shape uint8

const (
	oneLine    shape = iota
	cellList         // cells, x,y each, up to DONE
	filePath         // the rest of the line, or else the next line, is the path of a file
	stoneList        // stones, x,y,owner each, up to DONE
	quotedText       // a text in quotes, of several lines perhaps, and then a cellList
)

// An extension is a command of the dialect.
type extension struct {
	shape     shape
	least     int    // numbers that must be given
	most      int    // ... and that may be; -1 if the arguments are not only numbers
	usage     string // an example of the command with its arguments
	needsGame bool
	lenient   bool       // a list with a bad line is ignored without an answer: "blockpath except" of Yixin-Board sends hundreds
	searches  bool       // it may start a search
	lasts     bool       // it changes the database or the table, or writes a file: see lasting
	table     bool       // it is about the hash table
	greets    bool       // only front ends of the dialect send it, and first of all
	anytime   bool       // also while the engine thinks, once there is a database
	onKept    keptAction // what becomes of the answers that START has kept back
	doc       string

	// run executes the command while the engine is idle.
	run func(s *server, t task) error
}

// Commands that other code names.
const (
	hashDump = "YXHASHDUMP"
	hashLoad = "YXHASHLOAD"
)

// showInfoName is the command that Yixin-Board alone sends, which puts the row before the column.
const showInfoName = "YXSHOWINFO"

var dialect = map[string]*extension{
	showInfoName: {greets: true, doc: "name and limits; coordinates are row,column from now on", run: (*server).showInfo},

	"YXBOARD": {shape: stoneList, needsGame: true, onKept: holdKept, doc: "a position as in BOARD, without asking for a move", run: (*server).showBoard},

	"YXNBEST":        {searches: true, least: 1, most: 1, usage: "YXNBEST 3", needsGame: true, onKept: dropKept, doc: "asks for a move, with the n best lines", run: inPlay((*server).nBest)},
	"YXSEARCHDEFEND": {searches: true, needsGame: true, onKept: dropKept, doc: "asks for a move, with a line for every move that is considered (caution_factor)", run: inPlay((*server).searchDefend)},
	"YXBALANCEONE":   {searches: true, most: 1, usage: "YXBALANCEONE 0", needsGame: true, onKept: dropKept, doc: "asks for a move after which the game is worth the given points, or 0, to the side that makes it", run: inPlay((*server).balanceOne)},
	"YXBALANCETWO":   {searches: true, most: 1, usage: "YXBALANCETWO 0", needsGame: true, onKept: dropKept, doc: "asks for two moves, one of each side, after which the game is worth the given points, or 0, to the side to move", run: inPlay((*server).balanceTwo)},
	"YXSHOWFORBID":   {needsGame: true, doc: "the points forbidden to black, who is to move", run: (*server).showForbid},

	"YXBLOCK":          {shape: cellList, needsGame: true, doc: "cells not played from the position that is searched", run: blockCells(true)},
	"YXBLOCKUNDO":      {shape: cellList, needsGame: true, doc: "cells that YXBLOCK named may be played again", run: blockCells(false)},
	"YXBLOCKRESET":     {doc: "all cells that YXBLOCK named may be played again", run: func(s *server, _ task) error { s.d.Unblock(false); return nil }},
	"YXBLOCKPATH":      {shape: cellList, needsGame: true, lenient: true, doc: "a game whose last move is not played", run: blockPath(true)},
	"YXBLOCKPATHUNDO":  {shape: cellList, needsGame: true, lenient: true, doc: "the last move of a game that YXBLOCKPATH named may be played again", run: blockPath(false)},
	"YXBLOCKPATHRESET": {doc: "the same for all games that YXBLOCKPATH named", run: func(s *server, _ task) error { s.d.Unblock(true); return nil }},
	"YXFORBID":         {most: -1, usage: forbidUsage, needsGame: true, doc: "add or del: a cell never played by black, 0, or white, 1", run: (*server).forbid},

	"YXHASHCLEAR":     {table: true, lasts: true, doc: "empties the hash table", run: func(s *server, _ task) error { s.d.Forget(); return nil }},
	"YXSHOWHASHUSAGE": {table: true, needsGame: true, doc: "how full the hash table is", run: (*server).hashUsage},
	hashDump:          {table: true, lasts: true, shape: filePath, needsGame: true, doc: "writes the hash table to a file", run: (*server).dumpTable},
	hashLoad:          {table: true, shape: filePath, needsGame: true, doc: "reads the hash table that YXHASHDUMP has written", run: (*server).loadTable},

	"YXSWAP2STEP1":   {searches: true, needsGame: true, doc: "three stones of swap2", run: swap2Step(1)},
	"YXSWAP2STEP2":   {searches: true, needsGame: true, doc: "swap2: swap, stay or two more stones", run: swap2Step(2)},
	"YXSWAP2STEP3":   {searches: true, needsGame: true, doc: "swap2: swap or stay, with five stones", run: swap2Step(3)},
	"YXSOOSORVSTEP1": {searches: true, needsGame: true, doc: "three stones of Soosyrv-8", run: soosyrvStep(1)},
	"YXSOOSORVSTEP2": {searches: true, shape: cellList, needsGame: true, doc: "Soosyrv-8: swap or stay", run: soosyrvStep(2)},
	"YXSOOSORVSTEP3": {searches: true, shape: cellList, needsGame: true, doc: "Soosyrv-8: the fourth stone and the number of fifth moves", run: soosyrvStep(3)},
	"YXSOOSORVSTEP4": {searches: true, shape: cellList, least: 1, most: 1, usage: "YXSOOSORVSTEP4 3", needsGame: true, doc: "Soosyrv-8, with that number: swap or stay", run: soosyrvStep(4)},
	"YXSOOSORVSTEP5": {searches: true, shape: cellList, least: 1, most: 1, usage: "YXSOOSORVSTEP5 3", needsGame: true, doc: "Soosyrv-8: n fifth moves", run: soosyrvStep(5)},
	"YXSOOSORVSTEP6": {searches: true, shape: cellList, needsGame: true, doc: "Soosyrv-8: picks a fifth move", run: soosyrvStep(6)},

	"YXSETDATABASE":  {lasts: true, shape: filePath, doc: "opens the database of positions", run: (*server).setDatabase},
	"YXSAVEDATABASE": {lasts: true, doc: "writes the database to its file", run: whole(onDatabase((*server).saveDatabase))},

	"YXQUERYDATABASEALL":      {shape: cellList, needsGame: true, onKept: holdKept, anytime: true, doc: "what is known of the moves from the position listed", run: atPosition(asks((*server).queryAll))},
	"YXQUERYDATABASEALLT":     {shape: cellList, needsGame: true, onKept: holdKept, anytime: true, doc: "what is known of the moves from the position listed, and its comment", run: atPosition(asks((*server).queryAllAndText))},
	"YXQUERYDATABASEONE":      {shape: cellList, needsGame: true, onKept: holdKept, anytime: true, doc: "what is known of the position listed", run: atPosition(asks((*server).queryOne))},
	"YXQUERYDATABASETEXT":     {shape: cellList, needsGame: true, onKept: holdKept, anytime: true, doc: "the comment on the position listed", run: atPosition(asks((*server).queryText))},
	"YXEDITTVDDATABASE":       {lasts: true, shape: cellList, least: 4, most: 4, usage: editUsage, needsGame: true, doc: "changes label (1), value (2) or depth (4) of the position listed", run: atPosition(edits((*server).editValues))},
	"YXEDITTEXTDATABASE":      {lasts: true, shape: quotedText, most: -1, usage: textUsage, needsGame: true, doc: "changes the comment on the position listed", run: atPosition(edits((*server).editComment))},
	"YXEDITLABELDATABASE":     {lasts: true, shape: cellList, most: -1, usage: labelUsage, needsGame: true, doc: "changes the text on a cell in the position listed", run: atPosition(edits((*server).editLabel))},
	"YXDELETEDATABASEONE":     {lasts: true, shape: cellList, needsGame: true, doc: "forgets the position listed", run: atPosition(edits((*server).deleteOne))},
	"YXDELETEDATABASEALL":     {lasts: true, shape: cellList, most: -1, usage: deleteUsage, needsGame: true, doc: "forgets what follows the position listed, or what the filter picks", run: atPosition(edits((*server).deleteAll))},
	"YXSETBESTMOVEDATABASE":   {lasts: true, shape: cellList, needsGame: true, doc: "the last move listed is to be played", run: atPosition(edits(setBest(true)))},
	"YXCLEARBESTMOVEDATABASE": {lasts: true, shape: cellList, needsGame: true, doc: "the last move listed is no longer to be played", run: atPosition(edits(setBest(false)))},

	"YXDBTOTXT":    {lasts: true, shape: filePath, needsGame: true, doc: "writes the records of the rule and size as text", run: atPresent(onDatabase(textOut))},
	"YXDBTOTXTALL": {lasts: true, shape: filePath, needsGame: true, doc: "writes all records as text", run: whole(onDatabase(allTextOut))},
	"YXTXTTODB":    {lasts: true, shape: filePath, needsGame: true, doc: "adds the records of a text that YXDBTOTXT has written", run: atPresent(edits(textIn))},
	"YXDBTOPOS":    {lasts: true, shape: filePath, needsGame: true, doc: "writes the positions of the rule and size as text", run: atPresent(onDatabase(positionsOut))},
	"YXLIBTODB":    {lasts: true, shape: filePath, needsGame: true, doc: "adds a RenLib library", run: atPresent(edits(libIn))},
	"YXDBTOLIB":    {lasts: true, shape: filePath, needsGame: true, doc: "writes what follows the present position as a RenLib library", run: atPresent(onDatabase(libOut))},
	"YXDBSPLIT":    {lasts: true, shape: filePath, needsGame: true, doc: "copies what follows the present position into another database", run: atPresent(onDatabase(splitOut))},
	"YXDBMERGE":    {lasts: true, shape: filePath, needsGame: true, doc: "adds the records of another database", run: atPresent(edits(mergeIn))},
	"YXDBCHECK":    {doc: "counts records of the database that cannot be found", run: whole(onDatabase((*server).checkDatabase))},
	"YXDBFIX":      {lasts: true, doc: "repairs what YXDBCHECK counts", run: whole(edits((*server).fixDatabase))},

	"YXDRAW":       {doc: "offers a draw, which is not accepted", run: func(s *server, _ task) error { s.say(wire.MessageLine("DRAW REJECT")); return nil }},
	"YXRESIGN":     {doc: "resigns; nothing changes", run: func(*server, task) error { return nil }},
	"RELOADCONFIG": {greets: true, most: -1, doc: "read and ignored: there is no file of settings", run: func(*server, task) error { return nil }},
}

// extend executes a command of the dialect.
func (s *server) extend(t task) {
	x := t.ext
	switch {
	case x.needsGame && s.width == 0:
		s.fault(brain.ErrNoGame)
	case t.wrong != "" && !x.lenient:
		s.say(wire.ErrorLine(t.Name + ": " + t.wrong))
	case t.wrong != "":
	default:
		if err := s.recoverPanic(func() error { return x.run(s, t) }); err != nil {
			s.fault(err)
		}
	}
}

// switchToDialect changes what commands of all managers mean to what Yixin-Board and gomocalc mean
// by them: the hash table lasts over games of one rule and size, a search without limits goes on
// until it is stopped, rule 2 is renju, and timeout_turn 0 is no limit. Only a greeting, which no
// other manager sends, switches: a manager that asks for forbidden points once plays on as before.
func (s *server) switchToDialect() {
	if s.yixin {
		return
	}
	s.yixin = true
	s.d.KeepTable(true)
	if rule := s.meaning("rule", s.rule); rule != s.rule {
		s.e.Set("rule", rule)
	}
	if turn := s.meaning("timeout_turn", s.turn); turn != s.turn {
		s.e.Set("timeout_turn", turn)
	}
}

// meaning returns the value of an INFO key as the engine takes it.
func (s *server) meaning(key, value string) string {
	switch {
	case s.yixin && key == "rule":
		return ruleInDialect(value)
	case s.yixin && key == "timeout_turn" && value == "0":
		return "-1"
	}
	return value
}

// Freestyle with an opening: in one the second player may swap after the first stone, the steps of
// swap2 have commands of their own.
const (
	swapRule  = "5"
	swap2Rule = "6"
)

// ruleInDialect returns the rule of the protocol for one of the dialect.
func ruleInDialect(rule string) string {
	switch rule {
	case "2":
		return "4" // renju
	case swapRule, swap2Rule:
		return "0"
	}
	return rule
}

// maySwap reports whether the answer may be SWAP instead of a move.
func (s *server) maySwap() bool {
	return s.yixin && s.rule == swapRule && s.e.Stones() == 1 && s.swapable
}

// Yixin-Board has no unlimited time: it sends these limits instead, and the number of cells as
// that of the depth.
const (
	yixinTurn  = "2000000"
	yixinMatch = "100000000"
)

// forDialect returns the options of a search for t. A command of the dialect without limits is
// analysis, which goes on until it is stopped. So does a command of all managers after a greeting,
// if a limit was set and taken away: where nothing was said of time a move comes in the end.
func (s *server) forDialect(t task, o brain.Options) brain.Options {
	o.Endless = t.ext != nil
	if !s.yixin {
		return o
	}
	o.Endless = o.Endless || t.Verb == wire.Swap2 || s.turn != "" || s.match != ""
	if s.turn == yixinTurn && s.match == yixinMatch {
		o.Turn, o.Match, o.Left = brain.NoLimit, brain.NoLimit, brain.NoLimit
	}
	if o.Depth >= s.width*s.height {
		o.Depth = 0
	}
	if o.Match == brain.NoLimit && s.match != "" {
		o.Left = brain.NoLimit // gomocalc computes it from a match of -1
	}
	return o
}

func (s *server) showInfo(task) error {
	s.yFirst = true
	s.say(wire.MessageLine(brain.Name + " " + brain.Version))
	s.say(wire.MessageLine(fmt.Sprintf("INFO MAX_THREAD_NUM %d", s.d.MostThreads())))
	s.say(wire.MessageLine(fmt.Sprintf("INFO MAX_HASH_SIZE %d", bits.Len(brain.MaxHashKiB)-1)))
	return nil
}

// inPlay returns the command that calls f unless a winning row has ended the game.
func inPlay(f func(s *server, t task) error) func(*server, task) error {
	return func(s *server, t task) error {
		b, err := s.d.Position()
		if err != nil {
			return err
		}
		if b.Won() {
			return brain.ErrOver
		}
		return f(s, t)
	}
}

// showBoard sets up a position.
func (s *server) showBoard(t task) error {
	s.played, s.soleMover, s.playsBoth = false, false, false
	return s.e.Setup(t.stones)
}

func (s *server) nBest(t task) error {
	s.d.KeepTable(true) // from one position of an analysis to the next, which may begin by START
	s.think(t, t.Numbers[0])
	return nil
}

func (s *server) searchDefend(t task) error {
	s.d.KeepTable(true)
	s.think(t, brain.AllLines)
	return nil
}

func (s *server) showForbid(task) error {
	cells, err := s.d.Forbidden()
	if err != nil {
		return err
	}
	s.say(s.view().forbid(cells))
	return nil
}

func (s *server) balanceOne(t task) error { return s.balance(t, 1) }

func (s *server) balanceTwo(t task) error { return s.balance(t, 2) }

// balance starts the search for n moves that leave the game even.
func (s *server) balance(t task, n int) error {
	bias := 0
	if len(t.Numbers) > 0 {
		bias = min(max(t.Numbers[0], -maxBias), maxBias)
	}
	v := s.view()
	s.launch(t, func(ctx context.Context, q brain.Query) result {
		p, err := s.d.Balance(ctx, n, bias, q)
		if err != nil {
			return failed(err)
		}
		return result{p.Notes, []string{wire.MessageLine("balance " + brain.ScoreText(p.Score)), v.moves(p.Moves)}, true}
	})
	return nil
}

const (
	maxBias     = 20000 // points
	forbidUsage = "YXFORBID add 7 7 0"
)

// blockCells returns the command that blocks cells, or allows them again.
func blockCells(on bool) func(*server, task) error {
	return func(s *server, t task) error {
		for _, stone := range t.stones {
			s.d.Block(stone.Move, on)
		}
		return nil
	}
}

// blockPath returns the command that blocks a path, or allows it again.
func blockPath(on bool) func(*server, task) error {
	return func(s *server, t task) error {
		s.d.BlockPath(t.moves(), on)
		return nil
	}
}

// forbid reads "add a b side" or "del a b side", with the cell a,b as the manager names it.
func (s *server) forbid(t task) error {
	usage := fmt.Errorf("YXFORBID needs add or del, two coordinates and 0 for black or 1 for white, as in %s", forbidUsage)
	f := strings.Fields(strings.ReplaceAll(t.Args, ",", " "))
	if len(f) != 4 || !wire.IsWord(f[0], "ADD") && !wire.IsWord(f[0], "DEL") {
		return usage
	}
	var n [3]int
	for i, text := range f[1:] {
		v, err := wire.ParseNumber(text)
		if err != nil {
			return usage
		}
		n[i] = v
	}
	if n[2] != 0 && n[2] != 1 {
		return usage
	}
	m, err := s.view().at(n[0], n[1])
	if err != nil {
		return err
	}
	s.d.BlockFor(board.Color(n[2]), m, wire.IsWord(f[0], "ADD"))
	return nil
}

func (s *server) hashUsage(task) error {
	used, room := s.d.TableUsage()
	s.say(wire.MessageLine(fmt.Sprintf("HASH USAGE %d of %d entries, %d.%d%%", used, room, used*100/room, used*1000/room%10)))
	return nil
}
