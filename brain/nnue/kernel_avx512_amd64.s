//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernel_amd64.h"

// The kernels of kernel_amd64.s with registers of twice the size, and with one instruction
// where AVX2 needs two for a product that is added to a sum.

// A row is 128 bytes, two registers.

// FIRST and MORE make Z0 and Z1 the row, and add the row, whose index is at version+at. They
// use AX.
#define FIRST(at) \
	MOVWLZX   (version_lines+at)(R12), AX \
	SHLQ      $7, AX             \
	VMOVDQU64 (R8)(AX*1), Z0     \
	VMOVDQU64 64(R8)(AX*1), Z1

#define MORE(at) \
	MOVWLZX (version_lines+at)(R12), AX \
	SHLQ    $7, AX                 \
	VPADDW  (R8)(AX*1), Z0, Z0     \
	VPADDW  64(R8)(AX*1), Z1, Z1

// func addAVX512(cells, sums, rows []row, versions []version, first int)
TEXT ·addAVX512(SB), NOSPLIT, $0-104
	MOVQ         cells_base+0(FP), SI
	MOVQ         sums_base+24(FP), DI
	MOVQ         rows_base+48(FP), R8
	MOVQ         versions_base+72(FP), R9
	MOVQ         versions_len+80(FP), R10
	MOVQ         first+96(FP), R11
	IMUL3Q       $version__size, R11, R12
	ADDQ         R9, R12
	SUBQ         R11, R10
	JLE          done
	SHLQ         $7, R11
	ADDQ         SI, R11
	VPXORQ       Z15, Z15, Z15
	MOVL         $(const_CellMax<<16+const_CellMax), AX
	VPBROADCASTD AX, Z14

version: // R12 of R10 left; its numbers go to R11
	FIRST(0)
	MORE(2)
	MORE(4)
	MORE(6)
	MORE(8)
	MORE(10)
	VPMAXSW   Z15, Z0, Z0
	VPMAXSW   Z15, Z1, Z1
	VPMINSW   Z14, Z0, Z0
	VPMINSW   Z14, Z1, Z1
	VMOVDQU64 Z0, (R11)
	VMOVDQU64 Z1, 64(R11)

	// The sum of the region, by the difference from the version before.
	MOVWLZX   version_before(R12), AX
	MOVWLZX   version_sum(R12), BX
	SHLQ      $7, AX
	SHLQ      $7, BX
	VPSUBW    (SI)(AX*1), Z0, Z0
	VPSUBW    64(SI)(AX*1), Z1, Z1
	VPADDW    (DI)(BX*1), Z0, Z0
	VPADDW    64(DI)(BX*1), Z1, Z1
	VMOVDQU64 Z0, (DI)(BX*1)
	VMOVDQU64 Z1, 64(DI)(BX*1)
	ADDQ      $128, R11
	ADDQ      $version__size, R12
	DECQ      R10
	JNZ       version

	VZEROUPPER
done:
	RET

