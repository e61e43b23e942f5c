package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// latticeCorners writes LatticeCorners, four boxes at a time: 24 coordinates in three registers, in
// which every third lane has the same axis. Three lanes make one word. AVX2 lacks the conversion
// and the permutation, so it uses the Go loop.
func latticeCorners(_, l *lanes) {
	var axes, shifts, places [24]uint64
	for i := range axes {
		axes[i], shifts[i] = uint64(i%3), uint64(i%3)*(asmWhole("LatticeLane")+1)
	}
	// For each axis, places holds the lanes of its eight words among those of the first two
	// registers. rest adds the lanes of the third register.
	var rest [24]uint64
	for axis := range 3 {
		for word := range 8 {
			lane := 3*word + axis
			if rest[8*axis+word] = uint64(word); lane < 16 {
				places[8*axis+word] = uint64(lane)
			} else {
				rest[8*axis+word] = uint64(8 + lane - 16)
			}
		}
	}
	axis := global(l.Context, "axes", axes[:]...)
	shift := global(l.Context, "shifts", shifts[:]...)
	place := global(l.Context, "places", places[:]...)
	other := global(l.Context, "rest", rest[:]...)
	all := asmWhole("LatticeGuards")
	guard := global(l.Context, "guards", 0, all, 0, all, 0, all, 0, all)
	ahead := global(l.Context, "ahead", 3, 5)

	l.Function("latticeCornersAVX512")
	l.SignatureExpr("func(boxes []float64, f *[9]float64, corners []uint64) (done int)")
	box, n, out, frame := l.base("boxes"), l.length("boxes"), l.base("corners"), l.param("f")
	two := l.vecs(2)
	l.VMOVUPD(operand.Mem{Base: frame}, two[0])
	l.VMOVUPD(operand.Mem{Base: frame, Disp: float64Bytes}, two[1])
	from, step, last, by := l.vecs(3), l.vecs(3), l.vecs(3), l.vecs(3)
	first, second := l.vecs(3), l.vecs(3)
	three, five := l.vec(), l.vec()
	l.VPBROADCASTQ(ahead, three)
	l.VPBROADCASTQ(ahead.Offset(8), five)
	for k := range 3 {
		order := l.vec()
		l.VMOVUPD(axis.Offset(64*k), order)
		l.VPERMPD(two[0], order, from[k])
		l.VPADDQ(three, order, step[k])
		l.VPERMPD(two[0], step[k], step[k])
		l.VPADDQ(five, order, last[k])
		l.VPERMPD(two[1], last[k], last[k])
		l.VMOVUPD(shift.Offset(64*k), by[k])
		l.VMOVUPD(place.Offset(64*k), first[k])
		l.VMOVUPD(other.Offset(64*k), second[k])
	}
	zero, guards := l.vec(), l.vec()
	l.zero(zero)
	l.VMOVUPD(guard, guards)
	done := l.GP64()
	l.XORQ(done, done)

	l.Label("boxes")
	l.SUBQ(operand.U8(4), n)
	l.JLT(operand.LabelRef("end"))
	v := l.vecs(3)
	for k := range 3 {
		l.VMOVUPD(operand.Mem{Base: box, Disp: 64 * k}, v[k])
		l.VSUBPD(from[k], v[k], v[k])
		l.VMULPD(step[k], v[k], v[k])
		l.VMAXPD(zero, v[k], v[k]) // 0 for a NaN
		l.VMINPD(last[k], v[k], v[k])
		l.VCVTTPD2QQ(v[k], v[k])
		l.VPSLLVQ(by[k], v[k], v[k])
	}
	var sum reg.VecVirtual
	for k := range 3 {
		words := l.vec()
		l.VMOVAPD(v[0], words)
		l.VPERMT2Q(v[1], first[k], words)
		l.VPERMT2Q(v[2], second[k], words)
		if sum == nil {
			sum = words
		} else {
			l.orBits(sum, words, sum)
		}
	}
	l.orBits(sum, guards, sum)
	l.VMOVUPD(sum, operand.Mem{Base: out})
	l.ADDQ(operand.U8(4), done)
	l.ADDQ(operand.U8(64), out)
	l.ADDQ(operand.U32(192), box)
	l.JMP(operand.LabelRef("boxes"))
	l.Label("end")
	l.Store(done, l.Return("done"))
	l.done()
}
