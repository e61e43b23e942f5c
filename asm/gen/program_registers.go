package main

import "math"

// registers gives out the vector registers of a processor along the list of a program. Since there are no jumps
// back the next use of every value is known, and the one whose next use is farthest makes room (Belady 1966). What
// makes room goes to the stack, unless it can be had again from where it came: constants, uniforms, and
// columns the program does not write.
//
// Masks of AVX-512 have registers of their own and never make room: a program that needs more than seven
// at once is refused.
type registers struct {
	p       *program
	spill   func(register, place int) // writes a register to a place on the stack
	uses    [][]int                   // by node, where it is read, rising, in places of p.nodes
	stored  []bool                    // by column, whether the program writes it
	written []bool                    // by column, whether it has by now
	rows    []*rowLoad                // by node, the row that a look-up is read with, or nil
	at      int                       // the node being worked on

	register []int // by node, its vector or mask register, or -1
	slot     []int // by node, its place on the stack, or -1
	holds    []int // by vector register, the node, or -1
	pinned   []bool
	masks    []int // by mask register, the node, or -1; empty where masks are vectors
	parts    parts
	slots    []int // by place on the stack, the node, or -1
	leaving  []int // places to empty once the instruction is written, which may read them
	inTables bool  // a look-up can be had again from its table
}

// none marks an empty register, place or value.
const none = -1

// newRegisters is all registers empty. A look-up needs no register for its indices: it reads their column itself.
func newRegisters(p *program, vectors, masks int, spill func(register, place int)) registers {
	n, columns := len(p.nodes), 0
	c := registers{p: p, spill: spill, uses: make([][]int, n), register: make([]int, n), slot: make([]int, n)}
	c.rows = p.rowLoads()
	for i, node := range p.nodes {
		c.register[i], c.slot[i] = none, none
		columns = max(columns, node.of+1)
		if node.op == opGather {
			continue
		}
		for _, a := range node.args() {
			c.uses[a] = append(c.uses[a], i)
		}
	}
	c.stored, c.written = make([]bool, columns), make([]bool, columns)
	for _, node := range p.nodes {
		if node.op == opStore {
			c.stored[node.of] = true
		}
	}
	c.holds, c.pinned, c.masks = make([]int, vectors), make([]bool, vectors), make([]int, masks)
	for r := range c.holds {
		c.holds[r] = none
	}
	for r := range c.masks {
		c.masks[r] = none
	}
	return c
}

// nextUse returns where a node is read next from the current one on, or a number beyond all.
func (c *registers) nextUse(n int) int {
	for len(c.uses[n]) > 0 && c.uses[n][0] < c.at {
		c.uses[n] = c.uses[n][1:]
	}
	if len(c.uses[n]) == 0 {
		return math.MaxInt
	}
	return c.uses[n][0]
}

// isHomed reports whether a node is where later parts read it.
func (c *registers) isHomed(n int) bool { return c.parts.count > 0 && c.parts.homed[n] }

// again reports whether a node can be had again from where it came, or from where it is kept for later parts.
func (c *registers) again(n int) bool {
	if c.isHomed(n) {
		return true
	}
	switch node := c.p.nodes[n]; node.op {
	case opConstant, opUniform, opLoadIndex:
		return true
	case opLoad:
		return !c.stored[node.of]
	case opGather:
		return c.inTables
	}
	return false
}

// free returns an empty vector register, pinned, making room if there is none.
func (c *registers) free() int {
	worst, farthest := none, -1
	for r, n := range c.holds {
		if c.pinned[r] {
			continue
		}
		if n == none {
			c.pinned[r] = true
			return r
		}
		// Between equals, one that needs no place on the stack.
		far := c.nextUse(n)
		if far > farthest || far == farthest && c.again(n) && !c.again(c.holds[worst]) {
			worst, farthest = r, far
		}
	}
	if worst == none {
		panic("gen: " + c.p.name + ": all registers are pinned")
	}
	n := c.holds[worst]
	if c.slot[n] == none && !c.again(n) {
		c.slot[n] = c.newPlace(n)
		c.spill(worst, c.slot[n])
	}
	c.register[n], c.holds[worst] = none, none
	c.pinned[worst] = true
	return worst
}

// newPlace returns an empty place on the stack for a node.
func (c *registers) newPlace(n int) int {
	for s, held := range c.slots {
		if held == none {
			c.slots[s] = n
			return s
		}
	}
	c.slots = append(c.slots, n)
	return len(c.slots) - 1
}

// give makes register r the home of node n.
func (c *registers) give(n, r int) {
	c.register[n], c.holds[r] = r, n
}

// filled returns an empty register that it gives to node n.
func (c *registers) filled(n int) int {
	r := c.free()
	c.give(n, r)
	return r
}

// release frees what held a node that is not read after the current one.
func (c *registers) release(n int) {
	c.at++
	done := c.nextUse(n) == math.MaxInt
	c.at--
	if !done {
		return
	}
	if r := c.register[n]; r != none {
		if len(c.masks) > 0 && c.p.nodes[n].isMask() {
			c.masks[r] = none
		} else {
			c.holds[r] = none
		}
		c.register[n] = none
	}
	if s := c.slot[n]; s != none {
		c.leaving, c.slot[n] = append(c.leaving, s), none
	}
}

// freeMask returns an empty mask register. The first cannot guard an instruction.
func (c *registers) freeMask() int {
	for r := 1; r < len(c.masks); r++ {
		if c.masks[r] == none {
			return r
		}
	}
	panic("gen: " + c.p.name + ": more masks at once than there are registers")
}

// unpin lets all registers make room again. An instruction reads its arguments before it writes its result,
// so a result may take the register of an argument.
func (c *registers) unpin() { clear(c.pinned) }

// next ends the work on a node.
func (c *registers) next() {
	c.unpin()
	for _, s := range c.leaving {
		c.slots[s] = none
	}
	c.leaving = c.leaving[:0]
}

// oldValues returns the loads of a column that have still to be made, for what comes after the store at hand.
func (c *registers) oldValues(column int) []int {
	var loads []int
	for i, old := range c.p.nodes {
		if old.op == opLoad && old.of == column && !c.written[column] && c.register[i] == none && c.slot[i] == none {
			if later := c.nextUse(i); later > c.at && later < math.MaxInt {
				loads = append(loads, i)
			}
		}
	}
	return loads
}
