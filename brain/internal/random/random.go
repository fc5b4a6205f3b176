// Package random has random numbers that depend on a seed alone, on every machine.
package random

import "tengen/brain/board"

// A Source is a generator, splitmix64, whose value is its state. Any seed will do.
type Source uint64

// Uint64 returns any number.
func (s *Source) Uint64() uint64 {
	*s += board.Golden
	return board.Mix(uint64(*s))
}

// Below returns a number in 0..n-1, with n above 0.
func (s *Source) Below(n int) int { return int(s.Uint64() >> 1 % uint64(n)) }

// About returns a number in -n..n, small ones more often.
func (s *Source) About(n int) int { return s.Below(n+1) - s.Below(n+1) }

// Shuffle moves n random elements of list to its front, in random order.
func Shuffle[T any](s *Source, list []T, n int) {
	for i := range n {
		j := i + s.Below(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
}
