package main

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/brain/record"
	"tengen/protocol/client"
)

// Parts of the limits of a move that a search for a choice has, and what is searched. Set by hand 2026-11.
const (
	wholePart   = 2                     // for a question that one search answers
	fewPart     = 10                    // for each of the cells that a first look prefers
	manyPart    = 50                    // for each cell of the first look
	leastSearch = 80 * time.Millisecond // engines keep some tens of it in reserve
	gameMoves   = 40                    // of a time for the whole game one move has 1/n

	lookAgain    = 4  // cells more than are wanted that are searched again
	proposals    = 5  // first three stones that are searched
	mostDeclared = 12 // fifth moves that are declared under Yamaguchi
	mostUnscored = 3  // plies that are followed until the engine gives a score
	winningScore = 1 << 30
)

// A searchChooser chooses for an engine that knows no command for it: it asks by BOARD for the positions to
// which the choices lead, and compares the scores that the engine sends with its moves. The player who
// decides on the colors takes the side that is ahead; who proposes makes them as equal as possible. Ties
// and first stones depend on the match and on the number of the game.
type searchChooser struct {
	// consult asks for the move after stones, with 1/part of the limits of a move.
	consult func(stones []board.Move, part int) (client.Reply, error)

	rand          *rand.Rand
	width, height int
	ranked        map[string][]valuedCell // fourth and fifth moves by the stones before, the best first
}

// A valuedCell is a cell and the value of a stone there.
type valuedCell struct {
	move  board.Move
	value int // for the side that puts it, in the unit of the engine
	known bool
}

func newSearchChooser(consult func([]board.Move, int) (client.Reply, error), match string, game int) *searchChooser {
	h := fnv.New64a()
	h.Write([]byte(match))
	return &searchChooser{consult: consult, rand: rand.New(rand.NewPCG(h.Sum64(), uint64(game))), ranked: map[string][]valuedCell{}}
}

func (s *searchChooser) decide(state *opening.State) (decision, error) {
	began := time.Now()
	s.width, s.height = state.Size()
	list, err := s.list(state)
	return decision{list: list, command: "BOARD", elapsed: time.Since(began)}, err
}

// list returns the choices at a step.
func (s *searchChooser) list(state *opening.State) ([]opening.Choice, error) {
	step := state.Step()
	switch {
	case step.Can(opening.Pick):
		return s.pick(state)
	case step.Can(opening.Offer):
		return s.offer(state, &step)
	case step.Can(opening.Declare):
		return s.declare(state)
	case step.Can(opening.Put):
		return s.put(state, &step)
	}
	return s.answer(state, &step)
}

// value returns the value of the position after stones for the side to move, and the engine's move. Where the
// engine sends no score it has more time, then the positions to which its moves lead are asked for; known is
// false if it sends none there either.
func (s *searchChooser) value(stones []board.Move, part int) (v valuedCell, err error) {
	v.move = board.None
	for n := range mostUnscored {
		reply, err := s.consult(stones, part)
		if err == nil && !reply.Stats.Scored && part > wholePart {
			reply, err = s.consult(stones, wholePart)
		}
		if err != nil {
			return v, err
		}
		m := reply.Move(s.width, s.height)
		if n == 0 {
			v.move = m
		}
		if stats := reply.Stats; stats.Scored {
			v.value, v.known = stats.Eval, true
			switch {
			case stats.Mate > 0:
				v.value = winningScore - stats.Mate
			case stats.Mate < 0:
				v.value = -winningScore - stats.Mate
			}
			if n%2 == 1 {
				v.value = -v.value
			}
			return v, nil
		}
		if m == board.None || slices.Contains(stones, m) {
			break
		}
		stones = append(slices.Clone(stones), m)
	}
	return v, nil
}

// must returns the value where a choice hangs on it alone.
func (s *searchChooser) must(stones []board.Move, part int) (valuedCell, error) {
	v, err := s.value(stones, part)
	if err == nil && !v.known {
		err = noScore
	}
	return v, err
}

// noScore is the failure of an engine whose searches cannot be compared.
var noScore = &client.Failure{Reason: client.Protocol, Detail: "no score in its MESSAGE lines, by which it could choose in the opening"}

