package pair

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Status says how two pieces lie to each other.
type Status uint8

const (
	// Separated: the gap is positive.
	Separated Status = iota
	// Touching: the gap is exactly zero.
	Touching
	// Penetrating: the gap is negative.
	Penetrating
	// NotConverged: the method could not prove its answer to ProofTol; nothing else in the Answer
	// holds. Exhaustive answers such a pair.
	NotConverged
	// Degenerate: a pose is not finite or not a rotation, or a shape has no size. Nothing else in the
	// Answer holds and no method will do better.
	Degenerate
)

var statusNames = [...]string{"separated", "touching", "penetrating", "not converged", "degenerate"}

// String returns the status as a word.
func (s Status) String() string { return statusNames[min(s, Degenerate)] }

// AnsweredBy says which certificate or method answered, from cheap to dear.
type AnsweredBy uint8

const (
	ByOdometer AnsweredBy = iota // C1: the motion since the last answer proves the pair apart
	ByAxis                       // C2: the last axis still separates the pair
	ByFeature                    // the stored features are proven again, or a closed form (balls)
	ByWalk                       // a neighbouring feature pair
	BySearch                     // a search from nothing
	NAnsweredBy
)

var answeredNames = [NAnsweredBy]string{"odometer", "axis", "feature", "walk", "search"}

// String returns what answered in the words of the pairs command.
func (l AnsweredBy) String() string { return answeredNames[min(l, BySearch)] }

// Answer is what is known of a pair. It is overwritten as a whole by every query.
type Answer struct {
	Status     Status
	AnsweredBy AnsweredBy
	// Exact says that Gap is the distance or minus the depth. If not, Gap is a lower bound of it along Normal: of a
	// pair apart one that exceeds the reach asked for, arms and Facet being zero; of one that overlaps minus the
	// depth along a common plane, of which a method that does not Deepen does not know whether it is the least.
	Exact  bool
	Gap    float64  // m, negative when penetrating
	Normal vec.Vec3 // unit, from A to B, world axes
	// Witness points of A and B relative to the origins of the two pieces, m, world axes: pa.Pos + ArmA
	// lies on A, pb.Pos + ArmB on B, and the second is the first plus Gap·Normal.
	ArmA, ArmB vec.Vec3
	Facet      soa.FacetID
	// Axis is a unit axis from A to B that separates the pair, in the frame of A, and AxisSupport the
	// largest Axis·a over A, m. Both are set when Status is Separated; the axis is zero otherwise.
	Axis        vec.Vec3
	AxisSupport float64
}

// SetGap stores a gap and the status that belongs to it.
func (o *Answer) SetGap(gap float64) {
	o.Gap = gap
	switch {
	case gap > 0:
		o.Status = Separated
	case gap < 0:
		o.Status = Penetrating
	default:
		o.Gap, o.Status = 0, Touching // -0 becomes 0
	}
}
