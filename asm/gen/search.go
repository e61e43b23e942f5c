package main

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// extreme is the best height that each lane has found so far, and its index. A lane changes only
// for a strictly better height, so it keeps the lowest index of its ties. A NaN is never better.
type extreme struct {
	better       operand.U8 // greater or less
	value, index reg.VecVirtual
}

func (l *lanes) newExtreme(better operand.U8, k constants) *extreme {
	e := &extreme{better: better, value: l.vec(), index: l.vec()}
	l.reset(e, k)
	return e
}

// reset sets every lane to the result of no points: the worst value, with index 0.
func (l *lanes) reset(e *extreme, k constants) {
	worst := k.lowest
	if e.better == less {
		worst = k.top
	}
	l.VBROADCASTSD(worst, e.value)
	l.zero(e.index)
}

// offer compares the lanes with the heights v, whose indices are at. It changes only lanes in part;
// nil means all lanes.
func (l *lanes) offer(e *extreme, v, at reg.Register, part reg.Register) {
	m := l.compare(e.better, v, e.value)
	if part != nil {
		l.and(m, part)
	}
	l.pick(m, v, e.value)
	l.pick(m, at, e.index)
}

// fold sets the lowest lane to the best value of all lanes. On a tie the lowest index wins, because
// the indices of tied lanes may be in any order.
func (l *lanes) fold(e *extreme) (value, index reg.Register) {
	v, at := e.value, e.index
	if l.wide {
		v2, at2 := l.YMM(), l.YMM()
		l.VEXTRACTF64X4(operand.U8(1), v, v2)
		l.VEXTRACTI64X4(operand.U8(1), at, at2)
		l.merge(e.better, v.AsY(), at.AsY(), v2, at2)
	}
	v2, at2 := l.XMM(), l.XMM()
	l.VEXTRACTF128(operand.U8(1), v.AsY(), v2)
	l.VEXTRACTF128(operand.U8(1), at.AsY(), at2)
	l.merge(e.better, v.AsX(), at.AsX(), v2, at2)
	l.VPERMILPD(operand.U8(1), v.AsX(), v2)
	l.VPERMILPD(operand.U8(1), at.AsX(), at2)
	l.merge(e.better, v.AsX(), at.AsX(), v2, at2)
	return v.AsX(), at.AsX()
}

// merge keeps, lane by lane, the better of (v, at) and (v2, at2), and on a tie the lower index. It
// uses the instructions of AVX2 at both widths; the registers have 128 or 256 bits.
func (l *lanes) merge(better operand.U8, v, at, v2, at2 reg.Register) {
	temp := func() reg.Register {
		if v.Size() == 16 {
			return l.XMM()
		}
		return l.YMM()
	}
	wins, ties, lower := temp(), temp(), temp()
	l.VCMPPD(better, v, v2, wins)
	l.VCMPPD(equal, v, v2, ties)
	l.VPCMPGTQ(at2, at, lower)
	l.VANDPD(lower, ties, ties)
	l.VORPD(ties, wins, wins)
	l.VBLENDVPD(wins, v2, v, v)
	l.VBLENDVPD(wins, at2, at, at)
}

// height sets v to (c[0]*d[0] + c[1]*d[1]) + c[2]*d[2], with each product rounded. If there is a
// fourth column, it subtracts c[3].
func (l *lanes) height(v reg.Register, c, d []operand.Op) {
	t := l.vec()
	l.VMULPD(c[0], d[0], v)
	l.VMULPD(c[1], d[1], t)
	l.VADDPD(t, v, v)
	l.VMULPD(c[2], d[2], t)
	l.VADDPD(t, v, v)
	if len(c) > 3 {
		l.VSUBPD(c[3], v, v)
	}
}

// walk describes a loop over columns with consecutive indices in the lanes.
type walk struct {
	columns []reg.GPVirtual
	dir     []operand.Op
	k       constants
	best    []*extreme
}

