package pair

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Rounded pieces. A rounded piece is its core, which is the shape, together with all points within
// soa.View.Round of the core. The nearest points of two rounded pieces lie on the line through the
// nearest points of their cores, so
//
//	gap = gap of the cores − (roundA + roundB),    normal = that of the cores.
//
// The same holds for the depth along any direction, because the support of a rounded piece is the
// support of its core plus the radius. Searches and certificates therefore work on cores, with a
// reach that is larger by both radii. A pair that overlaps by less than the radii is a distance
// query: GJK and certificate C4 answer it. The depth is computed only if the cores overlap.
//
// The internal packages answer cores. The public package narrow converts the answer to that of the
// pieces (Grow). AxisGap takes rounded pieces. Answer.Facet names features of the cores.
//
// Source: the rounding of PFC's rigid blocks, which needs no EPA while the overlap is less than the
// sum of the radii. Error: that of the cores, plus one rounding of the gap and one of each witness
// point.

// CoreReach returns the reach, m, for the cores of two pieces. If a bound of the cores' gap exceeds
// CoreReach, the gap of the pieces exceeds reach.
func CoreReach(a, b *soa.View, reach float64) float64 {
	round := a.Round + b.Round
	if round == 0 {
		return reach
	}
	// Three roundings: of the radii, of the sum, and of the difference in Grow.
	return (reach + round) * (1 + 0x1p-50)
}

// Grow converts the answer of two cores to the answer of the rounded pieces. roundA and roundB are
// the rounding radii, m.
func (o *Answer) Grow(roundA, roundB float64) {
	round := roundA + roundB
	if round == 0 || o.Status == NotConverged || o.Status == Degenerate {
		return
	}
	if o.Exact || o.Status == Penetrating {
		o.ArmA = o.ArmA.AddScaled(roundA, o.Normal)
		o.ArmB = o.ArmB.AddScaled(-roundB, o.Normal)
		o.SetGap(o.Gap - round)
	} else {
		o.Gap -= round
	}
	if o.Axis == (vec.Vec3{}) {
		return
	}
	if o.AxisSupport += roundA; o.Status != Separated {
		o.Axis, o.AxisSupport = vec.Vec3{}, 0
	}
}

// leastApart times the larger radius is the least distance of the cores of rounded pieces for which
// CoreAnswer types them, if dtol is smaller still. It is a quarter of CloseTol. Smaller: the
// direction between two vertices is rounding noise.
const leastApart = 1.0 / (1 << 44)

// CoreAnswer converts the answer of two rounded pieces to the answer of their cores. It also returns
// the pose of B at which typing examines the cores. Rounded pieces touch while their cores are
// apart. CoreAnswer therefore moves the cores together along the normal, until they are half of dtol
// apart. That is near enough for features to count, and far enough for the direction between
// vertices and edges to be accurate.
func CoreAnswer(a, b *soa.View, pb vec.Pose, dtol float64, answer *Answer) (Answer, vec.Pose) {
	core := *answer
	if a.Round+b.Round == 0 {
		return core, pb
	}
	core.ArmA = core.ArmA.AddScaled(-a.Round, core.Normal)
	core.ArmB = core.ArmB.AddScaled(b.Round, core.Normal)
	core.SetGap(core.Gap + (a.Round + b.Round))
	if near := max(0.5*dtol, leastApart*max(a.Radius, b.Radius)); core.Gap > near && answer.Gap <= dtol {
		pb.Pos = pb.Pos.AddScaled(near-core.Gap, core.Normal)
		core.Gap = near
	}
	return core, pb
}
