package broad

import (
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
)

// binSet is a set of size bins.
type binSet [SizeBins / 64]uint64

func (s *binSet) add(bin int) { s[bin>>6] |= 1 << (bin & 63) }

// kindBounds is what is known of the cell extents of a kind.
type kindBounds struct {
	Bounds
	fixed   bool // some piece belongs to a prescribed body
	clumped bool // some piece shares its body
}

// boxRun is how many tight boxes are computed before they are enlarged: 12 KiB, which are still in the
// first-level cache then.
const boxRun = 256

// extentPass computes tight boxes and cell extents of the pieces of its chunks, and gathers sizes and
// bounds by kind of those that are not at rest.
type extentPass Cells

func (p *extentPass) Range(lo, hi, worker int) {
	c := (*Cells)(p)
	w := &c.work[worker]
	first, last := c.chunk.Spans(lo, hi)
	for rows := c.rows[first:last]; len(rows) > 0; {
		first := int(rows[0])
		end := c.tightBoxes(first, first+inRow(rows[:min(len(rows), boxRun)]))
		c.enlarge(first, end, w)
		rows = rows[end-first:]
	}
}

// inRow returns how many of the first of some pieces in rising order are next to each other.
func inRow(rows []soa.Piece) int {
	n := len(rows)
	if int(rows[n-1]-rows[0]) == n-1 {
		return n
	}
	for n = 1; rows[n]-rows[0] == soa.Piece(n); n++ {
	}
	return n
}

// tightBoxes brings p.Extent up to date for the run of pieces of one kind from first on that is computed
// in one way, and returns the end of the run.
func (c *Cells) tightBoxes(first, last int) int {
	p := c.pieces
	kind := p.Kind[first]
	still := c.state[p.Body[first]] & resting
	end := first + 1
	for end < last && p.Kind[end] == kind && c.state[p.Body[end]]&resting == still {
		end++
	}
	switch {
	case still != 0:
	case kind == soa.Ball:
		c.ballBoxes(first, end)
	default:
		kernels.WorldBoxes(c.shapes, p, c.bodies, first, end, &p.Extent)
	}
	return end
}

// ballBoxes writes the tight boxes of a run of balls, with the bits of kernels.WorldBox. A ball's box
// does not turn, so without a place of its own it needs no rotation; and column by column, the values
// never pass through memory as a Box, whose copy would wait for them.
func (c *Cells) ballBoxes(first, end int) {
	p, pos := c.pieces, &c.bodies.Pos
	from, to := &p.Extent.Min, &p.Extent.Max
	for i := first; i < end; i++ {
		body := p.Body[i]
		x, y, z := pos.X[body], pos.Y[body], pos.Z[body]
		if p.Offset[i] {
			at := p.Pose(c.bodies, soa.Piece(i)).Pos
			x, y, z = at.X, at.Y, at.Z
		}
		r := c.shapes.Radius[p.Shape[i]] + c.shapes.Round[p.Shape[i]]
		from.X[i], from.Y[i], from.Z[i] = x-r, y-r, z-r
		to.X[i], to.Y[i], to.Z[i] = x+r, y+r, z+r
	}
}

// enlarge makes the cell extents of a run of pieces of one kind.
func (c *Cells) enlarge(first, end int, w *workspace) {
	p := c.pieces
	kind := p.Kind[first]
	bins, all := &w.bins[kind], &w.kinds[kind]
	from, to := &p.Extent.Min, &p.Extent.Max
	bodies, boxes := p.Body[:end], c.cellExtent[:end]
	for i := first; i < end; i++ {
		grow := c.grow[bodies[i]]
		box := &boxes[i]
		box.Min.X, box.Min.Y, box.Min.Z = from.X[i]-grow, from.Y[i]-grow, from.Z[i]-grow
		box.Max.X, box.Max.Y, box.Max.Z = to.X[i]+grow, to.Y[i]+grow, to.Z[i]+grow
		bits := c.state[bodies[i]]
		switch size, ok := SizeOf(box); {
		case bits&settled != 0:
		case ok:
			bins.add(SizeBin(size))
			all.Add(box)
			all.fixed = all.fixed || bits&prescribed != 0
			all.clumped = all.clumped || c.clumped(i)
		default:
			w.endless++
		}
	}
}

// clumped reports whether piece i shares its body. Pieces of a body are contiguous.
func (c *Cells) clumped(i int) bool {
	body := c.pieces.Body
	return i > 0 && body[i-1] == body[i] || i+1 < len(body) && body[i+1] == body[i]
}
