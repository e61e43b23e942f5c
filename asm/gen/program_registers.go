package main

import "math"

// registers assigns the vector registers of a processor along the operations of a program. The code
// has no jumps back, so the next use of every value is known. If all registers are taken, the one
// whose value is used last becomes free (Belady 1966). Its value goes to a place on the stack,
// unless it is reloadable: a constant, a uniform, or a column that the program does not write.
//
// Masks of AVX-512 have registers of their own, and never go to the stack. A program that needs
// more than seven at once is refused.
type registers struct {
	p       *program
	spill   func(register, place int) // writes a register to a place on the stack
	uses    [][]int                   // by node, the nodes that read it, rising
	stored  []bool                    // by column, whether the program writes it
	written []bool                    // by column, whether the program has written it by now
	rows    []*rowLoad                // by node, the row with which a look-up is loaded, or nil
	at      int                       // the current node

	register []int  // by node, its vector or mask register, or -1
	slot     []int  // by node, its place on the stack, or -1
	holds    []int  // by vector register, its node, or -1
	pinned   []bool // by vector register, whether the current instruction uses it
	masks    []int  // by mask register, its node, or -1; empty if masks are vectors
	parts    parts
	slots    []int // by place on the stack, its node, or -1
	leaving  []int // places that become empty after the current instruction, which may read them
	inTables bool  // look-ups are reloadable from their tables
}

// none is an empty register, place or value.
const none = -1

// newRegisters returns the state with empty registers. The indices of a look-up need no vector
// register, because the look-up reads their column.
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

// nextUse returns the next node, from the current one on, that reads node n, or math.MaxInt.
func (c *registers) nextUse(n int) int {
	for len(c.uses[n]) > 0 && c.uses[n][0] < c.at {
		c.uses[n] = c.uses[n][1:]
	}
	if len(c.uses[n]) == 0 {
		return math.MaxInt
	}
	return c.uses[n][0]
}

// isHomed reports whether the value of a node is in its home (see parts).
func (c *registers) isHomed(n int) bool { return c.parts.count > 0 && c.parts.homed[n] }

// reloadable reports whether a node can be loaded again from its origin or from its home.
func (c *registers) reloadable(n int) bool {
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

// free returns an empty vector register, pinned. If there is none, it empties one.
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
		// On a tie, prefer a reloadable value: it needs no place on the stack.
		far := c.nextUse(n)
		if far > farthest || far == farthest && c.reloadable(n) && !c.reloadable(c.holds[worst]) {
			worst, farthest = r, far
		}
	}
	if worst == none {
		panic("gen: " + c.p.name + ": all registers are pinned")
	}
	n := c.holds[worst]
	if c.slot[n] == none && !c.reloadable(n) {
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

// give assigns register r to node n.
func (c *registers) give(n, r int) {
	c.register[n], c.holds[r] = r, n
}

// filled assigns an empty register to node n, and returns it.
func (c *registers) filled(n int) int {
	r := c.free()
	c.give(n, r)
	return r
}

// release frees register and place of node n if no later node reads it.
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

// freeMask returns an empty mask register. The first one cannot guard an instruction.
func (c *registers) freeMask() int {
	for r := 1; r < len(c.masks); r++ {
		if c.masks[r] == none {
			return r
		}
	}
	panic("gen: " + c.p.name + ": more masks at once than there are registers")
}

// unpin unpins all registers. An instruction reads its arguments before it writes its result, so a
// result may take the register of an argument.
func (c *registers) unpin() { clear(c.pinned) }

// next ends the work on a node.
func (c *registers) next() {
	c.unpin()
	for _, s := range c.leaving {
		c.slots[s] = none
	}
	c.leaving = c.leaving[:0]
}

// oldValues returns the loads of a column that are not done yet and that a node after the current
// store needs.
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
