package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pool is where a file's constants are: each as often as AVX2 has lanes, so that it can be an operand there.
type pool map[uint64]operand.Mem

// Bits that the change and the removal of a sign and the complement of a mask need.
const (
	signBit  = 1 << 63
	signFree = signBit - 1
	allBits  = math.MaxUint64
)

// compilePrograms writes each program for AVX2 and for AVX-512.
func compilePrograms(avx2, avx512 *lanes, programs ...*program) {
	k := pool{}
	var words []uint64
	put := func(bits uint64) {
		if _, known := k[bits]; !known {
			k[bits] = operand.Mem{Disp: float64Bytes * len(words)}
			words = append(words, bits, bits, bits, bits)
		}
	}
	for _, p := range programs {
		live := p.live()
		for i, n := range p.nodes {
			if !live[i] {
				continue
			}
			switch n.op {
			case opConstant:
				put(n.bits)
			case opFlip:
				put(signBit)
			case opAbs:
				put(signFree)
			case opNot:
				put(allBits)
			}
		}
	}
	if len(words) > 0 {
		at := global(avx2.Context, "numbers", words...)
		for bits, m := range k {
			k[bits] = at.Offset(m.Disp)
		}
	}
	for _, p := range programs {
		for _, l := range []*lanes{avx2, avx512} {
			// A first run, thrown away, says how much of the stack it takes.
			trial := newCompiler(&lanes{Context: build.NewContext(), wide: l.wide}, p, k)
			trial.function(0)
			newCompiler(l, p, k).function(len(trial.slots))
		}
		if p.alone != nil {
			trial := newSingle(&lanes{Context: build.NewContext()}, p.alone, k)
			trial.function(0)
			newSingle(avx2, p.alone, k).function(len(trial.slots))
		}
	}
}

// function writes a whole kernel with room for spilled registers.
func (c *compiler) function(spilled int) {
	c.Function(c.named(c.p.name))
	c.SignatureExpr("func(c **float64, u *float64, lo, hi int) (next int)")
	c.Load(c.Param("c"), structureOf)
	c.Load(c.Param("u"), uniformsOf)
	c.Load(c.Param("lo"), item)
	c.Load(c.Param("hi"), last)
	c.SUBQ(operand.U8(c.count()), last)
	if c.parts.count > 0 {
		c.homesAt = (spilled + 1) * c.bytes()
		spilled += 1 + partGroups*c.parts.homes
	}
	if spilled > 0 {
		// A place that straddles two cache lines would cost twice. The frame itself is aligned to 8.
		frame := c.AllocLocal(spilled*c.bytes() + c.bytes() - float64Bytes)
		c.LEAQ(frame.Offset(c.bytes()-float64Bytes), frameOf)
		c.ANDQ(operand.I8(-c.bytes()), frameOf)
	}
	c.Label("items")
	c.CMPQ(item, last)
	c.JGT(operand.LabelRef("end"))
	if c.parts.count > 0 {
		c.beginParts()
	}
	live := c.p.live()
	for i, n := range c.p.nodes {
		if c.at = i; live[i] {
			c.step(i, n)
			c.keep(i)
			c.next()
		}
	}
	if c.parts.count > 0 {
		c.endPart()
	} else {
		c.ADDQ(operand.U8(c.count()), item)
	}
	c.JMP(operand.LabelRef("items"))
	if c.parts.count > 0 {
		c.leaveParts()
	}
	c.Label("end")
	c.Store(item, c.Return("next"))
	c.done()
}

// step writes the instructions of one node.
func (c *compiler) step(i int, n node) {
	switch n.op {
	case opConstant, opUniform, opLoad, opLoadIndex:
		// Once something needs them.
	case opGather:
		c.gather(i, n)
	case opAdd, opSub, opMul, opDiv, opLesser, opGreater:
		c.binary(i, n.op, n.a, n.b)
	case opSqrt:
		v, _ := c.operand(n.a, false)
		c.release(n.a)
		c.unpin()
		c.VSQRTPD(v, c.full(c.result(i)))
	case opFlip:
		c.bitwise(i, n.a, signBit, c.VXORPD, c.VXORPD_BCST)
	case opAbs:
		c.bitwise(i, n.a, signFree, c.VANDPD, c.VANDPD_BCST)
	case opCompare:
		c.compareNodes(i, n)
	case opAnd, opOr, opNot:
		c.logic(i, n)
	case opPick:
		c.pickNodes(i, n)
	case opStore:
		c.storeColumn(n)
	case opWithin:
		c.within(n)
	case opTest:
		c.test(n)
	case opPart:
		c.nextPart()
	}
}

// result is the register for the value of node i.
func (c *compiler) result(i int) int {
	r := c.free()
	c.give(i, r)
	return r
}

// need returns the register of a node and keeps it there until the instruction is written.
func (c *compiler) need(n int) reg.Register {
	if c.wide && c.p.nodes[n].isMask() {
		return c.shown(n)
	}
	if r := c.register[n]; r != none {
		c.pinned[r] = true
		return c.shown(n)
	}
	r := c.free()
	c.give(n, r)
	node := c.p.nodes[n]
	switch {
	case c.slot[n] != none:
		c.VMOVUPD(c.place(c.slot[n]), c.full(r))
	case c.parts.count > 0 && c.parts.homed[n]:
		c.VMOVUPD(c.placeOfHome(n), c.full(r))
	case node.op == opConstant && node.bits == 0:
		c.zero(c.full(r))
	case node.op == opConstant:
		c.VBROADCASTSD(c.pool[node.bits], c.full(r))
	case node.op == opUniform:
		c.VBROADCASTSD(c.uniform(node.of), c.full(r))
	case node.op == opLoad:
		if c.written[node.of] {
			panic(fmt.Sprintf("gen: %s: column %d is read after it was written", c.p.name, node.of))
		}
		c.VMOVUPD(c.inColumn(node.of, float64Bytes), c.full(r))
	case node.op == opLoadIndex:
		load := c.VMOVDQU
		if c.wide {
			load = func(from, to operand.Op) { c.VMOVDQU32(from, to) } // reaches all registers
		}
		load(c.inColumn(node.of, 4), c.half(r))
	default:
		panic(fmt.Sprintf("gen: %s: value %d is lost", c.p.name, n))
	}
	return c.shown(n)
}

