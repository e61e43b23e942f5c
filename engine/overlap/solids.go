package overlap

import (
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// Solids is overlaps of no type, whose surface a Clipper has found, on their way to their answers. It is filled by Add,
// answered by Solve, read by At, and empty again after Clear. Its answers have the bits of Clipper.Share. Methods
// allocate nothing once it is warm.
//
// Solve takes those of like size together, a solid a lane: the kernels go on until the largest is through.
type Solids struct {
	n      int
	rows   [BatchRows]solidRow
	bySize [BatchRows]uint8 // the rows
	lanes  *asm.Solids
	shared [BatchRows]Shared
	known  [BatchRows]bool
}

// solidRow is one overlap.
type solidRow struct {
	of     uint32
	caps   bool // are chosen: they have fewer triangles than the own faces
	chosen int  // how many triangles the chosen faces have, and all
	all    int
	frame  frame
	solid  solid
}

// frame is how the coordinates of a Clipper's body lie in the world, and what moves with A.
type frame struct {
	origin vec.Vec3 // where they begin, relative to the position of A, world axes
	along  vec.Vec3 // roughly from one body to the other, in body's axes
	turn   vec.Quat // from body's axes to the world's
	sign   float64  // 1 where body was cut from A, -1 where from B
	arm    float64  // m, see asm.Solids
}

// NewSolids returns an empty batch.
func NewSolids() *Solids { return &Solids{} }

// Full says whether there is no room for another overlap.
func (s *Solids) Full() bool { return s.n == BatchRows }

// Len returns how many overlaps there are.
func (s *Solids) Len() int { return s.n }

// Of returns the number that overlap i was added with.
func (s *Solids) Of(i int) uint32 { return s.rows[i].of }

// At returns overlap i, and whether it has a volume. One so thin that rounding makes its moments has none.
func (s *Solids) At(i int) (*Shared, bool) { return &s.shared[i], s.known[i] }

// Clear takes all overlaps out.
func (s *Solids) Clear() { s.n = 0 }

// Add puts the overlap that c has found, number of of its tile, into the batch. It takes c's body for the one of an
// overlap that has been answered.
func (s *Solids) Add(of uint32, c *Clipper) {
	o := &s.rows[s.n]
	s.n++
	o.of, o.frame = of, c.frame
	o.solid, c.body = c.body, o.solid
	own, caps := o.solid.count()
	o.caps, o.chosen, o.all = caps < own, min(own, caps), own+caps
}

// count returns how many triangles the body's own faces make, and the caps.
func (s *solid) count() (own, caps int) {
	first := 0
	for f, end := range s.end {
		if n := max(end-first-2, 0); s.isCap[f] {
			caps += n
		} else {
			own += n
		}
		first = end
	}
	return own, caps
}

// Solve answers the overlaps.
func (s *Solids) Solve() {
	s.sort()
	for from := 0; from < s.n; from += asm.SolidRows {
		s.solve(s.bySize[from:min(from+asm.SolidRows, s.n)])
	}
}

// sort puts the rows into bySize, those with the fewest triangles first.
func (s *Solids) sort() {
	const most = 64 // and more are alike
	var first [most + 1]uint8
	size := func(o *solidRow) int { return min(o.all, most-1) }
	for k := range s.n {
		first[size(&s.rows[k])+1]++
	}
	for k := range most {
		first[k+1] += first[k]
	}
	for k := range s.n {
		at := &first[size(&s.rows[k])]
		s.bySize[*at] = uint8(k)
		*at++
	}
}

// solve answers some rows, one in each lane. What earlier ones left in the other lanes nobody reads.
func (s *Solids) solve(rows []uint8) {
	chosen, all := 0, 0
	for _, r := range rows {
		chosen, all = max(chosen, s.rows[r].chosen), max(all, s.rows[r].all)
	}
	up := func(n int) int { return (n + asm.SolidCells - 1) / asm.SolidCells * asm.SolidCells }
	chosen = up(chosen)
	if s.lanes == nil || len(s.lanes.Cells) < (chosen+up(all))*asm.SolidCell {
		s.lanes = asm.NewSolids(2 * (chosen + up(all)))
	}
	var ends [asm.SolidRows]int
	var firsts [asm.SolidRows]vec.Vec3
	most := chosen
	for lane, r := range rows {
		ends[lane], firsts[lane] = s.set(lane, &s.rows[r], chosen)
		most = max(most, ends[lane])
	}
	most = up(most)
	for lane := range rows {
		s.fill(lane, ends[lane], most, firsts[lane])
	}
	asm.ShareSolids(s.lanes, chosen, most)
	for lane, r := range rows {
		c := s.lanes.Numbers[lane:]
		if s.known[r] = c[asm.ShareKnown*asm.SolidRows] != 0; s.known[r] {
			s.shared[r].read(c, asm.SolidRows)
		} else {
			s.shared[r] = Shared{}
		}
	}
}

// set puts a row into a lane: the triangles of its chosen faces into the first cells, those of the others behind so
// many. It returns where these end, and the corner that moments start from. That is one that only the others have,
// if there is one: the tetrahedra between it and its faces are flat, and left out.
func (s *Solids) set(lane int, o *solidRow, chosen int) (end int, first vec.Vec3) {
	b, f := &o.solid, &o.frame
	cells := s.lanes.Cells
	var in uint64 // the first corners, those of chosen faces
	end = 0
	from := 0
	for k, to := range b.end {
		if loop := b.loop[from:to]; b.isCap[k] == o.caps && len(loop) > 2 {
			for _, v := range loop {
				in |= 1 << v // none beyond 63
			}
			end = fan(cells, end, lane, b.verts, loop)
		}
		from = to
	}
	corner := uint16(bits.TrailingZeros64(^in))
	if int(corner) >= len(b.verts) {
		corner = 0
	}
	first = b.verts[corner]
	s.fill(lane, end, chosen, first)
	from, end = 0, chosen
	for k, to := range b.end {
		if loop := b.loop[from:to]; b.isCap[k] != o.caps && len(loop) > 2 && !slices.Contains(loop, corner) {
			end = fan(cells, end, lane, b.verts, loop)
		}
		from = to
	}

	sign := f.sign
	if o.caps {
		sign = -sign
	}
	q, x := f.turn, f.origin
	numbers := s.lanes.Numbers[asm.ShareAnswers*asm.SolidRows+lane:]
	for k, n := range [asm.SolidNumbers]float64{
		f.along.X, f.along.Y, f.along.Z, q.W, q.X, q.Y, q.Z, x.X, x.Y, x.Z, first.X, first.Y, first.Z, sign, f.arm,
	} {
		numbers[k*asm.SolidRows] = n
	}
	return end, first
}

// fan puts the triangles of a face into cells, from a number on, and returns the number behind.
func fan(cells []float64, at, lane int, verts []vec.Vec3, loop []uint16) int {
	x, y := verts[loop[0]], verts[loop[1]]
	for _, k := range loop[2:] {
		z := verts[k]
		setCell(cells, at, lane, x, y, z)
		y = z
		at++
	}
	return at
}

// fill puts triangles without area into cells.
func (s *Solids) fill(lane, from, to int, x vec.Vec3) {
	for k := from; k < to; k++ {
		setCell(s.lanes.Cells, k, lane, x, x, x)
	}
}

func setCell(cells []float64, at, lane int, x, y, z vec.Vec3) {
	const n = asm.SolidRows
	lane &= n - 1
	c := (*[asm.SolidCell]float64)(cells[at*asm.SolidCell:])
	c[lane], c[n+lane], c[2*n+lane] = x.X, x.Y, x.Z
	c[3*n+lane], c[4*n+lane], c[5*n+lane] = y.X, y.Y, y.Z
	c[6*n+lane], c[7*n+lane], c[8*n+lane] = z.X, z.Y, z.Z
}

// read takes over answers in the order of asm.Shares, each so many numbers behind the last.
func (s *Shared) read(c []float64, n int) {
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k*n], Y: c[(k+1)*n], Z: c[(k+2)*n]} }
	s.Volume, s.Centroid, s.Variance = c[0], three(1), c[10*n]
	d, o := three(4), three(7)
	s.Spread = vec.Sym3{XX: d.X, YY: d.Y, ZZ: d.Z, XY: o.X, XZ: o.Y, YZ: o.Z}
	s.VariancePush, s.VarianceTurn, s.VolumePush, s.VolumeTurn = three(11), three(14), three(17), three(20)
	s.Thickness, s.Along = c[asm.ShareThickness*n], three(asm.ShareAlong)
}
