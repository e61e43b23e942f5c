package narrow

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// AxisBatch is the pairs of a list whose stored axis is tried again, all at once (certificate C2), a row a pair. Of a list:
// Pick, Ask for each row, Solve, Apart for each row, Rest.
type AxisBatch struct {
	pair  []uint32 // its place among all pairs
	at    []uint32 // its place in the list
	gaps  kernels.AxisGaps
	round []float64 // m, the allowance for the rounding of its gap
	reach []float64 // m
}

// renewed marks a pair of a list that needs nothing more.
const renewed = math.MaxUint32

// Resize makes room for a list of n pairs.
func (b *AxisBatch) Resize(n int) {
	b.pair, b.at = slices.Grow(b.pair[:0], n), slices.Grow(b.at[:0], n)
	b.gaps.Resize(n)
	b.round, b.reach = soa.Resize(b.round, n), soa.Resize(b.reach, n)
}

// Pick takes the pairs of a list that have an axis, in order, and returns them.
func (b *AxisBatch) Pick(list []uint32, con *soa.Contacts) []uint32 {
	b.pair, b.at = b.pair[:0], b.at[:0]
	for k, i := range list {
		if con.Axis.At(int(i)) != (vec.Vec3{}) {
			b.pair, b.at = append(b.pair, i), append(b.at, uint32(k))
		}
	}
	return b.pair
}

// Ask writes the question of row k, whose pair is of two shapes and poses; see AxisGap, whose bits the answer has.
func (b *AxisBatch) Ask(
	k int, con *soa.Contacts, shapes *soa.Shapes, shapeA soa.Shape, pa vec.Pose, shape soa.Shape, pb vec.Pose, reach float64,
) {
	i := int(b.pair[k])
	view := shapes.View(shape)
	n := pa.Rot.Rotate(con.Axis.At(i))
	dx := pb.Pos.Sub(pa.Pos)
	support := con.AxisSupport[i] + view.Round
	b.round[k] = pair.AxisRounding(dx, view.Radius, support)
	b.reach[k] = reach + pair.AxisSure(dx, shapes.Radius[shapeA], view.Radius)
	if view.Kind == soa.Ball {
		support += view.Radius
	}
	b.gaps.Set(k, shapes, shape, pb.Rot.RotateInv(n), dx.Dot(n), support)
}

// Solve answers all rows.
func (b *AxisBatch) Solve(shapes *soa.Shapes) { b.gaps.Solve(shapes, 0, len(b.pair)) }

// Apart returns a lower bound of the gap of row k, m, and the reach that it was asked with; ok is false where the pair is not
// proven farther apart than that. If it is, Rest leaves it out of the list.
func (b *AxisBatch) Apart(k int, list []uint32) (gap, reach float64, ok bool) {
	gap, reach = b.gaps.Gap[k]-b.round[k], b.reach[k]
	if !(gap > reach) {
		return gap, reach, false
	}
	list[b.at[k]] = renewed
	return gap, reach, true
}

// Rest returns the pairs of the list that are not apart, in order and in its place.
func (b *AxisBatch) Rest(list []uint32) []uint32 {
	rest := list[:0]
	for _, i := range list {
		if i != renewed {
			rest = append(rest, i)
		}
	}
	return rest
}