// uniform is a uniform in memory.
func (c *compiler) uniform(j int) operand.Mem {
	base := uniformsOf
	if c.parts.count > 0 {
		base = baseOf
		c.Load(c.Param("u"), base)
	}
	return operand.Mem{Base: base, Disp: float64Bytes * j}
}

// operand returns a node where it can stand in memory: a place on the stack, a constant, a column that is
// read this once. spread says that the memory holds one number for all lanes, which only AVX-512 takes,
// where the instruction has such a form.
func (c *compiler) operand(n int, canSpread bool) (o operand.Op, spread bool) {
	node := c.p.nodes[n]
	if c.register[n] == none && !node.isMask() {
		switch {
		case c.slot[n] != none:
			return c.place(c.slot[n]), false
		case c.parts.count > 0 && c.parts.homed[n]:
			return c.placeOfHome(n), false
		case node.op == opConstant && node.bits != 0 && !c.wide:
			return c.pool[node.bits], false
		case node.op == opConstant && node.bits != 0 && canSpread:
			return c.pool[node.bits], true
		case node.op == opUniform && c.wide && canSpread:
			return c.uniform(node.of), true
		case node.op == opLoad && !c.written[node.of] && c.uses[n][len(c.uses[n])-1] == c.at:
			return c.inColumn(node.of, float64Bytes), false
		}
	}
	return c.need(n), false
}

// binary writes an instruction on two values. The second can be in memory; a sum or a product may swap.
func (c *compiler) binary(i int, op operation, a, b int) {
	if swaps := op == opAdd || op == opMul; swaps && c.register[a] == none && c.register[b] != none {
		a, b = b, a
	}
	left := c.need(a)
	right, spread := c.operand(b, true)
	c.release(a)
	c.release(b)
	c.unpin()
	// What is in memory stays there: the result may take the register of either, as both are read first.
	dst := c.full(c.result(i))
	plain, spreading := c.arithmetic(op)
	if spread {
		spreading(right, left, dst)
	} else {
		plain(right, left, dst)
	}
}

func (c *compiler) arithmetic(op operation) (plain, spreading func(...operand.Op)) {
	switch op {
	case opAdd:
		return c.VADDPD, c.VADDPD_BCST
	case opSub:
		return c.VSUBPD, c.VSUBPD_BCST
	case opMul:
		return c.VMULPD, c.VMULPD_BCST
	case opLesser:
		return c.VMINPD, c.VMINPD_BCST
	case opGreater:
		return c.VMAXPD, c.VMAXPD_BCST
	}
	return c.VDIVPD, c.VDIVPD_BCST
}

// bitwise combines a value with a constant of bits.
func (c *compiler) bitwise(i, a int, bits uint64, plain, spreading func(...operand.Op)) {
	v := c.need(a)
	c.release(a)
	c.unpin()
	dst := c.full(c.result(i))
	if c.wide {
		spreading(c.pool[bits], v, dst)
	} else {
		plain(c.pool[bits], v, dst)
	}
}

// resultMask is the register for a mask.
func (c *compiler) resultMask(i int) reg.Register {
	if !c.wide {
		return c.full(c.result(i))
	}
	r := c.freeMask()
	c.register[i], c.masks[r] = r, i
	return maskRegisters[r]
}

func (c *compiler) compareNodes(i int, n node) {
	left := c.need(n.a)
	right, spread := c.operand(n.b, true)
	c.release(n.a)
	c.release(n.b)
	c.unpin()
	dst := c.resultMask(i)
	if spread {
		c.VCMPPD_BCST(operand.U8(n.of), right, left, dst)
	} else {
		c.VCMPPD(operand.U8(n.of), right, left, dst)
	}
}

func (c *compiler) logic(i int, n node) {
	a := c.need(n.a)
	var b operand.Op
	if n.op != opNot {
		b = c.need(n.b)
		c.release(n.b)
	}
	c.release(n.a)
	c.unpin()
	dst := c.resultMask(i)
	switch {
	case n.op == opNot && c.wide:
		c.KNOTB(a, dst)
	case n.op == opNot:
		c.VXORPD(c.pool[allBits], a, dst)
	case n.op == opAnd && c.wide:
		c.KANDB(b, a, dst)
	case n.op == opAnd:
		c.VANDPD(b, a, dst)
	case c.wide:
		c.KORB(b, a, dst)
	default:
		c.VORPD(b, a, dst)
	}
}

func (c *compiler) pickNodes(i int, n node) {
	m := c.need(n.a)
	no := c.need(n.c)
	yes, spread := c.operand(n.b, true)
	c.release(n.a)
	c.release(n.b)
	c.release(n.c)
	c.unpin()
	dst := c.full(c.result(i))
	switch {
	case spread:
		c.VBLENDMPD_BCST(yes, no, m, dst)
	case c.wide:
		c.VBLENDMPD(yes, no, m, dst)
	default:
		c.VBLENDVPD(m, yes, no, dst)
	}
}
