package main

import (
	"encoding/binary"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// posedBoxes writes PosedBoxes. It handles the three rows of a rotation at once, with the minimum
// and maximum instructions, because it needs no index. Given a NaN, these instructions return their
// second operand, here the extreme so far, so a NaN has no effect. Of two zeros they return either;
// the contract adds 0 to remove the difference.
func posedBoxes(avx2, avx512 *lanes) {
	k := newConstants(avx2.Context)
	for _, l := range []*lanes{avx2, avx512} {
		l.posedBoxes(k)
	}
}

func (l *lanes) posedBoxes(k constants) {
	l.Function(l.named("posedBoxes"))
	l.SignatureExpr("func(x, y, z []float64, first, count []uint32, poses, out **float64) (done int)")
	// Nine numbers of a rotation, six extremes and three coordinates exceed the registers of AVX2,
	// so AVX2 code keeps the rotation on the stack.
	var rotation operand.Mem
	if !l.wide {
		rotation = l.AllocLocal(9 * 32)
	}
	x := l.bases("x", "y", "z")
	q := l.GP64()
	l.XORQ(q, q)
	l.Label("sets")
	l.CMPQ(q, resolve(l.Param("first").Len()))
	l.JGE(operand.LabelRef("end"))
	from, n, last := l.GP64(), l.GP64(), l.GP64()
	l.MOVL(word(l.base("first"), q), from.As32())
	l.MOVL(word(l.base("count"), q), n.As32())
	l.LEAQ(operand.Mem{Base: from, Index: n, Scale: 1}, last)
	l.CMPQ(last, resolve(l.Param("x").Len()))
	l.JGT(operand.LabelRef("end"))

	// column returns column j of the poses or boxes, which are structures of slices.
	column := func(structure reg.Register, j int) reg.Register {
		c := l.GP64()
		l.MOVQ(operand.Mem{Base: structure, Disp: 24 * j}, c)
		return c
	}
	poses, out := l.param("poses"), l.param("out")
	rot := make([]operand.Op, 9)
	for j := range rot {
		r := l.vec()
		l.VBROADCASTSD(memory(column(poses, j), q, 0), r)
		rot[j] = r
		if !l.wide {
			rot[j] = rotation.Offset(32 * j)
			l.VMOVUPD(r, rot[j])
		}
	}
	lo, hi := l.vecs(3), l.vecs(3)
	for axis := range 3 {
		l.VBROADCASTSD(k.top, lo[axis])
		l.VBROADCASTSD(k.lowest, hi[axis])
	}
	points := l.GP64()
	l.MOVQ(from, points)
	l.Label("points")
	l.CMPQ(n, operand.U8(l.count()))
	l.JLT(operand.LabelRef("part"))
	c := l.vecs(3)
	for j, b := range x {
		l.VMOVUPD(memory(b, points, 0), c[j])
	}
	for axis := range 3 {
		v := l.vec()
		l.height(v, rot[3*axis:3*axis+3], ops(c))
		l.VMINPD(lo[axis], v, lo[axis])
		l.VMAXPD(hi[axis], v, hi[axis])
	}
	l.ADDQ(operand.U8(l.count()), points)
	l.SUBQ(operand.U8(l.count()), n)
	l.JMP(operand.LabelRef("points"))

	// Lanes after the last point keep their extremes.
	l.Label("part")
	l.TESTQ(n, n)
	l.JEQ(operand.LabelRef("fold"))
	part := l.below(n, k.iota)
	c = l.vecs(3)
	for j, b := range x {
		l.loadPart(part, memory(b, points, 0), c[j])
	}
	for axis := range 3 {
		v, e := l.vec(), l.vec()
		l.height(v, rot[3*axis:3*axis+3], ops(c))
		l.VMINPD(lo[axis], v, e)
		l.pick(part, e, lo[axis])
		l.VMAXPD(hi[axis], v, e)
		l.pick(part, e, hi[axis])
	}

	l.Label("fold")
	zero, at := l.XMM(), l.XMM()
	l.VXORPD(zero, zero, zero)
	for axis := range 3 {
		for side, e := range []reg.VecVirtual{lo[axis], hi[axis]} {
			narrow := l.VMINPD
			if side == 1 {
				narrow = l.VMAXPD
			}
			if l.wide {
				high := l.YMM()
				l.VEXTRACTF64X4(operand.U8(1), e, high)
				narrow(high, e.AsY(), e.AsY())
			}
			high := l.XMM()
			l.VEXTRACTF128(operand.U8(1), e.AsY(), high)
			narrow(high, e.AsX(), e.AsX())
			l.VPERMILPD(operand.U8(1), e.AsX(), high)
			narrow(high, e.AsX(), e.AsX())
			l.VADDSD(zero, e.AsX(), e.AsX())
			l.VMOVSD(memory(column(poses, 9+axis), q, 0), at)
			l.VADDSD(at, e.AsX(), e.AsX())
			l.VMOVSD(e.AsX(), memory(column(out, 3*side+axis), q, 0))
		}
	}
	l.INCQ(q)
	l.JMP(operand.LabelRef("sets"))
	l.Label("end")
	l.Store(q, l.Return("done"))
	l.done()
}

// selection is the constants of a kernel that keeps the indices of some lanes.
type selection struct {
	iota    operand.Mem // 0 to 7, as 32-bit numbers
	step    operand.Mem // 4 and 8, as 32-bit numbers
	shuffle operand.Mem // for each mask of four, the byte numbers that move its numbers to the front
}

// keeper is the state of such a kernel.
type keeper struct {
	selection
	out, n   reg.GPVirtual
	at, step reg.VecVirtual // indices of the lanes, as 32-bit numbers
}

// keeper starts at index i, and writes to out from n on.
func (l *lanes) keeper(s selection, i, out, n reg.GPVirtual) *keeper {
	k := &keeper{selection: s, out: out, n: n, at: l.words(), step: l.words()}
	l.spreadWord(i, k.at)
	l.VPADDD(s.iota, k.at, k.at)
	l.VPBROADCASTD(s.step.Offset(l.count()-4), k.step)
	return k
}

// keep writes the indices of the lanes in m, and advances to the next lanes.
func (l *lanes) keep(k *keeper, m reg.Register) {
	l.pack(k.selection, k.at, m, k.out, k.n)
	l.VPADDD(k.step, k.at, k.at)
}

// pack writes the 32-bit numbers of the lanes in m to out from n on, and adds their count to n. It
// writes a whole register.
func (l *lanes) pack(s selection, at reg.VecVirtual, m reg.Register, out, n reg.GPVirtual) {
	bits, packed := l.GP32(), l.words()
	l.bitsOf(m, bits.As64())
	if l.wide {
		l.VPCOMPRESSD_Z(at, m, packed)
	} else {
		row, base := l.GP64(), l.GP64()
		l.MOVL(bits, row.As32())
		l.SHLQ(operand.U8(4), row)
		l.LEAQ(s.shuffle, base)
		l.VPSHUFB(operand.Mem{Base: base, Index: row, Scale: 1}, at, packed)
	}
	l.VMOVDQU(packed, word(out, n))
	l.POPCNTL(bits, bits)
	l.ADDQ(bits.As64(), n)
}

// bitsOf sets the lowest bits of a register to the lanes of m, and the other bits to 0.
func (l *lanes) bitsOf(m reg.Register, bits reg.Register) {
	low := bits.(reg.GP).As32()
	if l.wide {
		l.KMOVB(m, low)
	} else {
		l.VMOVMSKPD(m, low)
	}
}

func newSelection(c *build.Context) selection {
	var words []uint64
	for mask := range 16 {
		var row [16]byte
		for i := range row {
			row[i] = 0x80 // a zero
		}
		n := 0
		for lane := range 4 {
			if mask>>lane&1 == 1 {
				for b := range 4 {
					row[4*n+b] = byte(4*lane + b)
				}
				n++
			}
		}
		words = append(words, binary.LittleEndian.Uint64(row[:]), binary.LittleEndian.Uint64(row[8:]))
	}
	return selection{
		iota:    global(c, "iota", 1<<32, 3<<32|2, 5<<32|4, 7<<32|6),
		step:    global(c, "steps", 8<<32|4),
		shuffle: global(c, "shuffles", words...),
	}
}
