package prover_test

import (
	"context"
	"fmt"
	"time"

	"tengen/brain/board"
	"tengen/brain/prover"
)

// A win that holds against every reply.
func ExampleProver() {
	p, err := prover.New(board.Freestyle, 15, 15)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Set("h8a1h9a3h10a5"); err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	found := p.Win(ctx, prover.VCF)
	fmt.Println(found.Win, len(found.Line), "plies")
	// Output: true 3 plies
}
