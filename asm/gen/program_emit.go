package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pool says where the constants of a file are. Each constant is repeated as often as AVX2 has
// lanes, so that it can be an operand of AVX2 instructions.
type pool map[uint64]operand.Mem

// Bits for the change and the removal of a sign, and for the complement of a mask.
const (
	signBit  = 1 << 63
	signFree = signBit - 1
	allBits  = math.MaxUint64
)

// compilePrograms writes each program, already ordered, for AVX2 and AVX-512, and for one item if
// p.alone is set.
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
		for _, n := range p.nodes {
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
			compileProgram(l, p, k)
		}
		if p.alone {
			compileProgram(&lanes{Context: avx2.Context, alone: true}, p, k)
		}
	}
}

func compileProgram(l *lanes, p *program, k pool) {
	// The first run finds how many places on the stack the program needs. Its code is dropped.
	trial := newCompiler(&lanes{Context: build.NewContext(), wide: l.wide, alone: l.alone}, p, k)
	trial.function(0)
	newCompiler(l, p, k).function(len(trial.slots))
}

// function writes a whole kernel, with a stack frame for so many spilled registers.
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
		// A place that straddles two cache lines would cost twice. The frame itself is only aligned
		// to 8 bytes.
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
	for i, n := range c.p.nodes {
		c.at = i
		c.step(i, n)
		c.keep(i)
		c.next()
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
		// need or operand reads them later.
	case opGather:
		c.gather(i, n)
	case opAdd, opSub, opMul, opDiv, opLesser, opGreater:
		c.binary(i, n)
	case opSqrt:
		c.root(i, n)
	case opFlip:
		c.bitwise(i, n, signBit, c.VXORPD, c.VXORPD_BCST)
	case opAbs:
		c.bitwise(i, n, signFree, c.VANDPD, c.VANDPD_BCST)
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
		if c.parts.count > 0 {
			c.nextPart()
		}
	}
}

// result frees the registers of those arguments that are not read again, and returns a register for
// the result. That may be one of the freed registers, because an instruction reads all arguments
// before it writes.
func (c *compiler) result(i int, n node) reg.Register {
	for _, a := range n.args() {
		c.release(a)
	}
	c.unpin()
	if c.wide && n.isMask() {
		r := c.freeMask()
		c.register[i], c.masks[r] = r, i
		return maskRegisters[r]
	}
	return c.full(c.filled(i))
}

// need returns the register of a node. It loads the node if it has none, and keeps it there until
// the instruction is written.
func (c *compiler) need(n int) reg.Register {
	if c.wide && c.p.nodes[n].isMask() {
		return c.registerOf(n)
	}
	if r := c.register[n]; r != none {
		c.pinned[r] = true
		return c.registerOf(n)
	}
	r := c.filled(n)
	switch node := c.p.nodes[n]; {
	case node.op == opLoadIndex:
		load := c.VMOVDQU
		if c.wide {
			load = func(from, to operand.Op) { c.VMOVDQU32(from, to) } // reaches all registers
		}
		load(c.inColumn(node.of, 4), c.half(r))
	case node.op == opConstant && node.bits == 0:
		c.zero(c.full(r))
	default:
		if from, spread := c.inMemory(n); spread && !c.alone {
			c.VBROADCASTSD(from, c.full(r))
		} else {
			c.move(from, c.full(r))
		}
	}
	return c.registerOf(n)
}

// inMemory returns where the value of a node without a register is in memory. spread is true if
// this is one number for all lanes.
func (c *compiler) inMemory(n int) (m operand.Mem, spread bool) {
	node := c.p.nodes[n]
	switch {
	case c.slot[n] != none:
		return c.place(c.slot[n]), false
	case c.isHomed(n):
		return c.placeOfHome(n), false
	case node.op == opConstant:
		return c.pool[node.bits], true
	case node.op == opUniform:
		return c.uniform(node.of), true
	case node.op == opLoad && c.written[node.of]:
		panic(fmt.Sprintf("gen: %s: column %d is read after it was written", c.p.name, node.of))
	case node.op == opLoad:
		return c.inColumn(node.of, float64Bytes), false
	case node.op == opGather && c.alone:
		return c.tableNumber(node), false
	}
	panic(fmt.Sprintf("gen: %s: value %d is lost", c.p.name, n))
}

