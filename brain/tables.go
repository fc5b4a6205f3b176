package brain

import (
	"strings"

	"tengen/brain/eval"
)

// UseTables makes engines evaluate by the tables of a file that cmd/train wrote, for the
// rules it speaks of, in place of those the program carries. It is meant for the start
// of a program. A damaged file is an error and changes nothing.
func UseTables(file []byte) error {
	all, err := eval.Load(strings.NewReader(string(file)))
	if err != nil {
		return err
	}
	for _, t := range all {
		eval.Use(t)
	}
	return nil
}
