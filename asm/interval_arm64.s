//go:build !purego && !race

#include "textflag.h"
#include "neon_arm64.h"

// func intervalNEON(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)
//
// V0 the greatest, V1 its index, V24 the least, V25 its index, V2 the current indices, V3 = {2, 2}, V16 to V18 the
// direction.
TEXT ·intervalNEON(SB), NOSPLIT, $0-128
	MOVD  x_base+0(FP), R0
	MOVD  x_len+8(FP), R3
	MOVD  y_base+24(FP), R1
	MOVD  z_base+48(FP), R2
	FMOVD dx+72(FP), F16
	FMOVD dy+80(FP), F17
	FMOVD dz+88(FP), F18
	VDUP  V16.D[0], V16.D2
	VDUP  V17.D[0], V17.D2
	VDUP  V18.D[0], V18.D2
	MOVD  $0xFFF0000000000000, R4
	VDUP  R4, V0.D2                           // hi = {-Inf, -Inf}
	MOVD  $0x7FF0000000000000, R4
	VDUP  R4, V24.D2                          // lo = {Inf, Inf}
	VEOR  V1.B16, V1.B16, V1.B16              // kHi = {0, 0}
	VEOR  V25.B16, V25.B16, V25.B16           // kLo = {0, 0}
	VEOR  V2.B16, V2.B16, V2.B16
	MOVD  $1, R5
	VMOV  R5, V2.D[1]                         // at = {0, 1}
	MOVD  $2, R5
	VDUP  R5, V3.D2
	SUB   $1, R3, R6                          // last = n - 1

two:
	CMP    $2, R3                             // for n >= 2
	BLT    one
	VLD1.P 16(R0), [V4.D2]
	VLD1.P 16(R1), [V6.D2]
	VLD1.P 16(R2), [V8.D2]
	HEIGHT(4, 6, 8, 16, 17, 18, 19, 20)       //	v = heights of two
	FCMGT2(0, 20, 23)                         //	where v > hi
	FCMGT2(20, 24, 22)                        //	where lo > v
	VBIT   V23.B16, V20.B16, V0.B16           //		hi = v
	VBIT   V23.B16, V2.B16, V1.B16            //		kHi = at
	VBIT   V22.B16, V20.B16, V24.B16          //		lo = v
	VBIT   V22.B16, V2.B16, V25.B16           //		kLo = at
	VADD   V3.D2, V2.D2, V2.D2                //	at += 2
	SUB    $2, R3                             //	n -= 2
	B      two

one:
	CBZ    R3, fold                           // if n == 1, the last point in both lanes
	VLD1R  (R0), [V4.D2]
	VLD1R  (R1), [V6.D2]
	VLD1R  (R2), [V8.D2]
	VDUP   R6, V2.D2                          //	at = {last, last}
	HEIGHT(4, 6, 8, 16, 17, 18, 19, 20)       //	v = its height, twice
	FCMGT2(0, 20, 23)                         //	where v > hi
	FCMGT2(20, 24, 22)                        //	where lo > v
	VBIT   V23.B16, V20.B16, V0.B16           //		hi = v
	VBIT   V23.B16, V2.B16, V1.B16            //		kHi = at
	VBIT   V22.B16, V20.B16, V24.B16          //		lo = v
	VBIT   V22.B16, V2.B16, V25.B16           //		kLo = at

fold:
	VMOV   V0.D[1], R7
	FMOVD  R7, F4                             // (b, j) = lane 1 of hi
	VMOV   V1.D[0], R8
	VMOV   V1.D[1], R9
	FCMPD  F4, F0                             // hi against b
	BGT    least
	BLT    takeHi
	CMP    R9, R8                             // equal: the lower index
	BLE    least

takeHi:
	FMOVD  F4, F0                             // hi = b
	MOVD   R9, R8                             // kHi = j

least:
	VMOV   V24.D[1], R7
	FMOVD  R7, F5                             // (b, j) = lane 1 of lo
	VMOV   V25.D[0], R10
	VMOV   V25.D[1], R11
	FCMPD  F5, F24                            // lo against b
	BLT    done
	BGT    takeLo
	CMP    R11, R10                           // equal: the lower index
	BLE    done

takeLo:
	FMOVD  F5, F24                            // lo = b
	MOVD   R11, R10                           // kLo = j

done:
	FMOVD  F24, lo+96(FP)
	FMOVD  F0, hi+104(FP)
	MOVD   R10, kLo+112(FP)
	MOVD   R8, kHi+120(FP)
	RET
