package voxels

import "math"

// builder has the data needed only while cells are set up.
type builder struct {
	*VoxelGrid
	corner  []place      // of each vertex
	at      [3][]float64 // of each axis: the coordinates of reference points
	address [3][]uint32  // of each axis: the term that a position adds to the address of a cell
	change  []uint64     // of each cell, x first: changes of its four winding numbers, 16 bits each
	found   [][]entry
}

// place is where a vertex lies in the grid.
type place struct {
	cell  [3]uint16
	lines [2]uint16 // number of reference coordinates below the vertex, in y and in z; an equal coordinate is above
}

// entry is a triangle in a cell: the cell's address, later its rank, and the triangle as in
// Cells.entries.
type entry struct{ cell, triangle uint32 }

// entryChunk is the number of entries of one piece of the list.
const entryChunk = 1 << 16

func newBuilder(c *VoxelGrid) *builder {
	g := &c.grid
	b := &builder{VoxelGrid: c, change: make([]uint64, g.n[0]*g.n[1]*g.n[2])}
	c.bricks = make([]brick, g.bricks())
	for axis := range 3 {
		b.at[axis] = make([]float64, 2*g.n[axis])
		b.address[axis] = make([]uint32, g.n[axis])
		for i := range b.at[axis] {
			b.at[axis][i] = g.reference(axis, i)
		}
		for i := range g.n[axis] {
			var cell [3]int
			cell[axis] = i
			b.address[axis][i] = g.address(cell[0], cell[1], cell[2])
		}
	}
	b.corner = make([]place, len(c.surface.Verts))
	for k, v := range c.surface.Verts {
		if !c.box.Holds(v) {
			continue // no triangle uses it
		}
		p := &b.corner[k]
		for axis, x := range array(v) {
			i := g.cell(axis, x)
			p.cell[axis] = uint16(i)
			if axis > 0 {
				for i *= 2; i < len(b.at[axis]) && b.at[axis][i] < x; i++ {
				}
				p.lines[axis-1] = uint16(i)
			}
		}
	}
	return b
}

// maxEntered is how many cells a triangle may enter on average before the grid is made coarser. The
// triangles of an even mesh enter about five. A fan of long slivers enters as many as there are
// along a side. fewEntries entries are always allowed. maxEntries is the absolute limit, because
// lists packs the index of an entry with four bits. With smaller values, grids are coarser and
// lists longer. With larger ones, the cells take more memory.
const (
	maxEntered = 16
	fewEntries = 1 << 15
	maxEntries = 1<<28 - 1
)

// enter processes all triangles: their planes, the reference lines they cross, the cells they
// enter. If they enter too many cells and mayGiveUp is set, enter stops and returns false.
func (b *builder) enter(mayGiveUp bool) bool {
	reach, half := max(b.box.Min.MaxAbs(), b.box.Max.MaxAbs()), b.half().MaxAbs()
	most := min(maxEntered*len(b.surface.Tris)+fewEntries, maxEntries)
	for t := range b.surface.Tris {
		if (len(b.found)-1)*entryChunk > most && mayGiveUp {
			return false
		}
		k := &b.surface.Tris[t]
		v := b.surface.Verts[k[0]]
		normal, m := areaVector(v, b.surface.Verts[k[1]], b.surface.Verts[k[2]])
		plane := newPlane(normal, m, v, reach)
		b.planes[t] = b.newShortPlane(normal, m, v, half)
		p, q, r := &b.corner[k[0]], &b.corner[k[1]], &b.corner[k[2]]
		y0, y1 := min(p.lines[0], q.lines[0], r.lines[0]), max(p.lines[0], q.lines[0], r.lines[0])
		z0, z1 := min(p.lines[1], q.lines[1], r.lines[1]), max(p.lines[1], q.lines[1], r.lines[1])
		if y0 < y1 && z0 < z1 {
			b.crossLines(uint32(t), &plane, int(y0), int(y1), int(z0), int(z1))
		}
		b.cover(uint32(t), &plane, p, q, r)
	}
	return true
}

