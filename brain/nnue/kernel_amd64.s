//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernel_amd64.h"

// A row is 128 bytes, four registers.

// FIRST and MORE make Y0 to Y3 the row, and add the row, whose index is at version+at. They
// use AX.
#define FIRST(at) \
	MOVWLZX (version_lines+at)(R12), AX \
	SHLQ    $7, AX             \
	VMOVDQU (R8)(AX*1), Y0     \
	VMOVDQU 32(R8)(AX*1), Y1   \
	VMOVDQU 64(R8)(AX*1), Y2   \
	VMOVDQU 96(R8)(AX*1), Y3

#define MORE(at) \
	MOVWLZX (version_lines+at)(R12), AX \
	SHLQ    $7, AX                 \
	VPADDW  (R8)(AX*1), Y0, Y0     \
	VPADDW  32(R8)(AX*1), Y1, Y1   \
	VPADDW  64(R8)(AX*1), Y2, Y2   \
	VPADDW  96(R8)(AX*1), Y3, Y3

// func addAVX2(cells, sums, rows []row, versions []version, first int)
TEXT ·addAVX2(SB), NOSPLIT, $0-104
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
	VPXOR        Y15, Y15, Y15
	MOVL         $(const_CellMax<<16+const_CellMax), AX
	VMOVD        AX, X14
	VPBROADCASTD X14, Y14

version: // R12 of R10 left; its numbers go to R11
	FIRST(0)
	MORE(2)
	MORE(4)
	MORE(6)
	MORE(8)
	MORE(10)
	VPMAXSW Y15, Y0, Y0
	VPMAXSW Y15, Y1, Y1
	VPMAXSW Y15, Y2, Y2
	VPMAXSW Y15, Y3, Y3
	VPMINSW Y14, Y0, Y0
	VPMINSW Y14, Y1, Y1
	VPMINSW Y14, Y2, Y2
	VPMINSW Y14, Y3, Y3
	VMOVDQU Y0, (R11)
	VMOVDQU Y1, 32(R11)
	VMOVDQU Y2, 64(R11)
	VMOVDQU Y3, 96(R11)

	// The sum of the region, by the difference from the version before.
	MOVWLZX version_before(R12), AX
	MOVWLZX version_sum(R12), BX
	SHLQ    $7, AX
	SHLQ    $7, BX
	VPSUBW  (SI)(AX*1), Y0, Y0
	VPSUBW  32(SI)(AX*1), Y1, Y1
	VPSUBW  64(SI)(AX*1), Y2, Y2
	VPSUBW  96(SI)(AX*1), Y3, Y3
	VPADDW  (DI)(BX*1), Y0, Y0
	VPADDW  32(DI)(BX*1), Y1, Y1
	VPADDW  64(DI)(BX*1), Y2, Y2
	VPADDW  96(DI)(BX*1), Y3, Y3
	VMOVDQU Y0, (DI)(BX*1)
	VMOVDQU Y1, 32(DI)(BX*1)
	VMOVDQU Y2, 64(DI)(BX*1)
	VMOVDQU Y3, 96(DI)(BX*1)
	ADDQ    $128, R11
	ADDQ    $version__size, R12
	DECQ    R10
	JNZ     version

	VZEROUPPER
done:
	RET

// func poolAVX2(dst *row, sums []row, regions *[Regions]uint16)
TEXT ·poolAVX2(SB), NOSPLIT, $0-40
	MOVQ  dst+0(FP), DI
	MOVQ  sums_base+8(FP), SI
	MOVQ  regions+32(FP), R8
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	MOVQ  $const_Regions, CX

