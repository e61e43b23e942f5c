//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"

// A box q is compared with boxes j. The differences below have a guard bit set if the boxes are
// apart, because that takes an instruction less than guards that are set if they overlap:
//
//	lower[j] - beyond, where beyond = q.Upper - 2·guards + ones: guard set if lower[j] > q.Upper
//	before - upper[j], where before = q.Lower + 2·guards - ones: guard set if q.Lower > upper[j]
//
// With ones added, a guard is also set if the boxes overlap by less than a step.

// CONSTANTS sets V31 to the guards, V30 to ones, V28 to the numbers of the lanes, V29 to what each
// lane adds to a sum, R13 to the address of latticeKept, and R25 to 2·guards - ones.
#define CONSTANTS \
	MOVD $const_LatticeGuards, R25 \
	VDUP R25, V31.D2 \
	MOVD $const_LatticeOnes, R26 \
	VDUP R26, V30.D2 \
	LSL  $1, R25, R25 \
	SUB  R26, R25, R25 \
	MOVD $·latticeLanes(SB), R26 \
	VLD1 (R26), [V28.S4, V29.S4] \
	MOVD $·latticeKept(SB), R13

// SPREAD sets V16 to before and V17 to beyond, for a box with the words low and high.
#define SPREAD(low, high) \
	ADD  R25, low, low \
	SUB  R25, high, high \
	VDUP low, V16.D2 \
	VDUP high, V17.D2

// APART4 sets those of four 32-bit lanes of d to all ones that have a guard set in V0 or V2, or in
// V1 or V3.
#define APART4(t, u, d) \
	VORR   V0.B16, V2.B16, t.B16 \
	VORR   V1.B16, V3.B16, u.B16 \
	VCMTST V31.D2, t.D2, t.D2 \
	VCMTST V31.D2, u.D2, u.D2 \
	VUZP1  u.S4, t.S4, d.S4

// DIFFER4 loads the next four boxes from lower and upper, and computes both differences.
#define DIFFER4(lower, upper) \
	VLD1.P 32(lower), [V0.D2, V1.D2] \
	VLD1.P 32(upper), [V2.D2, V3.D2] \
	VSUB   V17.D2, V0.D2, V0.D2 \
	VSUB   V17.D2, V1.D2, V1.D2 \
	VSUB   V2.D2, V16.D2, V2.D2 \
	VSUB   V3.D2, V16.D2, V3.D2

// KEPT sets R26 to the sum of v, and V27 to the byte numbers that move the lanes of v to the front.
// It overwrites t.
#define KEPT(v, t) \
	VADDV v.S4, v \
	VMOV  v.S[0], R26 \
	AND   $0xF0, R26, t \
	ADD   t, R13, t \
	VLD1  (t), [V27.B16]

// func latticeSpansNEON(lower, upper []uint64, spans []LatticeSpan, span, box []uint32) (done, n int)
TEXT ·latticeSpansNEON(SB), NOSPLIT, $0-136
	MOVD lower_base+0(FP), R0
	MOVD upper_base+24(FP), R1
	MOVD spans_base+48(FP), R2
	MOVD spans_len+56(FP), R3
	MOVD span_base+72(FP), R4
	MOVD box_base+96(FP), R5
	MOVD box_len+104(FP), R6
	SUB  $8, R6
	ADD  R6<<2, R5, R6                        // the last place with room for 8
	CONSTANTS
	MOVD $4, R19
	VDUP R19, V26.S4
	MOVD ZR, R7

spans:
	CMP  R3, R7                               // for s := range spans
	BGE  end
	LDPW 16(R2), (R9, R10)
	SUB  R9, R10                              //	left = q.Hi - q.Lo
	ADD  R10<<2, R5, R11
	CMP  R6, R11                              //	if len(box) - n < left + 8
	BHI  end                                  //		return
	LDP  (R2), (R11, R12)
	SPREAD(R11, R12)
	VDUP R7, V18.S4
	VDUP R9, V19.S4
	VADD V28.S4, V19.S4, V19.S4               //	at = q.Lo, q.Lo+1 and so on
	ADD  R9<<3, R0, R14
	ADD  R9<<3, R1, R15