// rank returns the cells with the values of stones there, those of the greatest merit first: a search of
// each, and another one of the best. Only the first keep are searched twice.
func (s *searchChooser) rank(stones, cells []board.Move, keep int, merit func(value int) int) ([]valuedCell, error) {
	list := make([]valuedCell, 0, len(cells))
	for _, m := range cells {
		list = append(list, valuedCell{move: m})
	}
	s.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, look := range []struct{ part, first int }{{manyPart, len(list)}, {fewPart, min(keep, len(list))}} {
		seen := list[:look.first]
		for i := range seen {
			after, err := s.value(append(slices.Clone(stones), seen[i].move), look.part)
			if err != nil {
				return nil, err
			}
			seen[i].value, seen[i].known = -after.value, after.known
		}
		slices.SortStableFunc(seen, func(a, b valuedCell) int {
			if a.known != b.known {
				if a.known {
					return -1
				}
				return 1
			}
			return cmp.Compare(merit(b.value), merit(a.value))
		})
	}
	if len(list) == 0 || !list[0].known {
		return nil, noScore
	}
	return list, nil
}

// near returns the cells within two of a stone, or all of them if there are none.
func near(stones, cells []board.Move) []board.Move {
	list := slices.DeleteFunc(slices.Clone(cells), func(m board.Move) bool {
		return !slices.ContainsFunc(stones, func(o board.Move) bool { return board.Distance(m, o) <= 2 })
	})
	if len(list) == 0 {
		return cells
	}
	return list
}

