package overlap

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
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
	rows   []solidRow
	bySize [SolidRows]uint8 // the rows

	// Answers of the row in place k of bySize go to row first+k of to, which are own but for WriteTo.
	to        *Columns
	first     int
	own       Columns
	thickness [SolidRows]float64 // by place
	known     [SolidRows]float64 // 0 where there is no volume

	lanes *asm.Solids
	cells int // of each sort in lanes

	placer placer
}

// SolidRows is how many overlaps of no type are collected before they are answered. The more there
// are, the more alike are those that share a register.
const SolidRows = 128

// solidRow is one overlap.
type solidRow struct {
	of    uint32
	frame frame
	verts []vec.Vec3

	// Its surface is that of a skeleton, or its own one.
	skeleton *Skeleton
	corners  [mostCorners]vec.Vec3
	kept     Skeleton // of a Clipper, which forgets it
	body     []vec.Vec3
	own      triangles
}

// frame is how the coordinates of a Clipper's body lie in the world, and what moves with A.
type frame struct {
	origin vec.Vec3 // where they begin, relative to the position of A, world axes
	turn   vec.Quat // from body's axes to the world's
	sign   float64  // 1 where body was cut from A, -1 where from B
	arm    float64  // m, see asm.Solids
}

// NewSolids returns an empty batch.
func NewSolids() *Solids { return newSolids(SolidRows) }

// newSolids returns a batch with so many rows.
func newSolids(rows int) *Solids {
	s := &Solids{rows: make([]solidRow, rows)}
	for k := range s.own {
		s.own[k] = make([]float64, rows)
	}
	s.to = &s.own
	return s
}

// Full reports whether there is no room for another overlap.
func (s *Solids) Full() bool { return s.n == len(s.rows) }

// Len returns how many overlaps there are.
func (s *Solids) Len() int { return s.n }

// Solve puts overlaps in an order of its own. Overlap i is then the one in place i of these.

// Of returns the number that overlap i was added with.
func (s *Solids) Of(i int) uint32 { return s.rows[s.bySize[i]].of }

// WriteTo has the next Solve write to rows of columns from the first on, of which there are as many as overlaps: of overlap i to row first+i.
func (s *Solids) WriteTo(to *Columns, first int) { s.to, s.first = to, first }

// Known reports whether overlap i has a volume. One so thin that rounding makes its moments has none.
func (s *Solids) Known(i int) bool { return s.known[i] != 0 }

// Thickness returns Shared.Thickness of overlap i, which has a volume.
func (s *Solids) Thickness(i int) float64 { return s.thickness[i] }

// At writes overlap i, and reports whether it has a volume.
func (s *Solids) At(i int, to *Shared) bool {
	if *to = (Shared{}); !s.Known(i) {
		return false
	}
	to.readRow(s.to, s.first+i, s.thickness[i])
	return true
}

// Drop takes overlap i out, and its answers. The last one becomes overlap i.
func (s *Solids) Drop(i int) {
	s.n--
	for _, answers := range s.to {
		answers[s.first+i] = answers[s.first+s.n]
	}
	s.bySize[i], s.thickness[i], s.known[i] = s.bySize[s.n], s.thickness[s.n], s.known[s.n]
}

// Clear takes all overlaps out.
func (s *Solids) Clear() { s.n = 0 }

// Add puts the overlap that c has found, number of of its tile, into the batch.
func (s *Solids) Add(of uint32, c *Clipper) {
	o := &s.rows[s.n]
	s.n++
	o.of = of
	if p := &c.placed; p.skeleton != nil {
		o.kept, o.frame = *p.skeleton, p.frame
		o.skeleton, o.verts = &o.kept, append(o.corners[:0], p.verts...)
		return
	}
	o.body = append(o.body[:0], c.body.verts...)
	o.skeleton, o.verts, o.frame = nil, o.body, c.frame
	c.body.triangulate(&o.own)
}

// AddSkeleton is Add of two blocks that are proven to have a remembered skeleton, which must not
// change before the batch is cleared. It returns false, and adds nothing, if they are not. None of
// the skeleton's Types makes the overlap. budget is by how much both odometers together may advance, m, with
// AddHeldSkeleton in its place; there is none where it is not positive.
func (s *Solids) AddSkeleton(of uint32, k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) (budget float64, ok bool) {
	if !s.add(of, k, va, pa, vb, pb, true) {
		return 0, false
	}
	return s.placer.budgetOf(k), true
}

// AddHeldSkeleton is AddSkeleton of blocks within the budget of such a proof. It proves nothing.
func (s *Solids) AddHeldSkeleton(of uint32, k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) {
	s.add(of, k, va, pa, vb, pb, false)
}

func (s *Solids) add(of uint32, k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, proves bool) bool {
	o := &s.rows[s.n]
	if !s.placer.place(k, va, pa, vb, pb, proves, o) {
		return false
	}
	o.of = of
	s.n++
	return true
}

// size returns how many triangles the chosen faces have, and all that the kernels ask for.
func (o *solidRow) size() (chosen, all int) {
	if o.skeleton != nil {
		return int(o.skeleton.chosen), int(o.skeleton.all)
	}
	return o.own.chosen, len(o.own.list)
}

