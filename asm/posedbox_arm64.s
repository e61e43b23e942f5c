//go:build !purego && !race

#include "textflag.h"
#include "neon_arm64.h"

// ROW sets V(a), V(b) and V(c) to copies of three columns of poses, from an offset into the
// structure on. R8 is the structure, R9 is eight times the number of the set.
#define ROW(offset, a, b, c) \
	MOVD  (offset)(R8), R10 \
	ADD   R9, R10 \
	VLD1R (R10), [a.D2] \
	MOVD  (offset+24)(R8), R10 \
	ADD   R9, R10 \
	VLD1R (R10), [b.D2] \
	MOVD  (offset+48)(R8), R10 \
	ADD   R9, R10 \
	VLD1R (R10), [c.D2]

// EXTEND widens all three intervals by the points in V0, V1 and V2.
#define EXTEND \
	HEIGHT(0, 1, 2, 16, 17, 18, 3, 4) \
	FMINNM2(4, 25, 25) \
	FMAXNM2(4, 26, 26) \
	HEIGHT(0, 1, 2, 19, 20, 21, 3, 4) \
	FMINNM2(4, 27, 27) \
	FMAXNM2(4, 28, 28) \
	HEIGHT(0, 1, 2, 22, 23, 24, 3, 4) \
	FMINNM2(4, 29, 29) \
	FMAXNM2(4, 30, 30)

// SIDE folds the lanes of V(v) with an instruction, and writes (extreme + 0) + position to a column
// of boxes. F5 is 0, R11 is the structure of boxes.
#define SIDE(fold, v, f, position, column) \
	VMOV  v.D[1], R12 \
	FMOVD R12, F6 \
	fold  F6, f, f \
	FADDD F5, f, f \
	MOVD  (position)(R8), R10 \
	ADD   R9, R10 \
	FMOVD (R10), F6 \
	FADDD F6, f, f \
	MOVD  (column)(R11), R10 \
	ADD   R9, R10 \
	FMOVD f, (R10)

// func posedBoxesNEON(x, y, z []float64, first, count []uint32, poses *BoxPoses, out *Boxes) (done int)
//
// V16 to V24 the rotation by rows, V25 to V30 least and greatest of x, y and z. The minimum and maximum
// instructions ignore a NaN. They may keep either of two zeros, because 0 is added later.
TEXT ·posedBoxesNEON(SB), NOSPLIT, $0-144
	MOVD x_base+0(FP), R20
	MOVD x_len+8(FP), R21
	MOVD y_base+24(FP), R22
	MOVD z_base+48(FP), R23
	MOVD first_base+72(FP), R4
	MOVD first_len+80(FP), R5
	MOVD count_base+96(FP), R6
	MOVD poses+120(FP), R8
	MOVD out+128(FP), R11
	MOVD $0, R7                               // i = 0
	FMOVD ZR, F5
	MOVD $0xFFF0000000000000, R24             // -Inf
	MOVD $0x7FF0000000000000, R25             // Inf

set:
	CMP   R5, R7                              // for i < len(first)
	BGE   done
	MOVWU (R4)(R7<<2), R13                    //	from = first[i]
	MOVWU (R6)(R7<<2), R3                     //	n = count[i]
	ADD   R3, R13, R14
	CMP   R21, R14                            //	if from + n > len(x): stop
	BGT   done
	ADD   R13<<3, R20, R0
	ADD   R13<<3, R22, R1
	ADD   R13<<3, R23, R2
	LSL   $3, R7, R9
	ROW(0, V16, V17, V18)                     //	X = poses.XX[i], poses.XY[i], poses.XZ[i]
	ROW(72, V19, V20, V21)                    //	Y
	ROW(144, V22, V23, V24)                   //	Z
	VDUP  R25, V25.D2                         //	lo, hi = Inf, -Inf
	VDUP  R24, V26.D2
	VDUP  R25, V27.D2
	VDUP  R24, V28.D2
	VDUP  R25, V29.D2
	VDUP  R24, V30.D2

two:
	CMP    $2, R3                             //	for n >= 2
	BLT    one
	VLD1.P 16(R0), [V0.D2]
	VLD1.P 16(R1), [V1.D2]
	VLD1.P 16(R2), [V2.D2]
	EXTEND                                    //		lo, hi = min(lo, v), max(hi, v) of two points
	SUB    $2, R3                             //		n -= 2
	B      two

one:
	CBZ   R3, fold                            //	if n == 1, the last point in both lanes
	VLD1R (R0), [V0.D2]
	VLD1R (R1), [V1.D2]
	VLD1R (R2), [V2.D2]
	EXTEND

fold:
	SIDE(FMINNMD, V25, F25, 216, 0)           //	out.MinX[i] = (lo + 0) + poses.PX[i]
	SIDE(FMINNMD, V27, F27, 240, 24)          //	out.MinY[i]
	SIDE(FMINNMD, V29, F29, 264, 48)          //	out.MinZ[i]
	SIDE(FMAXNMD, V26, F26, 216, 72)          //	out.MaxX[i] = (hi + 0) + poses.PX[i]
	SIDE(FMAXNMD, V28, F28, 240, 96)          //	out.MaxY[i]
	SIDE(FMAXNMD, V30, F30, 264, 120)         //	out.MaxZ[i]
	ADD   $1, R7                              //	i++
	B     set

done:
	MOVD R7, done+136(FP)
	RET
