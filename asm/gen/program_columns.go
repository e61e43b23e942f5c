package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// inColumn loads the base of a column, and returns the memory of the current lanes in it. size is
// the size of an item in bytes.
func (c *compiler) inColumn(column, size int) operand.Mem {
	slice, bytes := c.p.in(column)
	c.MOVQ(operand.Mem{Base: structureOf, Disp: sliceBytes * slice}, baseOf)
	return operand.Mem{Base: baseOf, Index: item, Scale: uint8(size), Disp: bytes}
}

const sliceBytes = 24

// gather looks up a column, alone or with its neighbours in a row. It does not use the gather
// instruction of AVX-512, which takes longer than single loads.
func (c *compiler) gather(i int, n node) {
	if c.alone || c.register[i] != none || c.slot[i] != none {
		return // In code for one item the number stays in memory until it is needed. Else the row was loaded with an earlier number.
	}
	if row := c.rows[i]; row != nil {
		c.loadRow(row)
		return
	}
	c.gatherByLoads(i, n)
}

// lanesOf returns the registers of the indices of the lanes. It loads them one by one, once for
// consecutive look-ups with one index.
func (c *compiler) lanesOf(index int) []reg.GPPhysical {
	lanes := laneIndices[:c.count()]
	if c.indexed != index {
		from := c.inColumn(c.p.nodes[index].of, 4)
		for lane, g := range lanes {
			c.MOVL(from.Offset(4*lane), g.As32())
		}
		c.indexed = index
	}
	return lanes
}

// gatherByLoads loads the numbers of the lanes in pairs, and joins the pairs.
func (c *compiler) gatherByLoads(i int, n node) {
	lanes := c.lanesOf(n.a)
	c.MOVQ(operand.Mem{Base: structureOf, Disp: sliceBytes * n.of}, baseOf)
	pairs := []reg.VecPhysical{vectors[1][c.filled(i)]}
	for len(pairs) < len(lanes)/2 {
		pairs = append(pairs, vectors[1][c.free()]) // empty again at the end, because no node gets it
	}
	for lane, g := range lanes {
		pair := pairs[lane/2].AsX()
		from := operand.Mem{Base: baseOf, Index: g, Scale: float64Bytes}
		if lane%2 == 0 {
			c.VMOVSD(from, pair)
		} else {
			c.VMOVHPD(from, pair, pair)
		}
	}
	if !c.wide {
		c.VINSERTF128(operand.U8(1), pairs[1].AsX(), pairs[0], pairs[0])
		return
	}
	// VINSERTF128 cannot use the upper sixteen registers.
	c.VINSERTF64X2(operand.U8(1), pairs[1].AsX(), pairs[0], pairs[0])
	c.VINSERTF64X2(operand.U8(1), pairs[3].AsX(), pairs[2], pairs[2])
	c.VINSERTF64X4(operand.U8(1), pairs[2], pairs[0].AsZ(), pairs[0].AsZ())
}

// storeColumn writes a column. Nodes that still need its old values are loaded first.
func (c *compiler) storeColumn(n node) {
	for _, old := range c.oldValues(n.of) {
		c.need(old)
	}
	v := c.need(n.a)
	c.move(v, c.inColumn(n.of, float64Bytes))
	c.release(n.a)
	c.written[n.of] = true
}

// leave jumps out of the loop unless the bits are as wanted.
func (c *compiler) leave(unless uint32) {
	if c.wide {
		c.indexed = none // bitsOf is one of laneIndices
	}
	c.CMPL(bitsOf.As32(), operand.U32(unless))
	if c.parts.count > 0 {
		c.JNE(operand.LabelRef("leave"))
	} else {
		c.JNE(operand.LabelRef("end"))
	}
}

func (c *compiler) test(n node) {
	if c.alone {
		c.testAlone(n)
		return
	}
	m := c.need(n.a)
	if c.wide {
		c.KMOVB(m, bitsOf.As32())
	} else {
		c.VMOVMSKPD(m, bitsOf.As32())
	}
	c.release(n.a)
	c.leave(1<<c.count() - 1)
}

// within compares the largest index of each lane with the length of the column, both as unsigned
// 32-bit numbers. A column may be longer than that. The kernel then leaves some items to the Go
// loop that it could have done.
func (c *compiler) within(n node) {
	if c.alone {
		c.withinAlone(n)
		return
	}
	args := n.args()
	top := c.need(args[0])
	if len(args) > 1 {
		most := c.half(c.free())
		for _, a := range args[1:] {
			c.VPMAXUD(c.need(a), top, most)
			top = most
		}
	}
	limit := c.half(c.free())
	c.VPBROADCASTD(operand.Mem{Base: structureOf, Disp: sliceBytes*n.of + 8}, limit)
	if c.wide {
		m := maskRegisters[c.freeMask()]
		c.VPCMPUD(operand.U8(1), limit, top, m) // less
		c.KMOVB(m, bitsOf.As32())
		c.leave(1<<c.count() - 1)
	} else {
		// An index is outside if it is the larger of itself and the length.
		c.VPMAXUD(top, limit, limit)
		c.VPCMPEQD(top, limit, limit)
		c.VMOVMSKPS(limit, bitsOf.As32())
		c.leave(0)
	}
	for _, a := range args {
		c.release(a)
	}
}
