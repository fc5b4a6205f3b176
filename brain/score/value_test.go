package score

import "testing"

func TestBefore(t *testing.T) {
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

func TestMate(t *testing.T) {
	for v, want := range map[Value]int{WinIn(9): 9, LossIn(8): -8, WinFloor - 1: 0, 1 - WinFloor: 0, 0: 0} {
		if got := v.Mate(); got != want || v.Proven() != (want != 0) {
			t.Errorf("%d: mate %d, want %d; proven %v", v, got, want, v.Proven())
		}
	}
}

// TestNearer: a value of the table travels from one ply to another.
func TestNearer(t *testing.T) {
	for _, v := range []Value{WinIn(9), LossIn(12), 0, 500, -6000} {
		if got := v.Nearer(5).Nearer(-5); got != v {
			t.Errorf("value %d, 5 plies nearer and back: got %d", v, got)
		}
	}
	if got := WinIn(9).Nearer(5).Nearer(-2); got != WinIn(6) {
		t.Errorf("a win 4 plies from the position, met at ply 2: got %d, want %d", got, WinIn(6))
	}
}
