//go:build !race && !purego

package longtest

const slow = ""
