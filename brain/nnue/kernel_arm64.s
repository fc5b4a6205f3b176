//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Instructions that Go's assembler does not know. Arguments are numbers of registers, in
// the order of the assembler: the destination last.
// Source: Arm Architecture Reference Manual, C7.2.

// SMAX, SMIN: eight int16.
#define SMAX(m, n, d) WORD $(0x4E606400 | (m)<<16 | (n)<<5 | (d))
#define SMIN(m, n, d) WORD $(0x4E606C00 | (m)<<16 | (n)<<5 | (d))

// SMLAL adds the products of the four low int16 of m and n to the four int32 of d, SMLAL2
// those of the high ones; SMULL and SMULL2 do not add.
#define SMLAL(m, n, d) WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(m, n, d) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d))
#define SMULL(m, n, d) WORD $(0x0E60C000 | (m)<<16 | (n)<<5 | (d))
#define SMULL2(m, n, d) WORD $(0x4E60C000 | (m)<<16 | (n)<<5 | (d))

// SSHL shifts four int32 of n left by those of m: right where they are negative.
#define SSHL(m, n, d) WORD $(0x4EA04400 | (m)<<16 | (n)<<5 | (d))

// SQXTN narrows four int32 of n to the low int16 of d, saturating; SQXTN2 to the high.
#define SQXTN(n, d) WORD $(0x0E614800 | (n)<<5 | (d))
#define SQXTN2(n, d) WORD $(0x4E614800 | (n)<<5 | (d))

// SXTL widens the low four int16 of n to int32, SXTL2 the high ones.
#define SXTL(n, d) WORD $(0x0F10A400 | (n)<<5 | (d))
#define SXTL2(n, d) WORD $(0x4F10A400 | (n)<<5 | (d))

// SSHR shifts eight int16 right by a constant.
#define SSHR(by, n, d) WORD $(0x4F000400 | (32-(by))<<16 | (n)<<5 | (d))

// CLAMP clamps eight int16 to V30..V31.
#define CLAMP(n, d) \
	SMAX(30, n, d) \
	SMIN(31, d, d)

// MORE adds to V0 to V7 the row whose index is next at R11. It uses R12 and V16 to V23.
#define MORE \
	MOVHU.P 2(R11), R12         \
	ADD     R12<<7, R2, R12     \
	VLD1.P  64(R12), [V16.H8, V17.H8, V18.H8, V19.H8] \
	VLD1    (R12), [V20.H8, V21.H8, V22.H8, V23.H8]   \
	VADD    V16.H8, V0.H8, V0.H8 \
	VADD    V17.H8, V1.H8, V1.H8 \
	VADD    V18.H8, V2.H8, V2.H8 \
	VADD    V19.H8, V3.H8, V3.H8 \
	VADD    V20.H8, V4.H8, V4.H8 \
	VADD    V21.H8, V5.H8, V5.H8 \
	VADD    V22.H8, V6.H8, V6.H8 \
	VADD    V23.H8, V7.H8, V7.H8

// func addVector(cells, sums, rows []row, versions []version, first int)
TEXT ·addVector(SB), NOSPLIT, $0-104
	MOVD cells_base+0(FP), R0
	MOVD sums_base+24(FP), R1
	MOVD rows_base+48(FP), R2
	MOVD versions_base+72(FP), R3
	MOVD versions_len+80(FP), R4
	MOVD first+96(FP), R5
	SUBS R5, R4, R4
	BLE  done
	MOVD $version__size, R6
	MUL  R6, R5, R6
	ADD  R3, R6, R6
	ADD  R5<<7, R0, R5
	VEOR V30.B16, V30.B16, V30.B16
	MOVD $const_CellMax, R9
	VDUP R9, V31.H8

