package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// single writes the instructions of a program for one item at a time, for processors with AVX. A register of lanes has to put together
// what a program looks up, and waits until stores of single numbers are in the cache before it can load four at once. One item needs
// neither: what it reads is an operand in memory, where it stands.
type single struct {
	*lanes
	registers
	pool  pool
	rows  [len(rowRegisters)]tableRow // by register
	clock int
}

// tableRow is which row of a table a general register has the address of, and when it was used last.
type tableRow struct {
	column, index int
	used          int
}

// rowRegisters are the general registers for addresses of rows. compiler names the others.
var rowRegisters = [...]reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.R14, reg.R15}

// aloneSuffix is that of the kernels' names.
const aloneSuffix = "Alone"

func newSingle(l *lanes, p *program, k pool) *single {
	c := &single{lanes: l, pool: k}
	for r := range c.rows {
		c.rows[r].index = none
	}
	c.registers = newRegisters(p, len(vectors[0]), 0, false, func(register, place int) {
		c.VMOVSD(vectors[0][register], c.place(place))
	})
	c.inTables = true
	return c
}

// place is a place on the stack.
func (c *single) place(s int) operand.Mem {
	return operand.Mem{Base: reg.StackPointer, Disp: float64Bytes * s}
}

// function writes a whole kernel with room for spilled registers.
func (c *single) function(spilled int) {
	c.Function(c.p.name + aloneSuffix)
	c.SignatureExpr("func(c **float64, u *float64, lo, hi int) (next int)")
	c.Load(c.Param("c"), structureOf)
	c.Load(c.Param("u"), uniformsOf)
	c.Load(c.Param("lo"), item)
	c.Load(c.Param("hi"), last)
	if spilled > 0 {
		c.AllocLocal(float64Bytes * spilled)
	}
	c.Label("items")
	c.CMPQ(item, last)
	c.JGE(operand.LabelRef("end"))
	live := c.p.live()
	for i, n := range c.p.nodes {
		if c.at = i; live[i] {
			c.step(i, n)
			c.next()
		}
	}
	c.INCQ(item)
	c.JMP(operand.LabelRef("items"))
	c.Label("end")
	c.Store(item, c.Return("next"))
	c.RET()
}

// step writes the instructions of one node.
func (c *single) step(i int, n node) {
	switch n.op {
	case opConstant, opUniform, opLoad, opLoadIndex, opGather:
		// Once something needs them.
	case opPart:
		// One item waits for each part anyhow.
	case opSqrt:
		v := c.need(n.a)
		c.result(i, n.a, none, none, func(to reg.VecPhysical) { c.VSQRTSD(v, v, to) })
	case opFlip, opAbs, opNot:
		v := c.need(n.a)
		c.result(i, n.a, none, none, func(to reg.VecPhysical) { c.bits(n.op, v, to) })
	case opCompare:
		left := c.need(n.a)
		right := c.operand(n.b)
		c.result(i, n.a, n.b, none, func(to reg.VecPhysical) { c.VCMPSD(operand.U8(n.of), right, left, to) })
	case opAnd, opOr:
		a, b := c.need(n.a), c.need(n.b)
		c.result(i, n.a, n.b, none, func(to reg.VecPhysical) {
			if n.op == opAnd {
				c.VANDPD(b, a, to)
			} else {
				c.VORPD(b, a, to)
			}
		})
	case opPick:
		m, no, yes := c.need(n.a), c.need(n.c), c.need(n.b)
		c.result(i, n.a, n.b, n.c, func(to reg.VecPhysical) { c.VBLENDVPD(m, yes, no, to) })
	case opStore:
		for _, old := range c.oldValues(n.of) {
			c.need(old)
		}
		v := c.need(n.a)
		c.VMOVSD(v, c.inColumn(n.of, float64Bytes))
		c.release(n.a)
		c.written[n.of] = true
	case opWithin:
		for _, a := range n.args() {
			index := rowRegisters[c.row(none, a)]
			c.CMPQ(index, operand.Mem{Base: structureOf, Disp: sliceBytes*n.of + 8})
			c.JGE(operand.LabelRef("end"))
			c.release(a)
		}
	case opTest:
		c.VMOVMSKPD(c.need(n.a), bitsOfOne.As32())
		c.release(n.a)
		c.ANDQ(operand.U8(1), bitsOfOne)
		c.JEQ(operand.LabelRef("end"))
	default:
		c.binary(i, n.op, n.a, n.b)
	}
}

// bitsOfOne is the general register of a test.
var bitsOfOne = reg.RSI

