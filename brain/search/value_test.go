package search

import "testing"

func TestValueBefore(t *testing.T) {
	for _, tt := range []struct{ after, want Value }{
		{0, 0}, {120, -120}, {-120, 120}, {WinIn(9), LossIn(10)}, {LossIn(8), WinIn(9)}, {WinFloor - 1, 1 - WinFloor},
	} {
		if got := tt.after.Before(); got != tt.want {
			t.Errorf("%d: %d, want %d", tt.after, got, tt.want)
		}
		if got := tt.want.After(); got != tt.after {
			t.Errorf("after %d: %d, want %d", tt.want, got, tt.after)
		}
		if got := tt.after.Abs(); got != tt.after && got != -tt.after || got < 0 {
			t.Errorf("|%d| is %d", tt.after, got)
		}
	}
}