region:
	MOVWLZX (R8), AX
	SHLQ    $7, AX
	VMOVDQU (SI)(AX*1), Y4
	VMOVDQU 32(SI)(AX*1), Y5
	VMOVDQU 64(SI)(AX*1), Y6
	VMOVDQU 96(SI)(AX*1), Y7
	VPSRAW  $const_PoolShift, Y4, Y4
	VPSRAW  $const_PoolShift, Y5, Y5
	VPSRAW  $const_PoolShift, Y6, Y6
	VPSRAW  $const_PoolShift, Y7, Y7
	VPADDW  Y4, Y0, Y0
	VPADDW  Y5, Y1, Y1
	VPADDW  Y6, Y2, Y2
	VPADDW  Y7, Y3, Y3
	ADDQ    $2, R8
	DECQ    CX
	JNZ     region

	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VZEROUPPER
	RET

// MULTIPLY adds to the sixteen sums in a (Y0 and Y1, or Y2 and Y3) the product of two
// inputs with their weights. It uses Y4 to Y6.
#define MULTIPLY(x, xat, w, wat, a0, a1) \
	VPBROADCASTD xat(x), Y4     \
	VPMADDWD     wat(w), Y4, Y5    \
	VPMADDWD     (wat+32)(w), Y4, Y6 \
	VPADDD       Y5, a0, a0     \
	VPADDD       Y6, a1, a1

// MULTIPLY8 does so for sixteen inputs.
#define MULTIPLY8(x, xat, w, wat) \
	MULTIPLY(x, (xat+0), w, (wat+0), Y0, Y1)    \
	MULTIPLY(x, (xat+4), w, (wat+64), Y2, Y3)   \
	MULTIPLY(x, (xat+8), w, (wat+128), Y0, Y1)  \
	MULTIPLY(x, (xat+12), w, (wat+192), Y2, Y3) \
	MULTIPLY(x, (xat+16), w, (wat+256), Y0, Y1) \
	MULTIPLY(x, (xat+20), w, (wat+320), Y2, Y3) \
	MULTIPLY(x, (xat+24), w, (wat+384), Y0, Y1) \
	MULTIPLY(x, (xat+28), w, (wat+448), Y2, Y3)

// BIAS begins sixteen sums with the biases at r, and SUMS leaves them in Y0 and Y1.
#define BIAS(r) \
	VMOVDQU (r), Y0    \
	VMOVDQU 32(r), Y1  \
	VPXOR   Y2, Y2, Y2 \
	VPXOR   Y3, Y3, Y3

#define SUMS \
	VPADDD Y2, Y0, Y0 \
	VPADDD Y3, Y1, Y1

// func layerAVX2(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)
TEXT ·layerAVX2(SB), NOSPLIT, $0-100
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
	BIAS(R9)
	MULTIPLY8(SI, 0, R8, 0)
	MULTIPLY8(SI, 32, R8, 512)
	MULTIPLY8(DX, 0, R8, 1024)
	MULTIPLY8(DX, 32, R8, 1536)
	SUMS

	// To int16, in order.
	VPSRAD    X13, Y0, Y0
	VPSRAD    X13, Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
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

// func layersAVX2(w *[RegionTypes]regionWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm, shift uint64)
TEXT ·layersAVX2(SB), NOSPLIT, $0-104
	LAYERS

region:
	REGION
	LEAQ      regionWeights_bias(R8), R15
	BIAS(R15)
	MULTIPLY8(BX, 0, R8, 0)
	MULTIPLY8(BX, 32, R8, 512)
	MULTIPLY8(DX, 0, R8, 1024)
	MULTIPLY8(DX, 32, R8, 1536)
	SUMS
	VPSRAD    X13, Y0, Y0
	VPSRAD    X13, Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VPMAXSW   Y15, Y0, Y0
	VPMINSW   Y14, Y0, Y0
	VMOVDQU   Y0, (DI)(AX*1)

known:
	INCL CX
	CMPL CX, $const_Regions
	JLT  region

	VZEROUPPER
	RET

