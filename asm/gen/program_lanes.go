package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// compiler writes the instructions of a program for AVX2, for AVX-512, or for one item at a time,
// in the order of the program. Loads, constants and uniforms get no instruction until something
// needs them. They are memory operands of that instruction if possible.
type compiler struct {
	*lanes
	registers
	pool    pool
	homesAt int        // offset in the stack frame of the values that later parts read
	indexed int        // the node whose indices are in laneIndices, or -1
	tables  []tableRow // code for one item: what each of tableRegisters holds
	clock   int        // counts uses of tables
}

// General registers. The compiler needs few, so each has a name.
var (
	structureOf = reg.RAX // the structure of columns
	uniformsOf  = reg.RCX
	item        = reg.RDX // the item of the first lane
	last        = reg.RBX // the last item at which a full register can start
	frameOf     = reg.RSI // the stack frame, aligned
	homesOf     = reg.RCX // in programs of parts, in place of uniformsOf: the values of the current items that later parts read
	baseOf      = reg.RDI // the base of a column, for one instruction
	bitsOf      = reg.R12 // the bits of a test; also the last of laneIndices
	laneIndices = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R13, reg.R14, reg.R15, reg.R12}
)

func newCompiler(l *lanes, p *program, k pool) *compiler {
	c := &compiler{lanes: l, pool: k, indexed: none}
	vectors, masks := 16, 0
	if l.wide {
		vectors, masks = 32, len(maskRegisters)
	}
	c.registers = newRegisters(p, vectors, masks, func(register, place int) {
		c.move(c.full(register), c.place(place))
	})
	if l.alone {
		c.inTables, c.tables = true, make([]tableRow, len(tableRegisters))
		for r := range c.tables {
			c.tables[r].index = none
		}
	} else {
		c.parts = c.newParts()
	}
	return c
}

// move copies a register to memory, or memory to a register.
func (c *compiler) move(from, to operand.Op) {
	if c.alone {
		c.VMOVSD(from, to)
	} else {
		c.VMOVUPD(from, to)
	}
}

var vectors = [3][]reg.VecPhysical{
	{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15},
	{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
		reg.Y16, reg.Y17, reg.Y18, reg.Y19, reg.Y20, reg.Y21, reg.Y22, reg.Y23, reg.Y24, reg.Y25, reg.Y26, reg.Y27, reg.Y28, reg.Y29, reg.Y30, reg.Y31,
	},
	{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	},
}

var maskRegisters = []reg.OpmaskPhysical{reg.K0, reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}

// full returns vector register r at the width of the float64 lanes. half returns it at half this
// width, for 32-bit indices.
func (c *compiler) full(r int) reg.VecPhysical {
	switch {
	case c.alone:
		return vectors[0][r]
	case c.wide:
		return vectors[2][r]
	}
	return vectors[1][r]
}

func (c *compiler) half(r int) reg.VecPhysical {
	if c.wide {
		return vectors[1][r]
	}
	return vectors[0][r]
}

// registerOf returns the register of a node. The node must have one.
func (c *compiler) registerOf(n int) reg.Register {
	switch {
	case c.wide && c.p.nodes[n].isMask():
		return maskRegisters[c.register[n]]
	case c.p.nodes[n].op == opLoadIndex:
		return c.half(c.register[n])
	}
	return c.full(c.register[n])
}

// place returns the memory of place s on the stack.
func (c *compiler) place(s int) operand.Mem {
	if c.parts.count > 0 {
		s++ // The words of the parts come first.
	}
	return operand.Mem{Base: frameOf, Disp: s * c.bytes()}
}

// bytes returns the size of a full register.
func (c *compiler) bytes() int { return float64Bytes * c.count() }
