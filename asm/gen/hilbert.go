package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hilbert writes the keys of cells along a Hilbert curve: a cell in each 32-bit lane until the bits are spread,
// then in 64-bit lanes, the low half of the cells first.
func hilbert(avx2, avx512 *lanes) {
	spread := global(avx2.Context, "everyThird", 0x001f00000000ffff, 0x001f0000ff0000ff,
		0x100f00f00f00f00f, 0x10c30c30c30c30c3, 0x1249249249249249)
	for _, l := range []*lanes{avx2, avx512} {
		l.hilbert(spread)
	}
}

func (l *lanes) hilbert(spread operand.Mem) {
	l.Function(l.named("hilbertKeys"))
	l.SignatureExpr("func(x, y, z []uint32, bits, top int, keys []uint64) (done int)")
	base, keys := l.bases("x", "y", "z"), l.base("keys")
	i, last := l.GP64(), l.length("keys")
	cells := 2 * l.count()
	l.SUBQ(operand.U8(cells), last)
	l.XORQ(i, i)
	top := l.param("top")
	first, ones := l.vec(), l.vec()
	l.VMOVD(top.As32(), first.AsX())
	l.VPBROADCASTD(first.AsX(), first)
	l.allOnes(ones)
	masks := l.vecs(5)
	for j, m := range masks {
		l.VPBROADCASTQ(spread.Offset(8*j), m)
	}

	l.Label("cells")
	l.CMPQ(i, last)
	l.JGT(operand.LabelRef("end"))
	bit, low := l.vec(), l.vec()
	// All bits below the top one and it: twice it less one.
	l.VPADDD(first, first, low)
	l.VPADDD(ones, low, low)
	c := l.vecs(3)
	for j, b := range base {
		l.andBits(word(b, i), low, c[j])
	}
	l.orBits(first, first, bit)
	q := l.param("bits")
	l.Label("bits")
	l.DECQ(q)
	l.JEQ(operand.LabelRef("gray"))
	l.VPADDD(ones, bit, low)
	l.turnFirst(bit, low, c[0])
	l.turn(bit, low, c[0], c[1])
	l.turn(bit, low, c[0], c[2])
	l.VPSRLD(operand.U8(1), bit, bit)
	l.JMP(operand.LabelRef("bits"))

	l.Label("gray")
	l.xorBits(c[0], c[1], c[1])
	l.xorBits(c[1], c[2], c[2])
	t, u := l.vec(), l.vec()
	l.VPSRLD(operand.U8(1), c[2], t)
	l.xorBits(c[2], t, t)
	for _, shift := range []int{2, 4, 8, 16} {
		l.VPSRLD(operand.U8(shift), t, u)
		l.xorBits(u, t, t)
	}
	l.VPSRLD(operand.U8(1), t, t)
	for _, v := range c {
		l.xorBits(t, v, v)
	}
	for half := range 2 {
		var key reg.VecVirtual
		for j, v := range c {
			w := l.vec()
			l.widen(half, v, w)
			for k, shift := range []int{32, 16, 8, 4, 2} {
				l.VPSLLQ(operand.U8(shift), w, u)
				l.orBits(u, w, w)
				l.andBits(masks[k], w, w)
			}
			if j == 0 {
				key = w
				continue
			}
			l.VPADDQ(key, key, key)
			l.orBits(w, key, key)
		}
		l.VMOVUPD(key, memory(keys, i, half*l.count()))
	}
	l.ADDQ(operand.U8(cells), i)
	l.JMP(operand.LabelRef("cells"))
	l.Label("end")
	l.Store(i, l.Return("done"))
	l.done()
}

// allOnes sets all bits of a register.
func (l *lanes) allOnes(v reg.VecVirtual) {
	if l.wide {
		l.VPTERNLOGD(operand.U8(0xFF), v, v, v)
		return
	}
	l.VPCMPEQD(v, v, v)
}

// andBits, orBits and xorBits combine two registers, the first of which can be in memory.
func (l *lanes) andBits(a, b, dst operand.Op) {
	if l.wide {
		l.VPANDD(a, b, dst)
	} else {
		l.VPAND(a, b, dst)
	}
}

func (l *lanes) orBits(a, b, dst operand.Op) {
	if l.wide {
		l.VPORD(a, b, dst)
	} else {
		l.VPOR(a, b, dst)
	}
}

func (l *lanes) xorBits(a, b, dst operand.Op) {
	if l.wide {
		l.VPXORD(a, b, dst)
	} else {
		l.VPXOR(a, b, dst)
	}
}

// turnFirst inverts the low bits of a where its bit is set.
func (l *lanes) turnFirst(bit, low, a reg.VecVirtual) {
	if l.wide {
		set := l.K()
		l.VPTESTMD(bit, a, set)
		l.VPXORD(low, a, set, a)
		return
	}
	m := l.vec()
	l.VPAND(bit, a, m)
	l.VPCMPEQD(bit, m, m)
	l.VPAND(low, m, m)
	l.VPXOR(m, a, a)
}

// turn inverts the low bits of a where the bit of b is set, and exchanges those of a and b where it is not.
func (l *lanes) turn(bit, low, a, b reg.VecVirtual) {
	t, m := l.vec(), l.vec()
	l.xorBits(a, b, t)
	l.andBits(low, t, t)
	if l.wide {
		clear := l.K()
		l.VPTESTNMD(bit, b, clear)
		l.VPXORD(t, b, clear, b)
		l.VPBLENDMD(t, low, clear, m)
		l.VPXORD(m, a, a)
		return
	}
	l.VPAND(bit, b, m)
	l.VPCMPEQD(bit, m, m)
	l.VPANDN(t, m, t)
	l.VPXOR(t, b, b)
	l.VPAND(low, m, m)
	l.VPOR(t, m, m)
	l.VPXOR(m, a, a)
}

// widen brings one half of the 32-bit lanes of v to the 64-bit lanes of w.
func (l *lanes) widen(half int, v, w reg.VecVirtual) {
	from := operand.Op(v.AsX())
	if l.wide {
		from = v.AsY()
	}
	if half == 1 {
		if l.wide {
			l.VEXTRACTI64X4(operand.U8(1), v, w.AsY())
			from = w.AsY()
		} else {
			l.VEXTRACTF128(operand.U8(1), v, w.AsX())
			from = w.AsX()
		}
	}
	l.VPMOVZXDQ(from, w)
}
