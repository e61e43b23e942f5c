package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A table of rows is an array of columns with the tag asm:"shifted". The numbers of a row are
// consecutive in memory, and an index says where the row starts. Machine code reads rowNumbers of
// them by one load for each lane, and transposes them in registers. Four numbers of eight lanes
// take eight loads and eight or twelve shuffles. Without rows, each of the four numbers takes eight
// loads and seven shuffles.

// rowNumbers is how many numbers one load reads.
const rowNumbers = 4

// rowLoad is a load of neighbours in one row.
type rowLoad struct {
	first   int             // the column of the first number
	index   int             // the node of the index
	members [rowNumbers]int // the look-up of each number, or none
}

// rowLoads returns, by node, the row with which a look-up is loaded, or nil for a look-up that is
// loaded alone. No load reaches beyond the columns against whose length the index was tested.
func (p *program) rowLoads() []*rowLoad {
	loads := make([]*rowLoad, len(p.nodes))
	if p.layout == nil {
		return loads
	}
	type row struct {
		array       string
		index, part int
	}
	part := 0
	columns := map[row]map[int]int{} // of a row, the look-ups by their places in the row
	var rows []row
	for i, n := range p.nodes {
		if n.op == opPart {
			part++
		}
		if n.op != opGather || !p.layout.fields[n.of].shifted {
			continue
		}
		r := row{p.layout.fields[n.of].array, n.a, part}
		if columns[r] == nil {
			columns[r], rows = map[int]int{}, append(rows, r)
		}
		columns[r][p.layout.fields[n.of].at] = i
	}
	for _, r := range rows {
		tested := p.testedTo(r.array, r.index)
		for at := 0; at <= tested; at++ {
			if _, asked := columns[r][at]; !asked {
				continue
			}
			// If the rows of a table are aligned, loads are at multiples of their size.
			first := min(at-at%rowNumbers, tested+1-rowNumbers)
			if first < 0 {
				break
			}
			load, n := &rowLoad{first: int(p.layout.column(r.array)) + first, index: r.index}, 0
			for k := range load.members {
				i, asked := columns[r][first+k]
				if load.members[k] = none; asked && loads[i] == nil {
					load.members[k] = i
					n++
				}
			}
			for _, i := range load.members {
				if i != none && n > 1 {
					loads[i] = load
				}
			}
			at = first + rowNumbers - 1
		}
	}
	return loads
}

// testedTo returns the last place in the rows of an array against whose length an index was tested,
// or -1.
func (p *program) testedTo(array string, index int) int {
	last := none
	for _, n := range p.nodes {
		if n.op != opWithin || p.layout.fields[n.of].array != array {
			continue
		}
		for _, a := range n.args() {
			if a == index {
				last = max(last, p.layout.fields[n.of].at)
			}
		}
	}
	return last
}

// rowBase loads the indices of the lanes, and the base of the first number of a row.
func (c *compiler) rowBase(r *rowLoad) (lanes []reg.GPPhysical) {
	lanes = c.lanesOf(r.index)
	c.MOVQ(operand.Mem{Base: structureOf, Disp: sliceBytes * r.first}, baseOf)
	return lanes
}

// loadRow loads the numbers of a row that the program looks up.
func (c *compiler) loadRow(r *rowLoad) {
	if c.wide {
		c.loadRowWide(r)
		return
	}
	lanes := c.rowBase(r)
	for k := 0; k < rowNumbers; k += 2 {
		if r.members[k] == none && r.members[k+1] == none {
			continue
		}
		// Each register has two numbers of two lanes: lanes 0 and 2, lanes 1 and 3.
		var pair [2]int
		for j := range pair {
			pair[j] = c.free()
			v := vectors[1][pair[j]]
			at := func(lane int) operand.Mem {
				return operand.Mem{Base: baseOf, Index: lanes[lane], Scale: float64Bytes, Disp: float64Bytes * k}
			}
			c.VMOVUPD(at(j), v.AsX())
			c.VINSERTF128(operand.U8(1), at(j+2), v, v)
		}
		c.split(pair, r.members[k], c.unpackLow, r.members[k+1], c.unpackHigh)
	}
}

// split assigns the result of first on the two registers of a pair to look-up low, and that of
// second to look-up high. Either look-up may be none.
func (c *compiler) split(pair [2]int, low int, first func(b, a, to operand.Op), high int, second func(b, a, to operand.Op)) {
	a, b := c.full(pair[0]), c.full(pair[1])
	switch {
	case high == none:
		first(b, a, a)
		c.give(low, pair[0])
	case low == none:
		second(b, a, a)
		c.give(high, pair[0])
	default:
		first(b, a, c.full(c.filled(low)))
		second(b, a, a)
		c.give(high, pair[0])
	}
	c.pinned[pair[1]] = false // empty again
}

// unpackLow joins the low halves of the pairs of two registers. unpackHigh joins the high halves.
func (c *compiler) unpackLow(b, a, to operand.Op)  { c.VUNPCKLPD(b, a, to) }
func (c *compiler) unpackHigh(b, a, to operand.Op) { c.VUNPCKHPD(b, a, to) }

// loadRowWide does the same as loadRow for eight lanes.
func (c *compiler) loadRowWide(r *rowLoad) {
	lanes := c.rowBase(r)
	var quad [4]int // lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7
	for j := range quad {
		quad[j] = c.free()
		v, lane := vectors[1][quad[j]], 4*(j/2)+j%2
		at := func(lane int) operand.Mem { return operand.Mem{Base: baseOf, Index: lanes[lane], Scale: float64Bytes} }
		c.VMOVUPD(at(lane), v)
		c.VINSERTF64X4(operand.U8(1), at(lane+2), v.AsZ(), v.AsZ())
	}
	even := func(b, a, to operand.Op) { c.VSHUFF64X2(operand.U8(0x88), b, a, to) }
	odd := func(b, a, to operand.Op) { c.VSHUFF64X2(operand.U8(0xDD), b, a, to) }
	half := func(unpack func(b, a, to operand.Op), first, second int, in [2]int) {
		unpack(c.full(quad[1]), c.full(quad[0]), c.full(in[0]))
		unpack(c.full(quad[3]), c.full(quad[2]), c.full(in[1]))
		c.split(in, first, even, second, odd)
	}
	m, own := r.members, [2]int{quad[0], quad[2]}
	low, high := m[0] != none || m[2] != none, m[1] != none || m[3] != none
	if low {
		in := own
		if high {
			in = [2]int{c.free(), c.free()}
		}
		half(c.unpackLow, m[0], m[2], in)
	}
	if high {
		half(c.unpackHigh, m[1], m[3], own)
	}
	c.unpin()
}