// uniform returns the memory of uniform j.
func (c *compiler) uniform(j int) operand.Mem {
	base := uniformsOf
	if c.parts.count > 0 {
		base = baseOf
		c.Load(c.Param("u"), base)
	}
	return operand.Mem{Base: base, Disp: float64Bytes * j}
}

// operand returns a node as an operand: its memory if possible, else its register. Memory is
// possible for a place on the stack, a constant, and a column that is not read again. spread is
// true if the memory holds one number and the instruction must spread it, as AVX-512 can.
func (c *compiler) operand(n int) (o operand.Op, spread bool) {
	if node := c.p.nodes[n]; c.register[n] == none && !node.isMask() {
		once := c.uses[n][len(c.uses[n])-1] == c.at
		stays := c.slot[n] != none || c.isHomed(n)
		switch node.op {
		case opConstant:
			stays = stays || node.bits != 0
		case opUniform:
			stays = stays || c.wide || c.alone && once
		case opLoad, opGather:
			stays = stays || once
		}
		if stays {
			m, spread := c.inMemory(n)
			return m, spread && c.wide
		}
	}
	return c.need(n), false
}

// binary writes an instruction on two values. The second may be in memory; the arguments of a sum
// or a product may swap. A value in memory stays there, so the result may take either register.
func (c *compiler) binary(i int, n node) {
	a, b := n.a, n.b
	if swaps := n.op == opAdd || n.op == opMul; swaps && c.register[a] == none && c.register[b] != none {
		a, b = b, a
	}
	left := c.need(a)
	right, spread := c.operand(b)
	dst := c.result(i, n)
	one, plain, spreading := c.arithmetic(n.op)
	switch {
	case c.alone:
		one(right, left, dst)
	case spread:
		spreading(right, left, dst)
	default:
		plain(right, left, dst)
	}
}

// arithmetic returns the instructions of an operation: on one number, on all lanes, and on all
// lanes with one number for all as the second operand.
func (c *compiler) arithmetic(op operation) (one, plain, spreading func(...operand.Op)) {
	switch op {
	case opAdd:
		return c.VADDSD, c.VADDPD, c.VADDPD_BCST
	case opSub:
		return c.VSUBSD, c.VSUBPD, c.VSUBPD_BCST
	case opMul:
		return c.VMULSD, c.VMULPD, c.VMULPD_BCST
	case opLesser:
		return c.VMINSD, c.VMINPD, c.VMINPD_BCST
	case opGreater:
		return c.VMAXSD, c.VMAXPD, c.VMAXPD_BCST
	}
	return c.VDIVSD, c.VDIVPD, c.VDIVPD_BCST
}

func (c *compiler) root(i int, n node) {
	if c.alone {
		v := c.need(n.a)
		c.VSQRTSD(v, v, c.result(i, n))
		return
	}
	v, spread := c.operand(n.a)
	if dst := c.result(i, n); spread {
		c.VSQRTPD_BCST(v, dst)
	} else {
		c.VSQRTPD(v, dst)
	}
}

// bitwise combines a value with a constant of bits.
func (c *compiler) bitwise(i int, n node, bits uint64, plain, spreading func(...operand.Op)) {
	v := c.need(n.a)
	dst := c.result(i, n)
	if c.wide {
		spreading(c.pool[bits], v, dst)
	} else {
		plain(c.pool[bits], v, dst)
	}
}

func (c *compiler) compareNodes(i int, n node) {
	left := c.need(n.a)
	right, spread := c.operand(n.b)
	dst := c.result(i, n)
	switch {
	case c.alone:
		c.VCMPSD(operand.U8(n.of), right, left, dst)
	case spread:
		c.VCMPPD_BCST(operand.U8(n.of), right, left, dst)
	default:
		c.VCMPPD(operand.U8(n.of), right, left, dst)
	}
}

func (c *compiler) logic(i int, n node) {
	a := c.need(n.a)
	var b operand.Op
	if n.op != opNot {
		b = c.need(n.b)
	}
	dst := c.result(i, n)
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
	m, no := c.need(n.a), c.need(n.c)
	var yes operand.Op
	spread := false
	if c.alone {
		yes = c.need(n.b) // As a memory operand it would be two numbers wide.
	} else {
		yes, spread = c.operand(n.b)
	}
	dst := c.result(i, n)
	switch {
	case spread:
		c.VBLENDMPD_BCST(yes, no, m, dst)
	case c.wide:
		c.VBLENDMPD(yes, no, m, dst)
	default:
		c.VBLENDVPD(m, yes, no, dst)
	}
}
