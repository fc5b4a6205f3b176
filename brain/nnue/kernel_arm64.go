//go:build !purego

package nnue

// useVector is a variable so that tests can run both versions. All processors have NEON.
var useVector = true
