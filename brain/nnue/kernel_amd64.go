//go:build !purego

package nnue

// useVector is a variable so that tests can run both versions.
var useVector = HasAVX2()

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the low half of the extended control register 0. The processor has to
// have OSXSAVE.
func xgetbv() uint32

// HasAVX2 reports whether the processor has AVX2 and the system saves its registers.
// Source: Intel's manual, volume 1, 14.7.1.
func HasAVX2() bool {
	const (
		osxsave = 1 << 27 // leaf 1, ecx
		avx     = 1 << 28 // leaf 1, ecx
		avx2    = 1 << 5  // leaf 7, ebx
		saved   = 6       // xgetbv: the low and the high halves of the registers
	)
	if highest, _, _, _ := cpuid(0, 0); highest < 7 {
		return false
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&osxsave == 0 || ecx&avx == 0 || xgetbv()&saved != saved {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx&avx2 != 0
}
