package pair

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Rounded pieces. A piece is its core, which is the shape, and all that is within soa.View.Round of it. The nearest points
// of two such pieces lie on the line through those of their cores, so
//
//	gap = gap of the cores − (roundA + roundB),    normal = that of the cores,
//
// and the same holds for the depth along any direction, for the support of a rounded piece is that of its core and the
// radius more. So searches and certificates know cores alone, with a reach that is larger by both radii: a pair that
// overlaps by less than the radii is a matter of distance, of GJK and certificate C4, and only where the cores overlap is
// the depth looked for. The rooms answer cores, and the door (package narrow) makes an answer of the cores that of
// the pieces; AxisGap asks for pieces. Facet names features of the cores.
//
// Source: the rounding of PFC's rigid blocks, whose penetration needs no EPA while the overlap is less than the sum of
// the radii. Error: one rounding of the gap, and one of each witness point, besides the cores'.

// CoreReach returns the reach of the cores: where a bound of theirs exceeds it, the gap of the pieces exceeds reach, m.
func CoreReach(a, b *soa.View, reach float64) float64 {
	round := a.Round + b.Round
	if round == 0 {
		return reach
	}
	// Three roundings, of the radii, the sum, and the difference that Grow takes.
	return (reach + round) * (1 + 0x1p-50)
}

// Grow makes an answer of two cores that of the pieces which rounding by the radii, m, makes of them.
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

// leastApart times the larger radius is how far apart the cores of rounded pieces are left for their type where dtol
// is next to nothing: a quarter of what counts for touching. Smaller: the direction between two
// corners is rounding.
const leastApart = 1.0 / (1 << 44)

// Ungrown returns the answer of the cores and the pose of B for which they are typed. Rounded pieces touch while their cores
// are apart: these are moved together along the normal until they are half of dtol apart, near enough to count,
// and not so near that vertices and edges lose their direction.
func Ungrown(a, b *soa.View, pb vec.Pose, dtol float64, answer *Answer) (Answer, vec.Pose) {
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