version: // R6 of R4 left; its numbers go to R5
	ADD     $version_lines, R6, R11
	MOVHU.P 2(R11), R12
	ADD     R12<<7, R2, R12
	VLD1.P  64(R12), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1    (R12), [V4.H8, V5.H8, V6.H8, V7.H8]
	MORE
	MORE
	MORE
	MORE
	MORE
	CLAMP(0, 0)
	CLAMP(1, 1)
	CLAMP(2, 2)
	CLAMP(3, 3)
	CLAMP(4, 4)
	CLAMP(5, 5)
	CLAMP(6, 6)
	CLAMP(7, 7)
	VST1.P  [V0.H8, V1.H8, V2.H8, V3.H8], 64(R5)
	VST1.P  [V4.H8, V5.H8, V6.H8, V7.H8], 64(R5)

	// The sum of the region, by the difference from the version before.
	MOVHU  version_before(R6), R9
	ADD    R9<<7, R0, R9
	VLD1.P 64(R9), [V16.H8, V17.H8, V18.H8, V19.H8]
	VLD1   (R9), [V20.H8, V21.H8, V22.H8, V23.H8]
	VSUB   V16.H8, V0.H8, V0.H8
	VSUB   V17.H8, V1.H8, V1.H8
	VSUB   V18.H8, V2.H8, V2.H8
	VSUB   V19.H8, V3.H8, V3.H8
	VSUB   V20.H8, V4.H8, V4.H8
	VSUB   V21.H8, V5.H8, V5.H8
	VSUB   V22.H8, V6.H8, V6.H8
	VSUB   V23.H8, V7.H8, V7.H8
	MOVHU  version_sum(R6), R9
	ADD    R9<<7, R1, R9
	ADD    $64, R9, R10
	VLD1   (R9), [V16.H8, V17.H8, V18.H8, V19.H8]
	VLD1   (R10), [V20.H8, V21.H8, V22.H8, V23.H8]
	VADD   V16.H8, V0.H8, V0.H8
	VADD   V17.H8, V1.H8, V1.H8
	VADD   V18.H8, V2.H8, V2.H8
	VADD   V19.H8, V3.H8, V3.H8
	VADD   V20.H8, V4.H8, V4.H8
	VADD   V21.H8, V5.H8, V5.H8
	VADD   V22.H8, V6.H8, V6.H8
	VADD   V23.H8, V7.H8, V7.H8
	VST1   [V0.H8, V1.H8, V2.H8, V3.H8], (R9)
	VST1   [V4.H8, V5.H8, V6.H8, V7.H8], (R10)
	ADD    $version__size, R6, R6
	SUBS   $1, R4, R4
	BNE    version

done:
	RET

