package main

import (
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/protocol/client"
)

// playGame plays one game and returns its record without the fields of the tournament. It
// ends the process of an engine that failed. show is called after every move and at the end.
func playGame(set *settings, f fixture, opening []board.Move, black, white *player, show func(*gameRecord, []board.Move)) *gameRecord {
	began := time.Now()
	g := &gameRecord{
		Game: f.Game, Round: f.Round, Black: black.engine.Name, White: white.engine.Name,
		Opening: len(opening), Rule: set.Rule, Size: set.Size, Started: stamp(began), Time: []float64{},
		Programs: [2]string{black.engine.checksum, white.engine.checksum},
	}
	players := [2]*player{board.Black: black, board.White: white}
	for _, p := range players {
		p.begin(set.Size)
	}
	ref := newReferee(board.Rule(set.Rule), set.Size, opening, set.DrawAfter) // while they get ready
	ref.show = func() { show(g, ref.moves) }
	ref.show()
	rule := meet(set, players, g)
	if rule == nil && set.Opening != "" {
		rule = choose(set, g, ref, &players)
	}
	if rule == nil {
		rule = play(set, g, ref, players)
	}
	g.Result, g.Reason, g.Detail = rule.outcome.String(), rule.reason, rule.detail
	g.Moves, g.Rows = record.FormatMoves(ref.moves), ref.rows
	g.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	ref.show()
	g.Depth, g.Nodes, g.Eval = sent(g.Depth), sent(g.Nodes), sent(g.Eval)
	if failed(rule.reason) {
		loser := board.Black
		if rule.outcome == record.BlackWon {
			loser = board.White
		}
		players[loser].close()
	}
	for _, p := range players {
		if p.engine.Restart {
			p.close()
		}
	}
	return g
}

// meet waits until both players are ready and tells them the limits. It returns the ruling on one that
// fails, else nil.
func meet(set *settings, players [2]*player, g *gameRecord) *ruling {
	var failures [2]error
	for side, p := range players {
		failures[side] = p.ready(set.Size)
		g.Unready = g.Unready || failures[side] != nil
	}
	for side, p := range players {
		if failures[side] == nil {
			failures[side] = p.tell(set.Rule)
		}
	}
	for side, err := range failures {
		if err != nil {
			return fault(board.Color(side), err)
		}
	}
	return nil
}

// play asks for moves until there is a ruling.
func play(set *settings, g *gameRecord, ref *referee, players [2]*player) *ruling {
	for {
		side := ref.b.Side()
		players[side].send(ref)
		reply, err := players[side].answer()
		if err != nil {
			f, ok := err.(*client.Failure)
			g.Unready = ok && f.Refused
			return fault(side, err)
		}
		if rule := take(set, g, ref, &reply); rule != nil {
			return rule
		}
	}
}

// take judges a move, and notes it if it is legal. It returns nil while the game goes on.
func take(set *settings, g *gameRecord, ref *referee, reply *client.Reply) *ruling {
	rule := ref.judge(reply.X, reply.Y)
	if rule == nil || !failed(rule.reason) {
		g.note(reply)
	}
	if rule == nil {
		ref.show()
		rule = set.adjudicate(g)
	}
	return rule
}

// fault returns the ruling on an engine that failed.
func fault(side board.Color, err error) *ruling {
	if f, ok := err.(*client.Failure); ok {
		return lost(side, string(f.Reason), f.Detail)
	}
	return lost(side, string(client.Crash), err.Error())
}

// note records the statistics of a move that was played.
func (g *gameRecord) note(r *client.Reply) {
	g.Time = append(g.Time, float64(r.Elapsed.Microseconds())/1000)
	g.Depth = append(g.Depth, r.Stats.Depth)
	g.Nodes = append(g.Nodes, r.Stats.Nodes)
	g.Eval = append(g.Eval, eval{r.Stats.Scored, r.Stats.Eval, r.Stats.Mate})
}

// sent returns a list of statistics, or nil if no engine sent any.
func sent[T comparable](list []T) []T {
	var none T
	if !slices.ContainsFunc(list, func(v T) bool { return v != none }) {
		return nil
	}
	return list
}
