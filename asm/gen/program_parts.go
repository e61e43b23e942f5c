package main

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/operand"
)

// A program may have parts. Each part needs results of the previous one: for example the corners,
// then a frame for the corners, then moments in that frame. In chains of quotients and roots a
// processor stands still, because the next register of items is too far ahead in the code. So
// machine code for AVX2 and AVX-512 takes a few registers of items through the first part, then the
// same registers through the second part, and so on. Within a short part the processor sees the
// next register of items, and works on both. The values that a later part reads wait on the stack,
// in a home for each register of items. Parts never change a bit. Go loops and NEON, which has two
// lanes, ignore parts.

// partGroups is how many registers of items go through a part together.
const partGroups = 4

// part begins the next part. Mask m is the only mask that the new part may read: use the result
// instead of m. All tests must be in the first part.
func (p *program) part(m mask) mask {
	zero := p.constant(0)
	kept := p.pick(m, p.constant(1), zero)
	p.noStores = true
	p.effect(of(opPart))
	maps.DeleteFunc(p.memo, func(n node, _ int) bool { return n.isMask() }) // compute masks anew in this part
	return p.compare(uint8(greater), kept, zero)
}

// parts is the state of a compiler for a program of several parts.
type parts struct {
	count int    // number of parts, or 0 if the program is not divided
	at    int    // the current part
	home  []int  // by node, the number of its home if later parts read it, else -1
	homes int    // how many homes each register of items needs
	homed []bool // by node, whether its value is in its home
}

// newParts gives a home to each value that a later part reads and cannot reload. A home is used
// again after the last part that reads it.
func (c *registers) newParts() (of parts) {
	p := c.p
	in, last := make([]int, len(p.nodes)), make([]int, len(p.nodes))
	of.home, of.homed = make([]int, len(p.nodes)), make([]bool, len(p.nodes))
	for i, n := range p.nodes {
		in[i], of.home[i] = of.count, none
		if n.op == opPart {
			of.count++
		}
		for _, a := range n.args() {
			last[a] = of.count
		}
	}
	if of.count == 0 {
		return of
	}
	of.count++
	var until []int // by home, the last part that reads it
	for i, n := range p.nodes {
		if last[i] <= in[i] || c.reloadable(i) || n.isEffect() {
			continue
		}
		if n.isMask() {
			panic("gen: " + p.name + ": a later part reads a mask")
		}
		place := 0
		for place < len(until) && until[place] >= in[i] {
			place++
		}
		if place == len(until) {
			until = append(until, 0)
		}
		of.home[i], until[place] = place, last[i]
	}
	of.homes = len(until)
	return of
}

// Words at the start of the stack frame that parts need.
const (
	startOfParts = 0            // the first item of the registers that go through the parts together
	untilOfParts = float64Bytes // the last item at which one of these registers starts
)

func frameWord(at int) operand.Mem { return operand.Mem{Base: frameOf, Disp: at} }

// placeOfHome returns the memory of the home of node n.
func (c *compiler) placeOfHome(n int) operand.Mem {
	return operand.Mem{Base: homesOf, Disp: c.parts.home[n] * c.bytes()}
}

// keep writes the value of a node to its home, if it has one.
func (c *compiler) keep(n int) {
	if c.parts.count == 0 || c.parts.home[n] == none {
		return
	}
	v := c.need(n)
	c.VMOVUPD(v, c.placeOfHome(n))
	c.parts.homed[n] = true
	if s := c.slot[n]; s != none {
		c.slots[s], c.slot[n] = none, none
	}
}

func partLabel(k int) string { return fmt.Sprintf("part%d", k) }

// beginParts starts the first part for the next few registers of items.
func (c *compiler) beginParts() {
	c.MOVQ(item, frameWord(startOfParts))
	c.LEAQ(operand.Mem{Base: item, Disp: (partGroups - 1) * c.count()}, bitsOf)
	c.CMPQ(last, bitsOf)
	c.CMOVQLT(last, bitsOf)
	c.MOVQ(bitsOf, frameWord(untilOfParts))
	c.beginPart()
}

func (c *compiler) beginPart() {
	c.LEAQ(frameWord(c.homesAt), homesOf)
	c.Label(partLabel(c.parts.at))
}

// endPart writes the jump back for the next register of items. The code of a part assumes that no
// register holds a value at its start.
func (c *compiler) endPart() {
	c.ADDQ(operand.U32(c.parts.homes*c.bytes()), homesOf)
	c.ADDQ(operand.U8(c.count()), item)
	c.CMPQ(item, frameWord(untilOfParts))
	c.JLE(operand.LabelRef(partLabel(c.parts.at)))
}

// nextPart ends one part and begins the next.
func (c *compiler) nextPart() {
	c.endPart()
	if c.parts.at == 0 {
		c.Label("first")
	}
	c.parts.at++
	c.MOVQ(frameWord(startOfParts), item)
	c.beginPart()
	c.indexed = none
	for r, n := range c.holds {
		if n == none {
			continue
		}
		if !c.reloadable(n) {
			panic("gen: " + c.p.name + ": a later part reads what has no place")
		}
		c.register[n], c.holds[r] = none, none
	}
}

// leaveParts writes the code to which a failed test jumps. The tests are in the first part; the
// registers of items before the failed one go through the other parts.
func (c *compiler) leaveParts() {
	c.Label("leave")
	c.LEAQ(operand.Mem{Base: item, Disp: -c.count()}, last)
	c.MOVQ(last, frameWord(untilOfParts))
	c.CMPQ(item, frameWord(startOfParts))
	c.JNE(operand.LabelRef("first"))
}