// Solve answers the overlaps.
func (s *Solids) Solve() {
	if s.n == 0 {
		return
	}
	bare := s.sort()
	for _, part := range [2][2]int{{0, bare}, {bare, s.n}} {
		for from := part[0]; from < part[1]; from += asm.SolidRows {
			s.solve(from, min(from+asm.SolidRows, part[1]))
		}
	}
}

// sort puts the rows into bySize, those with the fewest chosen triangles first, and of as many
// those with the fewest others. It returns how many have no chosen ones: bodies inside others.
func (s *Solids) sort() (bare int) {
	const most = 16 // pairs of cells of either sort, and more are alike
	var first [most * most]uint8
	var keys [SolidRows]uint8
	key := func(o *solidRow) uint8 {
		chosen, all := o.size()
		cells := func(n int) int { return min((n+asm.SolidCells-1)/asm.SolidCells, most-1) }
		return uint8(most*cells(chosen) + cells(all-chosen))
	}
	if s.n == 1 {
		if s.bySize[0] = 0; key(&s.rows[0]) < most {
			return 1
		}
		return 0
	}
	for k := range s.n {
		keys[k] = key(&s.rows[k])
		first[keys[k]]++
	}
	sum := uint8(0)
	for k, n := range first {
		first[k], sum = sum, sum+n
	}
	bare = int(first[most])
	for k := range s.n {
		at := &first[keys[k]]
		s.bySize[*at] = uint8(k)
		*at++
	}
	return bare
}

// solve answers the rows in places lo ≤ k < end, one in each lane. What earlier ones left in the other lanes nobody reads.
func (s *Solids) solve(lo, end int) {
	rows := s.bySize[lo:end]
	var chosen, rest [asm.SolidRows]int
	mostChosen, mostRest := 0, 0
	for lane, r := range rows {
		mine, all := s.rows[r].size()
		chosen[lane], rest[lane] = mine, all-mine
		mostChosen, mostRest = max(mostChosen, mine), max(mostRest, all-mine)
	}
	up := func(n int) int { return (n + asm.SolidCells - 1) / asm.SolidCells * asm.SolidCells }
	mostChosen, mostRest = up(mostChosen), up(mostRest)
	if most := max(mostChosen, mostRest); most > s.cells {
		s.cells = 2 * most
		s.lanes = asm.NewSolids(s.cells)
	}
	for lane, r := range rows {
		first := s.set(lane, &s.rows[r])
		fill(s.lanes.Chosen[chosen[lane]*asm.SolidCell:mostChosen*asm.SolidCell], lane, first)
		fill(s.lanes.Rest[rest[lane]*asm.SolidCell:mostRest*asm.SolidCell], lane, first)
	}
	asm.ShareSolids(s.lanes, len(rows), mostChosen, mostRest)
	for k := range s.to {
		s.take(s.to[k][s.first+lo:s.first+end], answerOf(k))
	}
	s.take(s.thickness[lo:end], asm.ShareThickness)
	s.take(s.known[lo:end], asm.ShareKnown)
}

// take copies an answer of the lanes.
func (s *Solids) take(to []float64, answer int) {
	from := (*[asm.SolidRows]float64)(s.lanes.Numbers[answer*asm.SolidRows:])
	if len(to) == asm.SolidRows {
		*(*[asm.SolidRows]float64)(to) = *from
		return
	}
	copy(to, from[:])
}

// set puts a row into a lane. It returns the corner that moments start from.
func (s *Solids) set(lane int, o *solidRow) (first vec.Vec3) {
	f, sign, caps := &o.frame, o.frame.sign, o.own.caps
	if k := o.skeleton; k != nil {
		first, caps = o.verts[k.first], k.caps
		lay(s.lanes.Chosen, lane, o.verts, k.triangles[:k.chosen])
		lay(s.lanes.Rest, lane, o.verts, k.triangles[k.chosen:k.all])
	} else {
		first = o.verts[o.own.first]
		lay(s.lanes.Chosen, lane, o.verts, o.own.list[:o.own.chosen])
		lay(s.lanes.Rest, lane, o.verts, o.own.list[o.own.chosen:])
	}
	if caps {
		sign = -sign
	}
	q, x := f.turn, f.origin
	numbers := s.lanes.Numbers[asm.ShareAnswers*asm.SolidRows+lane:]
	for k, n := range [asm.SolidNumbers]float64{
		q.W, q.X, q.Y, q.Z, x.X, x.Y, x.Z, first.X, first.Y, first.Z, sign, f.arm,
	} {
		numbers[k*asm.SolidRows] = n
	}
	return first
}

// lay puts triangles into the first cells.
func lay[N uint8 | uint16](cells []float64, lane int, verts []vec.Vec3, list [][3]N) {
	const rows = asm.SolidRows
	lane &= rows - 1
	for i := range list {
		t, c := &list[i], (*[asm.SolidCell]float64)(cells)
		x, y, z := &verts[t[0]], &verts[t[1]], &verts[t[2]]
		c[lane], c[rows+lane], c[2*rows+lane] = x.X, x.Y, x.Z
		c[3*rows+lane], c[4*rows+lane], c[5*rows+lane] = y.X, y.Y, y.Z
		c[6*rows+lane], c[7*rows+lane], c[8*rows+lane] = z.X, z.Y, z.Z
		cells = cells[asm.SolidCell:]
	}
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
