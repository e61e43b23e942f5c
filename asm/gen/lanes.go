package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMPPD. All are quiet. With a NaN, an ordered predicate (O) is false and an
// unordered one (U) true.
const (
	equal          = operand.U8(0)  // EQ_OQ
	notEqual       = operand.U8(4)  // NEQ_UQ
	notLess        = operand.U8(21) // NLT_UQ
	less           = operand.U8(17) // LT_OQ
	lessOrEqual    = operand.U8(18) // LE_OQ
	greaterOrEqual = operand.U8(29) // GE_OQ
	greater        = operand.U8(30) // GT_OQ
)

const float64Bytes = 8

// lanes writes vector code of one width: four float64 with vectors as masks (AVX2), or eight with
// mask registers (AVX-512, wide). For lane programs it also writes code for one float64 (alone).
// Operands of avo's methods are in Go's order, destination last. The methods here name theirs.
type lanes struct {
	*build.Context
	wide, alone bool
}

// count returns the number of float64 in a register.
func (l *lanes) count() int {
	switch {
	case l.alone:
		return 1
	case l.wide:
		return 8
	}
	return 4
}

// aloneSuffix ends the names of kernels for one item.
const aloneSuffix = "Alone"

// named returns the name of a kernel at this width, such as supportAVX2.
func (l *lanes) named(kernel string) string {
	switch {
	case l.alone:
		return kernel + aloneSuffix
	case l.wide:
		return kernel + "AVX512"
	}
	return kernel + "AVX2"
}

func (l *lanes) vec() reg.VecVirtual {
	if l.wide {
		return l.ZMM()
	}
	return l.YMM()
}

// words returns a register for one 32-bit number per lane.
func (l *lanes) words() reg.VecVirtual {
	if l.wide {
		return l.YMM()
	}
	return l.XMM()
}

// loadWords loads consecutive 32-bit numbers of a column, from i on.
func (l *lanes) loadWords(column, i reg.Register) reg.VecVirtual {
	v := l.words()
	l.VMOVDQU(word(column, i), v)
	return v
}

// spreadWord sets all 32-bit numbers of a register to n.
func (l *lanes) spreadWord(n reg.Register, v reg.VecVirtual) {
	l.VMOVD(n.(reg.GP).As32(), v.AsX())
	l.VPBROADCASTD(v.AsX(), v)
}

// spreadAll returns n registers. All lanes of each hold one of the n 64-bit numbers at from.
func (l *lanes) spreadAll(from operand.Mem, n int) []reg.VecVirtual {
	v := l.vecs(n)
	for k := range v {
		l.VPBROADCASTQ(from.Offset(8*k), v[k])
	}
	return v
}

func (l *lanes) vecs(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = l.vec()
	}
	return v
}

func (l *lanes) mask() reg.Register {
	if l.wide {
		return l.K()
	}
	return l.YMM()
}

// compare returns the mask of the lanes for which a, predicate, b holds.
func (l *lanes) compare(predicate operand.U8, a, b operand.Op) reg.Register {
	m := l.mask()
	l.VCMPPD(predicate, b, a, m)
	return m
}

// and removes from m the lanes that are not in the other mask.
func (l *lanes) and(m, with reg.Register) {
	if l.wide {
		l.KANDB(with, m, m)
	} else {
		l.VANDPD(with, m, m)
	}
}

// pick copies the lanes of src that are in m to dst.
func (l *lanes) pick(m, src, dst reg.Register) {
	if l.wide {
		l.VMOVAPD(src, m, dst)
	} else {
		l.VBLENDVPD(m, src, dst, dst)
	}
}

// loadPart loads the lanes that are in m, and sets the other lanes to 0 without an access to their
// memory.
func (l *lanes) loadPart(m reg.Register, src operand.Mem, dst reg.Register) {
	if l.wide {
		l.VMOVUPD_Z(src, m, dst)
	} else {
		l.VMASKMOVPD(src, m, dst)
	}
}

