package geometry

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/vec"
)

// flattenSteps limits Newton's iteration. Faces bend by about a millionth of the size, and each
// step squares the relative bend. So two steps reach rounding, and the third confirms it.
const flattenSteps = 4

// flattenSolve limits the conjugate gradient iterations of one Newton step. They stop when the
// residual has fallen by the factor flattenGain. A Newton step needs no more digits: it reduces the
// relative bend to its square at best.
// Smaller: needless work. Larger: another step.
const (
	flattenSolve = 400
	flattenGain  = 1e-9
)

// flattener moves vertices until polygons are planar.
//
// To first order, a polygon is planar if the heights of its corners over its mean plane are an
// affine function of the plane's coordinates x and y. Let P project the heights onto the complement
// of 1, x and y; then the projection must be zero. P yields n-3 equations for n corners, so a
// triangle yields none. Let r be the heights and A the map from the displacements of the vertices
// to the heights of the corners. The smallest displacements d that solve P·(r + A·d) = 0 are d =
// -Aᵀ·P·λ with (P·A·Aᵀ·P)·λ = P·r. Conjugate gradients compute λ.
//
// The equations of a convex polyhedron are independent, whatever the number of faces at a vertex
// (Steinitz: a polyhedron of E edges has E + 6 degrees of freedom).
type flattener struct {
	pts     []vec.Vec3
	faces   []flatFace
	corners int // of all faces together
}

// flatFace is a polygon of four corners or more, with its values in the current Newton step.
type flatFace struct {
	loop   []int
	first  int // the index of its first corner among the corners of all faces
	normal vec.Vec3
	basis  [3][]float64 // orthonormal: 1, x and y at the corners
	height []float64    // of the corners over the mean plane, m
}

// newFlattener returns a flattener for the loops of more than three vertices. The points are
// copied.
func newFlattener(pts []vec.Vec3, loops [][]int) *flattener {
	s := &flattener{pts: slices.Clone(pts)}
	for _, loop := range loops {
		if len(loop) > 3 {
			f := newFlatFace(loop)
			f.first = s.corners
			s.faces = append(s.faces, f)
			s.corners += len(loop)
		}
	}
	return s
}

func newFlatFace(loop []int) flatFace {
	f := flatFace{loop: loop, height: make([]float64, len(loop))}
	for i := range f.basis {
		f.basis[i] = make([]float64, len(loop))
	}
	return f
}

// run moves the points until no polygon bends by more than tol, m, or until flattenSteps is
// reached. The caller must check whether tol was reached. The displacements have the least sum of
// squares.
//
// Cost: each conjugate gradient iteration makes a few passes over the corners.
func (s *flattener) run(tol float64) {
	for range flattenSteps {
		bend := 0.0
		for i := range s.faces {
			bend = max(bend, s.faces[i].measure(s.pts))
		}
		if bend <= tol || !s.step() {
			return
		}
	}
}

// measure sets plane, basis and heights of a polygon, and returns how far the polygon bends, m: the
// difference of its largest and its least height.
func (f *flatFace) measure(pts []vec.Vec3) float64 {
	n := len(f.loop)
	centre := vec.Vec3{}
	for _, k := range f.loop {
		centre = centre.AddScaled(1/float64(n), pts[k].Sub(pts[f.loop[0]]))
	}
	centre = centre.Add(pts[f.loop[0]])
	f.normal = hull.AreaVector(pts, f.loop).Unit()
	u := f.normal.Perpendicular()
	w := f.normal.Cross(u)
	low, high := math.Inf(1), math.Inf(-1)
	for i, k := range f.loop {
		d := pts[k].Sub(centre)
		f.height[i] = f.normal.Dot(d)
		low, high = min(low, f.height[i]), max(high, f.height[i])
		f.basis[0][i], f.basis[1][i], f.basis[2][i] = 1, u.Dot(d), w.Dot(d)
	}
	for i := range f.basis {
		for j := range i {
			remove(f.basis[i], f.basis[j])
		}
		length := math.Sqrt(dot(f.basis[i], f.basis[i]))
		for k := range f.basis[i] {
			f.basis[i][k] /= length
		}
	}
	return high - low
}

// remove subtracts from x its component along the unit vector e.
func remove(x, e []float64) {
	c := dot(x, e)
	for i := range x {
		x[i] -= float64(c * e[i])
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// step does one step of Newton's iteration. It returns false if a coordinate becomes infinite or
// NaN.
func (s *flattener) step() bool {
	n := s.corners
	residual, way, image, lambda := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for _, f := range s.faces {
		copy(residual[f.first:], f.height)
	}
	s.projectAll(residual)
	copy(way, residual)
	steps := make([]vec.Vec3, len(s.pts))
	square := dot(residual, residual)
	enough := square * flattenGain * flattenGain
	for range flattenSolve {
		if square <= enough {
			break
		}
		s.toVertices(way, steps)
		s.toCorners(steps, image)
		s.projectAll(image)
		curvature := dot(way, image)
		if !(curvature > 0) {
			break
		}
		alpha := square / curvature
		for i := range lambda {
			lambda[i] += float64(alpha * way[i])
			residual[i] -= float64(alpha * image[i])
		}
		next := dot(residual, residual)
		beta := next / square
		for i := range way {
			way[i] = residual[i] + float64(beta*way[i])
		}
		square = next
	}
	s.toVertices(lambda, steps)
	for k, d := range steps {
		s.pts[k] = s.pts[k].Sub(d)
		if !s.pts[k].Finite() {
			return false
		}
	}
	return true
}

// projectAll applies the projection P of each face to the values at its corners: it removes the
// affine part.
func (s *flattener) projectAll(x []float64) {
	for _, f := range s.faces {
		for _, e := range f.basis {
			remove(x[f.first:][:len(f.loop)], e)
		}
	}
}

// toVertices computes steps = Aᵀ·x: for each vertex, the sum of the face normals times the values
// at its corners.
func (s *flattener) toVertices(x []float64, steps []vec.Vec3) {
	clear(steps)
	for _, f := range s.faces {
		for j, k := range f.loop {
			steps[k] = steps[k].AddScaled(x[f.first+j], f.normal)
		}
	}
}

// toCorners computes x = A·steps: for each corner, the step of its vertex along the normal of the
// face.
func (s *flattener) toCorners(steps []vec.Vec3, x []float64) {
	for _, f := range s.faces {
		for j, k := range f.loop {
			x[f.first+j] = f.normal.Dot(steps[k])
		}
	}
}
