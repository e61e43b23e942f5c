package overlap

import (
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// Solids is overlaps of no type, whose surface a Clipper has found, on their way to their answers.
// It is filled by Add, answered by Solve, read by At, and empty again after Clear. Its answers
// have the bits of Clipper.Share. Methods allocate nothing once it is warm.
//
// Solve takes those of like size together, a solid a lane: the kernels go on until the largest is
// through.
type Solids struct {
	n      int
	rows   [BatchRows]solidRow
	bySize [BatchRows]uint8 // the rows
	at     [BatchRows]uint8 // by row: its place in bySize
	slabs  [BatchRows]Slab
	known  [BatchRows]bool

	// Moments of the row in place k of bySize go to row first+k of to, which are own but for WriteTo.
	to    *Moments
	first int
	own   Moments

	lanes *asm.Solids
	cells int // of each sort in lanes
}

// solidRow is one overlap.
type solidRow struct {
	of     uint32
	frame  frame
	solid  solid
	faces  []face // own ones of the body that was cut, then the caps
	own    int    // how many own ones there are
	caps   bool   // the caps are chosen, else the own ones
	chosen int    // how many triangles the chosen ones have
}

// face is where the corners of a face begin and end in loop.
type face struct{ from, to int }

// frame is how the coordinates of a Clipper's body lie in the world, and what moves with A.
type frame struct {
	origin vec.Vec3 // where they begin, relative to the position of A, world axes
	turn   vec.Quat // from body's axes to the world's
	sign   float64  // 1 where body was cut from A, -1 where from B
	arm    float64  // m, see asm.Solids
}

// NewSolids returns an empty batch.
func NewSolids() *Solids {
	s := &Solids{}
	for k := range s.own {
		s.own[k] = make([]float64, BatchRows)
	}
	s.to = &s.own
	return s
}

// Full says whether there is no room for another overlap.
func (s *Solids) Full() bool { return s.n == BatchRows }

// Len returns how many overlaps there are.
func (s *Solids) Len() int { return s.n }

// Of returns the number that overlap i was added with.
func (s *Solids) Of(i int) uint32 { return s.rows[i].of }

// WriteTo has the next Solve write moments to rows of columns, of which BatchRows are there from the
// first. Row says which is whose.
func (s *Solids) WriteTo(to *Moments, first int) { s.to, s.first = to, first }

// Row returns the row of the moments of overlap i.
func (s *Solids) Row(i int) int { return s.first + int(s.at[i]) }

// Slab returns where overlap i is, and whether it has a volume. One so thin that rounding makes its
// moments has none.
func (s *Solids) Slab(i int) (*Slab, bool) { return &s.slabs[i], s.known[i] }

// At writes overlap i, and says whether it has a volume.
func (s *Solids) At(i int, to *Shared) bool {
	if *to = (Shared{}); !s.known[i] {
		return false
	}
	to.read(s.to, s.Row(i), &s.slabs[i])
	return true
}

// Clear takes all overlaps out.
func (s *Solids) Clear() { s.n = 0 }

// Add puts the overlap that c has found, number of of its tile, into the batch. It takes c's body
// for the one of an overlap that has been answered.
func (s *Solids) Add(of uint32, c *Clipper) {
	o := &s.rows[s.n]
	s.n++
	o.of, o.frame = of, c.frame
	o.solid, c.body = c.body, o.solid
	o.split()
}

// split sorts the faces, and chooses those of a sort that have fewer triangles. How the overlap
// changes with either sort is the opposite of how it changes with the other.
func (o *solidRow) split() {
	b := &o.solid
	n := len(b.end)
	if len(o.faces) < n {
		o.faces = make([]face, 2*n)
	}
	own, caps := 0, n // own ones from the front, caps from the back
	triangles, ofCaps, from := 0, 0, 0
	for f, to := range b.end {
		t := max(to-from-2, 0)
		triangles += t
		at, isOwn := own, 1
		if b.isCap[f] {
			at, isOwn = caps-1, 0
		} else {
			t = 0
		}
		o.faces[at] = face{from, to}
		own, caps, ofCaps, from = own+isOwn, caps-1+isOwn, ofCaps+t, to
	}
	o.own, o.caps, o.chosen = own, 2*ofCaps < triangles, min(ofCaps, triangles-ofCaps)
}

// Solve answers the overlaps.
func (s *Solids) Solve() {
	if s.n == 0 {
		return
	}
	bare := s.sort()
	for _, part := range [2][2]int{{0, bare}, {bare, s.n}} {
		for from := part[0]; from < part[1]; from += asm.SolidRows {
			s.solve(s.bySize[from:min(from+asm.SolidRows, part[1])], s.first+from)
		}
	}
}

// sort puts the rows into bySize, those with the fewest chosen triangles first. It returns how many
// have none: bodies inside others.
func (s *Solids) sort() (bare int) {
	const most = 64 // and more are alike
	var first [most + 1]uint8
	size := func(o *solidRow) int { return min(o.chosen, most-1) }
	for k := range s.n {
		first[size(&s.rows[k])+1]++
	}
	bare = int(first[1])
	for k := range most {
		first[k+1] += first[k]
	}
	for k := range s.n {
		at := &first[size(&s.rows[k])]
		s.bySize[*at], s.at[k] = uint8(k), *at
		*at++
	}
	return bare
}

// solve answers some rows, one in each lane, and writes their moments from row first on. What earlier
// ones left in the other lanes nobody reads.
func (s *Solids) solve(rows []uint8, first int) {
	for _, r := range rows {
		if b := &s.rows[r].solid; len(b.loop)+asm.SolidCells > s.cells {
			s.cells = 2 * (len(b.loop) + asm.SolidCells)
			s.lanes = asm.NewSolids(s.cells)
		}
	}
	var chosen, rest [asm.SolidRows]int
	var corner [asm.SolidRows]vec.Vec3
	mostChosen, mostRest := 0, 0
	for lane, r := range rows {
		chosen[lane], rest[lane], corner[lane] = s.set(lane, &s.rows[r])
		mostChosen, mostRest = max(mostChosen, chosen[lane]), max(mostRest, rest[lane])
	}
	up := func(n int) int { return (n + asm.SolidCells - 1) / asm.SolidCells * asm.SolidCells }
	mostChosen, mostRest = up(mostChosen), up(mostRest)
	for lane := range rows {
		fill(s.lanes.Chosen[chosen[lane]*asm.SolidCell:mostChosen*asm.SolidCell], lane, corner[lane])
		fill(s.lanes.Rest[rest[lane]*asm.SolidCell:mostRest*asm.SolidCell], lane, corner[lane])
	}
	asm.ShareSolids(s.lanes, len(rows), mostChosen, mostRest)
	answers := s.lanes.Numbers
	for k := range s.to {
		copy(s.to[k][first:][:len(rows)], answers[answerOf(k)*asm.SolidRows:])
	}
	for lane, r := range rows {
		number := func(k int) float64 { return answers[k*asm.SolidRows+lane] }
		three := func(k int) vec.Vec3 { return vec.Vec3{X: number(k), Y: number(k + 1), Z: number(k + 2)} }
		s.known[r] = number(asm.ShareKnown) != 0
		s.slabs[r] = Slab{three(asm.ShareCentroid), number(asm.ShareThickness), three(asm.ShareAlong)}
	}
}

// set puts a row into a lane. It returns how many triangles the chosen faces and the others have
// there, and the corner that moments start from. That is one that only the others have, if there
// is one: the tetrahedra between it and its faces are flat, and left out.
func (s *Solids) set(lane int, o *solidRow) (chosen, rest int, first vec.Vec3) {
	b, f := &o.solid, &o.frame
	mine, others, sign := o.faces[:o.own], o.faces[o.own:len(b.end)], f.sign
	if o.caps {
		mine, others, sign = others, mine, -sign
	}
	var in uint64 // the first corners: those of chosen faces
	for _, c := range mine {
		n, has := fan(s.lanes.Chosen[chosen*asm.SolidCell:], lane, b.verts, b.loop[c.from:c.to])
		chosen += n
		in |= has
	}
	corner := uint16(bits.TrailingZeros64(^in))
	if int(corner) >= len(b.verts) {
		corner = 0
	}
	for _, c := range others {
		if loop := b.loop[c.from:c.to]; !slices.Contains(loop, corner) {
			n, _ := fan(s.lanes.Rest[rest*asm.SolidCell:], lane, b.verts, loop)
			rest += n
		}
	}

	first = b.verts[corner]
	q, x := f.turn, f.origin
	numbers := s.lanes.Numbers[asm.ShareAnswers*asm.SolidRows+lane:]
	for k, n := range [asm.SolidNumbers]float64{
		q.W, q.X, q.Y, q.Z, x.X, x.Y, x.Z, first.X, first.Y, first.Z, sign, f.arm,
	} {
		numbers[k*asm.SolidRows] = n
	}
	return chosen, rest, first
}

// fan puts the triangles of a face into the first cells. It returns how many there are, and which
// of the first 64 corners they have.
func fan(cells []float64, lane int, verts []vec.Vec3, loop []uint16) (n int, in uint64) {
	const rows = asm.SolidRows
	lane &= rows - 1
	if len(loop) < 3 {
		return 0, 0
	}
	in = 1<<loop[0] | 1<<loop[1]
	x, y := verts[loop[0]], verts[loop[1]]
	for _, k := range loop[2:] {
		z := verts[k]
		in |= 1 << k
		c := (*[asm.SolidCell]float64)(cells)
		c[lane], c[rows+lane], c[2*rows+lane] = x.X, x.Y, x.Z
		c[3*rows+lane], c[4*rows+lane], c[5*rows+lane] = y.X, y.Y, y.Z
		c[6*rows+lane], c[7*rows+lane], c[8*rows+lane] = z.X, z.Y, z.Z
		cells = cells[asm.SolidCell:]
		y = z
	}
	return len(loop) - 2, in
}

// fill puts triangles without area into cells.
func fill(cells []float64, lane int, x vec.Vec3) {
	const rows = asm.SolidRows
	lane &= rows - 1
	for len(cells) > 0 {
		c := (*[asm.SolidCell]float64)(cells)
		c[lane], c[rows+lane], c[2*rows+lane] = x.X, x.Y, x.Z
		c[3*rows+lane], c[4*rows+lane], c[5*rows+lane] = x.X, x.Y, x.Z
		c[6*rows+lane], c[7*rows+lane], c[8*rows+lane] = x.X, x.Y, x.Z
		cells = cells[asm.SolidCell:]
	}
}

// read takes an overlap over from a row of columns, and from a slab.
func (s *Shared) read(c *Moments, i int, o *Slab) {
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k][i], Y: c[k+1][i], Z: c[k+2][i]} }
	s.Volume, s.Variance = c[0][i], c[7][i]
	s.Spread = vec.Sym3{XX: c[1][i], YY: c[2][i], ZZ: c[3][i], XY: c[4][i], XZ: c[5][i], YZ: c[6][i]}
	s.VariancePush, s.VarianceTurn, s.VolumePush, s.VolumeTurn = three(8), three(11), three(14), three(17)
	s.Centroid, s.Thickness, s.Along = o.Centroid, o.Thickness, o.Along
}
