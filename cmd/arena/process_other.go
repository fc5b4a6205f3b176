//go:build !linux

package main

// overMemory cannot inspect other processes here: memory= is sent but not enforced.
func overMemory(mark string, limit int64) int64 { return 0 }

// killMarked finds no processes here; the client ends those of the engine's process group.
func killMarked(mark string) {}

// countMarked finds no processes here.
func countMarked(mark string) int { return 0 }
