//go:build !purego && !race

#include "textflag.h"
#include "neon_arm64.h"

// func planeDistanceNEON(nx, ny, nz, d []float64, px, py, pz float64) (face int, max float64)
//
// V0 the greatest distance, V1 its index, V2 the current indices, V3 = {2, 2}, V16 to V18 the point.
TEXT ·planeDistanceNEON(SB), NOSPLIT, $0-136
	MOVD  nx_base+0(FP), R0
	MOVD  ny_base+24(FP), R1
	MOVD  nz_base+48(FP), R2
	MOVD  d_base+72(FP), R10
	MOVD  d_len+80(FP), R3
	FMOVD px+96(FP), F16
	FMOVD py+104(FP), F17
	FMOVD pz+112(FP), F18
	VDUP  V16.D[0], V16.D2
	VDUP  V17.D[0], V17.D2
	VDUP  V18.D[0], V18.D2
	MOVD  $0xFFF0000000000000, R4
	VDUP  R4, V0.D2                           // best = {-Inf, -Inf}
	VEOR  V1.B16, V1.B16, V1.B16              // index = {0, 0}
	VEOR  V2.B16, V2.B16, V2.B16
	MOVD  $1, R5
	VMOV  R5, V2.D[1]                         // at = {0, 1}
	MOVD  $2, R5
	VDUP  R5, V3.D2
	SUB   $1, R3, R6                          // last = n - 1

four:
	CMP    $4, R3                             // for n >= 4
	BLT    two
	VLD1.P 32(R0), [V4.D2, V5.D2]
	VLD1.P 32(R1), [V6.D2, V7.D2]
	VLD1.P 32(R2), [V8.D2, V9.D2]
	VLD1.P 32(R10), [V10.D2, V11.D2]
	HEIGHT(4, 6, 8, 16, 17, 18, 19, 20)
	FSUB2(10, 20, 20)                         //	v = distances of the first two
	HEIGHT(5, 7, 9, 16, 17, 18, 21, 22)
	FSUB2(11, 22, 22)                         //	w = distances of the second two
	FCMGT2(0, 20, 23)                         //	where v > best
	VBIT   V23.B16, V20.B16, V0.B16           //		best = v
	VBIT   V23.B16, V2.B16, V1.B16            //		index = at
	VADD   V3.D2, V2.D2, V2.D2                //	at += 2
	FCMGT2(0, 22, 23)                         //	where w > best
	VBIT   V23.B16, V22.B16, V0.B16           //		best = w
	VBIT   V23.B16, V2.B16, V1.B16            //		index = at
	VADD   V3.D2, V2.D2, V2.D2                //	at += 2
	SUB    $4, R3                             //	n -= 4
	B      four

two:
	CMP    $2, R3                             // if n >= 2
	BLT    one
	VLD1.P 16(R0), [V4.D2]
	VLD1.P 16(R1), [V6.D2]
	VLD1.P 16(R2), [V8.D2]
	VLD1.P 16(R10), [V10.D2]
	HEIGHT(4, 6, 8, 16, 17, 18, 19, 20)
	FSUB2(10, 20, 20)                         //	v = distances of two
	FCMGT2(0, 20, 23)                         //	where v > best
	VBIT   V23.B16, V20.B16, V0.B16           //		best = v
	VBIT   V23.B16, V2.B16, V1.B16            //		index = at
	SUB    $2, R3                             //	n -= 2

one:
	CBZ    R3, fold                           // if n == 1, the last plane in both lanes
	VLD1R  (R0), [V4.D2]
	VLD1R  (R1), [V6.D2]
	VLD1R  (R2), [V8.D2]
	VLD1R  (R10), [V10.D2]
	VDUP   R6, V2.D2                          //	at = {last, last}
	HEIGHT(4, 6, 8, 16, 17, 18, 19, 20)
	FSUB2(10, 20, 20)                         //	v = its distance, twice
	FCMGT2(0, 20, 23)                         //	where v > best
	VBIT   V23.B16, V20.B16, V0.B16           //		best = v
	VBIT   V23.B16, V2.B16, V1.B16            //		index = at

fold:
	VMOV   V0.D[1], R7
	FMOVD  R7, F4                             // (b, j) = lane 1
	VMOV   V1.D[0], R8
	VMOV   V1.D[1], R9
	FCMPD  F4, F0                             // best against b
	BGT    done
	BLT    take
	CMP    R9, R8                             // equal: the lower index
	BLE    done

take:
	FMOVD  F4, F0                             // best = b
	MOVD   R9, R8                             // face = j

done:
	MOVD   R8, face+120(FP)
	FMOVD  F0, max+128(FP)
	RET
