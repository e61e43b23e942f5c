package overlap

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// UntypedBatch is a batch of overlaps of no type, whose surfaces a Clipper has found. Add fills the
// batch, Solve computes the moments, At reads them, and Clear empties the batch. The results are
// bit-identical to those of Clipper.Share. Methods allocate nothing once the buffers have grown.
//
// Solve puts overlaps of similar size into the lanes of one register. The kernels run until the
// largest overlap of a register is finished.
type UntypedBatch struct {
	n      int
	rows   []untypedRow
	bySize [UntypedRows]uint8 // the rows in the order of Solve

	// The results of the row bySize[k] are stored in row first+k of to. to is &own unless WriteTo
	// sets it.
	to        *Columns
	first     int
	own       Columns
	thickness [UntypedRows]float64 // by place in bySize
	known     [UntypedRows]float64 // by place in bySize: 0 if the overlap has no volume

	lanes *asm.Polyhedra
	cells int // capacity of lanes: cells of chosen triangles, and as many of other triangles

	placer placer
}

// UntypedRows is how many overlaps of no type are collected before Solve. The more rows there are,
// the more similar in size are the overlaps that share a register.
const UntypedRows = 128

// untypedRow is one overlap.
type untypedRow struct {
	of    uint32
	frame frame
	verts []vec.Vec3

	// The surface is that of skeleton, or own if skeleton is nil.
	skeleton *Skeleton
	corners  [mostCorners]vec.Vec3
	kept     Skeleton // a copy of the Clipper's skeleton, which the Clipper overwrites
	body     []vec.Vec3
	own      triangles
}

// frame relates the coordinates of a Clipper's body to the world, and names the body whose motion
// the derivatives refer to.
type frame struct {
	origin vec.Vec3 // origin of the coordinates, relative to the position of A, world axes
	turn   vec.Quat // from the axes of body to the world's
	sign   float64  // 1 if body was cut from A, -1 if it was cut from B
	arm    float64  // m, see asm.Solids
}

// NewUntypedBatch returns an empty batch.
func NewUntypedBatch() *UntypedBatch { return newSolids(UntypedRows) }

// newSolids returns an empty batch with the given number of rows.
func newSolids(rows int) *UntypedBatch {
	s := &UntypedBatch{rows: make([]untypedRow, rows)}
	for k := range s.own {
		s.own[k] = make([]float64, rows)
	}
	s.to = &s.own
	return s
}

// Full reports whether the batch has no free row.
func (s *UntypedBatch) Full() bool { return s.n == len(s.rows) }

// Len returns the number of overlaps in the batch.
func (s *UntypedBatch) Len() int { return s.n }

// Solve reorders the overlaps. From then on, overlap i means the one in place i of this order.

// PairNumber returns the number that overlap i was added with.
func (s *UntypedBatch) PairNumber(i int) uint32 { return s.rows[s.bySize[i]].of }

// WriteTo makes Solve write overlap i to row first+i of to, until the next WriteTo. The columns must
// have a row for each overlap of the batch.
func (s *UntypedBatch) WriteTo(to *Columns, first int) { s.to, s.first = to, first }

// Known reports whether overlap i has a volume. An overlap so thin that its moments are rounding
// has none.
func (s *UntypedBatch) Known(i int) bool { return s.known[i] != 0 }

// Thickness returns Shared.Thickness of overlap i, which must have a volume.
func (s *UntypedBatch) Thickness(i int) float64 { return s.thickness[i] }

// At writes overlap i to to, and reports whether it has a volume.
func (s *UntypedBatch) At(i int, to *Moments) bool {
	if *to = (Moments{}); !s.Known(i) {
		return false
	}
	to.readRow(s.to, s.first+i, s.thickness[i])
	return true
}

// Drop removes overlap i and its results. The last overlap becomes overlap i.
func (s *UntypedBatch) Drop(i int) {
	s.n--
	for _, answers := range s.to {
		answers[s.first+i] = answers[s.first+s.n]
	}
	s.bySize[i], s.thickness[i], s.known[i] = s.bySize[s.n], s.thickness[s.n], s.known[s.n]
}

// Clear removes all overlaps.
func (s *UntypedBatch) Clear() { s.n = 0 }

// Add appends the overlap whose surface c has found. of is the number that PairNumber returns.
func (s *UntypedBatch) Add(of uint32, c *Clipper) {
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

// AddSkeleton appends the overlap of two blocks if it is proven to have the skeleton k. If the
// proof fails, AddSkeleton returns false and appends nothing. The caller must have found that
// neither of k.Types makes the overlap, and must not change k until the batch is cleared.
//
// budget is how far both odometers together may advance, m, while AddHeldSkeleton may replace
// AddSkeleton. If budget is not positive, the skeleton must be proven in each step.
func (s *UntypedBatch) AddSkeleton(of uint32, k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) (budget float64, ok bool) {
	if !s.add(of, k, va, pa, vb, pb, true) {
		return 0, false
	}
	return s.placer.budgetOf(k), true
}

// AddHeldSkeleton is AddSkeleton for blocks that are within the budget of an earlier proof. It
// proves nothing.
func (s *UntypedBatch) AddHeldSkeleton(of uint32, k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) {
	s.add(of, k, va, pa, vb, pb, false)
}

func (s *UntypedBatch) add(of uint32, k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, proves bool) bool {
	o := &s.rows[s.n]
	if !s.placer.place(k, va, pa, vb, pb, proves, o) {
		return false
	}
	o.of = of
	s.n++
	return true
}

// size returns the number of triangles of chosen faces, and of all triangles that the kernels read.
func (o *untypedRow) size() (chosen, all int) {
	if o.skeleton != nil {
		return int(o.skeleton.chosen), int(o.skeleton.all)
	}
	return o.own.chosen, len(o.own.list)
}

// Solve computes the moments of all overlaps.
func (s *UntypedBatch) Solve() {
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

// sort fills bySize: rows with the fewest chosen triangles first, and among equal counts those with
// the fewest other triangles. It returns the number of rows without chosen triangles: one body is
// inside the other.
func (s *UntypedBatch) sort() (bare int) {
	const most = 16 // pairs of cells of each kind; larger counts share a key
	var first [most * most]uint8
	var keys [UntypedRows]uint8
	key := func(o *untypedRow) uint8 {
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

// solve computes the rows bySize[lo:end], one in each lane. Nobody reads the other lanes.
func (s *UntypedBatch) solve(lo, end int) {
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
		s.copyAnswers(s.to[k][s.first+lo:s.first+end], answerOf(k))
	}
	s.copyAnswers(s.thickness[lo:end], asm.ShareThickness)
	s.copyAnswers(s.known[lo:end], asm.ShareKnown)
}

// copyAnswers copies one result of all lanes to to.
func (s *UntypedBatch) copyAnswers(to []float64, answer int) {
	from := (*[asm.SolidRows]float64)(s.lanes.Numbers[answer*asm.SolidRows:])
	if len(to) == asm.SolidRows {
		*(*[asm.SolidRows]float64)(to) = *from
		return
	}
	copy(to, from[:])
}

// set writes a row to a lane. It returns the common apex of the tetrahedra over which moments are
// summed.
func (s *UntypedBatch) set(lane int, o *untypedRow) (first vec.Vec3) {
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

// lay writes one triangle to the lane of each cell, from the first cell on.
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

// fill writes triangles without area, at the point x, to the lane of each cell.
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
