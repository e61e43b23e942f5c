package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sortLists writes SortLists. The eight or sixteen names of a list are in the lanes of one or two
// registers. AVX-512 runs the same code, because lists are too short for wider registers. Lanes
// after the end of a list get the largest number, and a bitonic network sorts each register without
// a branch.
func sortLists(avx2, _ *lanes) {
	l := avx2
	order := global(l.Context, "iota", 1<<32, 3<<32|2, 5<<32|4, 7<<32|6)
	back := global(l.Context, "back", 6<<32|7, 4<<32|5, 2<<32|3, 1)
	l.Function("sortListsAVX2")
	l.SignatureExpr("func(names, base, lists []uint32, first, last, n int, outA, outB []uint32) (done, next int)")
	names, base, list := l.base("names"), l.base("base"), l.base("lists")
	i, last, n := l.param("first"), l.param("last"), l.param("n")
	outA, outB, room := l.base("outA"), l.base("outB"), l.length("outB")
	l.SUBQ(operand.U8(16), room)
	k := &network{lanes: l, iota: l.YMM(), reversed: l.YMM()}
	l.VMOVDQU(order, k.iota)
	l.VMOVDQU(back, k.reversed)
	at := l.GP64()
	l.LEAQ(operand.Mem{Base: i, Index: i, Scale: 2}, at)
	l.LEAQ(operand.Mem{Base: list, Index: at, Scale: 4}, list)
	a := l.YMM()

	l.Label("lists")
	l.CMPQ(i, last)
	l.JGE(operand.LabelRef("end"))
	l.CMPQ(n, room)
	l.JGT(operand.LabelRef("end"))
	from, count := l.GP64(), l.GP64()
	// Prefetch the names of a later list.
	l.MOVL(operand.Mem{Base: list, Disp: 12 * sortAhead}, from.As32())
	l.MOVL(operand.Mem{Base: base, Index: from, Scale: 4}, from.As32())
	l.ADDL(operand.Mem{Base: list, Disp: 12*sortAhead + 4}, from.As32())
	l.PREFETCHT0(operand.Mem{Base: names, Index: from, Scale: 4})
	l.MOVL(operand.Mem{Base: list}, from.As32())
	l.MOVL(operand.Mem{Base: base, Index: from, Scale: 4}, from.As32())
	l.ADDL(operand.Mem{Base: list, Disp: 4}, from.As32())
	l.MOVL(operand.Mem{Base: list, Disp: 8}, count.As32())
	l.spreadWord(i, a)
	l.VMOVDQU(a, word(outA, n))
	low, limit, top := l.YMM(), l.YMM(), l.GP64()
	l.LEAL(operand.Mem{Base: count, Disp: -1}, top.As32())
	l.spreadWord(top, limit)
	l.CMPQ(count, operand.U8(8))
	l.JGT(operand.LabelRef("long"))
	k.load(low, limit, word(names, from))
	k.sort(low)
	l.VMOVDQU(low, word(outB, n))
	l.Label("next")
	l.ADDQ(count, n)
	l.ADDQ(operand.U8(12), list)
	l.INCQ(i)
	l.JMP(operand.LabelRef("lists"))

	l.Label("long")
	l.CMPQ(count, operand.U8(16))
	l.JGT(operand.LabelRef("end"))
	l.VMOVDQU(a, operand.Mem{Base: outA, Index: n, Scale: 4, Disp: 32})
	high, eight := l.YMM(), l.YMM()
	first := l.YMM()
	l.VMOVDQU(word(names, from), first)
	l.VPCMPEQD(eight, eight, eight)
	l.VPSLLD(operand.U8(3), eight, eight) // -8
	l.VPADDD(eight, limit, limit)
	k.load(high, limit, operand.Mem{Base: names, Index: from, Scale: 4, Disp: 32})
	k.sort(first)
	k.sort(high)
	// Split both into the smaller and the larger half, then sort each half.
	l.VPERMD(high, k.reversed, high)
	less := l.YMM()
	l.VPMINUD(high, first, less)
	l.VPMAXUD(high, first, high)
	k.merge(less)
	k.merge(high)
	l.VMOVDQU(less, word(outB, n))
	l.VMOVDQU(high, operand.Mem{Base: outB, Index: n, Scale: 4, Disp: 32})
	l.JMP(operand.LabelRef("next"))

	l.Label("end")
	l.Store(i, l.Return("done"))
	l.Store(n, l.Return("next"))
	l.done()
}

// sortAhead is how many lists ahead the kernel prefetches.
const sortAhead = 16

// network sorts the eight numbers of a register.
type network struct {
	*lanes
	iota, reversed reg.VecVirtual
}

// load reads eight numbers, and sets the numbers in the lanes after last to the largest number.
func (k *network) load(v, last reg.VecVirtual, from operand.Mem) {
	k.VPCMPGTD(last, k.iota, v)
	k.VPOR(from, v, v)
}

// exchange sets each number in upper to the larger of itself and its partner, and each other number
// to the smaller.
func (k *network) exchange(v, partner reg.VecVirtual, upper operand.U8) {
	less := k.YMM()
	k.VPMINUD(partner, v, less)
	k.VPMAXUD(partner, v, partner)
	k.VPBLENDD(upper, partner, less, v)
}

func (k *network) within(v reg.VecVirtual, order, upper operand.U8) {
	partner := k.YMM()
	k.VPSHUFD(order, v, partner)
	k.exchange(v, partner, upper)
}

func (k *network) sort(v reg.VecVirtual) {
	k.within(v, 0xB1, 0xAA) // pairs
	k.within(v, 0x1B, 0xCC) // fours, the second pair backwards
	k.within(v, 0xB1, 0xAA)
	partner := k.YMM()
	k.VPERMD(v, k.reversed, partner)
	k.exchange(v, partner, 0xF0) // eights, the second four backwards
	k.within(v, 0x4E, 0xCC)
	k.within(v, 0xB1, 0xAA)
}

// merge sorts eight numbers that rise and then fall, or fall and then rise.
func (k *network) merge(v reg.VecVirtual) {
	partner := k.YMM()
	k.VPERMQ(operand.U8(0x4E), v, partner)
	k.exchange(v, partner, 0xF0)
	k.within(v, 0x4E, 0xCC)
	k.within(v, 0xB1, 0xAA)
}
