package pair

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Status tells whether two pieces are apart, touch or overlap, or why there is no answer.
type Status uint8

const (
	// Separated: the gap is positive.
	Separated Status = iota
	// Touching: the gap is exactly zero.
	Touching
	// Penetrating: the gap is negative.
	Penetrating
	// NotConverged: the method could not prove its answer to ProofTol. No other field of the Answer
	// is valid. Exhaustive answers such a pair.
	NotConverged
	// Degenerate: a pose is not finite or not a rotation, or a shape has no size. No other field of
	// the Answer is valid, and no method can answer the pair.
	Degenerate
)

var statusNames = [...]string{"separated", "touching", "penetrating", "not converged", "degenerate"}

// String returns the status in words.
func (s Status) String() string { return statusNames[min(s, Degenerate)] }

// AnsweredBy tells which certificate or method produced an answer, from cheap to expensive.
type AnsweredBy uint8

const (
	ByOdometer AnsweredBy = iota // C1: the motion since the last answer proves the pair apart
	ByAxis                       // C2: the last axis still separates the pair
	ByFeature                    // the stored features are proven again, or a closed form (balls)
	ByWalk                       // a neighbouring pair of features
	BySearch                     // a search without stored data
	NAnsweredBy
)

var answeredNames = [NAnsweredBy]string{"odometer", "axis", "feature", "walk", "search"}

// String returns the word that the pairs command prints.
func (l AnsweredBy) String() string { return answeredNames[min(l, BySearch)] }

// Answer is the result of a query for one pair. Every query overwrites all of it.
type Answer struct {
	Status     Status
	AnsweredBy AnsweredBy
	// Exact is true if Gap is the distance or minus the depth. If false, Gap is a lower bound along
	// Normal. For a pair apart the bound exceeds the reach of the query, and the arms and Facet are
	// zero. For a pair that overlaps, the bound is minus the depth along a common plane, from a
	// method that does not Deepen and cannot tell whether that depth is the least.
	Exact  bool
	Gap    float64  // m, negative when penetrating
	Normal vec.Vec3 // unit, from A to B, world axes
	// Witness points of A and B, m, world axes, relative to the origins of the two pieces. pa.Pos +
	// ArmA lies on A, pb.Pos + ArmB on B, and pb.Pos + ArmB = pa.Pos + ArmA + Gap·Normal.
	ArmA, ArmB vec.Vec3
	Facet      soa.FacetID
	// Axis is a unit axis from A to B that separates the pair, in the frame of A. AxisSupport is
	// the largest Axis·a over the points a of A, m. Both are set if Status is Separated, except
	// against a plane, by the odometers, and by the batches of package narrow. Otherwise Axis is
	// zero.
	Axis        vec.Vec3
	AxisSupport float64
}

// SetGap stores a gap and the matching status.
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
