package soa

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/vec"
)

// Rim describes a face as seen from one of its half-edges: 64 bytes, one cache line. Frame: the
// shape's.
type Rim struct {
	In     vec.Vec3 // unit: in the plane of the face, perpendicular to the half-edge, pointing into the face
	Offset float64  // m, In·tail: a point p of the plane lies In·p - Offset inside the half-edge's line
	Length float64  // m, of the half-edge
	// Consider the line in the face that is parallel to the half-edge at distance t, and measure
	// positions along it from the projection of the tail. If t ≤ Rise, the line is inside the face
	// from t·FromTail to Length + t·FromHead. FromTail is the cotangent of the corner at the tail,
	// and FromHead is minus the cotangent of the corner at the head. Rise is the smaller of the
	// distances of the previous and the next corner from the half-edge's line.
	FromTail, FromHead float64
	Rise               float64 // m; 0 if the face is not planar or nothing is known
}

// FaceDepth tells how far the body extends below a face. Consider a point of the face that is at
// least d·Cot away from all sides of the face. If d ≤ Depth, the point at depth d below it, along
// the normal, is in the body.
type FaceDepth struct {
	Cot   float64 // a cotangent, without unit
	Depth float64 // m, at most half of the body's thickness along the normal; 0 if nothing is known
}

const (
	// planarTol, relative to the radius, is the largest distance of a vertex from the plane of a
	// face that counts as planar. It is a few roundings of the vertices and the plane. Merging
	// faces makes faces that are not planar.
	// Smaller: slower general method. Larger: sections of bent faces err by it.
	planarTol = 0x1p-49
	// pointed is the least volume spanned by three consecutive unit edges of a vertex for the
	// vertex to count as strictly convex. Below it, rounding may make the outline of a section near
	// the vertex concave.
	// Smaller: an outline may bend inwards. Larger: slower method.
	pointed = 0x1p-30
	// clearanceNear, relative to the radius, and clearanceCot decide which of two bounds a face on
	// the far side sets in a Clearance. If the face is near and not too steep, it sets a bound on
	// the distance from the sides (Cot). Otherwise it bounds Depth.
	// Another value: only speed.
	clearanceNear, clearanceCot = 0.125, 64.0
	// maxClearanceWork bounds the product of half-edges and faces of shapes with Clearances, so
	// that Clearances take at most a hundredth of a second. Larger shapes have none.
	maxClearanceWork = 1 << 22
)

// addRims adds the rims, clearances and pointed vertices of the newest shape.
func (s *Shapes) addRims(t *Template, o offsets) {
	s.rims = Resize(s.rims, o.half+o.nHalf)
	s.clearances = Resize(s.clearances, o.plane+Pad(o.nFaces))
	s.pointed = Resize(s.pointed, o.vert+Pad(o.nVerts))
	level := float64(planarTol * t.Radius)
	allFlat := true
	next, prev := t.neighbours()
	for f, n := range t.Normals {
		flat := true
		for _, k := range t.loop(f) {
			flat = flat && math.Abs(t.Offsets[f]-n.Dot(t.Verts[k])) <= level
		}
		for h := t.LoopFirst[f]; h < t.LoopFirst[f+1]; h++ {
			r := t.rim(n, t.Tail[prev[h]], t.Tail[h], t.Tail[next[h]], t.Tail[t.Twin[next[h]]])
			if !flat {
				r.Rise = 0
			}
			s.rims[o.half+int(h)] = r
		}
		allFlat = allFlat && flat
	}
	// The planes bound the body only if every face is planar.
	for f := range t.Normals {
		if allFlat {
			s.clearances[o.plane+f] = t.clearance(f)
		}
	}
	for k := range t.Verts {
		s.pointed[o.vert+k] = s.isPointed(t, o, k)
	}
}

// rim returns the Rim of the half-edge from k to l in a face of normal n. j is the corner before k,
// and m the corner after l.
func (t *Template) rim(n vec.Vec3, j, k, l, m Vertex) Rim {
	tail, head := t.Verts[k], t.Verts[l]
	edge := head.Sub(tail)
	along := edge.Unit()
	r := Rim{In: n.Cross(along).Unit(), Length: edge.Norm()}
	r.Offset = r.In.Dot(tail)
	back, on := t.Verts[j].Sub(tail), t.Verts[m].Sub(head)
	riseTail, riseHead := r.In.Dot(back), r.In.Dot(on)
	r.FromTail, r.FromHead = along.Dot(back)/riseTail, along.Dot(on)/riseHead
	if rise := min(riseTail, riseHead); rise > 0 && (vec.Vec3{X: r.FromTail, Y: r.FromHead}).Finite() {
		r.Rise = rise
	}
	return r
}

// clearance returns the Clearance of face f, which must be planar.
//
// Let p be a point of the face, d a depth under it along the face's normal n, and g another face
// with c = n·n_g < 0. The point at depth d is inside g if the slack of p below the plane of g is at
// least d·|c|. Over the face, this slack is linear with slope √(1-c²). If p is t away from all
// sides, the slack is at least t·√(1-c²) plus the least slack of the corners, which is not
// negative. So it suffices if either of the two terms alone is at least d·|c|.
func (t *Template) clearance(f int) FaceDepth {
	if t.Kind.IsFlat() {
		return FaceDepth{Depth: math.Inf(1)} // the prism that represents a facet has walls perpendicular to it
	}
	if len(t.Tail)*len(t.Normals) > maxClearanceWork {
		return FaceDepth{}
	}
	n := t.Normals[f]
	thickness := 0.0
	for _, v := range t.Verts {
		thickness = max(thickness, t.Offsets[f]-n.Dot(v))
	}
	r := FaceDepth{Depth: 0.5 * thickness}
	for g, m := range t.Normals {
		c := -n.Dot(m)
		if g == f || !(c > 0) {
			continue
		}
		slack := math.Inf(1)
		for _, k := range t.loop(f) {
			slack = min(slack, t.Offsets[g]-m.Dot(t.Verts[k]))
		}
		cot := c / n.Cross(m).Norm()
		if depth := max(slack, 0) / c; depth < clearanceNear*t.Radius && cot < clearanceCot {
			r.Cot = max(r.Cot, cot)
		} else {
			r.Depth = min(r.Depth, depth)
		}
	}
	return r
}

// isPointed reports whether all triples of consecutive edges of vertex k span a strictly convex
// corner. The ring is clockwise seen from outside.
func (s *Shapes) isPointed(t *Template, o offsets, k int) bool {
	first, n := int(s.ringFirst[o.vert+k]), int(s.ringLen[o.vert+k])
	if n < 3 {
		return false
	}
	ring := s.ring[o.half+first : o.half+first+n]
	edge := func(i int) vec.Vec3 {
		return t.Verts[t.Tail[t.Twin[ring[i%n]]]].Sub(t.Verts[k]).Unit()
	}
	for i := range ring {
		if !(edge(i).Dot(edge(i+1).Cross(edge(i+2))) > pointed) {
			return false
		}
	}
	return true
}

// RimNumbers returns the rims of all shapes as one column for kernels, eight numbers per rim in the
// order of the fields of Rim.
func (s *Shapes) RimNumbers() []float64 {
	if len(s.rims) == 0 {
		return nil
	}
	return unsafe.Slice(&s.rims[0].In.X, len(s.rims)*int(unsafe.Sizeof(Rim{})/unsafe.Sizeof(0.0)))
}
