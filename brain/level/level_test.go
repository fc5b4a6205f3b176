package level

import "testing"

func TestLevelsGrow(t *testing.T) {
	old := levelOf(0)
	for strength := 1; strength < Full; strength++ {
		l := levelOf(strength)
		if l.nodes < old.nodes || l.noise > old.noise || l.unsearched > old.unsearched || l.missedThrees > old.missedThrees || l.missedFours > 0 {
			t.Errorf("strength %d: %+v, the one below %+v", strength, l, old)
		}
		if l.nodes == old.nodes && l.noise == old.noise && l.unsearched == old.unsearched && l.missedThrees == old.missedThrees {
			t.Errorf("strength %d is no more than %d", strength, strength-1)
		}
		old = l
	}
}