boxes:
	DIFFER4(R14, R15)
	APART4(V0, V1, V0)
	VDUP R10, V4.S4
	CMHI4(28, 4, 4)                           //		lanes below left
	AND16(29, 4, 4)
	BIC16(0, 4, 4)                            //		that are not apart
	KEPT(V4, R24)
	VTBL V27.B16, [V19.B16], V5.B16
	VST1 [V18.S4], (R4)                       //		span[n], box[n] = s, at
	VST1 [V5.S4], (R5)
	ADD  R26>>8, R4
	ADD  R26>>8, R5
	VADD V26.S4, V19.S4, V19.S4               //		at += 4
	SUBS $4, R10                              //		left -= 4
	BGT  boxes

	ADD $1, R7
	ADD $32, R2
	B   spans

end:
	MOVD R7, done+120(FP)
	MOVD box_base+96(FP), R6
	SUB  R6, R5
	LSR  $2, R5
	MOVD R5, n+128(FP)
	RET

// LIST sets the register to to the address of the list of a name.
#define LIST(name, to) \
	ADD name<<1, name, to \
	ADD to<<2, R11, to

// func latticeRowsNEON(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int,
//	out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int)
TEXT ·latticeRowsNEON(SB), NOSPLIT, $0-280
	MOVD lower_base+0(FP), R0
	MOVD upper_base+24(FP), R1
	MOVD row_base+48(FP), R2
	MOVD from_base+72(FP), R3
	MOVD to_base+96(FP), R4
	MOVD start_base+120(FP), R5
	MOVD lines+144(FP), R6
	MOVD first+152(FP), R7
	MOVD n+168(FP), R9
	MOVD out_base+184(FP), R19
	MOVD out_len+192(FP), R10
	SUB  $const_LatticeListSlack, R10
	ADD  R10<<2, R19, R10                     // the last place with room for an entry
	ADD  R9<<2, R19, R9
	MOVD lists_base+208(FP), R11
	MOVD doubt_base+232(FP), R12
	CONSTANTS

entries:
	MOVD  last+160(FP), R8
	CMP   R8, R7                              // for i := first; i < last
	BGE   end
	CMP   R10, R9                             //	if there is no room
	BHI   end                                 //		return
	MOVD  (R0)(R7<<3), R22
	MOVD  (R1)(R7<<3), R23
	SPREAD(R22, R23)
	ADD   R7<<2, R2, R24
	MOVWU 32(R24), R21                        //	lists are anywhere in memory: prefetch a later one
	LIST(R21, R22)
	PRFM  (R22), PSTL1KEEP
	MOVWU (R24), R21
	VDUP  R21, V18.S4                         //	self = row[i]
	LIST(R21, R17)
	MOVD  R9, R20                             //	at = n
	MOVWU (R3)(R7<<2), R15
	MOVWU (R4)(R7<<2), R16
	VEOR  V20.B16, V20.B16, V20.B16           //	unsure = false
	MOVD  ZR, R21

line:
	MOVWU (R6)(R21<<2), R24                   //	for _, line := range lines
	ADD   R24<<2, R5, R24
	MOVWU (R24)(R15<<2), R22                  //		j = start[line+from[i]]
	MOVWU (R24)(R16<<2), R23
	SUBW  R22, R23                            //		left = start[line+to[i]] - j
	ADD   R22<<3, R0, R14
	ADD   R22<<3, R1, R24
	ADD   R22<<2, R2, R22
	ADD   $1, R21

