//go:build !purego

#include "textflag.h"

// cellMax, 4 - 1/128, as a float32.
DATA ceiling<>+0(SB)/4, $0x407f8000
GLOBL ceiling<>(SB), RODATA|NOPTR, $4

// poolScale, 1/16, as a float32.
DATA poolScale<>+0(SB)/4, $0x3d800000
GLOBL poolScale<>(SB), RODATA|NOPTR, $4

// A row is 32 numbers in four registers, or at bytes beyond the address p in memory.

#define LOAD(at, p, a, b, c, d) \
	VMOVUPS (at+0)p, a  \
	VMOVUPS (at+32)p, b \
	VMOVUPS (at+64)p, c \
	VMOVUPS (at+96)p, d

#define STORE(a, b, c, d, at, p) \
	VMOVUPS a, (at+0)p  \
	VMOVUPS b, (at+32)p \
	VMOVUPS c, (at+64)p \
	VMOVUPS d, (at+96)p

// ADD adds the row in memory to a, b, c and d.
#define ADD(at, p, a, b, c, d) \
	VADDPS (at+0)p, a, a  \
	VADDPS (at+32)p, b, b \
	VADDPS (at+64)p, c, c \
	VADDPS (at+96)p, d, d

// EACH does op with x and each register of a row.
#define EACH(op, x, a, b, c, d) \
	op x, a, a \
	op x, b, b \
	op x, c, c \
	op x, d, d