// free returns the cells without a stone.
func (s *searchChooser) free(stones []board.Move) (list []board.Move) {
	for y := range s.height {
		for x := range s.width {
			if m := board.At(x, y); !slices.Contains(stones, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// fifths returns fifth moves of black near the stones whose values are known, of which no two are mirror images,
// the best first. At least n of them are searched well.
func (s *searchChooser) fifths(stones []board.Move, n int) ([]valuedCell, error) {
	key := record.FormatMoves(stones)
	if list := s.ranked[key]; list != nil {
		return list, nil
	}
	var differ []board.Move
	for _, m := range near(stones, s.free(stones)) {
		if !slices.ContainsFunc(differ, func(o board.Move) bool { return opening.Symmetric(stones, o, m, s.width, s.height) }) {
			differ = append(differ, m)
		}
	}
	list, err := s.rank(stones, differ, n+lookAgain, func(v int) int { return v })
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(v valuedCell) bool { return !v.known })
	s.ranked[key] = list
	return list, nil
}

// nth returns the value for black of the worst of n fifth moves, which white will pick.
func (s *searchChooser) nth(stones []board.Move, n int) (int, error) {
	list, err := s.fifths(stones, max(n, opening.MostSoosyrv))
	if err != nil {
		return 0, err
	}
	return list[min(n, len(list))-1].value, nil
}

// fourth returns the fourth stone of white that the engine plays.
func (s *searchChooser) fourth(stones []board.Move) (valuedCell, error) {
	key := record.FormatMoves(stones)
	if list := s.ranked[key]; list != nil {
		return list[0], nil
	}
	v, err := s.value(stones, wholePart)
	if err == nil && (v.move == board.None || slices.Contains(stones, v.move)) {
		err = &client.Failure{Reason: "illegal", Detail: "the fourth stone is not on a free cell"}
	}
	if err == nil {
		s.ranked[key] = []valuedCell{v}
	}
	return v, err
}

// pick returns the offer that is worst for black.
func (s *searchChooser) pick(state *opening.State) ([]opening.Choice, error) {
	list, err := s.rank(state.Stones(), state.Offers(), len(state.Offers()), func(v int) int { return -v })
	if err != nil {
		return nil, err
	}
	return []opening.Choice{{Action: opening.Pick, Move: list[0].move}}, nil
}

// offer returns the best fifth moves, as many as are wanted.
func (s *searchChooser) offer(state *opening.State, step *opening.Step) (choices []opening.Choice, err error) {
	list, err := s.fifths(state.Stones(), step.Left)
	if err != nil {
		return nil, err
	}
	var cells []board.Move
	for _, v := range list {
		cells = append(cells, v.move)
	}
	try := state.Clone()
	for _, m := range append(cells, step.Cells.Append(nil)...) {
		c := opening.Choice{Action: opening.Offer, Move: m}
		if len(choices) < step.Left && try.Apply(c) == nil {
			choices = append(choices, c)
		}
	}
	return choices, nil
}

// declare returns the number of fifth moves that makes the colors most equal.
func (s *searchChooser) declare(state *opening.State) (choices []opening.Choice, err error) {
	stones, most := state.Stones(), opening.MostSoosyrv
	if len(stones) == 3 { // white then puts a fourth stone
		v, err := s.fourth(stones)
		if err != nil {
			return nil, err
		}
		stones, most = append(slices.Clone(stones), v.move), mostDeclared
	}
	list, err := s.fifths(stones, most)
	if err != nil {
		return nil, err
	}
	best := 0
	for i, v := range list[:min(most, len(list))] {
		if distance(v.value) < distance(list[best].value) {
			best = i
		}
	}
	return []opening.Choice{{Action: opening.Declare, Number: best + 1}}, nil
}

// distance returns how far from equal a value is.
func distance(v int) int { return max(v, -v) }

// put returns the next stone, or the first three.
func (s *searchChooser) put(state *opening.State, step *opening.Step) ([]opening.Choice, error) {
	stones, cells := state.Stones(), step.Cells.Append(nil)
	switch rule, n := state.Rule(), len(stones); {
	case n == 0 && step.Left == 3:
		return s.propose(state)
	case len(cells) == 1:
		return puts(cells), nil
	case n == 0:
		return puts([]board.Move{cells[s.rand.IntN(len(cells))]}), nil
	case n == 3 && (rule == opening.RIF || rule == opening.Yamaguchi):
		v, err := s.fourth(stones)
		return puts([]board.Move{v.move}), err
	case rule == opening.Pro || rule == opening.LongPro:
		return s.best(stones, cells, func(v int) int { return v })
	}
	return s.best(stones, cells, func(v int) int { return -distance(v) })
}

// best returns the stone near the others that has the greatest merit.
func (s *searchChooser) best(stones, cells []board.Move, merit func(int) int) ([]opening.Choice, error) {
	list, err := s.rank(stones, near(stones, cells), lookAgain, merit)
	if err != nil {
		return nil, err
	}
	return puts([]board.Move{list[0].move}), nil
}

// puts returns the choices that put stones.
func puts(stones []board.Move) (choices []opening.Choice) {
	for _, m := range stones {
		choices = append(choices, opening.Choice{Action: opening.Put, Move: m})
	}
	return choices
}

// propose returns first three stones, of some drawn at random those that are most equal.
func (s *searchChooser) propose(state *opening.State) ([]opening.Choice, error) {
	var best []opening.Choice
	least := 0
	for range proposals {
		stones := s.three(state)
		v, err := s.must(stones, fewPart)
		if err != nil {
			return nil, err
		}
		if best == nil || distance(v.value) < least {
			best, least = puts(stones), distance(v.value)
		}
	}
	return best, nil
}

// three draws first three stones: one of the openings of renju, or three stones near each other.
func (s *searchChooser) three(state *opening.State) []board.Move {
	if r := state.Rule(); r != opening.Swap && r != opening.Swap2 {
		all := opening.Openings()
		step := state.Step()
		middle := step.Cells.Append(nil)
		stones := all[s.rand.IntN(len(all))].About(middle[s.rand.IntN(len(middle))], s.rand.IntN(board.Symmetries))
		return stones[:]
	}
	const reach = 2
	x, y := reach+s.rand.IntN(s.width-2*reach), reach+s.rand.IntN(s.height-2*reach)
	stones := []board.Move{board.At(x, y)}
	for len(stones) < 3 {
		m := board.At(x-reach+s.rand.IntN(2*reach+1), y-reach+s.rand.IntN(2*reach+1))
		if !slices.Contains(stones, m) {
			stones = append(stones, m)
		}
	}
	return stones
}

// answer decides on the colors. Who may ask the other to choose, by two more stones of swap2, does not: the
// other takes the better side then.
func (s *searchChooser) answer(state *opening.State, step *opening.Step) ([]opening.Choice, error) {
	stones := state.Stones()
	ahead, err := 0, error(nil) // of the side to move, which the one who decides holds
	switch rule, n := state.Rule(), len(stones); {
	case rule == opening.RIF, rule == opening.Yamaguchi:
		var v valuedCell
		if v, err = s.fourth(stones); err == nil {
			ahead, err = s.nth(append(slices.Clone(stones), v.move), cmp.Or(state.Declared(), 2))
			ahead = -ahead
		}
	case rule == opening.Soosyrv8 && n == 4:
		ahead, err = s.nth(stones, state.Declared())
	default:
		if step.Can(opening.Ten) {
			if ahead, err = s.nth(stones, 10); err == nil && ahead > 0 {
				return []opening.Choice{{Action: opening.Ten}}, nil
			}
		}
		var v valuedCell
		if err == nil {
			v, err = s.must(stones, wholePart)
		}
		ahead = v.value
	}
	if err != nil {
		return nil, err
	}
	if ahead < 0 {
		return []opening.Choice{{Action: opening.DoSwap}}, nil
	}
	return []opening.Choice{{Action: opening.Stay}}, nil
}