again:
	DIFFER4(R14, R24)
	VLD1.P 16(R22), [V4.S4]                   //		names
	APART4(V5, V6, V5)
	VDUP   R23, V6.S4
	CMHI4(28, 6, 6)                           //		lanes below left
	CMHI4(18, 4, 7)                           //		of larger names
	AND16(7, 6, 6)
	BIC16(5, 6, 6)                            //		that are not apart
	VADD   V30.D2, V0.D2, V0.D2
	VADD   V30.D2, V1.D2, V1.D2
	VADD   V30.D2, V2.D2, V2.D2
	VADD   V30.D2, V3.D2, V3.D2
	APART4(V0, V1, V0)
	AND16(6, 0, 0)
	VORR   V0.B16, V20.B16, V20.B16           //		unsure = unsure || any of them by less than a step
	AND16(29, 6, 6)
	KEPT(V6, R8)
	VTBL   V27.B16, [V4.B16], V4.B16
	VST1   [V4.S4], (R9)                      //		out[n] = names
	ADD    R26>>8, R9
	SUBSW  $4, R23                            //		left -= 4
	BLE    next
	CMP    R10, R9                            //		if there is no room
	BLS    again
	MOVD   R20, R9                            //			n = at
	B      end                                //			return

next:
	CMP   $9, R21
	BLT   line
	MOVD  chunk+176(FP), R24
	SUB   R19, R20, R22
	LSR   $2, R22
	SUB   R20, R9, R23
	LSR   $2, R23
	STPW  (R24, R22), (R17)                   //	lists[row[i]] = {chunk, at, n - at}
	MOVW  R23, 8(R17)
	VADDV V20.S4, V20
	VMOV  V20.S[0], R22
	CBZW  R22, sure                           //	if unsure
	MOVW.P R7, 4(R12)                         //		doubt[doubts] = i

sure:
	ADD $1, R7
	B   entries

end:
	MOVD R7, done+256(FP)
	SUB  R19, R9
	LSR  $2, R9
	MOVD R9, next+264(FP)
	MOVD doubt_base+232(FP), R13
	SUB  R13, R12
	LSR  $2, R12
	MOVD R12, doubts+272(FP)
	RET

// TWO loads the words of the boxes that i and j name, and separates lower and upper corners.
#define TWO(i, j, v, w, low, high) \
	ADD   i<<4, R0, i \
	ADD   j<<4, R0, j \
	VLD1  (i), [v.D2] \
	VLD1  (j), [w.D2] \
	VZIP1 w.D2, v.D2, low.D2 \
	VZIP2 w.D2, v.D2, high.D2

// func latticePairsNEON(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)
TEXT ·latticePairsNEON(SB), NOSPLIT, $0-152
	MOVD corners_base+0(FP), R0
	MOVD a_base+24(FP), R1
	MOVD a_len+32(FP), R3
	MOVD b_base+48(FP), R2
	MOVD first+72(FP), R6
	MOVD n+80(FP), R7
	MOVD outA_base+88(FP), R4
	MOVD outB_base+112(FP), R5
	ADD  R6<<2, R1
	ADD  R6<<2, R2
	ADD  R7<<2, R4
	ADD  R7<<2, R5
	SUB  R6, R3                               // left = len(a) - first
	CONSTANTS
	VDUP R25, V16.D2

four:
	CMP  $4, R3                               // for left >= 4
	BLT  end
	LDPW (R1), (R6, R7)
	LDPW 8(R1), (R8, R9)
	LDPW (R2), (R10, R11)
	LDPW 8(R2), (R12, R14)
	TWO(R6, R7, V4, V5, V18, V19)             //	p
	TWO(R8, R9, V4, V5, V20, V21)
	TWO(R10, R11, V4, V5, V22, V23)           //	q
	TWO(R12, R14, V4, V5, V24, V25)
	VSUB V19.D2, V22.D2, V0.D2                //	q.lower - p.upper
	VSUB V21.D2, V24.D2, V1.D2
	VSUB V23.D2, V18.D2, V2.D2                //	p.lower - q.upper
	VSUB V25.D2, V20.D2, V3.D2
	VADD V16.D2, V0.D2, V0.D2
	VADD V16.D2, V1.D2, V1.D2
	VADD V16.D2, V2.D2, V2.D2
	VADD V16.D2, V3.D2, V3.D2
	APART4(V5, V6, V5)
	VADD V30.D2, V0.D2, V0.D2
	VADD V30.D2, V1.D2, V1.D2
	VADD V30.D2, V2.D2, V2.D2
	VADD V30.D2, V3.D2, V3.D2
	APART4(V0, V1, V0)
	BIC16(5, 0, 0)                            //	by less than a step, but not apart
	VADDV V0.S4, V0
	VMOV  V0.S[0], R24
	CBNZW R24, end                            //	if any: return
	BIC16(5, 29, 4)
	KEPT(V4, R24)
	VLD1.P 16(R1), [V0.S4]
	VLD1.P 16(R2), [V1.S4]
	VTBL V27.B16, [V0.B16], V0.B16
	VTBL V27.B16, [V1.B16], V1.B16
	VST1 [V0.S4], (R4)                        //	outA[n], outB[n] = a[i], b[i]
	VST1 [V1.S4], (R5)
	ADD  R26>>8, R4
	ADD  R26>>8, R5
	SUB  $4, R3
	B    four

