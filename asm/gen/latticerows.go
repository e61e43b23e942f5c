package main

import (
	"strconv"

	"github.com/mmcloughlin/avo/operand"
	"github.com/scree-dem/scree/asm"
)

// latticeRows writes the test of latticeSpans for the boxes of consecutive cells: nine runs for
// each, found in the table of cells. The runs are written out one after the other: each has
// branches of its own to predict. A run is short, so at least one register of it is compared,
// whatever its length.
func latticeRows(avx2, avx512 *lanes) {
	s := newSelection(avx2.Context)
	numbers := global(avx2.Context, "numbers", 0, 1, 2, 3, 4, 5, 6, 7)
	bits := global(avx2.Context, "guards", asm.LatticeGuards, asm.LatticeGuards-1, asm.LatticeOnes)
	for _, l := range []*lanes{avx2, avx512} {
		l.Function(l.named("latticeRows"))
		l.SignatureExpr("func(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n int, " +
			"out, end, doubt []uint32) (done, doubts int)")
		l.SUBQ(operand.U8(8), resolve(l.Param("out").Len()))
		doubts := resolve(l.Return("doubts"))
		lower, upper, row, start, out := l.base("lower"), l.base("upper"), l.base("row"), l.base("start"), l.base("out")
		i, n := l.param("first"), l.param("n")
		none := l.GP64()
		l.XORQ(none, none)
		l.MOVQ(none, doubts)

		l.Label("boxes")
		l.CMPQ(i, resolve(l.Param("last")))
		l.JGE(operand.LabelRef("end"))
		low, high, self := l.vec(), l.vec(), l.vec()
		guards, below, ones := l.vec(), l.vec(), l.vec()
		l.VPBROADCASTQ(bits, guards)
		l.VPBROADCASTQ(bits.Offset(8), below)
		l.VPBROADCASTQ(bits.Offset(16), ones)
		l.VPBROADCASTQ(operand.Mem{Base: lower, Index: i, Scale: 8}, low)
		l.VPBROADCASTQ(operand.Mem{Base: upper, Index: i, Scale: 8}, high)
		x0, x1, name := l.GP64(), l.GP64(), l.GP64()
		l.MOVL(word(row, i), name.As32())
		l.VMOVQ(name, self.AsX())
		l.VPBROADCASTQ(self.AsX(), self)
		l.MOVL(word(l.base("from"), i), x0.As32())
		l.MOVL(word(l.base("to"), i), x1.As32())
		unsure := l.GP64()
		l.XORQ(unsure, unsure)
		for k := range 9 {
			again := "again" + strconv.Itoa(k)
			j, left, table := l.GP64(), l.GP64(), l.param("lines")
			l.MOVL(operand.Mem{Base: table, Disp: 4 * k}, table.As32())
			l.LEAQ(operand.Mem{Base: start, Index: table, Scale: 4}, table)
			l.MOVL(word(table, x0), j.As32())
			l.MOVL(word(table, x1), left.As32())
			l.SUBQ(j, left)

			l.Label(again)
			l.CMPQ(n, resolve(l.Param("out").Len()))
			l.JGT(operand.LabelRef("end"))
			hit := l.below(left, numbers)
			a, b, others := l.vec(), l.vec(), l.vec()
			at := l.XMM()
			if l.wide {
				at = l.YMM()
			}
			l.VMOVDQU(word(row, j), at)
			l.VPMOVZXDQ(at, others)
			later := l.mask()
			l.VPCMPGTQ(self, others, later)
			l.and(hit, later)
			l.VPSUBQ(operand.Mem{Base: lower, Index: j, Scale: 8}, high, a)
			l.VMOVUPD(operand.Mem{Base: upper, Index: j, Scale: 8}, b)
			l.VPSUBQ(low, b, b)
			both := l.vec()
			l.andBits(a, b, both)
			l.andBits(guards, both, both)
			over, sure := l.mask(), l.mask()
			l.VPCMPGTQ(below, both, over)
			l.and(hit, over)
			l.VPSUBQ(ones, a, a)
			l.VPSUBQ(ones, b, b)
			l.andBits(a, b, b)
			l.andBits(guards, b, b)
			l.VPCMPGTQ(below, b, sure)
			l.and(sure, hit)
			bit := l.GP64()
			l.bitsOf(hit, bit)
			l.ADDQ(bit, unsure)
			l.bitsOf(sure, bit)
			l.SUBQ(bit, unsure)
			l.pack(s, at, hit, out, n)
			l.ADDQ(operand.U8(l.count()), j)
			l.SUBQ(operand.U8(l.count()), left)
			l.JGT(operand.LabelRef(again))
		}
		l.MOVL(n.As32(), word(l.base("end"), i))
		l.TESTQ(unsure, unsure)
		l.JEQ(operand.LabelRef("sure"))
		d := l.GP64()
		l.MOVQ(doubts, d)
		l.MOVL(i.As32(), word(l.base("doubt"), d))
		l.INCQ(d)
		l.MOVQ(d, doubts)
		l.Label("sure")
		l.INCQ(i)
		l.JMP(operand.LabelRef("boxes"))
		l.Label("end")
		l.Store(i, l.Return("done"))
		l.done()
	}
}
