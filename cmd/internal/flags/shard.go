package flags

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
)

// A Shard is a part of numbered work that several machines divide: the numbers that leave the
// remainder Part when divided by Of. The zero Shard is all of it.
type Shard struct{ Part, Of int }

// Add adds -shard; what names the work in its help.
func (s *Shard) Add(fs *flag.FlagSet, what string) {
	fs.Func("shard", "play only part `i/n` of "+what+", with i from 1 to n or from 0 to n-1 (default all)", func(text string) (err error) {
		*s, err = ParseShard(text)
		return err
	})
}

// ParseShard parses "i/n". Parts count from 0 or from 1: n is the same as 0.
func ParseShard(text string) (Shard, error) {
	a, b, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err != nil || err2 != nil || n < 1 || i < 0 || i > n {
		return Shard{}, fmt.Errorf("%q is not i/n with i from 0 to n", text)
	}
	return Shard{i % n, n}, nil
}

// Has reports whether number n >= 0 belongs to s.
func (s Shard) Has(n int) bool { return n%max(s.Of, 1) == s.Part }

// Number returns the number of s that stands at place i, from 0.
func (s Shard) Number(i int) int { return i*max(s.Of, 1) + s.Part }

// Count returns how many of the numbers 0 to n-1 belong to s.
func (s Shard) Count(n int) int { return (n + max(s.Of, 1) - 1 - s.Part) / max(s.Of, 1) }

// String returns "i/n" with i from 0, or nothing for all.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Of)
}
