// Vector instructions on two float64 that Go's assembler lacks. Operands are register numbers in Go's
// order, destination last. n and m are those of the architecture's manual (Arm DDI 0487, C7.2), where
// d = n op m.
//
// All are of the group "three same" with 128 bits (Q = 1) and 64-bit lanes:
//
//	31 30 29 28...24 23 22 21 20..16 15...11 10 9..5 4..0
//	 0  Q  U  01110   a sz  1     m   opcode  1   n    d
//
// where sz = 1 means 64-bit lanes and a belongs to the opcode.
#define THREE_SAME(U, a, opcode, m, n, d) \
	WORD $(0x4E600400 | (U)<<29 | (a)<<23 | (opcode)<<11 | (m)<<16 | (n)<<5 | (d))

#define FADD2(m, n, d)   THREE_SAME(0, 0, 0x1A, m, n, d) // d = n + m, FADD
#define FSUB2(m, n, d)   THREE_SAME(0, 1, 0x1A, m, n, d) // d = n - m, FSUB
#define FMUL2(m, n, d)   THREE_SAME(1, 0, 0x1B, m, n, d) // d = n · m, FMUL
#define FCMGT2(m, n, d)  THREE_SAME(1, 1, 0x1C, m, n, d) // d = all ones where n > m, FCMGT
#define FDIV2(m, n, d)   THREE_SAME(1, 0, 0x1F, m, n, d) // d = n / m, FDIV
#define FCMGE2(m, n, d)  THREE_SAME(1, 0, 0x1C, m, n, d) // d = all ones where n >= m, FCMGE
#define FCMEQ2(m, n, d)  THREE_SAME(0, 0, 0x1C, m, n, d) // d = all ones where n == m, FCMEQ
#define FMAXNM2(m, n, d) THREE_SAME(0, 0, 0x18, m, n, d) // d = max(n, m), of a NaN and a number the number, FMAXNM
#define FMINNM2(m, n, d) THREE_SAME(0, 1, 0x18, m, n, d) // d = min(n, m), likewise, FMINNM

// The group "two-register miscellaneous", also on 64-bit lanes:
//
//	31 30 29 28...24 23 22 21...17 16...12 11 10 9..5 4..0
//	 0  Q  U  01110   a sz  10000  opcode  1   0   n    d
#define TWO_MISC(U, a, opcode, n, d) \
	WORD $(0x4E600800 | (U)<<29 | (a)<<23 | (opcode)<<12 | (n)<<5 | (d))

#define FABS2(n, d)  TWO_MISC(0, 1, 0x0F, n, d) // d = |n|, FABS
#define FNEG2(n, d)  TWO_MISC(1, 1, 0x0F, n, d) // d = -n, FNEG
#define FSQRT2(n, d) TWO_MISC(1, 1, 0x1F, n, d) // d = √n, FSQRT

// Operations on the bits of the whole register: "three same" with opcode 3, where a and sz choose the
// operation, and NOT.
#define BITWISE(U, size, m, n, d) \
	WORD $(0x4E201C00 | (U)<<29 | (size)<<22 | (m)<<16 | (n)<<5 | (d))

#define AND16(m, n, d) BITWISE(0, 0, m, n, d) // d = n & m, AND
#define BIC16(m, n, d) BITWISE(0, 1, m, n, d) // d = n & ^m, BIC
#define ORR16(m, n, d) BITWISE(0, 2, m, n, d) // d = n | m, ORR
#define BSL16(m, n, d) BITWISE(1, 1, m, n, d) // d = n where d is set, else m, BSL
#define NOT16(n, d)    WORD $(0x6E205800 | (n)<<5 | (d)) // d = ^n, NOT

// Operations on integers. CMHI: d = all ones where n > m, unsigned, in four lanes of 32 bits. USHL: d = n
// shifted left by m, in two lanes of 64 bits. FCVTZU: d = n without its fraction, as two unsigned integers.
#define CMHI4(m, n, d)  WORD $(0x6EA03400 | (m)<<16 | (n)<<5 | (d))
#define USHL2(m, n, d)  WORD $(0x6EE04400 | (m)<<16 | (n)<<5 | (d))
#define FCVTZU2(n, d)   WORD $(0x6EE1B800 | (n)<<5 | (d))

// HEIGHT sets d to (x·dx + y·dy) + z·dz with each product rounded, and overwrites t. It must not use a
// fused multiply-add.
#define HEIGHT(x, y, z, dx, dy, dz, t, d) \
	FMUL2(dx, x, d) \
	FMUL2(dy, y, t) \
	FADD2(t, d, d) \
	FMUL2(dz, z, t) \
	FADD2(t, d, d)