end:
	MOVD a_len+32(FP), R6
	SUB  R3, R6
	MOVD R6, done+136(FP)
	MOVD outA_base+88(FP), R6
	SUB  R6, R4
	LSR  $2, R4
	MOVD R4, next+144(FP)
	RET

// STEPS turns two coordinates of v into parts of the words of a corner: v - from, times step,
// limited to the range from 0 to last, shifted. FMAXNM makes 0 of a NaN.
#define STEPS(from, step, last, shift, v) \
	FSUB2(from, v, v) \
	FMUL2(step, v, v) \
	FMAXNM2(30, v, v) \
	FMINNM2(last, v, v) \
	FCVTZU2(v, v) \
	USHL2(shift, v, v)

// FRAME loads three numbers from R2 on in the order x y, z x, y z.
#define FRAME(xy, zx, yz) \
	ADD  $8, R2, R4 \
	VLD1 (R2), [xy.D2] \
	VLD1 (R4), [yz.D2] \
	VEXT $8, xy.B16, yz.B16, zx.B16 \
	ADD  $24, R2

// func latticeCornersNEON(boxes []vec.Box, f *LatticeFrame, corners []uint64)
//
// In the order x y, z x, y z of a box: V16 to V18 the origin, V20 to V22 steps per metre, V24 to V26 the
// highest coordinates, V4 to V6 shifts. V30 is zero, V31 = {0, guards}.
TEXT ·latticeCornersNEON(SB), NOSPLIT, $0-56
	MOVD boxes_base+0(FP), R0
	MOVD boxes_len+8(FP), R1
	MOVD f+24(FP), R2
	MOVD corners_base+32(FP), R3
	FRAME(V16, V17, V18)
	FRAME(V20, V21, V22)
	FRAME(V24, V25, V26)
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	MOVD $const_LatticeGuards, R4
	VMOV R4, V31.D[1]
	MOVD $const_latticeY, R4
	MOVD $const_latticeZ, R5
	VMOV R4, V4.D[1]
	VMOV R5, V5.D[0]
	VMOV R4, V6.D[0]
	VMOV R5, V6.D[1]
	CBZ  R1, end

boxes:
	VLD1.P 48(R0), [V0.D2, V1.D2, V2.D2]      // for range boxes
	STEPS(16, 20, 24, 4, 0)
	STEPS(17, 21, 25, 5, 1)
	STEPS(18, 22, 26, 6, 2)
	VEXT   $8, V2.B16, V0.B16, V3.B16         //	y of both corners
	VMOV   V1.D[1], V0.D[1]                   //	x
	VMOV   V2.D[1], V1.D[1]                   //	z
	VORR   V3.B16, V0.B16, V0.B16
	VORR   V31.B16, V1.B16, V1.B16
	VORR   V1.B16, V0.B16, V0.B16
	VST1.P [V0.D2], 16(R3)                    //	corners = lower, upper|guards
	SUBS   $1, R1
	BNE    boxes

end:
	RET
