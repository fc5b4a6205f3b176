package protocol

import (
	"context"
	"io"
	"testing"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/protocol/client"
)

// A program plays against an engine in its own process, over two pipes.
func TestServeAndClientInOneProcess(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	e := brain.New(brain.Config{})
	e.Set("hash_size", "1024")
	go func() {
		served <- Serve(context.Background(), inR, outW, e)
		outW.Close()
		inR.Close()
	}()
	c := client.Connect(inW, outR, client.Options{})
	if err := c.Start(15, 15, answerLimit); err != nil {
		t.Fatal(err)
	}
	if err := c.Info("max_node", "500"); err != nil {
		t.Fatal(err)
	}
	b, err := board.New(board.Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Begin(answerLimit)
	for free := 0; b.Ply() < 20; free++ {
		m := r.Move(15, 15)
		if err != nil || m == board.None || !b.Legal(m) {
			t.Fatalf("after %d moves: %+v, %v", b.Ply(), r, err)
		}
		if b.Play(m); b.Won() {
			break
		}
		if b.Ply() > 2 && (r.Stats.Nodes == 0 || r.Stats.PV == "") {
			t.Errorf("after %d moves the statistics are %+v", b.Ply(), r.Stats)
		}
		for !b.Legal(board.At(free*7%15, free%15)) {
			free++
		}
		opponent := board.At(free*7%15, free%15)
		b.Play(opponent)
		r, err = c.Turn(opponent, answerLimit)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve returned %v", err)
	}
}
