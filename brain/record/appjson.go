package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// Boards in the web, apps and puzzle pages keep games as JSON, each in a form of its own. What they have
// in common is a list of points under a name such as moves, each a text as in h8, a pair of numbers, or
// an object with these; and beside it sizes, names, a rule and a result. Of puzzles two forms are known,
// those of lfz084 and of Kaibao.

// maxAppJSON is the size of such a file that is read: as values it takes many times as much memory.
const maxAppJSON = 4 << 20 // bytes

// Names of the members that are read, those that count first before the others.
var (
	appMoves = []string{"moves", "moveHistory", "move_history", "history", "moveList", "move_list", "record", "steps", "sequence", "kifu"}
	appGames = []string{"games", "records", "data", "game", "state", "kifus", "openings", "positions", "problems", "sections", "history", "position", "recording"}
	appSizes = []string{"size", "boardSize", "board_size", "boardXSize", "width"}
	appRules = []string{"rule", "rules", "ruleMode", "ruleSet", "ruleType", "gameRule", "variant"}
)

var (
	appBegin = regexp.MustCompile(`^\s*(?:\{\s*(?:"|$)|\[\s*(?:[\[{"]|$))`)
	appKeys  = regexp.MustCompile(`"(?:` + strings.Join(append(appMoves, appBoards...), "|") + `|puzzles)"\s*:\s*["\[]`)
	appPos   = regexp.MustCompile(`"(?:pos|stop)"\s*:`)
	appPoint = regexp.MustCompile(`^[A-Va-v]\d{1,2}$`)
	appPair  = regexp.MustCompile(`^\(?(\d{1,2})\s*,\s*(\d{1,2})\)?$`)
	kaibao   = regexp.MustCompile(`^([A-Oa-o]\d{1,2}),([12])$`)
)

// IsAppJSON reports whether a line may be a game of another program in JSON, or begin one as what is not
// closed on it does, and no object with a position.
func IsAppJSON(line string) bool {
	line = strings.TrimSpace(line)
	return appBegin.MatchString(line) && !isJSON(line) && !appPos.MatchString(line) && (appKeys.MatchString(line) || line[0] == '[' || !json.Valid([]byte(line)))
}

// readAppJSON reads the games of other programs.
func readAppJSON(s string, o Reading) ([]*Tree, error) {
	if len(s) > maxAppJSON {
		return nil, fmt.Errorf("JSON of another program has more than %d MiB", maxAppJSON>>20)
	}
	r := appReader{side: cmp.Or(o.Width, textSize), broken: BrokenGames{}}
	in := json.NewDecoder(strings.NewReader(s))
	in.UseNumber()
	for {
		var v any
		err := in.Decode(&v)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("JSON: %.100s", err)
		}
		if err := r.value(v, 0); err != nil {
			return nil, err
		}
	}
	switch {
	case r.empty > 0 && len(r.trees) == 0:
		return nil, errNoStones
	case r.empty > 0 && r.trees[0] != nil:
		r.trees[0].Remarks = append(r.trees[0].Remarks, fmt.Sprintf("boards without stones are left out: %d", r.empty))
	}
	return r.trees, r.broken.orNil()
}

// An appReader reads JSON of other programs.
type appReader struct {
	side   int // of a board whose size is not there
	trees  []*Tree
	broken BrokenGames
	items  int
	empty  int // boards without stones
}

// maxAppDepth is how deep a game may be in objects and lists.
const maxAppDepth = 3