// over writes a loop over n points from the start of the columns. It changes n. The suffix makes
// the labels unique, because a function may have several loops.
func (l *lanes) over(w *walk, n reg.GPVirtual, suffix string) {
	i, at, step := l.GP64(), l.vec(), l.vec()
	l.XORQ(i, i)
	l.VMOVUPD(w.k.iota, at)
	l.VPBROADCASTQ(w.k.every(l.count()), step)
	block := func(offset int) {
		c := make([]operand.Op, len(w.columns))
		for j, b := range w.columns {
			c[j] = memory(b, i, offset)
		}
		v := l.vec()
		l.height(v, c, w.dir)
		for _, e := range w.best {
			l.offer(e, v, at, nil)
		}
		l.VPADDQ(step, at, at)
	}
	// Two registers a turn halve the cost of the loop itself. Shapes are padded to eight points.
	const unroll = 2
	twice, once, tail, end := "two"+suffix, "one"+suffix, "part"+suffix, "fold"+suffix
	l.Label(twice)
	l.CMPQ(n, operand.U8(unroll*l.count()))
	l.JLT(operand.LabelRef(once))
	block(0)
	block(l.count())
	l.ADDQ(operand.U8(unroll*l.count()), i)
	l.SUBQ(operand.U8(unroll*l.count()), n)
	l.JMP(operand.LabelRef(twice))

	l.Label(once)
	l.CMPQ(n, operand.U8(l.count()))
	l.JLT(operand.LabelRef(tail))
	block(0)
	l.ADDQ(operand.U8(l.count()), i)
	l.SUBQ(operand.U8(l.count()), n)

	l.Label(tail)
	l.TESTQ(n, n)
	l.JEQ(operand.LabelRef(end))
	part := l.below(n, w.k.iota)
	c := l.vecs(len(w.columns))
	for j, b := range w.columns {
		l.loadPart(part, memory(b, i, 0), c[j])
	}
	v := l.vec()
	l.height(v, ops(c), w.dir)
	for _, e := range w.best {
		l.offer(e, v, at, part)
	}
	l.Label(end)
}

// search writes a kernel that searches one set of points, or planes, in one direction. The kernel
// takes the addresses of n rows.
func (l *lanes) search(kernel, signature, columns, dir string, k constants, results ...result) {
	l.Function(l.named(kernel))
	l.SignatureExpr(signature)
	w := &walk{k: k}
	for _, c := range strings.Fields(columns) {
		w.columns = append(w.columns, l.param(c))
	}
	for _, d := range strings.Fields(dir) {
		w.dir = append(w.dir, l.spread(d))
	}
	for _, r := range results {
		w.best = append(w.best, l.newExtreme(r.better, k))
	}
	l.over(w, l.param("n"), "")
	for i, r := range results {
		v, at := l.fold(w.best[i])
		l.VMOVSD(v, resolve(l.Return(r.value)))
		l.VMOVQ(at, resolve(l.Return(r.index)))
	}
	l.done()
}

// result names the results of an extreme: its value and its index.
type result struct {
	better       operand.U8
	value, index string
}

func interval(avx2, avx512 *lanes) {
	k := newConstants(avx2.Context)
	for _, l := range []*lanes{avx2, avx512} {
		l.search("interval", "func(x, y, z *float64, n int, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)",
			"x y z", "dx dy dz", k, result{less, "lo", "kLo"}, result{greater, "hi", "kHi"})
	}
}

func plane(avx2, avx512 *lanes) {
	k := newConstants(avx2.Context)
	for _, l := range []*lanes{avx2, avx512} {
		l.search("planeDistance", "func(nx, ny, nz, d *float64, n int, px, py, pz float64) (face int, max float64)",
			"nx ny nz d", "px py pz", k, result{greater, "max", "face"})
	}
}

func support(avx2, avx512 *lanes) {
	k := newConstants(avx2.Context)
	for _, l := range []*lanes{avx2, avx512} {
		l.search("support", "func(x, y, z *float64, n int, dx, dy, dz float64) (k int, max float64)",
			"x y z", "dx dy dz", k, result{greater, "max", "k"})
	}
	const pairs = "func(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) (done int)"
	avx2.pairsByVertex(pairs, k)
}
