//go:build race || purego

package longtest

const slow = "under the race detector and without assembly"
