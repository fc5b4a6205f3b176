package brain

import (
	"bytes"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/search"
)

// An Evaluation makes evaluators that follow a board as it stands. It may be called
// concurrently.
type Evaluation func(*board.Board) search.Evaluator

// Tables returns the evaluation by the tables of files that "learn tables" has written, and
// by the tables built into the program for all rules that the files do not cover. Of two
// files for one rule the later counts. A damaged file is an error.
func Tables(files ...[]byte) (Evaluation, error) {
	var all []*eval.Tables
	for _, file := range files {
		tables, err := eval.Load(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		all = append(all, tables...)
	}
	set := eval.NewSet(all...)
	return func(b *board.Board) search.Evaluator { return set.New(b) }, nil
}