// cover enters a triangle into the cells, between those of its corners, whose box meets its plane.
func (b *builder) cover(t uint32, k *plane, p, q, r *place) {
	var lo, hi [3]int
	for axis := range 3 {
		lo[axis] = int(min(p.cell[axis], q.cell[axis], r.cell[axis]))
		hi[axis] = int(max(p.cell[axis], q.cell[axis], r.cell[axis]))
	}
	side := &b.grid.side
	// Half the width of a cell's box along the normal, with an allowance for all rounding.
	half := float64((0.5+boxRoom)*(float64(math.Abs(k.n.X)*side[0])+float64(math.Abs(k.n.Y)*side[1])+float64(math.Abs(k.n.Z)*side[2]))) + planeRoom
	if n := (hi[0] - lo[0]) + (hi[1] - lo[1]) + (hi[2] - lo[2]); n == max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2]) {
		half = math.Inf(1) // in a row of cells, it enters them all
	}
	for z := lo[2]; z <= hi[2]; z++ {
		z0, z1 := float64(k.n.Z*b.at[2][2*z]), float64(k.n.Z*b.at[2][2*z+1])
		for y := lo[1]; y <= hi[1]; y++ {
			y0, y1 := float64(k.n.Y*b.at[1][2*y]), float64(k.n.Y*b.at[1][2*y+1])
			row, middle := b.address[2][z]+b.address[1][y], float64(0.5*((y0+y1)+(z0+z1)))+k.d
			for x := lo[0]; x <= hi[0]; x++ {
				x0, x1 := float64(k.n.X*b.at[0][2*x]), float64(k.n.X*b.at[0][2*x+1])
				if !(math.Abs(middle+float64(0.5*(x0+x1))) <= half) {
					continue
				}
				// The plane's values at the four reference points, summed in the order of plane.at.
				s0, s1, s2, s3 := x0+y0+z0+k.d, x1+y1+z0+k.d, x1+y0+z1+k.d, x0+y1+z1+k.d
				sides := ^(sign(s0) | sign(s1)<<1 | sign(s2)<<2 | sign(s3)<<3) & (1<<references - 1)
				if !(min(math.Abs(s0), math.Abs(s1), math.Abs(s2), math.Abs(s3)) > 1) {
					sides = b.sides(t, k, x, y, z)
				}
				b.add(entry{row + b.address[0][x], t<<references | sides})
			}
		}
	}
}

// sign returns the sign bit of x.
func sign(x float64) uint32 { return uint32(math.Float64bits(x) >> 63) }

// sides returns, exactly, which reference points of a cell lie on the outer side of a triangle.
func (b *builder) sides(t uint32, k *plane, x, y, z int) uint32 {
	sides := uint32(0)
	for r := range uint(references) {
		if b.outer(t, k, b.grid.referencePoint(x, y, z, r)) {
			sides |= 1 << r
		}
	}
	return sides
}

// add appends an entry.
func (b *builder) add(e entry) {
	b.bricks[e.cell>>6].entered |= 1 << (e.cell & 63)
	last := len(b.found) - 1
	if last < 0 || len(b.found[last]) == entryChunk {
		b.found = append(b.found, make([]entry, 0, entryChunk))
		last++
	}
	b.found[last] = append(b.found[last], e)
}

// boxRoom is by how many sides a cell's box is widened on each side. The rounding of a coordinate
// is at most 2^-12 of a side (gridRel). planeRoom is an allowance for the plane's own error, which
// is 1. With smaller values, a cell may miss a triangle. With larger ones, lists are longer.
const (
	boxRoom   = 0x1p-8
	planeRoom = 8
)

// sort sorts the entries by cell.
func (b *builder) sort() {
	rank, n := uint32(0), 0
	for i := range b.bricks {
		k := &b.bricks[i]
		k.rank = rank
		rank += uint32(k.count())
	}
	for _, chunk := range b.found {
		n += len(chunk)
	}
	// first[r+1] is the position of the next entry of cell r. After the last pass it is the end of
	// the cell's list.
	first := make([]uint32, rank+2)
	for _, chunk := range b.found {
		for i := range chunk {
			e := &chunk[i]
			e.cell = uint32(b.bricks[e.cell>>6].rankOf(uint(e.cell & 63)))
			first[e.cell+2]++
		}
	}
	for r := range rank {
		first[r+2] += first[r+1]
	}
	b.entries = make([]uint32, n)
	for _, chunk := range b.found {
		for _, e := range chunk {
			at := &first[e.cell+1]
			b.entries[*at] = e.triangle
			*at++
		}
	}
	b.lists = first[:rank+1]
	for r := range b.lists {
		b.lists[r] <<= references
	}
}
