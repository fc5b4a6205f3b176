package record

import (
	"fmt"
	"strings"
)

// remarks are what a reader has to say of a game that it could read: what it left out, and what it
// took for something else.
type remarks struct {
	list []string
	more int
}

// mostRemarks is how many remarks of a game are kept; the others are counted.
const mostRemarks = 8

func (r *remarks) add(format string, args ...any) {
	s := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	for _, before := range r.list {
		if s == before {
			return
		}
	}
	if len(r.list) == mostRemarks {
		r.more++
		return
	}
	r.list = append(r.list, s)
}

// all returns the remarks, nil if there are none.
func (r *remarks) all() []string {
	if r.more == 0 {
		return r.list
	}
	return append(r.list, fmt.Sprintf("more of this kind: %d", r.more))
}
