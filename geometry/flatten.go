package geometry

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/vec"
)

// flattenSteps bounds Newton's iteration. Bends are a millionth of the size, so each step squares them: two
// reach rounding, the third shows that nothing is left.
const flattenSteps = 4

// flattenSolve bounds the conjugate gradients of one step, and flattenGain is the part of the residual at which
// they stop. Newton needs no more digits than it squares away.
const (
	flattenSolve = 400
	flattenGain  = 1e-9
)

// flattener moves vertices until polygons are planar.
//
// To first order a polygon is planar when the heights of its corners over its mean plane are an affine function
// in the plane: what the projection P of the heights onto the complement of 1, x and y leaves is zero. P takes
// n-3 equations from n corners, so a triangle has none. With A the map from the steps of the vertices to the
// heights of the corners, the smallest steps that solve P·(r + A·d) = 0 are d = -Aᵀ·P·λ with (P·A·Aᵀ·P)·λ = P·r,
// found by conjugate gradients. The equations of a convex polyhedron are independent (Steinitz: it has E + 6
// degrees of freedom), whatever the number of faces at a vertex.
type flattener struct {
	pts     []vec.Vec3
	faces   []flatFace
	corners int // of all faces
}

// flatFace is a polygon of four corners or more, and what the current step knows of it.
type flatFace struct {
	loop   []int
	first  int // its first corner among those of all faces
	normal vec.Vec3
	basis  [3][]float64 // orthonormal: 1, x and y at the corners
	height []float64    // of the corners over the mean plane, m
}

// newFlattener takes the polygons among the loops; triangles are planar. The points are copied.
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

// run moves the points until no polygon bends by more than tol, m, or the steps are used up; the caller looks whether that
// was reached. The steps are the smallest that do it, by the sum of their squares.
//
// Cost: a few products with the list of corners for each step of conjugate gradients.
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

// measure sets plane, basis and heights of a polygon, and returns how far it bends, m.
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

// remove takes the component along the unit vector e out of x.
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

// step does one step of Newton's iteration. It returns false where the numbers leave the finite.
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

// projectAll leaves of the values at the corners of each face what no plane explains.
func (s *flattener) projectAll(x []float64) {
	for _, f := range s.faces {
		for _, e := range f.basis {
			remove(x[f.first:][:len(f.loop)], e)
		}
	}
}

// toVertices sums the values at the corners along the normals, by vertex.
func (s *flattener) toVertices(x []float64, steps []vec.Vec3) {
	clear(steps)
	for _, f := range s.faces {
		for j, k := range f.loop {
			steps[k] = steps[k].AddScaled(x[f.first+j], f.normal)
		}
	}
}

// toCorners gives each corner the step of its vertex along the normal of its face.
func (s *flattener) toCorners(steps []vec.Vec3, x []float64) {
	for _, f := range s.faces {
		for j, k := range f.loop {
			x[f.first+j] = f.normal.Dot(steps[k])
		}
	}
}
