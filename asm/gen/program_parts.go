package main

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/operand"
)

// A program may have parts, each of which waits for the results of the one before: a frame for the corners, moments for the frame. In
// its chains of quotients and roots a processor stands still, and the next item is too far ahead for it to begin. So
// machine code for AVX2 and AVX-512 goes through the first part with a few registers of items, then through the second with the same,
// and so on. In a short part the processor reaches the next register, and works on both. What a later part reads waits on the stack, in a place for each register of items.
// Bits do not depend on it. Go loops and NEON, which has two lanes, know no parts.

// partGroups is how many registers of items go through a part together.
const partGroups = 4

// part begins the next part, which mask m reaches, and no other. Tests are in the first.
func (p *program) part(m mask) mask {
	zero := p.constant(0)
	kept := p.pick(m, p.constant(1), zero)
	p.noStores = true
	p.effect(of(opPart))
	maps.DeleteFunc(p.memo, func(n node, _ int) bool { return n.isMask() }) // to be found again
	return p.compare(uint8(greater), kept, zero)
}

// parts is how a compiler goes through a program of several parts.
type parts struct {
	count int    // 0 where the program is whole
	at    int    // the part being worked on
	home  []int  // by node, its place among those that later parts read, or -1
	homes int    // places that are needed at most, for each register of items
	homed []bool // by node, whether it is there by now
}

// newParts finds the values that later parts read and cannot have again from where they came. A place is used again when all have read it.
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
	var until []int // by place, the last part that reads it
	for i, n := range p.nodes {
		if last[i] <= in[i] || c.again(i) || n.isEffect() {
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

// Words that parts need, at the start of the stack frame.
const (
	startOfParts = 0            // the first item of those that go through the parts together
	untilOfParts = float64Bytes // the last at which a register starts
)

func frameWord(at int) operand.Mem { return operand.Mem{Base: frameOf, Disp: at} }

// placeOfHome is the place of node n that later parts read.
func (c *compiler) placeOfHome(n int) operand.Mem {
	return operand.Mem{Base: homesOf, Disp: c.parts.home[n] * c.bytes()}
}

// keep writes the value of a node to where later parts read it.
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

// beginParts begins with the next few registers of items.
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

// endPart goes back for the next register of items. In machine code for a part all registers are empty at first.
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
		if !c.again(n) {
			panic("gen: " + c.p.name + ": a later part reads what has no place")
		}
		c.register[n], c.holds[r] = none, none
	}
}

// leaveParts is where a test in the first part leads: items before go through the other parts.
func (c *compiler) leaveParts() {
	c.Label("leave")
	c.LEAQ(operand.Mem{Base: item, Disp: -c.count()}, last)
	c.MOVQ(last, frameWord(untilOfParts))
	c.CMPQ(item, frameWord(startOfParts))
	c.JNE(operand.LabelRef("first"))
}
