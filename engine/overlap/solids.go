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
	shared [BatchRows]Shared
	known  [BatchRows]bool

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
func NewSolids() *Solids { return &Solids{} }

// Full says whether there is no room for another overlap.
func (s *Solids) Full() bool { return s.n == BatchRows }

// Len returns how many overlaps there are.
func (s *Solids) Len() int { return s.n }

// Of returns the number that overlap i was added with.
func (s *Solids) Of(i int) uint32 { return s.rows[i].of }

// At returns overlap i, and whether it has a volume. One so thin that rounding makes its moments
// has none.
func (s *Solids) At(i int) (*Shared, bool) { return &s.shared[i], s.known[i] }

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
	s.sort()
	for from := 0; from < s.n; from += asm.SolidRows {
		s.solve(s.bySize[from:min(from+asm.SolidRows, s.n)])
	}
}

// sort puts the rows into bySize, those with the fewest chosen triangles first.
func (s *Solids) sort() {
	const most = 64 // and more are alike
	var first [most + 1]uint8
	size := func(o *solidRow) int { return min(o.chosen, most-1) }
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

// solve answers some rows, one in each lane. What earlier ones left in the other lanes nobody
// reads.
func (s *Solids) solve(rows []uint8) {
	for _, r := range rows {
		if b := &s.rows[r].solid; len(b.loop)+asm.SolidCells > s.cells {
			s.cells = 2 * (len(b.loop) + asm.SolidCells)
			s.lanes = asm.NewSolids(s.cells)
		}
	}
	var chosen, rest [asm.SolidRows]int
	var first [asm.SolidRows]vec.Vec3
	mostChosen, mostRest := 0, 0
	for lane, r := range rows {
		chosen[lane], rest[lane], first[lane] = s.set(lane, &s.rows[r])
		mostChosen, mostRest = max(mostChosen, chosen[lane]), max(mostRest, rest[lane])
	}
	up := func(n int) int { return (n + asm.SolidCells - 1) / asm.SolidCells * asm.SolidCells }
	mostChosen, mostRest = up(mostChosen), up(mostRest)
	for lane := range rows {
		fill(s.lanes.Chosen[chosen[lane]*asm.SolidCell:mostChosen*asm.SolidCell], lane, first[lane])
		fill(s.lanes.Rest[rest[lane]*asm.SolidCell:mostRest*asm.SolidCell], lane, first[lane])
	}
	asm.ShareSolids(s.lanes, len(rows), mostChosen, mostRest)
	for lane, r := range rows {
		c := s.lanes.Numbers[lane:]
		if s.known[r] = c[asm.ShareKnown*asm.SolidRows] != 0; s.known[r] {
			s.shared[r].read(c, asm.SolidRows)
		} else {
			s.shared[r] = Shared{}
		}
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

// read takes over answers in the order of asm.Shares, each so many numbers behind the last.
func (s *Shared) read(c []float64, n int) {
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k*n], Y: c[(k+1)*n], Z: c[(k+2)*n]} }
	s.Volume, s.Centroid, s.Variance = c[0], three(1), c[10*n]
	d, o := three(4), three(7)
	s.Spread = vec.Sym3{XX: d.X, YY: d.Y, ZZ: d.Z, XY: o.X, XZ: o.Y, YZ: o.Z}
	s.VariancePush, s.VarianceTurn, s.VolumePush, s.VolumeTurn = three(11), three(14), three(17), three(20)
	s.Thickness, s.Along = c[asm.ShareThickness*n], three(asm.ShareAlong)
}
