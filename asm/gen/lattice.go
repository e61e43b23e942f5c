package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// latticeSpans writes LatticeSpans. Each 64-bit lane has a box. A mask gets a bit for each lane
// that overlaps, and moves the indices of these lanes to the front. After the guards are masked
// out, the largest number means that all guards are set.
func latticeSpans(avx2, avx512 *lanes) {
	s := newSelection(avx2.Context)
	numbers := global(avx2.Context, "numbers", 0, 1, 2, 3, 4, 5, 6, 7)
	bits := global(avx2.Context, "guards", asmWhole("LatticeGuards"), asmWhole("LatticeGuards")-1)
	for _, l := range []*lanes{avx2, avx512} {
		l.Function(l.named("latticeSpans"))
		l.SignatureExpr("func(lower, upper, spans []uint64, span, box []uint32) (done, n int)")
		lower, upper, spans := l.base("lower"), l.base("upper"), l.base("spans")
		toSpan, toBox := l.base("span"), l.base("box")
		room := l.length("box")
		l.SUBQ(operand.U8(8), room)
		last := l.length("spans")
		q, n := l.GP64(), l.GP64()
		l.XORQ(q, q)
		l.XORQ(n, n)
		masks := l.spreadAll(bits, 2)
		guards, below := masks[0], masks[1]

		l.Label("spans")
		l.CMPQ(q, last)
		l.JGE(operand.LabelRef("end"))
		i, left, after := l.GP64(), l.GP64(), l.GP64()
		l.MOVL(operand.Mem{Base: spans, Disp: 16}, i.As32())
		l.MOVL(operand.Mem{Base: spans, Disp: 20}, left.As32())
		l.SUBQ(i, left)
		l.LEAQ(operand.Mem{Base: n, Index: left, Scale: 1}, after)
		l.CMPQ(after, room)
		l.JGT(operand.LabelRef("end"))
		low, high := l.vec(), l.vec()
		l.VPBROADCASTQ(operand.Mem{Base: spans}, low)
		l.VPBROADCASTQ(operand.Mem{Base: spans, Disp: 8}, high)
		of := l.words()
		l.spreadWord(q, of)
		k := l.keeper(s, i, toBox, n)

		l.Label("boxes")
		l.TESTQ(left, left)
		l.JLE(operand.LabelRef("next"))
		part := l.below(left, numbers)
		a, b := l.vec(), l.vec()
		l.VPSUBQ(operand.Mem{Base: lower, Index: i, Scale: 8}, high, a)
		l.VMOVUPD(operand.Mem{Base: upper, Index: i, Scale: 8}, b)
		l.VPSUBQ(low, b, b)
		l.andBits(a, b, b)
		l.andBits(guards, b, b)
		hit := l.mask()
		l.VPCMPGTQ(below, b, hit)
		l.and(hit, part)
		l.VMOVDQU(of, operand.Mem{Base: toSpan, Index: n, Scale: 4})
		l.keep(k, hit)
		l.ADDQ(operand.U8(l.count()), i)
		l.SUBQ(operand.U8(l.count()), left)
		l.JMP(operand.LabelRef("boxes"))

		l.Label("next")
		l.INCQ(q)
		l.ADDQ(operand.U8(32), spans)
		l.JMP(operand.LabelRef("spans"))
		l.Label("end")
		l.Store(q, l.Return("done"))
		l.Store(n, l.Return("n"))
		l.done()
	}
}
