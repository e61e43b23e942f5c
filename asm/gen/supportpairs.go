package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairsByVertex writes SupportPairs. As in Support, the points of a set are in the lanes. The code
// searches four sets one after the other, then folds the lanes of the four together. It exists only
// for AVX2: with AVX-512, gathering the points of eight sets, one set a lane, was slower from 8
// points on. The kernel returns how many queries it has done, a multiple of four. It stops if fewer
// than four remain, and before four if one set is outside of the points.
func (l *lanes) pairsByVertex(signature string, k constants) {
	const group = 4
	l.Function(l.named("supportPairs"))
	l.SignatureExpr(signature)
	values, indices := l.AllocLocal(group*32), l.AllocLocal(group*32)
	x := l.bases("x", "y", "z")
	q, j, end := l.GP64(), l.GP64(), l.GP64()
	l.XORQ(q, q)
	l.XORQ(j, j)

	l.Label("queries")
	l.LEAQ(operand.Mem{Base: q, Disp: group}, end)
	l.CMPQ(end, resolve(l.Param("first").Len()))
	l.JGT(operand.LabelRef("end"))
	l.Label("query")
	from, n, last := l.GP64(), l.GP64(), l.GP64()
	l.MOVL(word(l.base("first"), q), from.As32())
	l.MOVL(word(l.base("count"), q), n.As32())
	l.LEAQ(operand.Mem{Base: from, Index: n, Scale: 1}, last)
	l.CMPQ(last, resolve(l.Param("x").Len()))
	l.JGT(operand.LabelRef("outside"))
	w := &walk{k: k, best: []*extreme{l.newExtreme(greater, k)}}
	for _, b := range x {
		p := l.GP64()
		l.LEAQ(memory(b, from, 0), p)
		w.columns = append(w.columns, p)
	}
	for _, name := range []string{"dx", "dy", "dz"} {
		d := l.vec()
		l.VBROADCASTSD(memory(l.base(name), q, 0), d)
		w.dir = append(w.dir, d)
	}
	l.over(w, n, "_set")
	l.VMOVUPD(w.best[0].value, values.Idx(j, 1))
	l.VMOVUPD(w.best[0].index, indices.Idx(j, 1))
	l.ADDQ(operand.U8(32), j)
	l.INCQ(q)
	l.CMPQ(q, end)
	l.JLT(operand.LabelRef("query"))

	// Lane i of v[j] is now the result of lane j for query i.
	l.XORQ(j, j)
	v, at := l.transposed(values), l.transposed(indices)
	l.merge(greater, v[0], at[0], v[1], at[1])
	l.merge(greater, v[2], at[2], v[3], at[3])
	l.merge(greater, v[0], at[0], v[2], at[2])
	value, index := memory(l.base("value"), q, -group), word(l.base("index"), q)
	index.Disp = -4 * group
	l.VMOVUPD(v[0], value)
	l.storeWords(at[0], index)
	l.JMP(operand.LabelRef("queries"))

	l.Label("outside")
	l.LEAQ(operand.Mem{Base: end, Disp: -group}, q)
	l.Label("end")
	l.Store(q, l.Return("done"))
	l.done()
}

// transposed loads a matrix of four rows of four, and returns its columns.
func (l *lanes) transposed(rows operand.Mem) []reg.VecVirtual {
	r, half, c := l.vecs(4), l.vecs(4), l.vecs(4)
	for i := range r {
		l.VMOVUPD(rows.Offset(32*i), r[i])
	}
	for i := range 2 {
		l.VUNPCKLPD(r[2*i+1], r[2*i], half[2*i])
		l.VUNPCKHPD(r[2*i+1], r[2*i], half[2*i+1])
	}
	for i := range 2 {
		l.VPERM2F128(operand.U8(0x20), half[i+2], half[i], c[i])
		l.VPERM2F128(operand.U8(0x31), half[i+2], half[i], c[i+2])
	}
	return c
}
