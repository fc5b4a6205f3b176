// What the AVX2 and the AVX-512 kernels share.

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
