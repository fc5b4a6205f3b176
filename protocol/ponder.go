package protocol

import "context"

// A ponderer is a search on the other's time.
type ponderer struct {
	cancel context.CancelFunc
	done   chan string // gets a note about what failed, or ""
}

// ponder lets the engine think on the other's time if it may, until endPonder. It does not
// between the lines of a list, which may be executed without another call of endPonder, nor
// before playBothColors.
func (s *server) ponder() {
	if !s.yixin || s.eof || s.busy() || s.list != nil || s.due != nil || s.pondering != nil || !s.played {
		return
	}
	if s.ponders {
		s.pondering = startPondering(s.d)
	}
}

// endPonder ends it and waits until the engine is idle, a few milliseconds.
func (s *server) endPonder() {
	if s.pondering == nil {
		return
	}
	s.pondering.cancel()
	if failure := <-s.pondering.done; failure != "" {
		s.note(failure)
	}
	s.pondering = nil
}

func startPondering(e DialectEngine) *ponderer {
	ctx, cancel := context.WithCancel(context.Background())
	p := &ponderer{cancel, make(chan string, 1)}
	go func() {
		note := ""
		defer func() {
			if r := recover(); r != nil {
				_, note = panicTexts("pondering failed", r)
			}
			p.done <- note
		}()
		if err := e.Ponder(ctx); err != nil {
			note = err.Error()
		}
	}()
	return p
}
