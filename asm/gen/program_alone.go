package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Machine code for one item at a time needs AVX. A register of lanes first has to collect the
// numbers that a program looks up. It also has to wait until stores of single numbers have reached
// the cache, before it can load four of them at once. Code for one item avoids both: its memory
// operands are the numbers themselves.

// tableRow names the row of a table whose address a general register holds, and when it was last
// used.
type tableRow struct {
	column, index int
	used          int
}

// tableRegisters are the general registers for addresses of rows.
var tableRegisters = [...]reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.R14, reg.R15}

// tableNumber returns the memory of a looked-up number.
func (c *compiler) tableNumber(n node) operand.Mem {
	column, offset := n.of, 0
	if l := c.p.layout; l != nil && l.fields[column].shifted {
		column, offset = int(l.column(l.fields[column].array)), l.fields[column].at
	}
	return operand.Mem{Base: c.row(column, n.a), Disp: float64Bytes * offset}
}

// row returns the register that holds the address of a row of a table. If column is none, the
// register holds the index itself.
func (c *compiler) row(column, index int) reg.GPPhysical {
	c.clock++
	r := 0
	for k, row := range c.tables {
		if row.index == index && row.column == column {
			c.tables[k].used = c.clock
			return tableRegisters[k]
		}
		if row.used < c.tables[r].used {
			r = k
		}
	}
	c.tables[r] = tableRow{column, index, c.clock}
	to := tableRegisters[r]
	c.MOVL(c.inColumn(c.p.nodes[index].of, 4), to.As32())
	if column != none {
		c.MOVQ(operand.Mem{Base: structureOf, Disp: sliceBytes * column}, baseOf)
		c.LEAQ(operand.Mem{Base: baseOf, Index: to, Scale: float64Bytes}, to)
	}
	return to
}

// withinAlone stops the kernel before an item with an index that is not less than the length of a
// column.
func (c *compiler) withinAlone(n node) {
	for _, a := range n.args() {
		c.CMPQ(c.row(none, a), operand.Mem{Base: structureOf, Disp: sliceBytes*n.of + 8})
		c.JGE(operand.LabelRef("end"))
		c.release(a)
	}
}

// testAlone stops the kernel before an item for which mask a does not hold.
func (c *compiler) testAlone(n node) {
	c.VMOVMSKPD(c.need(n.a), baseOf.As32())
	c.release(n.a)
	c.ANDQ(operand.U8(1), baseOf)
	c.JEQ(operand.LabelRef("end"))
}
