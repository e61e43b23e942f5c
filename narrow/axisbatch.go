package narrow

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// AxisBatch tests the stored separating axes of many pairs at once (certificate C2), one row per
// pair. For a list of pairs call Select, then Set for each row, Solve, Apart for each row, and
// Unproven.
type AxisBatch struct {
	pair  []uint32 // index of the row's pair among all pairs
	at    []uint32 // index of the row's pair in the list
	gaps  kernels.AxisGaps
	round []float64 // m, bound of the rounding error of the row's gap
	reach []float64 // m
}

// renewed replaces a pair in the list once its axis is proven to separate the pair still.
const renewed = math.MaxUint32

// Resize allocates space for a list of n pairs.
func (b *AxisBatch) Resize(n int) {
	b.pair, b.at = slices.Grow(b.pair[:0], n), slices.Grow(b.at[:0], n)
	b.gaps.Resize(n)
	b.round, b.reach = soa.Resize(b.round, n), soa.Resize(b.reach, n)
}

// Select selects the pairs of a list that have a stored axis. It returns their indices in the order
// of the list, one for each row.
func (b *AxisBatch) Select(list []uint32, pairs *soa.Pairs) []uint32 {
	b.pair, b.at = b.pair[:0], b.at[:0]
	for k, i := range list {
		if pairs.Axis.At(int(i)) != (vec.Vec3{}) {
			b.pair, b.at = append(b.pair, i), append(b.at, uint32(k))
		}
	}
	return b.pair
}

// Set stores the query of row k, given the shapes and poses of its pair and its reach, m. Solve
// then computes the same bits as pair.AxisGap, but for rounding if both pieces are balls.
func (b *AxisBatch) Set(
	k int, pairs *soa.Pairs, shapes *soa.Shapes, shapeA soa.Shape, pa vec.Pose, shape soa.Shape, pb vec.Pose, reach float64,
) {
	i := int(b.pair[k])
	view := shapes.View(shape)
	n := pa.Rot.Rotate(pairs.Axis.At(i))
	dx := pb.Pos.Sub(pa.Pos)
	support := pairs.AxisSupport[i] + view.Round
	b.round[k] = pair.AxisRounding(dx, view.Radius, support)
	b.reach[k] = reach + pair.AxisMargin(dx, shapes.Radius[shapeA], view.Radius)
	if view.Kind.IsRound() {
		support += view.Radius
	}
	b.gaps.Set(k, shapes, shape, pb.Rot.RotateInv(n), dx.Dot(n), support)
}

// Solve computes the gaps of all rows.
func (b *AxisBatch) Solve(shapes *soa.Shapes) { b.gaps.Solve(shapes, 0, len(b.pair)) }

// Apart returns a lower bound of the gap of row k, m, and the reach that the bound is compared
// with. ok is true if the bound exceeds that reach. Apart then marks the pair in the list, and
// Unproven removes the pair.
func (b *AxisBatch) Apart(k int, list []uint32) (gap, reach float64, ok bool) {
	gap, reach = b.gaps.Gap[k]-b.round[k], b.reach[k]
	if !(gap > reach) {
		return gap, reach, false
	}
	list[b.at[k]] = renewed
	return gap, reach, true
}

// Unproven returns the pairs of the list that Apart has not marked, in order. It overwrites the
// list.
func (b *AxisBatch) Unproven(list []uint32) []uint32 {
	rest := list[:0]
	for _, i := range list {
		if i != renewed {
			rest = append(rest, i)
		}
	}
	return rest
}