// func valueAVX2(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32
TEXT ·valueAVX2(SB), NOSPLIT, $96-68
	MOVQ w+0(FP), R8
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ hidden_base+24(FP), R10
	MOVQ regions+48(FP), R9
	MOVQ mask+56(FP), R11

	TYPES
	VPXOR        Y15, Y15, Y15
	MOVL         $(const_HiddenMax<<16+const_HiddenMax), AX
	VMOVD        AX, X14
	VPBROADCASTD X14, Y14
	VMOVQ        valueWeights_globalShift(R8), X13
	VMOVQ        valueWeights_mergeShift(R8), X12
	VPXOR        Y11, Y11, Y11                     // the result, in eight parts
	LEAQ         valueWeights_global(R8), R9
	LEAQ         valueWeights_merge(R8), R10
	LEAQ         valueWeights_globalBias(R8), R12
	LEAQ         valueWeights_mergeBias(R8), R13
	LEAQ         valueWeights_out(R8), DI
	MOVQ         $(const_Hidden/const_outputs), CX

outputs:
	BIAS(R12)
	MULTIPLY8(SI, 0, R9, 0)
	MULTIPLY8(SI, 32, R9, 512)
	MULTIPLY8(DX, 0, R9, 1024)
	MULTIPLY8(DX, 32, R9, 1536)
	SUMS
	VPSRAD  X13, Y0, Y8
	VPSRAD  X13, Y1, Y9

	BIAS(R13)
	MULTIPLY8(SP, 0, R10, 0)
	MULTIPLY8(SP, 32, R10, 512)
	MULTIPLY8(SP, 64, R10, 1024)
	SUMS
	VPSRAD  X12, Y0, Y0
	VPSRAD  X12, Y1, Y1

	// Both parts and the mask, clamped, in order; times the weights of the output.
	VPADDD    Y8, Y0, Y0
	VPADDD    Y9, Y1, Y1
	VPMOVSXWD (R11), Y2
	VPMOVSXWD 16(R11), Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VPMAXSW   Y15, Y0, Y0
	VPMINSW   Y14, Y0, Y0
	VPMADDWD  (DI), Y0, Y0
	VPADDD    Y0, Y11, Y11

	ADDQ $64, R12
	ADDQ $64, R13
	ADDQ $2048, R9
	ADDQ $1536, R10
	ADDQ $32, R11
	ADDQ $32, DI
	DECQ CX
	JNZ  outputs

	TOTAL(Y11, X11)
	VZEROUPPER
	MOVL         AX, ret+64(FP)
	RET

// GATED makes s the product of the gate (Y8 to Y11) with the cell of the version at R8, in
// eight parts. It uses AX, s and Y5 to Y7.
#define GATED(at, s) \
	MOVWLZX  at(R8), AX            \
	SHLQ     $7, AX                \
	VPMADDWD (SI)(AX*1), Y8, s     \
	VPMADDWD 32(SI)(AX*1), Y9, Y5  \
	VPMADDWD 64(SI)(AX*1), Y10, Y6 \
	VPMADDWD 96(SI)(AX*1), Y11, Y7 \
	VPADDD   Y5, s, s              \
	VPADDD   Y6, Y7, Y7            \
	VPADDD   Y7, s, s

// func productsAVX2(dst []int32, cells []row, versions []uint16, gate *row)
TEXT ·productsAVX2(SB), NOSPLIT, $0-80
	MOVQ    dst_base+0(FP), DI
	MOVQ    cells_base+24(FP), SI
	MOVQ    versions_base+48(FP), R8
	MOVQ    versions_len+56(FP), CX
	MOVQ    gate+72(FP), DX
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	VMOVDQU 64(DX), Y10
	VMOVDQU 96(DX), Y11

four:
	SUBQ $4, CX
	JLT  rest
	GATED(0, Y0)
	GATED(2, Y1)
	GATED(4, Y2)
	GATED(6, Y3)
	FOUR
	ADDQ $8, R8
	ADDQ $16, DI
	JMP  four

rest:
	ADDQ $4, CX
	JZ   done

one:
	GATED(0, Y0)
	ONE
	ADDQ $2, R8
	ADDQ $4, DI
	DECQ CX
	JNZ  one

done:
	VZEROUPPER
	RET

// func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL subleaf+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET
