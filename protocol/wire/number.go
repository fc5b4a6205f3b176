package wire

import (
	"strconv"
	"strings"
)

// WithoutFraction returns a decimal number without the fraction behind it: C programs read 500.0 as
// 500. Other texts it returns as they are.
func WithoutFraction(s string) string {
	whole, fraction, ok := strings.Cut(s, ".")
	if !ok || strings.Trim(fraction, "0123456789") != "" {
		return s
	}
	if digits := strings.TrimLeft(whole, "+-"); digits == "" || len(whole)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return s
	}
	return whole
}

// ParseNumber parses a whole number with white space around it. A fraction of zeros may follow, as
// in 7.0.
func ParseNumber(s string) (int, error) {
	s = strings.TrimSpace(s)
	if whole := WithoutFraction(s); strings.Trim(s[len(whole):], ".0") == "" {
		s = whole
	}
	return strconv.Atoi(s)
}