// func poolAVX512(dst *row, sums []row, regions *[Regions]uint16)
TEXT ·poolAVX512(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DI
	MOVQ   sums_base+8(FP), SI
	MOVQ   regions+32(FP), R8
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	MOVQ   $const_Regions, CX

region:
	MOVWLZX (R8), AX
	SHLQ    $7, AX
	VPSRAW  $const_PoolShift, (SI)(AX*1), Z2
	VPSRAW  $const_PoolShift, 64(SI)(AX*1), Z3
	VPADDW  Z2, Z0, Z0
	VPADDW  Z3, Z1, Z1
	ADDQ    $2, R8
	DECQ    CX
	JNZ     region

	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VZEROUPPER
	RET

// MULTIPLY adds to the sixteen sums in a the product of two inputs with their weights. It
// uses Z4.
#define MULTIPLY(x, xat, w, wat, a) \
	VPBROADCASTD xat(x), Z4     \
	VPDPWSSD     wat(w), Z4, a

// MULTIPLY8 does so for sixteen inputs, with the sums in Z0 and Z1. Four sums save nothing: the
// processor works on the next layer meanwhile.
#define MULTIPLY8(x, xat, w, wat) \
	MULTIPLY(x, (xat+0), w, (wat+0), Z0)    \
	MULTIPLY(x, (xat+4), w, (wat+64), Z1)   \
	MULTIPLY(x, (xat+8), w, (wat+128), Z0)  \
	MULTIPLY(x, (xat+12), w, (wat+192), Z1) \
	MULTIPLY(x, (xat+16), w, (wat+256), Z0) \
	MULTIPLY(x, (xat+20), w, (wat+320), Z1) \
	MULTIPLY(x, (xat+24), w, (wat+384), Z0) \
	MULTIPLY(x, (xat+28), w, (wat+448), Z1)

// func layerAVX512(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)
TEXT ·layerAVX512(SB), NOSPLIT, $0-100
	MOVQ         dst_base+0(FP), DI
	MOVQ         dst_len+8(FP), CX
	MOVQ         w_base+24(FP), R8
	MOVQ         bias_base+48(FP), R9
	MOVQ         x+72(FP), SI
	MOVQ         y+80(FP), DX
	VMOVQ        shift+88(FP), X13
	VPBROADCASTW low+96(FP), Y15
	VPBROADCASTW high+98(FP), Y14

outputs:
	VMOVDQU32 (R9), Z0
	VPXORD    Z1, Z1, Z1
	MULTIPLY8(SI, 0, R8, 0)
	MULTIPLY8(SI, 32, R8, 512)
	MULTIPLY8(DX, 0, R8, 1024)
	MULTIPLY8(DX, 32, R8, 1536)
	VPADDD    Z1, Z0, Z0
	VPSRAD    X13, Z0, Z0
	VPMOVSDW  Z0, Y0
	VPMAXSW   Y15, Y0, Y0
	VPMINSW   Y14, Y0, Y0
	VMOVDQU   Y0, (DI)

	ADDQ $32, DI
	ADDQ $64, R9
	ADDQ $2048, R8
	SUBQ $const_outputs, CX
	JG   outputs

	VZEROUPPER
	RET

// func layersAVX512(w *[RegionTypes]regionWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm, shift uint64)
TEXT ·layersAVX512(SB), NOSPLIT, $0-104
	LAYERS

region:
	REGION
	VMOVDQU32 regionWeights_bias(R8), Z0
	VPXORD    Z1, Z1, Z1
	MULTIPLY8(BX, 0, R8, 0)
	MULTIPLY8(BX, 32, R8, 512)
	MULTIPLY8(DX, 0, R8, 1024)
	MULTIPLY8(DX, 32, R8, 1536)
	VPADDD    Z1, Z0, Z0
	VPSRAD    X13, Z0, Z0
	VPMOVSDW  Z0, Y0
	VPMAXSW   Y15, Y0, Y0
	VPMINSW   Y14, Y0, Y0
	VMOVDQU   Y0, (DI)(AX*1)

known:
	INCL CX
	CMPL CX, $const_Regions
	JLT  region

	VZEROUPPER
	RET

// BOTH adds to the sums in a and b the product of two inputs with their weights for the first
// and the second sixteen outputs, which lie apart bytes apart. It uses Z4.
#define BOTH(x, xat, w, wat, apart, a, b) \
	VPBROADCASTD xat(x), Z4             \
	VPDPWSSD     wat(w), Z4, a          \
	VPDPWSSD     (wat+apart)(w), Z4, b

// BOTH8 does so for sixteen inputs, with the sums in a0 and a1, b0 and b1.
#define BOTH8(x, xat, w, wat, apart, a0, a1, b0, b1) \
	BOTH(x, (xat+0), w, (wat+0), apart, a0, b0)    \
	BOTH(x, (xat+4), w, (wat+64), apart, a1, b1)   \
	BOTH(x, (xat+8), w, (wat+128), apart, a0, b0)  \
	BOTH(x, (xat+12), w, (wat+192), apart, a1, b1) \
	BOTH(x, (xat+16), w, (wat+256), apart, a0, b0) \
	BOTH(x, (xat+20), w, (wat+320), apart, a1, b1) \
	BOTH(x, (xat+24), w, (wat+384), apart, a0, b0) \
	BOTH(x, (xat+28), w, (wat+448), apart, a1, b1)

// func valueAVX512(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32
TEXT ·valueAVX512(SB), NOSPLIT, $96-68
	MOVQ w+0(FP), R8
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ hidden_base+24(FP), R10
	MOVQ regions+48(FP), R9
	MOVQ mask+56(FP), R11

	TYPES
	LEAQ      valueWeights_global(R8), R9
	LEAQ      valueWeights_merge(R8), R10
	LEAQ      valueWeights_globalBias(R8), R12
	LEAQ      valueWeights_mergeBias(R8), R13
	LEAQ      valueWeights_out(R8), DI
	VMOVQ     valueWeights_globalShift(R8), X13
	VMOVQ     valueWeights_mergeShift(R8), X12
	VMOVDQU32 (R12), Z0
	VMOVDQU32 64(R12), Z2
	VMOVDQU32 (R13), Z5
	VMOVDQU32 64(R13), Z7
	VPXORD    Z1, Z1, Z1
	VPXORD    Z3, Z3, Z3
	VPXORD    Z6, Z6, Z6
	VPXORD    Z8, Z8, Z8
	BOTH8(SI, 0, R9, 0, 2048, Z0, Z1, Z2, Z3)
	BOTH8(SI, 32, R9, 512, 2048, Z0, Z1, Z2, Z3)
	BOTH8(DX, 0, R9, 1024, 2048, Z0, Z1, Z2, Z3)
	BOTH8(DX, 32, R9, 1536, 2048, Z0, Z1, Z2, Z3)
	BOTH8(SP, 0, R10, 0, 1536, Z5, Z6, Z7, Z8)
	BOTH8(SP, 32, R10, 512, 1536, Z5, Z6, Z7, Z8)
	BOTH8(SP, 64, R10, 1024, 1536, Z5, Z6, Z7, Z8)
	VPADDD    Z1, Z0, Z0
	VPADDD    Z3, Z2, Z2
	VPADDD    Z6, Z5, Z5
	VPADDD    Z8, Z7, Z7
	VPSRAD    X13, Z0, Z0
	VPSRAD    X13, Z2, Z2
	VPSRAD    X12, Z5, Z5
	VPSRAD    X12, Z7, Z7

	// Both parts and the mask, clamped; times the weights of the output.
	VPMOVSXWD    (R11), Z1
	VPMOVSXWD    32(R11), Z3
	VPADDD       Z5, Z0, Z0
	VPADDD       Z7, Z2, Z2
	VPADDD       Z1, Z0, Z0
	VPADDD       Z3, Z2, Z2
	VPMOVSDW     Z0, Y0
	VPMOVSDW     Z2, Y2
	VPXOR        Y15, Y15, Y15
	MOVL         $(const_HiddenMax<<16+const_HiddenMax), AX
	VMOVD        AX, X14
	VPBROADCASTD X14, Y14
	VPMAXSW      Y15, Y0, Y0
	VPMAXSW      Y15, Y2, Y2
	VPMINSW      Y14, Y0, Y0
	VPMINSW      Y14, Y2, Y2
	VPMADDWD     (DI), Y0, Y0
	VPMADDWD     32(DI), Y2, Y2
	VPADDD       Y2, Y0, Y0
	TOTAL(Y0, X0)
	VZEROUPPER
	MOVL         AX, ret+64(FP)
	RET

// GATED makes s the product of the gate (Z8 and Z9) with the cell of the version at R8, in
// eight parts, which are its low half y. It uses AX and u.
#define GATED(at, s, y, u) \
	MOVWLZX       at(R8), AX             \
	SHLQ          $7, AX                 \
	VPXORD        s, s, s                \
	VPDPWSSD      (SI)(AX*1), Z8, s      \
	VPDPWSSD      64(SI)(AX*1), Z9, s    \
	VEXTRACTI64X4 $1, s, u               \
	VPADDD        u, y, y

// func productsAVX512(dst []int32, cells []row, versions []uint16, gate *row)
TEXT ·productsAVX512(SB), NOSPLIT, $0-80
	MOVQ      dst_base+0(FP), DI
	MOVQ      cells_base+24(FP), SI
	MOVQ      versions_base+48(FP), R8
	MOVQ      versions_len+56(FP), CX
	MOVQ      gate+72(FP), DX
	VMOVDQU64 (DX), Z8
	VMOVDQU64 64(DX), Z9

four:
	SUBQ $4, CX
	JLT  rest
	GATED(0, Z0, Y0, Y4)
	GATED(2, Z1, Y1, Y5)
	GATED(4, Z2, Y2, Y6)
	GATED(6, Z3, Y3, Y7)
	FOUR
	ADDQ $8, R8
	ADDQ $16, DI
	JMP  four

rest:
	ADDQ $4, CX
	JZ   done

one:
	GATED(0, Z0, Y0, Y4)
	ONE
	ADDQ $2, R8
	ADDQ $4, DI
	DECQ CX
	JNZ  one

done:
	VZEROUPPER
	RET