// result ends an instruction on up to three values: it frees the registers of those that are not read again, and write gets that of
// the value of node i.
func (c *single) result(i, a, b, d int, write func(to reg.VecPhysical)) {
	for _, arg := range [...]int{a, b, d} {
		if arg != none {
			c.release(arg)
		}
	}
	c.unpin()
	r := c.free()
	c.give(i, r)
	write(vectors[0][r])
}

// bits changes or clears a sign, or complements a mask.
func (c *single) bits(op operation, v, to reg.VecPhysical) {
	switch op {
	case opFlip:
		c.VXORPD(c.pool[signBit], v, to)
	case opAbs:
		c.VANDPD(c.pool[signFree], v, to)
	default:
		c.VXORPD(c.pool[allBits], v, to)
	}
}

// binary writes an instruction on two values. The second can be in memory; a sum or a product may swap.
func (c *single) binary(i int, op operation, a, b int) {
	if swaps := op == opAdd || op == opMul; swaps && c.register[a] == none && c.register[b] != none {
		a, b = b, a
	}
	left := c.need(a)
	right := c.operand(b)
	write := map[operation]func(...operand.Op){
		opAdd: c.VADDSD, opSub: c.VSUBSD, opMul: c.VMULSD, opDiv: c.VDIVSD, opLesser: c.VMINSD, opGreater: c.VMAXSD,
	}[op]
	c.result(i, a, b, none, func(to reg.VecPhysical) { write(right, left, to) })
}

// need returns the register of a node and keeps it there until the instruction is written.
func (c *single) need(n int) reg.VecPhysical {
	if r := c.register[n]; r != none {
		c.pinned[r] = true
		return vectors[0][r]
	}
	r := c.free()
	c.give(n, r)
	to := vectors[0][r]
	if node := c.p.nodes[n]; node.op == opConstant && node.bits == 0 {
		c.VXORPD(to, to, to)
	} else {
		c.VMOVSD(c.inMemory(n), to)
	}
	return to
}

// operand returns a node where it can stand in memory: a place on the stack, a constant, and what is read this once.
func (c *single) operand(n int) operand.Op {
	node := c.p.nodes[n]
	onStack, once := c.slot[n] != none, c.uses[n][len(c.uses[n])-1] == c.at
	if c.register[n] == none && (onStack || once || node.op == opConstant) && !(node.op == opConstant && node.bits == 0) {
		return c.inMemory(n)
	}
	return c.need(n)
}

// inMemory is where a value stands in memory, of one that has no register.
func (c *single) inMemory(n int) operand.Mem {
	node := c.p.nodes[n]
	switch {
	case c.slot[n] != none:
		return c.place(c.slot[n])
	case node.op == opConstant:
		return c.pool[node.bits]
	case node.op == opUniform:
		return operand.Mem{Base: uniformsOf, Disp: float64Bytes * node.of}
	case node.op == opLoad:
		if c.written[node.of] {
			panic(fmt.Sprintf("gen: %s: column %d is read after it was written", c.p.name, node.of))
		}
		return c.inColumn(node.of, float64Bytes)
	case node.op == opGather:
		column, offset := node.of, 0
		if l := c.p.layout; l != nil && l.fields[column].shifted {
			column, offset = int(l.column(l.fields[column].array)), l.fields[column].at
		}
		return operand.Mem{Base: rowRegisters[c.row(column, node.a)], Disp: float64Bytes * offset}
	}
	panic(fmt.Sprintf("gen: %s: value %d is lost", c.p.name, n))
}

// row returns which register has the address of a table's row; of no column, the index itself.
func (c *single) row(column, index int) (r int) {
	c.clock++
	for k, row := range c.rows {
		if row.index == index && row.column == column {
			c.rows[k].used = c.clock
			return k
		}
		if row.used < c.rows[r].used {
			r = k
		}
	}
	c.rows[r] = tableRow{column, index, c.clock}
	to := rowRegisters[r]
	c.MOVL(c.inColumn(c.p.nodes[index].of, 4), to.As32())
	if column != none {
		c.MOVQ(operand.Mem{Base: structureOf, Disp: sliceBytes * column}, baseOf)
		c.LEAQ(operand.Mem{Base: baseOf, Index: to, Scale: float64Bytes}, to)
	}
	return r
}

// inColumn is the item of a column of items of a size, whose base it loads.
func (c *single) inColumn(column, size int) operand.Mem {
	slice, bytes := c.p.in(column)
	c.MOVQ(operand.Mem{Base: structureOf, Disp: sliceBytes * slice}, baseOf)
	return operand.Mem{Base: baseOf, Index: item, Scale: uint8(size), Disp: bytes}
}
