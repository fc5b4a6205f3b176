//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// changePlain with everything in registers: Go keeps half of it on the stack, since there is more
// than it has registers for.
//
// R8 is the board, R9 its tables, R13 and R14 the classes of black and of white, R15 the patterns;
// R10 and R11 are where the next change and the next turn go, R12 is the index of that change. In a
// direction DX is the line, BX has two bits for each cell that is left, the lower one set, and first
// is the distance of the line's first point from that of cell 0.

// POINT is a field of the point that lies CX bytes behind that of cell 0. A point has 16 bytes.
#define POINT(field) (Board_points+field)(R8)(CX*1)

// LINE looks for the empty cells of the line in direction d, whose cells lie step apart. It goes to
// done if there is none.
#define LINE(d, step, done) \
	MOVQ   words+16(FP), AX             \
	MOVQ   (8*d)(AX), DX                \
	MOVQ   tables_reach(R9), CX         \
	IMUL3Q $(-16*step), CX, CX          \
	MOVQ   m+40(FP), AX                 \
	SHLQ   $4, AX                       \
	ADDQ   AX, CX                       \
	MOVQ   CX, first-16(SP)             \
	MOVQ   DX, BX                       \
	SHRQ   $1, BX                       \
	ANDQ   DX, BX                       \
	SHRQ   $(2*const_windowReach), BX   \
	ANDQ   within+56(FP), BX            \
	JEQ    done

// LOOK makes CX the place of the next empty cell's point, BP the number of its line and DI the number
// of the pair of sides, as tables.look does. AX and SI are the greater and the lesser side. TZCNT is
// BSF on processors that do not have it, which does the same where a bit is set. The mask keeps CX within
// Board.points, as in changePlain.
#define LOOK(step, pair) \
	TZCNTQ  BX, CX                             \
	MOVQ    DX, AX                             \
	SHRQ    CX, AX                             \
	IMUL3Q  $(8*step), CX, CX                  \
	ADDQ    first-16(SP), CX                   \
	ANDL    $(16*(const_Cells-1)), CX          \
	MOVQ    AX, DI                             \
	ANDL    $(1<<(2*const_windowReach)-1), AX  \
	SHRQ    $(2*const_windowReach+2), DI       \
	ANDL    $(1<<(2*const_windowReach)-1), DI  \
	MOVWLZX tables_before(R9)(AX*2), AX        \
	MOVWLZX tables_after(R9)(DI*2), DI         \
	MOVL    AX, SI                             \
	CMPL    AX, DI                             \
	CMOVLHI DI, SI                             \
	CMOVLCS DI, AX                             \
	MOVL    AX, DI                             \
	SHRL    $const_sideBits, DI                \
	LEAL    1(DI), BP                          \
	IMULL   DI, BP                             \
	SHRL    $1, BP                             \
	MOVL    SI, DI                             \
	SHRL    $const_sideBits, DI                \
	ADDL    DI, BP                             \
	MOVL    BP, DI                             \
	CMPQ    tables_reach(R9), $const_codeReach \
	JEQ     pair                               \
	ANDL    $(1<<const_sideBits-1), AX         \
	LEAL    1(AX), DI                          \
	IMULL   AX, DI                             \
	SHRL    $1, DI                             \
	ANDL    $(1<<const_sideBits-1), SI         \
	ADDL    SI, DI

// COMPARE makes SI and AX the code before and after, and DI the number of the line before. It goes to
// changed or to same.
#define COMPARE(d, changed, same) \
	MOVBLZX (R15)(DI*1), DI             \
	IMUL3L  $(1<<12+1), DI, DI          \
	ANDL    $0xf000f, DI                \
	SHLL    $(4*d), DI                  \
	MOVL    POINT(point_code), SI       \
	MOVL    SI, AX                      \
	ANDL    $(0xffffffff-0xf000f<<(4*d)), AX \
	ORL     DI, AX                      \
	MOVWLZX POINT(point_lines+2*d), DI  \
	CMPL    DI, BP                      \
	JNE     changed                     \
	CMPL    SI, AX                      \
	JEQ     same

// CHANGE notes the change and makes it.
#define CHANGE(d) \
	MOVL    SI, Change_was(R10)         \
	MOVL    AX, Change_New(R10)         \
	MOVL    AX, POINT(point_code)       \
	MOVW    BP, POINT(point_lines+2*d)  \
	ORL     $(d<<const_directionBit), DI \
	MOVW    DI, Change_oldLine(R10)     \
	MOVL    CX, SI                      \
	SHRL    $4, SI                      \
	MOVW    SI, Change_Cell(R10)        \
	MOVWLZX AX, SI                      \
	SHRL    $16, AX                     \
	MOVBLZX (R13)(SI*1), SI             \
	MOVBLZX (R14)(AX*1), AX             \
	SHLL    $8, AX                      \
	ORL     SI, AX                      \
	MOVWLZX POINT(point_classes), DI    \
	MOVW    DI, Change_from(R10)        \
	MOVW    AX, Change_to(R10)          \
	MOVW    AX, POINT(point_classes)    \
	MOVL    R12, (R11)                  \
	XORL    DI, AX                      \
	ANDL    $0xf0f0, AX                 \
	ADDL    $0xffff, AX                 \
	SHRL    $16, AX                     \
	LEAQ    (R11)(AX*4), R11            \
	INCL    R12                         \
	ADDQ    $Change__size, R10

#define DIRECTION(d, step, next, pair, changed, same, done) \
	LINE(d, step, done)         \
next:                               \
	LOOK(step, pair)            \
pair:                               \
	COMPARE(d, changed, same)   \
changed:                            \
	CHANGE(d)                   \
same:                               \
	LEAQ -1(BX), AX             \
	ANDQ AX, BX                 \
	JNE  next                   \
done:

// func changeLines(b *Board, t *tables, words *[Directions]uint64, log *[room]Change, turns *[room]turn, m, base, within uint64) (changed, turned int)
TEXT ·changeLines(SB), NOSPLIT, $16-80
	MOVQ b+0(FP), R8
	MOVQ t+8(FP), R9
	MOVQ log+24(FP), R10
	MOVQ turns+32(FP), R11
	MOVQ base+48(FP), R12
	MOVQ tables_class(R9), R13
	MOVQ (tables_class+8)(R9), R14
	MOVQ tables_pattern(R9), R15
	DIRECTION(0, 1, next0, pair0, changed0, same0, done0)
	DIRECTION(1, 32, next1, pair1, changed1, same1, done1)
	DIRECTION(2, 33, next2, pair2, changed2, same2, done2)
	DIRECTION(3, 31, next3, pair3, changed3, same3, done3)
	SUBQ base+48(FP), R12
	MOVQ R12, changed+64(FP)
	SUBQ turns+32(FP), R11
	SHRQ $2, R11
	MOVQ R11, turned+72(FP)
	RET
