package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/proof"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

const verifyDoc = `Checks proofs that solve -proof has written. It tries every reply by the rules alone,
without a search or a solver. FILE is an SGF tree or JSON lines. A line for each file says which side
wins and how many positions with that side to move were won, or after which moves the proof fails; the
exit status is 1 then. A file that is no proof is named on standard error, and the exit status is 2.

In an SGF tree the move with START[1] ends the position. Below it are the replies of the loser, a
pass for every other one, each with its answer. SAME[n] says that the moves go on as after the node
of the name n. The first of the JSON lines is the position, each other one a node: n is its number, move
the winner's move, and answers are the nodes that answer the replies in "to"; an answer without "to"
answers all others. The first node has the first move; with -defend it has none.

-json prints an object a line for each file:
  file       its name
  valid      whether the proof holds
  after      if it fails, the moves to the place in pos notation, from the position on
  reason     if it fails, why
  rule, width, height, pos, winner (black or white)
  unproved   moves against which nothing is proved: those that hold against a threat; "" for none
  plies      of the win at most
  nodes      in the file
  positions  that were won, if it is valid
`

// A proofJSON is what solve -json prints of a proof.
type proofJSON struct {
	File      string `json:"file"`
	Plies     int    `json:"plies"`
	Nodes     int    `json:"nodes"`
	Positions int    `json:"positions"`
}

// checkProof returns a usage error if a proof cannot be written to the file.
func checkProof(name string) error {
	if ext := filepath.Ext(name); ext != ".sgf" && ext != ".jsonl" {
		return flags.Usage("-proof %s: want a name that ends in .sgf or .jsonl", name)
	}
	ok, err := atomicfile.Replaceable(name, proof.Begins)
	switch {
	case err != nil:
		return flags.Usage("-proof: %v", err)
	case !ok:
		return flags.Usage("-proof: %s exists and is no proof; remove it first", name)
	}
	return flags.CheckFiles(nil, []string{name})
}

// proofOf returns the proof of b with the given tree, checked and reduced.
func proofOf(ctx context.Context, b *board.Board, tree *proof.Node, holds []board.Move) (*proof.Proof, error) {
	p := &proof.Proof{Rule: b.Rule(), Width: b.Width(), Height: b.Height(), Moves: b.Moves(), Root: tree, Holds: holds}
	return p.Reduced(ctx)
}

// writeProof checks the proof of b with the given tree and writes it to the file.
func writeProof(ctx context.Context, name string, b *board.Board, tree *proof.Node, holds []board.Move) (*proofJSON, error) {
	p, err := proofOf(ctx, b, tree, holds)
	if err != nil {
		return nil, err
	}
	positions, err := p.Check(ctx)
	if err != nil {
		return nil, err
	}
	write := p.WriteLines
	if filepath.Ext(name) == ".sgf" {
		write = p.WriteSGF
	}
	if err := atomicfile.WriteTo(name, func(w io.Writer) error { return write(w) }); err != nil {
		return nil, err
	}
	return &proofJSON{name, p.Plies(), len(p.Nodes()), positions}, nil
}

// verify is the command of this name.
func verify(fs *flag.FlagSet) func(invocation) error {
	asJSON := fs.Bool("json", false, "print a JSON object a line, with moves in pos notation (default off)")
	return func(r invocation) error {
		unread, failed := false, 0
		for _, name := range r.args {
			p, err := readProof(name)
			positions := 0
			if err == nil {
				positions, err = p.Check(r.ctx)
			}
			var fault *proof.Fault
			switch {
			case errors.As(err, &fault):
				failed++
			case r.ctx.Err() != nil:
				return r.ctx.Err()
			case err != nil:
				unread = true
				fmt.Fprintf(r.stderr, "pbrain-tengen: %s: %s\n", name, flags.OneLine(err))
				continue
			}
			var s strings.Builder
			if *asJSON {
				verdictJSON(&s, name, p, positions, fault)
			} else {
				verdictText(&s, name, p, positions, fault)
			}
			if _, err := r.stdout.WriteString(s.String()); err != nil {
				return fmt.Errorf("%w: %w", errOutput, err)
			}
		}
		switch {
		case unread:
			return flags.ErrTold
		case failed > 0:
			return fmt.Errorf("proofs that fail: %d of %d", failed, len(r.args))
		}
		return nil
	}
}

// readProof reads a proof from a file.
func readProof(name string) (*proof.Proof, error) {
	raw, err := flags.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return proof.Read(raw)
}

func verdictText(s *strings.Builder, name string, p *proof.Proof, positions int, fault *proof.Fault) {
	if fault != nil {
		fmt.Fprintf(s, "%s: fails %v\n", name, fault)
		return
	}
	verb := "wins"
	if p.Root.Move == board.None {
		verb = "threatens to win"
	}
	fmt.Fprintf(s, "%s: %v %s in %s at most: %s, %s", name, p.Winner(), verb, counted(p.Plies(), "ply", "plies"),
		counted(positions, "position", "positions"), counted(len(p.Nodes()), "node", "nodes"))
	if len(p.Holds) > 0 {
		fmt.Fprintf(s, "; nothing is proved against %s", spaced(p.Holds))
	}
	s.WriteByte('\n')
}

func verdictJSON(s *strings.Builder, name string, p *proof.Proof, positions int, fault *proof.Fault) {
	type verdict struct {
		File      string      `json:"file"`
		Valid     bool        `json:"valid"`
		After     *string     `json:"after,omitempty"`
		Reason    string      `json:"reason,omitempty"`
		Rule      *board.Rule `json:"rule,omitempty"`
		Width     int         `json:"width,omitempty"`
		Height    int         `json:"height,omitempty"`
		Pos       *string     `json:"pos,omitempty"`
		Winner    string      `json:"winner,omitempty"`
		Unproved  *string     `json:"unproved,omitempty"`
		Plies     int         `json:"plies,omitempty"`
		Nodes     int         `json:"nodes,omitempty"`
		Positions int         `json:"positions,omitempty"`
	}
	v := verdict{File: name, Valid: fault == nil}
	if fault != nil {
		after := record.FormatMoves(fault.Moves)
		v.After, v.Reason = &after, fault.Reason
	}
	if fault == nil {
		v.Positions = positions
	}
	if p != nil {
		pos, unproved := posText(p.Moves), record.FormatMoves(p.Holds)
		v.Rule, v.Width, v.Height, v.Pos, v.Unproved = &p.Rule, p.Width, p.Height, &pos, &unproved
		v.Winner, v.Plies, v.Nodes = p.Winner().String(), p.Plies(), len(p.Nodes())
	}
	json.NewEncoder(s).Encode(v)
}
