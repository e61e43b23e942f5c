package broad

import (
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
)

// binSet is a set of size bins.
type binSet [SizeBins / 64]uint64

func (s *binSet) add(bin int) { s[bin>>6] |= 1 << (bin & 63) }

// kindBounds summarises the cell extents of a kind.
type kindBounds struct {
	Bounds
	fixed   bool // some piece belongs to a prescribed body
	clumped bool // some body has several pieces
}

// boxRun is how many tight boxes are computed before they are enlarged: 12 KiB, so they are still
// in the first-level cache.
const boxRun = 256

// extentPass computes the tight boxes and cell extents of the pieces of its chunks. It gathers the
// sizes and bounds by kind of the pieces that are not settled.
type extentPass CandidateSearch

func (p *extentPass) Range(lo, hi, worker int) {
	c := (*CandidateSearch)(p)
	w := &c.work[worker]
	first, last := c.chunk.Spans(lo, hi)
	for rows := c.rows[first:last]; len(rows) > 0; {
		first := int(rows[0])
		end := c.tightBoxes(first, first+inRow(rows[:min(len(rows), boxRun)]))
		c.enlarge(first, end, w)
		rows = rows[end-first:]
	}
}

// inRow returns how many pieces at the start of rows, which must be in ascending order, are
// consecutive.
func inRow(rows []soa.Piece) int {
	n := len(rows)
	if int(rows[n-1]-rows[0]) == n-1 {
		return n
	}
	for n = 1; rows[n]-rows[0] == soa.Piece(n); n++ {
	}
	return n
}

// tightBoxes updates p.Extent from piece first on, and returns the end of the run that it has
// processed. The pieces of a run have one kind, and all or none of them belong to resting bodies,
// whose boxes stay as they are.
func (c *CandidateSearch) tightBoxes(first, last int) int {
	p := c.pieces
	kind := p.Kind[first]
	still := c.state[p.Body[first]] & resting
	end := first + 1
	for end < last && p.Kind[end] == kind && c.state[p.Body[end]]&resting == still {
		end++
	}
	switch {
	case still != 0:
	case kind.IsRound():
		c.ballBoxes(first, end)
	default:
		kernels.WorldBoxes(c.shapes, p, c.bodies, first, end, &p.Extent)
	}
	return end
}

// ballBoxes writes the tight boxes of a run of balls, bit-identical to kernels.WorldBox. The box of
// a ball does not depend on its rotation, so a ball at the body's origin needs no rotation.
// ballBoxes works column by column, so the values never pass through a Box in memory, where a copy
// would have to wait for them.
func (c *CandidateSearch) ballBoxes(first, end int) {
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

// enlarge writes the cell extents of a run of pieces of one kind.
func (c *CandidateSearch) enlarge(first, end int, w *workspace) {
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
		if c.home != nil {
			home := c.home[bodies[i]]
			box.Min, box.Max = box.Min.Add(home), box.Max.Add(home)
		}
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

// clumped reports whether piece i shares its body with other pieces. The pieces of a body are
// contiguous.
func (c *CandidateSearch) clumped(i int) bool {
	body := c.pieces.Body
	return i > 0 && body[i-1] == body[i] || i+1 < len(body) && body[i+1] == body[i]
}