// func poolVector(dst *row, sums []row, regions *[Regions]uint16)
TEXT ·poolVector(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD sums_base+8(FP), R1
	MOVD regions+32(FP), R2
	MOVD $const_Regions, R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

region:
	MOVHU.P 2(R2), R4
	ADD     R4<<7, R1, R4
	VLD1.P  64(R4), [V8.H8, V9.H8, V10.H8, V11.H8]
	VLD1    (R4), [V12.H8, V13.H8, V14.H8, V15.H8]
	SSHR(const_PoolShift, 8, 8)
	SSHR(const_PoolShift, 9, 9)
	SSHR(const_PoolShift, 10, 10)
	SSHR(const_PoolShift, 11, 11)
	SSHR(const_PoolShift, 12, 12)
	SSHR(const_PoolShift, 13, 13)
	SSHR(const_PoolShift, 14, 14)
	SSHR(const_PoolShift, 15, 15)
	VADD    V8.H8, V0.H8, V0.H8
	VADD    V9.H8, V1.H8, V1.H8
	VADD    V10.H8, V2.H8, V2.H8
	VADD    V11.H8, V3.H8, V3.H8
	VADD    V12.H8, V4.H8, V4.H8
	VADD    V13.H8, V5.H8, V5.H8
	VADD    V14.H8, V6.H8, V6.H8
	VADD    V15.H8, V7.H8, V7.H8
	SUBS    $1, R3, R3
	BNE     region

	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	VST1   [V4.H8, V5.H8, V6.H8, V7.H8], (R0)
	RET

// CLEAR makes the sums of MULTIPLY zero.
#define CLEAR \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VEOR V2.B16, V2.B16, V2.B16 \
	VEOR V3.B16, V3.B16, V3.B16 \
	VEOR V4.B16, V4.B16, V4.B16 \
	VEOR V5.B16, V5.B16, V5.B16 \
	VEOR V6.B16, V6.B16, V6.B16 \
	VEOR V7.B16, V7.B16, V7.B16

// MULTIPLY adds to V0 to V7 the products of the next two inputs, at x, with their weights
// for sixteen outputs, at w: two int32 for each output. It moves x and w on.
#define MULTIPLY(x, w) \
	VLD1R.P 4(x), [V16.S4]                                \
	VLD1.P  64(w), [V17.H8, V18.H8, V19.H8, V20.H8] \
	SMLAL(16, 17, 0)  \
	SMLAL2(16, 17, 1) \
	SMLAL(16, 18, 2)  \
	SMLAL2(16, 18, 3) \
	SMLAL(16, 19, 4)  \
	SMLAL2(16, 19, 5) \
	SMLAL(16, 20, 6)  \
	SMLAL2(16, 20, 7)

// OUTPUTS makes V0 to V3 the sums of MULTIPLY in the order of the outputs, plus the bias
// that is next at bias, shifted by the register of the given number. It uses V16 to V19.
#define OUTPUTS(bias, shift) \
	VADDP  V1.S4, V0.S4, V0.S4                              \
	VADDP  V3.S4, V2.S4, V1.S4                              \
	VADDP  V5.S4, V4.S4, V2.S4                              \
	VADDP  V7.S4, V6.S4, V3.S4                              \
	VLD1.P 64(bias), [V16.S4, V17.S4, V18.S4, V19.S4] \
	VADD   V16.S4, V0.S4, V0.S4 \
	VADD   V17.S4, V1.S4, V1.S4 \
	VADD   V18.S4, V2.S4, V2.S4 \
	VADD   V19.S4, V3.S4, V3.S4 \
	SSHL(shift, 0, 0) \
	SSHL(shift, 1, 1) \
	SSHL(shift, 2, 2) \
	SSHL(shift, 3, 3)

// func layerVector(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)
TEXT ·layerVector(SB), NOSPLIT, $0-100
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R1
	MOVD w_base+24(FP), R2
	MOVD bias_base+48(FP), R3
	MOVD shift+88(FP), R6
	NEG  R6, R6
	VDUP R6, V29.S4
	MOVH low+96(FP), R6
	VDUP R6, V30.H8
	MOVH high+98(FP), R6
	VDUP R6, V31.H8

outputs:
	MOVD x+72(FP), R4
	MOVD y+80(FP), R5
	MOVD $(const_Width/2), R6
	CLEAR

first:
	MULTIPLY(R4, R2)
	SUBS $1, R6, R6
	BNE  first
	MOVD $(const_Width/2), R6

second:
	MULTIPLY(R5, R2)
	SUBS $1, R6, R6
	BNE  second

	OUTPUTS(R3, 29)
	SQXTN(0, 0)
	SQXTN2(1, 0)
	SQXTN(2, 1)
	SQXTN2(3, 1)
	CLAMP(0, 0)
	CLAMP(1, 1)
	VST1.P [V0.H8, V1.H8], 32(R0)
	SUBS   $const_outputs, R1, R1
	BGT    outputs
	RET

// REGION4 makes V0 and V1 the sum of the layers, at R10, of the four regions whose indices
// are the given bytes from R9. It uses R11 and V2 to V7.
#define REGION4(a, b, c, d) \
	MOVHU (a)(R9), R11 \
	ADD   R11<<5, R10, R11 \
	VLD1  (R11), [V0.H8, V1.H8] \
	MOVHU (b)(R9), R11 \
	ADD   R11<<5, R10, R11 \
	VLD1  (R11), [V2.H8, V3.H8] \
	MOVHU (c)(R9), R11 \
	ADD   R11<<5, R10, R11 \
	VLD1  (R11), [V4.H8, V5.H8] \
	MOVHU (d)(R9), R11 \
	ADD   R11<<5, R10, R11 \
	VLD1  (R11), [V6.H8, V7.H8] \
	VADD  V2.H8, V0.H8, V0.H8 \
	VADD  V3.H8, V1.H8, V1.H8 \
	VADD  V6.H8, V4.H8, V4.H8 \
	VADD  V7.H8, V5.H8, V5.H8 \
	VADD  V4.H8, V0.H8, V0.H8 \
	VADD  V5.H8, V1.H8, V1.H8

// func valueVector(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32
TEXT ·valueVector(SB), NOSPLIT, $96-68
	MOVD w+0(FP), R0
	MOVD hidden_base+24(FP), R10
	MOVD regions+48(FP), R9
	MOVD mask+56(FP), R8

	// The regions' layers, added up by type: corners, edges, center.
	MOVD   $merged-96(SP), R12
	REGION4(0, 4, 12, 16)
	VST1.P [V0.H8, V1.H8], 32(R12)
	REGION4(2, 6, 10, 14)
	VST1.P [V0.H8, V1.H8], 32(R12)
	MOVHU  8(R9), R11
	ADD    R11<<5, R10, R11
	VLD1   (R11), [V0.H8, V1.H8]
	VST1   [V0.H8, V1.H8], (R12)

	VEOR V30.B16, V30.B16, V30.B16
	MOVD $const_HiddenMax, R9
	VDUP R9, V31.H8
	MOVD valueWeights_globalShift(R0), R9
	NEG  R9, R9
	VDUP R9, V29.S4
	MOVD valueWeights_mergeShift(R0), R9
	NEG  R9, R9
	VDUP R9, V28.S4
	VEOR V27.B16, V27.B16, V27.B16           // the result, in four parts
	MOVD $valueWeights_global(R0), R2
	MOVD $valueWeights_merge(R0), R3
	MOVD $valueWeights_globalBias(R0), R4
	MOVD $valueWeights_mergeBias(R0), R5
	MOVD $valueWeights_out(R0), R6
	MOVD $(const_Hidden/const_outputs), R7

outputs:
	MOVD x+8(FP), R10
	MOVD y+16(FP), R11
	MOVD $merged-96(SP), R12
	MOVD $(const_Width/2), R9
	CLEAR

first:
	MULTIPLY(R10, R2)
	SUBS $1, R9, R9
	BNE  first
	MOVD $(const_Width/2), R9

second:
	MULTIPLY(R11, R2)
	SUBS $1, R9, R9
	BNE  second

	OUTPUTS(R4, 29)
	VMOV V0.B16, V8.B16
	VMOV V1.B16, V9.B16
	VMOV V2.B16, V10.B16
	VMOV V3.B16, V11.B16
	MOVD $(const_RegionTypes*const_RegionHidden/2), R9
	CLEAR

third:
	MULTIPLY(R12, R3)
	SUBS $1, R9, R9
	BNE  third

	OUTPUTS(R5, 28)

	// Both parts and the mask, clamped; times the weights of the output.
	VLD1.P 32(R8), [V16.H8, V17.H8]
	SXTL(16, 18)
	SXTL2(16, 19)
	SXTL(17, 20)
	SXTL2(17, 21)
	VADD   V8.S4, V0.S4, V0.S4
	VADD   V9.S4, V1.S4, V1.S4
	VADD   V10.S4, V2.S4, V2.S4
	VADD   V11.S4, V3.S4, V3.S4
	VADD   V18.S4, V0.S4, V0.S4
	VADD   V19.S4, V1.S4, V1.S4
	VADD   V20.S4, V2.S4, V2.S4
	VADD   V21.S4, V3.S4, V3.S4
	SQXTN(0, 0)
	SQXTN2(1, 0)
	SQXTN(2, 1)
	SQXTN2(3, 1)
	CLAMP(0, 0)
	CLAMP(1, 1)
	VLD1.P 32(R6), [V16.H8, V17.H8]
	SMLAL(16, 0, 27)
	SMLAL2(16, 0, 27)
	SMLAL(17, 1, 27)
	SMLAL2(17, 1, 27)
	SUBS   $1, R7, R7
	BNE    outputs

	VADDV V27.S4, V27
	VMOV  V27.S[0], R9
	MOVW  R9, ret+64(FP)
	RET

// func productsVector(dst []int32, cells []row, versions []uint16, gate *row)
TEXT ·productsVector(SB), NOSPLIT, $0-80
	MOVD   dst_base+0(FP), R0
	MOVD   cells_base+24(FP), R1
	MOVD   versions_base+48(FP), R2
	MOVD   versions_len+56(FP), R3
	CBZ    R3, done
	MOVD   gate+72(FP), R4
	VLD1.P 64(R4), [V16.H8, V17.H8, V18.H8, V19.H8]
	VLD1   (R4), [V20.H8, V21.H8, V22.H8, V23.H8]

cell:
	MOVHU.P 2(R2), R4
	ADD     R4<<7, R1, R4
	VLD1.P  64(R4), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1    (R4), [V4.H8, V5.H8, V6.H8, V7.H8]
	SMULL(16, 0, 8)
	SMULL2(16, 0, 9)
	SMLAL(17, 1, 8)
	SMLAL2(17, 1, 9)
	SMLAL(18, 2, 8)
	SMLAL2(18, 2, 9)
	SMLAL(19, 3, 8)
	SMLAL2(19, 3, 9)
	SMLAL(20, 4, 8)
	SMLAL2(20, 4, 9)
	SMLAL(21, 5, 8)
	SMLAL2(21, 5, 9)
	SMLAL(22, 6, 8)
	SMLAL2(22, 6, 9)
	SMLAL(23, 7, 8)
	SMLAL2(23, 7, 9)
	VADD    V9.S4, V8.S4, V8.S4
	VADDV   V8.S4, V8
	VMOV    V8.S[0], R5
	MOVW.P  R5, 4(R0)
	SUBS    $1, R3, R3
	BNE     cell

done:
	RET
