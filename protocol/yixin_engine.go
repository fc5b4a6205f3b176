package protocol

import (
	"context"
	"io"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/opening"
)

// A DialectEngine is an Engine with the methods of brain.Engine that the dialect of Yixin-Board needs.
// With any other Engine the commands of the dialect are unknown. Only MostThreads and KeepTable may be
// called during a search, besides Set and Options.
type DialectEngine interface {
	Engine

	Moves() []board.Move
	Position() (*board.Board, error)
	Forbidden() ([]board.Move, error)
	MostThreads() int

	Balance(ctx context.Context, n, bias int, q brain.Query) (brain.Proposal, error)
	Choose(ctx context.Context, s *opening.State, q brain.Query) (brain.Choices, error)
	Ponder(ctx context.Context) error

	Block(m board.Move, on bool)
	BlockPath(path []board.Move, on bool)
	BlockFor(c board.Color, m board.Move, on bool)
	Unblock(paths bool)

	Forget()
	KeepTable(keep bool)
	TableUsage() (used, room int64)
	DumpTable() (write func(ctx context.Context, w io.Writer) (entries int64, err error), release func(), err error)
	LoadTable(ctx context.Context, r io.Reader) (entries int64, err error)
	UseDatabase(d *database.Database)
}
