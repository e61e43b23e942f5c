package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// latticePairs writes LatticePairs, with a pair in each 64-bit lane. It loads the two words of a
// box together, and then separates lower and upper corners.
func latticePairs(avx2, avx512 *lanes) {
	s := newSelection(avx2.Context)
	bits := global(avx2.Context, "guards", asmWhole("LatticeGuards"), asmWhole("LatticeGuards")-1, asmWhole("LatticeOnes"))
	for _, l := range []*lanes{avx2, avx512} {
		l.Function(l.named("latticePairs"))
		l.SignatureExpr("func(corners []uint64, a, b []uint32, first, n int, outA, outB []uint32) (done, next int)")
		corners, a, b, last := l.base("corners"), l.base("a"), l.base("b"), l.length("a")
		outA, outB := l.base("outA"), l.base("outB")
		i, n := l.param("first"), l.param("n")
		l.SUBQ(operand.U8(l.count()), last)
		masks := l.spreadAll(bits, 3)
		guards, below, ones := masks[0], masks[1], masks[2]

		l.Label("pairs")
		l.CMPQ(i, last)
		l.JGT(operand.LabelRef("end"))
		lowA, highA := l.boxesOf(corners, a, i)
		lowB, highB := l.boxesOf(corners, b, i)
		l.VPSUBQ(lowB, highA, highA)
		l.VPSUBQ(lowA, highB, highB)
		both := l.vec()
		l.andBits(highA, highB, both)
		l.andBits(guards, both, both)
		over, sure := l.mask(), l.mask()
		l.VPCMPGTQ(below, both, over)
		l.VPSUBQ(ones, highA, highA)
		l.VPSUBQ(ones, highB, highB)
		l.andBits(highA, highB, both)
		l.andBits(guards, both, both)
		l.VPCMPGTQ(below, both, sure)
		may, does := l.GP64(), l.GP64()
		l.bitsOf(over, may)
		l.bitsOf(sure, does)
		l.CMPQ(may, does)
		l.JNE(operand.LabelRef("end"))
		m := l.GP64()
		l.MOVQ(n, m)
		l.pack(s, l.loadWords(a, i), over, outA, m)
		l.pack(s, l.loadWords(b, i), over, outB, n)
		l.ADDQ(operand.U8(l.count()), i)
		l.JMP(operand.LabelRef("pairs"))
		l.Label("end")
		l.Store(i, l.Return("done"))
		l.Store(n, l.Return("next"))
		l.done()
	}
}

// boxesOf loads the lower and the upper corners of the boxes that ids names from i on. Even boxes
// are in one register and odd boxes in another, so unpacking puts them in order.
func (l *lanes) boxesOf(corners, ids, i reg.Register) (low, high reg.VecVirtual) {
	at := func(k int) operand.Mem {
		box := l.GP64()
		l.MOVL(operand.Mem{Base: ids, Index: i, Scale: 4, Disp: 4 * k}, box.As32())
		l.SHLQ(operand.U8(4), box)
		return operand.Mem{Base: corners, Index: box, Scale: 1}
	}
	two := l.vecs(2)
	for odd, v := range two {
		l.VMOVUPD(at(odd), v.AsX())
		l.VINSERTF128(operand.U8(1), at(odd+2), v.AsY(), v.AsY())
		if l.wide {
			upper := l.vec()
			l.VMOVUPD(at(odd+4), upper.AsX())
			l.VINSERTF128(operand.U8(1), at(odd+6), upper.AsY(), upper.AsY())
			l.VINSERTF64X4(operand.U8(1), upper.AsY(), v, v)
		}
	}
	low, high = l.vec(), l.vec()
	l.VUNPCKLPD(two[1], two[0], low)
	l.VUNPCKHPD(two[1], two[0], high)
	return low, high
}
