// What the AVX2 and the AVX-512 kernels share.

// LAYERS loads the arguments of layers: R9 is where the indexes of the regions are, CX the first of
// them, X13 the shift, Y15 and Y14 the least and the greatest number of a layer.
#define LAYERS \
	MOVQ         hidden_base+8(FP), DI \
	MOVQ         sums_base+32(FP), SI  \
	MOVQ         known_base+56(FP), R10 \
	MOVQ         regions+80(FP), R9    \
	MOVQ         stm+88(FP), R11       \
	VMOVQ        shift+96(FP), X13     \
	VPXOR        Y15, Y15, Y15         \
	MOVL         $(const_HiddenMax<<16+const_HiddenMax), AX \
	VMOVD        AX, X14               \
	VPBROADCASTD X14, Y14              \
	LEAQ         ·RegionType(SB), R13  \
	MOVQ         R11, R12              \
	SHLQ         $6, R12               \
	XORL         CX, CX

// REGION goes to known if the layer of region CX is known, and notes that it is from now on. R8 is
// where its weights are, BX and DX the own half of its sum and the other's, and its layer comes to
// (DI)(AX*1).
#define REGION \
	MOVWLZX (R9)(CX*2), AX    \
	MOVBLZX (R10)(AX*1), BX   \
	BTL     R11, BX           \
	JCS     known             \
	BTSL    R11, BX           \
	MOVB    BX, (R10)(AX*1)   \
	MOVBLZX (R13)(CX*1), R8   \
	IMUL3Q  $regionWeights__size, R8, R8 \
	ADDQ    w+0(FP), R8       \
	MOVQ    AX, DX            \
	SHLQ    $7, DX            \
	ADDQ    SI, DX            \
	LEAQ    (DX)(R12*1), BX   \
	SUBQ    R12, DX           \
	ADDQ    $64, DX           \
	SHLQ    $5, AX

// REGIONS adds up the layers of the regions whose versions are at a to d in R9, to the stack
// at dst. It uses AX to CX and R13.
#define REGIONS(a, b, c, d, dst) \
	MOVWLZX a(R9), AX            \
	MOVWLZX b(R9), BX            \
	MOVWLZX c(R9), CX            \
	MOVWLZX d(R9), R13           \
	SHLQ    $5, AX               \
	SHLQ    $5, BX               \
	SHLQ    $5, CX               \
	SHLQ    $5, R13              \
	VMOVDQU (R10)(AX*1), Y0      \
	VPADDW  (R10)(BX*1), Y0, Y0  \
	VPADDW  (R10)(CX*1), Y0, Y0  \
	VPADDW  (R10)(R13*1), Y0, Y0 \
	VMOVDQU Y0, dst(SP)

// TYPES leaves the layers of all regions on the stack, added up by type: corners, edges, center.
#define TYPES \
	REGIONS(0, 4, 12, 16, 0)  \
	REGIONS(2, 6, 10, 14, 32) \
	MOVWLZX 8(R9), AX         \
	SHLQ    $5, AX            \
	VMOVDQU (R10)(AX*1), Y0   \
	VMOVDQU Y0, 64(SP)

// TOTAL makes AX the sum of the eight parts in y, whose low half is x. It uses X0 and X1.
#define TOTAL(y, x) \
	VEXTRACTI128 $1, y, X1     \
	VPADDD       x, X1, X0     \
	VPSHUFD      $0x4e, X0, X1 \
	VPADDD       X1, X0, X0    \
	VPSHUFD      $0xb1, X0, X1 \
	VPADDD       X1, X0, X0    \
	VMOVD        X0, AX

// FOUR stores the sums of the eight parts in each of Y0 to Y3 at DI, ONE that of those in Y0.
#define FOUR \
	VPHADDD      Y1, Y0, Y0 \
	VPHADDD      Y3, Y2, Y2 \
	VPHADDD      Y2, Y0, Y0 \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDD       X1, X0, X0 \
	VMOVDQU      X0, (DI)

#define ONE \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDD       X1, X0, X0 \
	VPHADDD      X0, X0, X0 \
	VPHADDD      X0, X0, X0 \
	VMOVD        X0, (DI)
