package pair

// The tolerances bound the rounding error of a support value and build on it. Lengths are multiples
// of the pair's length scale: the largest of the two bounding radii and the largest component of
// the vector between the two origins. All tolerances are powers of two, so scaling a scene by a
// power of two changes only the exponents of an answer.
//
// A vertex of B in the frame of A results from a rotation and a translation: a few roundings of
// numbers no larger than the length scale. Its error is about 4·2⁻⁵³ length scales. A support value
// n·a − n·b errs by about 16·2⁻⁵³ = 2⁻⁴⁹ length scales.
const (
	// RoundTol bounds the rounding error of a support value. Every lower bound of a gap is reduced
	// by it. Smaller: a pair could be reported apart that is not.
	RoundTol = 1.0 / (1 << 48)
	// TieTol is how much deeper than the shallowest facet another facet may be and still tie with
	// it. Among facets that tie, the one with the lowest id is the answer. It is four times
	// RoundTol, so facets that are equal in exact arithmetic tie. Smaller: the answer of aligned
	// blocks changes with every rounding. Larger: answers lose digits.
	TieTol = 1.0 / (1 << 46)
	// CloseTol is the distance below which two pieces are too close for GJK: the difference vector
	// has then lost so many digits that its direction is no normal. The facets of K answer instead.
	// Their signed distance differs from the true one by less than CloseTol.
	// Smaller: poor normals near touching.
	CloseTol = 1.0 / (1 << 42)
	// gjkTol is the difference of upper and lower bound at which GJK stops.
	// Smaller: iterations without gain.
	gjkTol = 1.0 / (1 << 47)
	// ProofTol is the largest difference between an answer and the bound that proves it. Above it a
	// method returns NotConverged. 2⁻⁴¹ length scales are at most 9.1e-13 of the larger radius for
	// a pair that touches.
	// Smaller: more exhaustive searches. Larger: worse results.
	ProofTol = 1.0 / (1 << 41)
	// nearTol is the largest difference between the distance of two features and the support along
	// their direction at which the features count as the nearest of bodies apart. It is three times
	// the rounding: that of two supports, 2⁻⁴⁸ length scales, and that of a face, whose corners
	// leave its plane by up to 1e-14 of the body's size. Smaller: the nearest features are
	// rejected. Larger: other features are accepted, with an error of as much.
	nearTol = 1.0 / (1 << 44)
	// projectionTol is how far outside its feature a projection, and so a witness point, may lie.
	// Smaller: features are refused. Larger: witness points off the body.
	projectionTol = 1.0 / (1 << 43)
	// tipTol is the extent of the common region of two features below which its mean is checked
	// against both features. At the tip of a face with angle θ, rounding moves the mean by 2⁻⁵⁰/θ.
	// Smaller: a witness point may lie beyond a tip.
	tipTol = 1.0 / (1 << 28)
	// FlatVolume is the volume of a tetrahedron, divided by the product of three edges, below which
	// the signs of its parts may be rounding noise.
	// Smaller: GJK errs on flat simplices.
	FlatVolume = 1.0 / (1 << 44)
	// MinSine is the sine of the angle below which two edges count as parallel and make no facet.
	// The facet left out is a strip no wider than MinSine edge lengths. The depth is 1-Lipschitz in
	// the vertices, so the depth of the neighbouring facets is larger by no more than that width.
	// Larger: a strip of K is omitted.
	MinSine = 1.0 / (1 << 44)

	// arcTol is the sine by which an edge may miss the normal cone of another edge and still be
	// tested. A needless test costs one support evaluation, because h_K is always evaluated in
	// full.
	// Smaller: a facet may be missed. Larger: needless supports.
	arcTol = 1.0 / (1 << 40)
	// visibleTol is how far above a triangle of the polytope a point must lie to count as seeing
	// the triangle. It prevents rounding from tearing holes into the polytope. The polytope may be
	// concave by that much.
	// Smaller: holes in EPA's polytope. Larger: a concave polytope.
	visibleTol = 1.0 / (1 << 48)
	// thinTol is the height of a triangle below which its normal is computed in twofold precision.
	// At 2⁻³¹ length scales the plain normal errs by about 2⁻²⁰, and half the square of that, 2⁻⁴¹,
	// is ProofTol. Smaller: bounds may be false. Larger: needless work.
	thinTol = 1.0 / (1 << 31)

	// MaxGJK limits the iterations of GJK. It is more than three times the 17 iterations of the
	// worst of 150 000 pairs of rocks of 128 vertices, apart, touching and deep. A pair that
	// reaches the limit is NotConverged.
	// Smaller: more exhaustive searches.
	MaxGJK = 64
	// exponentRange is how far from 1 the exponent of the length scale may be before coordinates
	// are scaled. Products of three lengths, and the squares of these, must neither overflow nor
	// lose digits.
	// Smaller: more pairs are scaled and searched from scratch. Larger: overflow, lost digits.
	exponentRange = 100
)

// lengths holds the tolerances as lengths of a pair. They are computed once. This also keeps
// products of a tolerance out of sums, which some processors would fuse.
type lengths struct{ Round, Tie, Close, Stop, Proof, near, Projection, Visible, Thin, Arc float64 }

// Set computes the lengths in place: a copy of a structure written elsewhere would wait for its
// parts.
func (l *lengths) Set(lengthScale float64) {
	l.Round, l.Tie, l.Close = float64(RoundTol*lengthScale), float64(TieTol*lengthScale), float64(CloseTol*lengthScale)
	l.Stop, l.Proof, l.Projection = float64(gjkTol*lengthScale), float64(ProofTol*lengthScale), float64(projectionTol*lengthScale)
	l.near = float64(nearTol * lengthScale)
	l.Visible, l.Thin, l.Arc = float64(visibleTol*lengthScale), float64(thinTol*lengthScale), float64(arcTol*lengthScale)
}
