package mapped

import "testing"

func TestWhole(t *testing.T) {
	const page = pageBytes
	for _, test := range []struct{ address, n, skip, bytes uintptr }{
		{0, 0, 0, 0},
		{0, page - 1, 0, 0},
		{0, page, 0, page},
		{1, page, page - 1, 0},
		{1, 2*page - 1, page - 1, page},
		{page + 4096, 3 * page, page - 4096, 2 * page},
		{3*page - 64, 64, 0, 0},
		{3*page - 64, 65, 64, 0},
		{3*page - 64, page + 64, 64, page},
	} {
		if skip, bytes := whole(test.address, test.n); skip != test.skip || bytes != test.bytes {
			t.Errorf("%d bytes at %d: %d from %d on, want %d from %d on", test.n, test.address, bytes, skip, test.bytes, test.skip)
		}
	}
}

// The memory is as before, however it lies.
func TestAdviseKeepsMemory(t *testing.T) {
	Advise([]int32(nil))
	for _, n := range []int{1, 1000, 5 << 20} {
		s := make([]int32, n)
		Advise(s)
		Advise(s[n/2:])
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("%d numbers: number %d is %d", n, i, s[i])
			}
			s[i] = int32(i)
		}
		Advise(s)
		for i := range s {
			if s[i] != int32(i) {
				t.Fatalf("%d numbers: number %d is %d", n, i, s[i])
			}
		}
	}
}
