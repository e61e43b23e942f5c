package geometry

import (
	"errors"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

const (
	// openRel is the least inner radius of the hull of the normals, about the origin, at which planes
	// bound a body. A body between planes with a smaller one is 1/openRel times as long as wide, so
	// thinner than hullMergeRel allows.
	openRel = 1e-12
	// tiltRel times that inner radius is the tilt of the target that keeps exchanges from going in
	// circles. The ball may be smaller than the largest one by tiltRel times the width of the body.
	// Smaller: exchanges go in circles. Larger: the inscribed ball is smaller than the largest.
	tiltRel = 0x1p-40
	// leastPivot is the least weight at which a plane may leave. With a smaller one, the four normals
	// that remain could lie in one plane to rounding.
	leastPivot = 0x1p-30
	// maxExchanges limits the exchanges. A thousand planes take about twenty.
	maxExchanges = 1000
)

// tiltWay is the direction of the tilt. No plane of symmetry of the usual bodies contains it.
var tiltWay = vec.Vec3{X: 0.5357, Y: 0.6293, Z: 0.5629}

// ball is the largest ball in a body that planes bound.
type ball struct {
	centre  vec.Vec3
	radius  float64 // m; not positive if no point is inside all planes
	touches [4]int  // planes that the ball touches
}

// inscribed returns the largest ball inside planes with unit normals.
//
// Let the origin be in the tetrahedron of four normals: Σλₖnₖ = 0 with λₖ ≥ 0. The ball that touches
// these four planes is the largest one between them: wherever its centre moves, one of the planes
// comes nearer. If another plane cuts into the ball, it takes the place of one of the four, such
// that the origin stays in the tetrahedron. Each exchange makes the ball smaller. This is the
// simplex method (Dantzig 1963) for the dual of the linear program: the largest r with n·x + r ≤ d
// for all planes.
//
// If the origin lies on the boundary of the tetrahedron, the ball may keep its size. So the target
// is not the origin, but a point tilted away from it.
//
// Errors wrap ErrNotClosed if the planes bound no body, ErrBroken if the exchanges do not end, and
// ErrTooLarge if the hull takes too long.
// Cost: the hull of the normals, and a pass over the planes for each exchange.
func inscribed(planes []Plane) (ball, error) {
	b := ball{radius: math.Inf(-1)}
	four, target, err := enclosing(planes)
	if err != nil {
		return b, err
	}
	for range maxExchanges {
		x, r := touching(planes, four)
		// The plane that cuts deepest into the ball enters.
		enters, cut, inside := -1, 0.0, math.Inf(1)
		for i, h := range planes {
			room := h.Offset - h.Normal.Dot(x)
			inside = min(inside, room)
			if deep := room - r; deep < cut && deep < -planeRel*(math.Abs(h.Offset)+x.MaxAbs()) {
				enters, cut = i, deep
			}
		}
		if inside > b.radius {
			b = ball{x, inside, four}
		}
		if enters < 0 || slices.Contains(four[:], enters) { // A plane that touches the ball cuts it by rounding.
			b.touches = four
			return b, nil
		}
		weight, change := barycentric(planes, four, target), barycentric(planes, four, planes[enters].Normal)
		leaves, least := -1, math.Inf(1)
		for k, a := range change {
			if q := weight[k] / a; a > leastPivot && q < least {
				leaves, least = k, q
			}
		}
		if leaves < 0 {
			break
		}
		four[leaves] = enters
	}
	if b.radius > 0 {
		return b, nil // Any ball inside all planes serves.
	}
	return b, mark.Errorf(ErrBroken, "no point inside of the %d planes was found in %d exchanges, expected fewer", len(planes), maxExchanges)
}

// enclosing returns four planes whose normals have the target in their tetrahedron. The target is a
// point next to the origin.
func enclosing(planes []Plane) (four [4]int, target vec.Vec3, err error) {
	normals := make([]vec.Vec3, len(planes))
	for i, h := range planes {
		normals[i] = h.Normal
	}
	h, err := hull.Compute(normals, hull.Options{})
	switch {
	case errors.Is(err, hull.ErrTooFew), errors.Is(err, hull.ErrFlat):
		return four, target, mark.Errorf(ErrNotClosed, "the normals of the %d planes lie in one plane or are fewer than four: the body is open, expected planes on all sides", len(planes))
	case err != nil:
		return four, target, mark.Errorf(ErrTooLarge, "the normals: %w", err)
	}
	// All normals n have n·u ≤ 0 for the normal u of a face that does not pass beyond the origin. So
	// no plane stops a point on its way along u.
	inner := slices.Min(h.Offsets)
	if u := h.Normals[slices.Index(h.Offsets, inner)]; !(inner > openRel) {
		return four, target, mark.Errorf(ErrNotClosed, "the body is open towards (%.6g, %.6g, %.6g), expected planes on all sides", u.X+0, u.Y+0, u.Z+0)
	}
	target = tiltWay.Scale(tiltRel * inner)
	// The tetrahedra between a vertex and the triangles of all faces fill the hull.
	best := math.Inf(-1)
	for _, loop := range h.Faces {
		for i := 2; i < len(loop) && loop[0] != 0; i++ {
			tetra := [4]int{h.Verts[0], h.Verts[loop[0]], h.Verts[loop[i-1]], h.Verts[loop[i]]}
			w := barycentric(planes, tetra, target)
			if least := min(w[0], w[1], w[2], w[3]); least > best {
				four, best = tetra, least
			}
		}
	}
	return four, target, nil
}

// cofactors returns the cross products of the edges from the first of four normals to the others,
// and the determinant of the edges.
func cofactors(planes []Plane, four [4]int) (c [3]vec.Vec3, det float64) {
	var e [3]vec.Vec3
	for k := range e {
		e[k] = planes[four[k+1]].Normal.Sub(planes[four[0]].Normal)
	}
	c = [3]vec.Vec3{e[1].Cross(e[2]), e[2].Cross(e[0]), e[0].Cross(e[1])}
	return c, e[0].Dot(c[0])
}

// barycentric returns the weights w with Σwₖnₖ = at and Σwₖ = 1 for the normals of four planes.
func barycentric(planes []Plane, four [4]int, at vec.Vec3) (w [4]float64) {
	c, det := cofactors(planes, four)
	m := at.Sub(planes[four[0]].Normal)
	for k := range c {
		w[k+1] = m.Dot(c[k]) / det
	}
	w[0] = 1 - w[1] - w[2] - w[3]
	return w
}

// touching returns centre and radius of the ball that touches four planes: n·x + r = d.
func touching(planes []Plane, four [4]int) (x vec.Vec3, r float64) {
	c, det := cofactors(planes, four)
	first := planes[four[0]]
	for k := range c {
		x = x.AddScaled((planes[four[k+1]].Offset-first.Offset)/det, c[k])
	}
	return x, first.Offset - first.Normal.Dot(x)
}