// below returns the mask of the lanes whose number is less than n.
func (l *lanes) below(n reg.GPVirtual, iota operand.Op) reg.Register {
	m, limit := l.mask(), l.vec()
	if l.wide {
		l.VPBROADCASTQ(n, limit)
	} else {
		l.VMOVQ(n, limit.AsX())
		l.VPBROADCASTQ(limit.AsX(), limit)
	}
	l.VPCMPGTQ(iota, limit, m)
	return m
}

func (l *lanes) zero(v reg.Register) { l.VXORPD(v, v, v) }

// storeWords stores the low halves of the 64-bit numbers of a register.
func (l *lanes) storeWords(v reg.VecVirtual, dst operand.Mem) {
	if l.wide {
		l.VPMOVQD(v, dst)
		return
	}
	high := l.XMM()
	l.VEXTRACTF128(operand.U8(1), v, high)
	l.VSHUFPS(operand.U8(0x88), high, v.AsX(), high)
	l.VMOVUPS(high, dst)
}

// done ends a function. It clears the upper halves of the registers, because older instructions
// would be slow otherwise.
func (l *lanes) done() {
	if !l.alone {
		l.VZEROUPPER()
	}
	l.RET()
}

func (l *lanes) param(name string) reg.GPVirtual {
	return l.Load(l.Param(name), l.GP64()).(reg.GPVirtual)
}

func (l *lanes) base(name string) reg.GPVirtual {
	return l.Load(l.Param(name).Base(), l.GP64()).(reg.GPVirtual)
}

func (l *lanes) length(name string) reg.GPVirtual {
	return l.Load(l.Param(name).Len(), l.GP64()).(reg.GPVirtual)
}

func (l *lanes) bases(names ...string) []reg.GPVirtual {
	r := make([]reg.GPVirtual, len(names))
	for i, n := range names {
		r[i] = l.base(n)
	}
	return r
}

// spread returns a register with a float64 argument in all lanes.
func (l *lanes) spread(name string) reg.VecVirtual {
	v := l.vec()
	l.VBROADCASTSD(resolve(l.Param(name)), v)
	return v
}

// resolve returns the address of an argument or a result. An unknown name is a bug of the
// generator.
func resolve(c gotypes.Component) operand.Mem {
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// memory returns the address of a float64 in a column: base[index+offset].
func memory(base, index reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: float64Bytes, Disp: float64Bytes * offset}
}

// word returns the address of a uint32 in a column.
func word(base, index reg.Register) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: 4}
}

func ops[R operand.Op](r []R) []operand.Op {
	o := make([]operand.Op, len(r))
	for i, v := range r {
		o[i] = v
	}
	return o
}

// constants are the read-only numbers of a file.
type constants struct {
	iota   operand.Mem // 0 to 7, as 64-bit numbers
	lowest operand.Mem // -Inf
	top    operand.Mem // +Inf
	step   operand.Mem // 4 and 8, as 64-bit numbers
}

func newConstants(c *build.Context) constants {
	var k constants
	k.iota = global(c, "iota", 0, 1, 2, 3, 4, 5, 6, 7)
	inf := global(c, "infinities", math.Float64bits(math.Inf(-1)), math.Float64bits(math.Inf(1)))
	k.lowest, k.top = inf, inf.Offset(8)
	k.step = global(c, "steps", 4, 8)
	return k
}

// every returns the 64-bit number n, which advances n lanes.
func (k constants) every(n int) operand.Mem {
	if n == 8 {
		return k.step.Offset(8)
	}
	return k.step
}

func global(c *build.Context, name string, words ...uint64) operand.Mem {
	m := c.StaticGlobal(name)
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, w := range words {
		c.AddDatum(8*i, operand.U64(w))
	}
	return m
}

// andBits and orBits combine two registers, of which the first may be memory.
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
