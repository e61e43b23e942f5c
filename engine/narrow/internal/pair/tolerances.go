package pair

// Tolerances. Lengths are multiples of the pair's unit: the larger of the two bounding radii and the
// distance of the two origins. All are powers of two, so scaling a scene by a power of two
// changes no bit of an answer but its exponent.
//
// The error they start from: a vertex of B in the frame of A is a rotation and a translation, a
// handful of roundings of numbers no larger than the unit, so it is right to about 4·2⁻⁵³·unit, and a
// support value n·a − n·b to about 16·2⁻⁵³ = 2⁻⁴⁹ units.
const (
	// RoundTol bounds the rounding error of a support value. What is claimed to be a lower bound
	// of a gap is lowered by it. Smaller: a pair could be called apart that is not.
	RoundTol = 1.0 / (1 << 48)
	// TieTol is how much deeper than the shallowest a facet may be and still count as equally shallow;
	// then the lowest facet id is the answer. Four times RoundTol, so that facets which are equal in
	// exact arithmetic are ties. Smaller: aligned blocks swap facets with every rounding. Larger: answers
	// lose digits.
	TieTol = 1.0 / (1 << 46)
	// CloseTol is the distance below which two pieces are "too close to call": GJK's difference vector
	// has then lost so many digits that its direction is no normal. The facets of K
	// answer instead; their signed distance differs from the true one by less than CloseTol.
	CloseTol = 1.0 / (1 << 42)
	// gjkTol is the difference of upper and lower bound at which GJK stops.
	gjkTol = 1.0 / (1 << 47)
	// ProofTol is the largest difference between the answer and the bound that proves it. Above
	// it a method says NotConverged. 2⁻⁴¹ units are at most 9.1e-13 of the larger radius for a pair that
	// touches.
	ProofTol = 1.0 / (1 << 41)
	// nearTol is by how much the support along the direction of two features may miss their distance
	// if they are the nearest of bodies apart. It is three times the rounding: that of two supports,
	// 2⁻⁴⁸ units, and of a face, whose corners leave its plane by up to 1e-14 of its body's size.
	// Smaller: the nearest features are refused. Larger: others pass for them, with an error of as much.
	nearTol = 1.0 / (1 << 44)
	// projectionTol is how far outside a feature a witness point may lie.
	projectionTol = 1.0 / (1 << 43)
	// tipTol is the extent of the region in which two features meet below which its place is checked against both: at the
	// tip of a face of an angle θ rounding moves it by 2⁻⁵⁰/θ. Smaller: a witness point may lie beyond a tip.
	tipTol = 1.0 / (1 << 28)
	// FlatVolume is the volume of a tetrahedron, over the product of three edges, below which
	// the signs of its parts may be rounding.
	FlatVolume = 1.0 / (1 << 44)
	// MinSine is the sine of the angle below which two edges count as parallel and have no facet. The
	// facet left out is a strip no wider than MinSine edge lengths, so that the depth of its
	// neighbours is larger by no more than that (the depth is 1-Lipschitz in the vertices).
	MinSine = 1.0 / (1 << 44)

	// arcTol is the sine by which an edge may miss the normal cone of another and still be tried: what is
	// tried needlessly costs a support, for h_K is always evaluated in full.
	arcTol = 1.0 / (1 << 40)
	// visibleTol is how far above a triangle of the polytope a point must lie to see it. It keeps
	// rounding from tearing holes; the surface may be that much concave.
	visibleTol = 1.0 / (1 << 48)
	// thinTol is the height of a triangle below which its normal is taken in twofold precision: at
	// 2⁻³¹ units the normal errs by 2⁻²⁰ or so otherwise, and half its square, 2⁻⁴¹, is ProofTol.
	// Smaller: bounds that are none. Larger: needless work.
	thinTol = 1.0 / (1 << 31)

	// MaxGJK caps the iterations of GJK: more than three times the 17 that the worst of 150 000 pairs of
	// rocks of 128 vertices need, apart, touching and deep. A pair that reaches it is NotConverged.
	MaxGJK = 64
	// exponentRange is how far from 1 the exponent of the unit may be before coordinates are scaled:
	// products of three lengths and their squares must neither overflow nor lose digits.
	exponentRange = 100
)

// lengths is the tolerances as lengths of a pair. They are computed once, also so that no product of a
// tolerance meets a sum, which some processors would fuse.
type lengths struct{ Round, Tie, Close, Stop, Proof, near, Projection, Visible, Thin, Arc float64 }

// Set computes them in place: of a structure made elsewhere the copy would wait for its parts.
func (l *lengths) Set(lengthScale float64) {
	l.Round, l.Tie, l.Close = float64(RoundTol*lengthScale), float64(TieTol*lengthScale), float64(CloseTol*lengthScale)
	l.Stop, l.Proof, l.Projection = float64(gjkTol*lengthScale), float64(ProofTol*lengthScale), float64(projectionTol*lengthScale)
	l.near = float64(nearTol * lengthScale)
	l.Visible, l.Thin, l.Arc = float64(visibleTol*lengthScale), float64(thinTol*lengthScale), float64(arcTol*lengthScale)
}
