package main

import (
	"strconv"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// latticeRows writes LatticeRows: the test of latticeSpans for the boxes of consecutive cells. Each
// entry has nine runs of boxes, which the table of cells gives. The code for the nine runs is
// written out, so each has branches of its own to predict. Runs are short, so the code compares at
// least one register of each run, whatever its length.
func latticeRows(avx2, avx512 *lanes) {
	s := newSelection(avx2.Context)
	numbers := global(avx2.Context, "numbers", 0, 1, 2, 3, 4, 5, 6, 7)
	bits := global(avx2.Context, "guards", asmWhole("LatticeGuards"), asmWhole("LatticeGuards")-1, asmWhole("LatticeOnes"))
	for _, l := range []*lanes{avx2, avx512} {
		l.Function(l.named("latticeRows"))
		l.SignatureExpr("func(lower, upper []uint64, row, from, to, start []uint32, lines *[9]uint32, first, last, n, chunk int, " +
			"out, lists, doubt []uint32) (done, next, doubts int)")
		l.SUBQ(operand.U8(asmWhole("LatticeListSlack")), resolve(l.Param("out").Len()))
		doubts := resolve(l.Return("doubts"))
		lower, upper, row, start, out := l.base("lower"), l.base("upper"), l.base("row"), l.base("start"), l.base("out")
		i, n := l.param("first"), l.param("n")
		none := l.GP64()
		l.XORQ(none, none)
		l.MOVQ(none, doubts)
		masks := l.spreadAll(bits, 3)
		guards, below, ones := masks[0], masks[1], masks[2]

		l.Label("boxes")
		l.CMPQ(i, resolve(l.Param("last")))
		l.JGE(operand.LabelRef("end"))
		l.CMPQ(n, resolve(l.Param("out").Len()))
		l.JGT(operand.LabelRef("end"))
		low, high, self, unsure := l.vec(), l.vec(), l.vec(), l.mask()
		l.VPBROADCASTQ(operand.Mem{Base: lower, Index: i, Scale: 8}, low)
		l.VPBROADCASTQ(operand.Mem{Base: upper, Index: i, Scale: 8}, high)
		x0, x1, name := l.GP64(), l.GP64(), l.GP64()
		// Lists are anywhere in memory, so the list of a later entry is prefetched.
		l.MOVL(operand.Mem{Base: row, Index: i, Scale: 4, Disp: 4 * listAhead}, name.As32())
		l.listOf(name)
		l.PREFETCHT0(operand.Mem{Base: name})
		l.MOVL(word(row, i), name.As32())
		l.VMOVQ(name, self.AsX())
		l.spreadName(self)
		l.listOf(name)
		l.MOVL(n.As32(), operand.Mem{Base: name, Disp: 4})
		l.MOVL(word(l.base("from"), i), x0.As32())
		l.MOVL(word(l.base("to"), i), x1.As32())
		l.noLanes(unsure)
		for k := range 9 {
			again, next := "again"+strconv.Itoa(k), "next"+strconv.Itoa(k)
			j, left, table := l.GP64(), l.GP64(), l.param("lines")
			l.MOVL(operand.Mem{Base: table, Disp: 4 * k}, table.As32())
			l.LEAQ(operand.Mem{Base: start, Index: table, Scale: 4}, table)
			l.MOVL(word(table, x0), j.As32())
			l.MOVL(word(table, x1), left.As32())
			l.SUBQ(j, left)

			l.Label(again)
			part := l.below(left, numbers)
			a, b, both := l.vec(), l.vec(), l.vec()
			at := l.loadWords(row, j)
			later := l.later(self, at, part)
			l.VPSUBQ(operand.Mem{Base: lower, Index: j, Scale: 8}, high, a)
			l.VMOVUPD(operand.Mem{Base: upper, Index: j, Scale: 8}, b)
			l.VPSUBQ(low, b, b)
			l.andThree(guards, a, b, both)
			over := l.above(below, both, later)
			l.VPSUBQ(ones, a, a)
			l.VPSUBQ(ones, b, b)
			l.andThree(guards, a, b, both)
			sure := l.above(below, both, over)
			l.addDifference(over, sure, unsure)
			l.pack(s, at, over, out, n)
			l.SUBQ(operand.U8(l.count()), left)
			l.JLE(operand.LabelRef(next))
			l.ADDQ(operand.U8(l.count()), j)
			l.CMPQ(n, resolve(l.Param("out").Len()))
			l.JLE(operand.LabelRef(again))
			l.JMP(operand.LabelRef("short"))
			l.Label(next)
		}
		list, count := l.GP64(), l.GP64()
		l.MOVL(word(row, i), list.As32())
		l.listOf(list)
		l.MOVL(n.As32(), count.As32())
		l.SUBL(operand.Mem{Base: list, Disp: 4}, count.As32())
		l.MOVL(count.As32(), operand.Mem{Base: list, Disp: 8})
		l.Load(l.Param("chunk"), count)
		l.MOVL(count.As32(), operand.Mem{Base: list})
		l.jumpIfNone(unsure, "sure")
		d := l.GP64()
		l.MOVQ(doubts, d)
		l.MOVL(i.As32(), word(l.base("doubt"), d))
		l.INCQ(d)
		l.MOVQ(d, doubts)
		l.Label("sure")
		l.INCQ(i)
		l.JMP(operand.LabelRef("boxes"))
		l.Label("short")
		l.MOVL(word(row, i), list.As32())
		l.listOf(list)
		l.MOVL(operand.Mem{Base: list, Disp: 4}, n.As32())
		l.Label("end")
		l.Store(i, l.Return("done"))
		l.Store(n, l.Return("next"))
		l.done()
	}
}

// listAhead is how many entries ahead the kernel prefetches a list. Columns have that many more
// elements than entries.
const listAhead = 8

// listOf turns the name of a row into the address of its list.
func (l *lanes) listOf(name reg.GPVirtual) {
	l.LEAQ(operand.Mem{Base: name, Index: name, Scale: 2}, name)
	base := l.base("lists")
	l.LEAQ(operand.Mem{Base: base, Index: name, Scale: 4}, name)
}

// spreadName copies the lowest number to all lanes: 32-bit lanes if masks have registers, else
// 64-bit lanes.
func (l *lanes) spreadName(v reg.VecVirtual) {
	if l.wide {
		l.VPBROADCASTD(v.AsX(), v.AsY())
	} else {
		l.VPBROADCASTQ(v.AsX(), v)
	}
}

// later returns the lanes of part whose names are larger than self.
func (l *lanes) later(self, names reg.VecVirtual, part reg.Register) reg.Register {
	m := l.mask()
	if l.wide {
		l.VPCMPGTD(self.AsY(), names, part, m)
		return m
	}
	l.VPMOVZXDQ(names, m)
	l.VPCMPGTQ(self, m, m)
	l.and(m, part)
	return m
}

// above returns the lanes of part in which v is larger than a bound.
func (l *lanes) above(bound, v reg.VecVirtual, part reg.Register) reg.Register {
	m := l.mask()
	if l.wide {
		l.VPCMPGTQ(bound, v, part, m)
		return m
	}
	l.VPCMPGTQ(bound, v, m)
	l.and(m, part)
	return m
}

// andThree sets dst to the bits that are set in a, b and c.
func (l *lanes) andThree(a, b, c, dst reg.VecVirtual) {
	if l.wide {
		l.VMOVAPD(a, dst)
		l.VPTERNLOGD(operand.U8(0x80), b, c, dst)
		return
	}
	l.VPAND(b, c, dst)
	l.VPAND(a, dst, dst)
}

// noLanes clears a mask.
func (l *lanes) noLanes(m reg.Register) {
	if l.wide {
		l.KXORB(m, m, m)
	} else {
		l.zero(m)
	}
}

// addDifference adds to m the lanes of over that are not in part. part is a subset of over.
func (l *lanes) addDifference(over, part, m reg.Register) {
	if l.wide {
		l.KXORB(over, part, part)
		l.KORB(part, m, m)
	} else {
		l.VXORPD(over, part, part)
		l.VORPD(part, m, m)
	}
}

// jumpIfNone jumps if a mask is empty.
func (l *lanes) jumpIfNone(m reg.Register, label string) {
	bits := l.GP64()
	l.bitsOf(m, bits)
	l.TESTQ(bits, bits)
	l.JEQ(operand.LabelRef(label))
}