// value reads the games of a value.
func (r *appReader) value(v any, depth int) error {
	switch v := v.(type) {
	case map[string]any:
		if puzzles, ok := v["puzzles"].([]any); ok {
			defaults, _ := v["defaultSettings"].(map[string]any)
			for _, p := range puzzles {
				if p, ok := p.(map[string]any); ok && !isCover(p, defaults) {
					if err := r.add(puzzleGame(p, defaults)); err != nil {
						return err
					}
				}
			}
			return nil
		}
		if hasCaptures(v) {
			return errCaptures
		}
		if game, ok := r.game(v); ok {
			return r.add(game())
		}
		if position, ok := r.position(v); ok {
			t, err := position()
			if err == errNoStones {
				r.empty++
				return nil
			}
			return r.add(t, err)
		}
		for _, name := range appGames {
			if inner, ok := v[name]; ok && depth < maxAppDepth {
				if err := r.value(inner, depth+1); err != errNoMoves {
					return err
				}
			}
		}
	case []any:
		if isPoints(v) {
			return r.add(r.points(v, memberList{}))
		}
		if position, ok := drawnBoard(v, ""); ok {
			return r.add(position())
		}
		if depth < maxAppDepth && len(v) > 0 {
			for _, inner := range v {
				if list, ok := inner.([]any); ok && (len(list) == 0 || isKaibao(list)) {
					if len(list) > 0 {
						if err := r.add(kaibaoGame(list)); err != nil {
							return err
						}
					}
					continue
				}
				if err := r.value(inner, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return errNoMoves
}

var errNoMoves = errors.New("this JSON has no list of moves that is known")

// add keeps a game, or what is wrong with it.
func (r *appReader) add(t *Tree, err error) error {
	if err == nil {
		var said remarks
		said.list = t.Remarks
		t.Format = AppJSON
		t.Root.order()
		err = t.check(&said)
		t.Remarks = said.all()
		r.items += t.lineLength() + len(t.Root.Setup)
	}
	if r.items += treeItems; r.items > maxItems {
		return errItems
	}
	if err != nil {
		r.broken[len(r.trees)], t = err, nil
	}
	r.trees = append(r.trees, t)
	return nil
}

// A memberList is a list of moves and where it stood.
type memberList struct {
	object map[string]any
	name   string
}

// game returns what reads the game of an object, if it has one.
func (r *appReader) game(v map[string]any) (func() (*Tree, error), bool) {
	for _, name := range appMoves {
		switch list := v[name].(type) {
		case []any:
			if isPoints(list) || len(list) == 0 && name == "moves" {
				return func() (*Tree, error) { return r.points(list, memberList{v, name}) }, true
			}
		case string:
			return func() (*Tree, error) {
				side := r.sideOf(v)
				p := moveReader{width: side, height: side, bottom: true}
				if err := p.text(folded(list)); err != nil {
					return nil, err
				}
				t, err := p.tree()
				if err == nil {
					t.about(v)
				}
				return t, err
			}, list != ""
		}
	}
	return nil, false
}

// isPoints reports whether all values of a list are points.
func isPoints(list []any) bool {
	for _, v := range list {
		if _, ok := pointOf(v); !ok {
			return false
		}
	}
	return len(list) > 0
}

// A jsonPoint is a point of a list.
type jsonPoint struct {
	x, y    int  // as written
	index   bool // x counts cells, and y is 0
	row     bool // y is a row from the bottom, 1 the first
	pass    bool
	color   board.Color // board.Empty if it is not there
	comment string
}

// pointOf reads a point.
func pointOf(v any) (p jsonPoint, ok bool) {
	p.color = board.Empty
	switch v := v.(type) {
	case string:
		v = strings.TrimSpace(v)
		if strings.EqualFold(v, "pass") {
			p.pass = true
			return p, true
		}
		if m := appPair.FindStringSubmatch(v); m != nil {
			p.x, _ = strconv.Atoi(m[1])
			p.y, _ = strconv.Atoi(m[2])
			return p, true
		}
		if !appPoint.MatchString(v) {
			return p, false
		}
		p.x, p.row = int(v[0]|0x20)-'a', true
		p.y, _ = strconv.Atoi(v[1:])
		return p, true
	case json.Number:
		p.x, ok = smallNumber(v)
		p.index = true
		return p, ok
	case []any:
		switch len(v) {
		case 2, 3:
			if c, isColor := appColor(v[0]); isColor && len(v) == 2 {
				if inner, isText := v[1].(string); isText {
					p, ok = pointOf(inner)
					p.color = c
					return p, ok
				}
			}
			x, ok1 := smallNumber(v[0])
			y, ok2 := smallNumber(v[1])
			p.x, p.y = x, y
			if len(v) == 3 {
				p.color, ok = appColor(v[2])
				return p, ok && ok1 && ok2
			}
			return p, ok1 && ok2
		}
	case map[string]any:
		p, ok = objectPoint(v)
		for _, name := range []string{"color", "colour", "player", "side", "stone", "piece", "turn", "c", "value"} {
			if c, isColor := appColor(v[name]); isColor {
				if _, also := v["r"]; name != "c" || !also {
					p.color = c
					break
				}
			}
		}
		p.comment, _ = v["comment"].(string)
	}
	return p, ok
}

// objectPoint reads where the point of an object is.
func objectPoint(v map[string]any) (p jsonPoint, ok bool) {
	for _, names := range [][2]string{{"x", "y"}, {"col", "row"}, {"column", "row"}, {"c", "r"}} {
		x, ok1 := smallNumber(v[names[0]])
		y, ok2 := smallNumber(v[names[1]])
		if ok1 && ok2 {
			return jsonPoint{x: x, y: y, color: board.Empty}, true
		}
	}
	for _, name := range []string{"point", "pos", "position", "move", "coord", "coordinate", "notation", "at", "cell", "index", "idx"} {
		if inner, is := v[name]; is {
			if p, ok = pointOf(inner); ok {
				return p, true
			}
		}
	}
	for name, inner := range v { // one alone, named for its player as in "X (human)"
		word, _, _ := strings.Cut(strings.ToLower(name), " ")
		c, isColor := colorWords[word]
		if q, isPoint := pointOf(inner); isColor && isPoint && !q.index {
			if ok {
				return p, false
			}
			p, ok = q, true
			p.color = c
		}
	}
	return p, ok
}

func smallNumber(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.String())
	return i, err == nil && i >= 0 && i < 1000
}

// appColor reads the color of a player: a word, 1 or 2, or 1 and -1.
func appColor(v any) (board.Color, bool) {
	switch v := v.(type) {
	case string:
		c, ok := colorWords[strings.ToLower(strings.TrimSpace(v))]
		return c, ok
	case json.Number:
		switch v.String() {
		case "1":
			return board.Black, true
		case "2", "-1":
			return board.White, true
		}
	}
	return board.Empty, false
}

// sideOf returns the side of the board of an object.
func (r *appReader) sideOf(v map[string]any) int {
	for _, name := range appSizes {
		if n, ok := smallNumber(v[name]); ok && board.ValidSize(n, n) {
			return n
		}
	}
	return r.side
}

// points returns the game of a list of points.
func (r *appReader) points(list []any, from memberList) (*Tree, error) {
	side := r.sideOf(from.object)
	t := NewTree(side, side)
	points := make([]jsonPoint, len(list))
	var zero, last, numbers, index, colors bool
	for i, v := range list {
		p, _ := pointOf(v)
		points[i] = p
		index = index || p.index
		colors = colors || p.color < board.Wall
		if !p.row && !p.pass && !p.index {
			numbers = true
			zero = zero || p.x == 0 || p.y == 0
			last = last || p.x == side || p.y == side
		}
	}
	first := 0
	if last && !zero {
		first = 1
	}
	if len(list) > maxDepth {
		return nil, errDepth
	}
	if n, ok := smallNumber(cmp.Or(from.object["boardYSize"], from.object["height"])); ok && n != side {
		return nil, fmt.Errorf("a board of %dx%d in JSON, want a square one", side, n)
	}
	if stones, ok := from.object["initialStones"].([]any); ok && len(stones) > 0 {
		return nil, errors.New("the JSON has stones before the moves, initialStones, which are not read")
	}
	order, known, differs := orderOfBoard(points, from.object, pointOrder{first: first, skipI: lettersSkipI(points, side)}, side)
	if order.skipI {
		t.Remarks = append(t.Remarks, withoutI)
	}
	at := t.Root
	for i, p := range points {
		n := NewNode()
		n.Color, n.Comment = board.Color(i&1), p.comment
		if colors {
			if n.Color = p.color; p.color >= board.Wall {
				return nil, fmt.Errorf("move %d has no color, and others have", i+1)
			}
		}
		var err error
		if n.Move, err = order.at(p, side); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		at.Children = []*Node{n}
		at = n
	}
	switch {
	case known:
	case index:
		t.Remarks = append(t.Remarks, "numbers of JSON are taken for cells, counted from 0 at the top left row by row")
	case numbers:
		t.Remarks = append(t.Remarks, fmt.Sprintf("pairs of JSON are taken for columns and rows from %d at the top left", first))
	}
	if differs {
		t.Remarks = append(t.Remarks, "the board of the JSON has other stones than its moves")
	}
	t.about(from.object)
	return t, nil
}

// about sets what an object tells beside the moves.
func (t *Tree) about(v map[string]any) {
	players, _ := v["players"].(map[string]any)
	text := func(names ...string) string {
		for _, name := range names {
			for _, from := range []map[string]any{v, players} {
				switch value := from[name].(type) {
				case string:
					return value
				case map[string]any:
					if s, ok := value["name"].(string); ok {
						return s
					}
				}
			}
		}
		return ""
	}
	t.Black, t.White = text("black", "blackPlayer", "blackName", "player1"), text("white", "whitePlayer", "whiteName", "player2")
	t.Event, t.Date = text("event"), text("date")
	for _, name := range []string{"result", "winner"} {
		t.Result = text(name)
		if c, ok := appColor(v[name]); ok {
			t.Result = [...]string{"B+", "W+"}[c]
		}
		if t.Result = resultText[t.Outcome()&3]; t.Result != "" {
			break
		}
	}
	for _, name := range appRules {
		switch value := v[name].(type) {
		case string:
			if t.Rule, t.RuleKnown = ruleOf(value); !t.RuleKnown && value != "" {
				t.Remarks = append(t.Remarks, fmt.Sprintf("unknown rule %.40q", value))
			}
		case map[string]any: // of KataGo
			if t.Rule, t.RuleKnown = ruleOf(member("basicrule", value)); !t.RuleKnown && len(value) > 0 {
				t.Remarks = append(t.Remarks, "the rules of the JSON are not known")
			}
		case json.Number:
			t.Remarks = append(t.Remarks, fmt.Sprintf("the rule %s of another program is not known", value))
		default:
			continue
		}
		break
	}
}

// isKaibao reports whether a list has points with a 1 for Black or a 2 for White, perhaps among other
// texts.
func isKaibao(list []any) bool {
	found := false
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return false
		}
		found = found || kaibao.MatchString(s)
	}
	return found
}

// kaibaoGame returns the position of such a list.
func kaibaoGame(list []any) (*Tree, error) {
	t := NewTree(LibSize, LibSize)
	for _, v := range list {
		m := kaibao.FindStringSubmatch(v.(string))
		if m == nil {
			continue
		}
		row, _ := strconv.Atoi(m[1][1:])
		at, err := board.AtOn(int(m[1][0]|0x20)-'a', LibSize-row, LibSize, LibSize)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		t.Root.Setup = append(t.Root.Setup, Stone{at, board.Color(m[2][0] - '1')})
	}
	return t, nil
}

// member returns what a puzzle or else the settings of all puzzles have under a name, as text.
func member(name string, objects ...map[string]any) string {
	for _, o := range objects {
		switch v := o[name].(type) {
		case string:
			return v
		case json.Number:
			return v.String()
		case []any:
			var texts []string
			for _, s := range v {
				if s, ok := s.(string); ok {
					texts = append(texts, s)
				}
			}
			return strings.Join(texts, ",")
		}
	}
	return ""
}

// isCover reports whether a puzzle of lfz084 is a page without a task.
func isCover(p, defaults map[string]any) bool {
	return member("mode", p, defaults) == "0" || member("stones", p)+member("blackStones", p)+member("whiteStones", p) == ""
}

// puzzleGame returns the position of a puzzle of lfz084.
func puzzleGame(p, defaults map[string]any) (*Tree, error) {
	of := func(name string) string { return member(name, p, defaults) }
	f := puzzleFieldsOf{
		moves: of("stones"), stones: [2]string{of("blackStones"), of("whiteStones")}, size: of("size"), side: of("side"),
		rule: cmp.Or(of("rule"), "2"), answers: of("options"), labels: of("labels"),
	}
	t, err := f.tree()
	if err != nil {
		return nil, err
	}
	t.Event = of("title")
	t.Root.Comment = of("comment")
	return t, nil
}
