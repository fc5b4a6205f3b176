package protocol

import (
	"context"

	"tengen/brain"
)

// A ponderer is a search on the other's time.
type ponderer struct {
	cancel context.CancelFunc
	done   chan string // gets a note about what failed, or ""
}

func startPondering(e Engine, o brain.Options) *ponderer {
	ctx, cancel := context.WithCancel(context.Background())
	p := &ponderer{cancel, make(chan string, 1)}
	go func() {
		note := ""
		defer func() {
			if r := recover(); r != nil {
				_, note = failure("pondering failed", r)
			}
			p.done <- note
		}()
		if err := e.Ponder(ctx, o); err != nil {
			note = err.Error()
		}
	}()
	return p
}