// func gatherAVX2(dst, pool, table, bias *float32, idx *uint16, region *uint8, count *float32, n, cells int)
TEXT ·gatherAVX2(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ pool+8(FP), SI
	MOVQ table+16(FP), R8
	MOVQ bias+24(FP), R9
	MOVQ idx+32(FP), R10
	MOVQ region+40(FP), R11
	MOVQ count+48(FP), R12
	MOVQ n+56(FP), R13
	MOVQ cells+64(FP), CX
	VXORPS Y15, Y15, Y15
	VBROADCASTSS ceiling<>(SB), Y14
	LOAD(0, (R9), Y8, Y9, Y10, Y11)

gatherCell:
	VMOVAPS Y8, Y0
	VMOVAPS Y9, Y1
	VMOVAPS Y10, Y2
	VMOVAPS Y11, Y3
	MOVQ R13, BX

gatherRow:
	MOVWLZX (R10), AX
	ADDQ $2, R10
	SHLQ $7, AX
	ADD(0, (R8)(AX*1), Y0, Y1, Y2, Y3)
	DECQ BX
	JNZ gatherRow

	// The cell itself.
	EACH(VMAXPS, Y15, Y0, Y1, Y2, Y3)
	EACH(VMINPS, Y14, Y0, Y1, Y2, Y3)
	STORE(Y0, Y1, Y2, Y3, 0, (DI))
	ADDQ $256, DI

	// Its region.
	MOVBLZX (R11), AX
	INCQ R11
	SHLQ $8, AX
	VBROADCASTSS (R12), Y12
	ADDQ $4, R12
	EACH(VMULPS, Y12, Y0, Y1, Y2, Y3)
	ADD(0, (SI)(AX*1), Y0, Y1, Y2, Y3)
	STORE(Y0, Y1, Y2, Y3, 0, (SI)(AX*1))
	DECQ CX
	JNZ gatherCell
	VZEROUPPER
	RET

// SLOPE sets D to the derivative of eight numbers of a cell, and adds it to SUM: AX is
// the place of the region, Y12 the count, Y13 the coefficient.
#define SLOPE(at, D, SUM) \
	VMULPS at(R8)(AX*1), Y12, D \
	VMULPS at(R9), Y13, Y8 \
	VADDPS Y8, D, D \
	VMOVUPS at(SI), Y8 \
	VCMPPS $0x1e, Y15, Y8, Y9 \
	VCMPPS $0x11, Y14, Y8, Y10 \
	VANDPS Y9, D, D \
	VANDPS Y10, D, D \
	VADDPS D, SUM, SUM

// func scatterAVX2(grad, bias, acts, pool, gate *float32, idx *uint16, region *uint8, count, coef *float32, n, cells int)
TEXT ·scatterAVX2(SB), NOSPLIT, $0-88
	MOVQ grad+0(FP), DI
	MOVQ acts+16(FP), SI
	MOVQ pool+24(FP), R8
	MOVQ gate+32(FP), R9
	MOVQ idx+40(FP), R10
	MOVQ region+48(FP), R11
	MOVQ count+56(FP), R12
	MOVQ coef+64(FP), DX
	MOVQ n+72(FP), R13
	MOVQ cells+80(FP), CX
	VXORPS Y15, Y15, Y15
	VBROADCASTSS ceiling<>(SB), Y14
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

scatterCell:
	MOVBLZX (R11), AX
	INCQ R11
	SHLQ $8, AX
	VBROADCASTSS (R12), Y12
	ADDQ $4, R12
	VBROADCASTSS (DX), Y13
	ADDQ $4, DX
	SLOPE(0, Y0, Y4)
	SLOPE(32, Y1, Y5)
	SLOPE(64, Y2, Y6)
	SLOPE(96, Y3, Y7)
	ADDQ $256, SI
	MOVQ R13, BX

scatterRow:
	MOVWLZX (R10), AX
	ADDQ $2, R10
	SHLQ $7, AX
	VADDPS 0(DI)(AX*1), Y0, Y8
	VADDPS 32(DI)(AX*1), Y1, Y9
	VADDPS 64(DI)(AX*1), Y2, Y10
	VADDPS 96(DI)(AX*1), Y3, Y11
	STORE(Y8, Y9, Y10, Y11, 0, (DI)(AX*1))
	DECQ BX
	JNZ scatterRow
	DECQ CX
	JNZ scatterCell

	MOVQ bias+8(FP), DI
	ADD(0, (DI), Y4, Y5, Y6, Y7)
	STORE(Y4, Y5, Y6, Y7, 0, (DI))
	VZEROUPPER
	RET

// REDUCE adds up Y8..Y11 into the lowest lane of X8.
#define REDUCE \
	VADDPS Y9, Y8, Y8 \
	VADDPS Y11, Y10, Y10 \
	VADDPS Y10, Y8, Y8 \
	VEXTRACTF128 $1, Y8, X9 \
	VADDPS X9, X8, X8 \
	VHADDPS X8, X8, X8 \
	VHADDPS X8, X8, X8

// PRODUCTS multiplies a row of weights at SI with the row of a, b, c and d.
#define PRODUCTS(at, a, b, c, d, e, f, g, h) \
	VMULPS (at+0)(SI), a, e  \
	VMULPS (at+32)(SI), b, f \
	VMULPS (at+64)(SI), c, g \
	VMULPS (at+96)(SI), d, h

// func dots64AVX2(dst, w, x *float32, rows int)
TEXT ·dots64AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ rows+24(FP), CX
	LOAD(0, (DX), Y0, Y1, Y2, Y3)
	LOAD(128, (DX), Y4, Y5, Y6, Y7)

dots64Row:
	PRODUCTS(0, Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11)
	PRODUCTS(128, Y4, Y5, Y6, Y7, Y12, Y13, Y14, Y15)
	VADDPS Y12, Y8, Y8
	VADDPS Y13, Y9, Y9
	VADDPS Y14, Y10, Y10
	VADDPS Y15, Y11, Y11
	REDUCE
	VMOVSS X8, (DI)
	ADDQ $256, SI
	ADDQ $4, DI
	DECQ CX
	JNZ dots64Row
	VZEROUPPER
	RET

// func dots32AVX2(dst, w, x *float32, rows int)
TEXT ·dots32AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ rows+24(FP), CX
	LOAD(0, (DX), Y0, Y1, Y2, Y3)

dots32Row:
	PRODUCTS(0, Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11)
	REDUCE
	VMOVSS X8, (DI)
	ADDQ $128, SI
	ADDQ $4, DI
	DECQ CX
	JNZ dots32Row
	VZEROUPPER
	RET

// MIX adds the row at SI, times Y8, to a, b, c and d.
#define MIX(at, a, b, c, d) \
	PRODUCTS(at, Y8, Y8, Y8, Y8, Y9, Y10, Y11, Y12) \
	VADDPS Y9, a, a  \
	VADDPS Y10, b, b \
	VADDPS Y11, c, c \
	VADDPS Y12, d, d

// func mix64AVX2(dst, w, coef *float32, rows int)
TEXT ·mix64AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ coef+16(FP), DX
	MOVQ rows+24(FP), CX
	LOAD(0, (DI), Y0, Y1, Y2, Y3)
	LOAD(128, (DI), Y4, Y5, Y6, Y7)

mix64Row:
	VBROADCASTSS (DX), Y8
	MIX(0, Y0, Y1, Y2, Y3)
	MIX(128, Y4, Y5, Y6, Y7)
	ADDQ $256, SI
	ADDQ $4, DX
	DECQ CX
	JNZ mix64Row
	STORE(Y0, Y1, Y2, Y3, 0, (DI))
	STORE(Y4, Y5, Y6, Y7, 128, (DI))
	VZEROUPPER
	RET

// func mix32AVX2(dst, w, coef *float32, rows int)
TEXT ·mix32AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ coef+16(FP), DX
	MOVQ rows+24(FP), CX
	LOAD(0, (DI), Y0, Y1, Y2, Y3)

mix32Row:
	VBROADCASTSS (DX), Y8
	MIX(0, Y0, Y1, Y2, Y3)
	ADDQ $128, SI
	ADDQ $4, DX
	DECQ CX
	JNZ mix32Row
	STORE(Y0, Y1, Y2, Y3, 0, (DI))
	VZEROUPPER
	RET

// OUTER adds the row of a, b, c and d, times Y8, to that at DI.
#define OUTER(at, a, b, c, d) \
	VMULPS Y8, a, Y9  \
	VMULPS Y8, b, Y10 \
	VMULPS Y8, c, Y11 \
	VMULPS Y8, d, Y12 \
	ADD(at, (DI), Y9, Y10, Y11, Y12) \
	STORE(Y9, Y10, Y11, Y12, at, (DI))

// func outer64AVX2(w, coef, x *float32, rows int)
TEXT ·outer64AVX2(SB), NOSPLIT, $0-32
	MOVQ w+0(FP), DI
	MOVQ coef+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ rows+24(FP), CX
	LOAD(0, (SI), Y0, Y1, Y2, Y3)
	LOAD(128, (SI), Y4, Y5, Y6, Y7)

outer64Row:
	VBROADCASTSS (DX), Y8
	OUTER(0, Y0, Y1, Y2, Y3)
	OUTER(128, Y4, Y5, Y6, Y7)
	ADDQ $256, DI
	ADDQ $4, DX
	DECQ CX
	JNZ outer64Row
	VZEROUPPER
	RET

// func outer32AVX2(w, coef, x *float32, rows int)
TEXT ·outer32AVX2(SB), NOSPLIT, $0-32
	MOVQ w+0(FP), DI
	MOVQ coef+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ rows+24(FP), CX
	LOAD(0, (SI), Y0, Y1, Y2, Y3)

outer32Row:
	VBROADCASTSS (DX), Y8
	OUTER(0, Y0, Y1, Y2, Y3)
	ADDQ $128, DI
	ADDQ $4, DX
	DECQ CX
	JNZ outer32Row
	VZEROUPPER
	RET

// The functions on pools go through them eight numbers at a time: BX counts their bytes.

// ADD8 adds Y0 to those at DI, and Y1 to those at SI.
#define ADD8 \
	VADDPS (DI)(BX*1), Y0, Y0 \
	VADDPS (SI)(BX*1), Y1, Y1 \
	VMOVUPS Y0, (DI)(BX*1)    \
	VMOVUPS Y1, (SI)(BX*1)

// NEXT8 goes on to the next eight. JNE then jumps back unless that was all.
#define NEXT8 \
	ADDQ $32, BX \
	CMPQ BX, $256

// func momentsAVX2(sum, squares, x, pivot *[pair]float32)
TEXT ·momentsAVX2(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), DI
	MOVQ squares+8(FP), SI
	MOVQ x+16(FP), R8
	MOVQ pivot+24(FP), R9
	VBROADCASTSS poolScale<>(SB), Y7
	XORL BX, BX

moments8:
	VMULPS (R8)(BX*1), Y7, Y0
	VSUBPS (R9)(BX*1), Y0, Y0
	VMULPS Y0, Y0, Y1
	ADD8
	NEXT8
	JNE moments8
	VZEROUPPER
	RET

// func normalizeAVX2(dst, x, mean, scale *[pair]float32)
TEXT ·normalizeAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ mean+16(FP), R8
	MOVQ scale+24(FP), R9
	VBROADCASTSS poolScale<>(SB), Y7
	XORL BX, BX

normalize8:
	VMULPS (SI)(BX*1), Y7, Y0
	VSUBPS (R8)(BX*1), Y0, Y0
	VMULPS (R9)(BX*1), Y0, Y0
	VMOVUPS Y0, (DI)(BX*1)
	NEXT8
	JNE normalize8
	VZEROUPPER
	RET

// func driftsAVX2(gradient, drift, d, x *[pair]float32)
TEXT ·driftsAVX2(SB), NOSPLIT, $0-32
	MOVQ gradient+0(FP), DI
	MOVQ drift+8(FP), SI
	MOVQ d+16(FP), R8
	MOVQ x+24(FP), R9
	XORL BX, BX

drifts8:
	VMOVUPS (R8)(BX*1), Y0
	VMULPS (R9)(BX*1), Y0, Y1
	ADD8
	NEXT8
	JNE drifts8
	VZEROUPPER
	RET

// func normalizeBackAVX2(d, x, gradient, drift, scale *[pair]float32)
TEXT ·normalizeBackAVX2(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ gradient+16(FP), R8
	MOVQ drift+24(FP), R9
	MOVQ scale+32(FP), R10
	XORL BX, BX

normalizeBack8:
	VMOVUPS (SI)(BX*1), Y0
	VMULPS (R9)(BX*1), Y0, Y0
	VADDPS (R8)(BX*1), Y0, Y0
	VMOVUPS (DI)(BX*1), Y1
	VSUBPS Y0, Y1, Y1
	VMULPS (R10)(BX*1), Y1, Y1
	VMOVUPS Y1, (DI)(BX*1)
	NEXT8
	JNE normalizeBack8
	VZEROUPPER
	RET

// Numbers of exps, as float32.
DATA powers<>+0(SB)/4, $0xc2a00000 // -80, the least exponent
DATA powers<>+4(SB)/4, $0x3f000000 // 1/2
DATA powers<>+8(SB)/4, $0x3f800000 // 1
DATA powers<>+12(SB)/4, $0x3fb8aa3b // log2 e
DATA powers<>+16(SB)/4, $0x3f318000 // ln 2, but for ...
DATA powers<>+20(SB)/4, $0xb95e8083 // ... this
DATA powers<>+24(SB)/4, $0x39506967 // the polynomial, from its highest power
DATA powers<>+28(SB)/4, $0x3ab743ce
DATA powers<>+32(SB)/4, $0x3c088908
DATA powers<>+36(SB)/4, $0x3d2aa9c1
DATA powers<>+40(SB)/4, $0x3e2aaaaa
DATA powers<>+44(SB)/4, $0x3f000000
GLOBL powers<>(SB), RODATA|NOPTR, $48

// POWER is a step of the polynomial: Y1 = Y1*Y0 + the next coefficient.
#define POWER(at) \
	VMULPS Y0, Y1, Y1 \
	VBROADCASTSS powers<>+at(SB), Y2 \
	VADDPS Y2, Y1, Y1

// func expsAVX2(x *float32, n int, most float32)
TEXT ·expsAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	VBROADCASTSS most+16(FP), Y15
	SHRQ $3, CX
	VBROADCASTSS powers<>+0(SB), Y14  // -80
	VBROADCASTSS powers<>+4(SB), Y13  // 1/2
	VBROADCASTSS powers<>+8(SB), Y12  // 1
	VBROADCASTSS powers<>+12(SB), Y11 // log2 e
	VBROADCASTSS powers<>+16(SB), Y10 // ln 2
	VBROADCASTSS powers<>+20(SB), Y9
	VBROADCASTSS powers<>+24(SB), Y8

exps8:
	VMOVUPS (DI), Y0
	VSUBPS Y15, Y0, Y0
	VMAXPS Y14, Y0, Y0

	// Y3 is the power of 2 nearest to it.
	VMULPS Y11, Y0, Y3
	VADDPS Y13, Y3, Y3
	VROUNDPS $1, Y3, Y3
	VMULPS Y10, Y3, Y4
	VSUBPS Y4, Y0, Y0
	VMULPS Y9, Y3, Y4
	VSUBPS Y4, Y0, Y0

	VMOVAPS Y8, Y1
	POWER(28)
	POWER(32)
	POWER(36)
	POWER(40)
	POWER(44)
	VMULPS Y0, Y0, Y4
	VMULPS Y4, Y1, Y1
	VADDPS Y0, Y1, Y1
	VADDPS Y12, Y1, Y1

	// 2^n is 1 with n added to the exponent.
	VCVTTPS2DQ Y3, Y3
	VPSLLD $23, Y3, Y3
	VPADDD Y12, Y3, Y3
	VMULPS Y3, Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ exps8
	VZEROUPPER
	RET

// func addAVX2(dst, src *float32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $3, CX
	VXORPS Y1, Y1, Y1

addRow:
	VMOVUPS (DI), Y0
	VADDPS (SI), Y0, Y0
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, (SI)
	ADDQ $32, DI
	ADDQ $32, SI
	DECQ CX
	JNZ addRow
	VZEROUPPER
	RET

// func adamAVX2(w, m, v, grad *float32, n int, s *adamStep)
TEXT ·adamAVX2(SB), NOSPLIT, $0-48
	MOVQ w+0(FP), DI
	MOVQ m+8(FP), R8
	MOVQ v+16(FP), R9
	MOVQ grad+24(FP), R10
	MOVQ n+32(FP), CX
	MOVQ s+40(FP), SI
	SHRQ $3, CX
	VBROADCASTSS 0(SI), Y7   // scale
	VBROADCASTSS 4(SI), Y8   // beta1
	VBROADCASTSS 8(SI), Y9   // rest1
	VBROADCASTSS 12(SI), Y10 // beta2
	VBROADCASTSS 16(SI), Y11 // rest2
	VBROADCASTSS 20(SI), Y12 // unbias
	VBROADCASTSS 24(SI), Y13 // eps
	VBROADCASTSS 28(SI), Y14 // rate
	VBROADCASTSS 32(SI), Y15 // keep
	VXORPS Y6, Y6, Y6

adamRow:
	VMULPS (R10), Y7, Y0
	VMOVUPS Y6, (R10)
	VMULPS (R8), Y8, Y1
	VMULPS Y0, Y9, Y2
	VADDPS Y2, Y1, Y1
	VMOVUPS Y1, (R8)
	VMULPS (R9), Y10, Y2
	VMULPS Y0, Y0, Y3
	VMULPS Y3, Y11, Y3
	VADDPS Y3, Y2, Y2
	VMOVUPS Y2, (R9)
	VMULPS Y2, Y12, Y2
	VSQRTPS Y2, Y2
	VADDPS Y13, Y2, Y2
	VMULPS Y1, Y14, Y1
	VDIVPS Y2, Y1, Y1
	VMULPS (DI), Y15, Y0
	VSUBPS Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, R8
	ADDQ $32, R9
	ADDQ $32, R10
	DECQ CX
	JNZ adamRow
	VZEROUPPER
	RET
