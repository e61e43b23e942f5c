package soa

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/vec"
)

// Rim is what a face looks like from one of its half-edges: 64 bytes, one cache line. Frame: the
// shape's.
type Rim struct {
	In     vec.Vec3 // unit: in the plane of the face, at a right angle to the half-edge, into the face
	Offset float64  // m, In·tail: a point p of the plane lies In·p - Offset inside of the half-edge's line
	Length float64  // m, of the half-edge
	// A parallel to the half-edge at distance t inside the face runs, from the foot of the tail on,
	// from t·FromTail to Length + t·FromHead as long as t ≤ Rise: the cotangents of the two
	// corners, the second with its sign turned, and the distance of the nearer of the two next corners.
	FromTail, FromHead float64
	Rise               float64 // m; 0 where the face is not level or nothing is known
}

// Room is how far a face may be followed into the body: a point of the face that is at least
// d·Cot away from all its sides lies over a point of the body at depth d, along the normal, if d ≤ Depth.
type Room struct {
	Cot   float64
	Depth float64 // m, at most half of the body's thickness along the normal; 0 where nothing is known
}

const (
	// rimLevel, in units of the radius, is the height spread up to which a face counts as level: a few
	// roundings of its vertices and plane. Merging makes faces that are not.
	rimLevel = 0x1p-49
	// pointed is the least volume that three consecutive unit edges of a vertex span for it to count as
	// strictly convex. Below, the outline of a section around it may bend inwards by rounding.
	pointed = 0x1p-30
	// roomNear, in units of the radius, and roomCot say which of its two bounds a face of the far side
	// gives a Room: within reach of the face and not too steep it is one on the distance from the sides.
	roomNear, roomCot = 0.125, 64.0
	// maxRoomWork bounds the products of half-edges and faces that Rooms may cost a shape: a hundredth of a
	// second. Larger shapes have none.
	maxRoomWork = 1 << 22
)

// addRims derives rims, rooms and pointed vertices of the newest shape.
func (s *Shapes) addRims(t *Template, o offsets) {
	s.rims = Resize(s.rims, o.half+o.nHalf)
	s.rooms = Resize(s.rooms, o.plane+Pad(o.nFaces))
	s.pointed = Resize(s.pointed, o.vert+Pad(o.nVerts))
	level := float64(rimLevel * t.Radius)
	allFlat := true
	for f, n := range t.Normals {
		lo, hi := t.LoopFirst[f], t.LoopFirst[f+1]
		flat := true
		for _, k := range t.Tail[lo:hi] {
			flat = flat && math.Abs(t.Offsets[f]-n.Dot(t.Verts[k])) <= level
		}
		for h := lo; h < hi; h++ {
			prev, next := h-1, h+1
			if h == lo {
				prev = hi - 1
			}
			if next == hi {
				next = lo
			}
			r := t.rim(n, t.Tail[prev], t.Tail[h], t.Tail[next], t.Tail[t.Twin[next]])
			if !flat {
				r.Rise = 0
			}
			s.rims[o.half+int(h)] = r
		}
		allFlat = allFlat && flat
	}
	// The planes bound the body only where every face lies in its own.
	for f := range t.Normals {
		if allFlat {
			s.rooms[o.plane+f] = t.room(f)
		}
	}
	for k := range t.Verts {
		s.pointed[o.vert+k] = s.isPointed(t, o, k)
	}
}

// rim returns the constants of the half-edge from k to l in a face of normal n, whose corner before is j and
// the one after is m.
func (t *Template) rim(n vec.Vec3, j, k, l, m Vertex) Rim {
	tail, head := t.Verts[k], t.Verts[l]
	edge := head.Sub(tail)
	along := edge.Unit()
	r := Rim{In: n.Cross(along).Unit(), Length: edge.Norm()}
	r.Offset = r.In.Dot(tail)
	back, on := t.Verts[j].Sub(tail), t.Verts[m].Sub(head)
	riseTail, riseHead := r.In.Dot(back), r.In.Dot(on)
	r.FromTail, r.FromHead = along.Dot(back)/riseTail, along.Dot(on)/riseHead
	if rise := min(riseTail, riseHead); rise > 0 && finite(r.FromTail) && finite(r.FromHead) {
		r.Rise = rise
	}
	return r
}

// room returns how far face f, which is level, may be followed into the body.
//
// For p of the face, d under it along its normal n, and another face g with c = n·n_g < 0 the point lies
// behind g while the slack of p over g is at least d·|c|. Over the face that slack is linear with a
// slope of √(1-c²), so it is at least the least of the corners' slacks, which is not negative, plus t·√(1-c²)
// where p is t away from all sides. Either term may be asked to hold it alone.
func (t *Template) room(f int) Room {
	if t.Kind == Facet {
		return Room{Depth: math.Inf(1)} // the prism that stands for it has walls at right angles
	}
	if len(t.Tail)*len(t.Normals) > maxRoomWork {
		return Room{}
	}
	n := t.Normals[f]
	thickness := 0.0
	for _, v := range t.Verts {
		thickness = max(thickness, t.Offsets[f]-n.Dot(v))
	}
	r := Room{Depth: 0.5 * thickness}
	for g, m := range t.Normals {
		c := -n.Dot(m)
		if g == f || !(c > 0) {
			continue
		}
		slack := math.Inf(1)
		for _, k := range t.Tail[t.LoopFirst[f]:t.LoopFirst[f+1]] {
			slack = min(slack, t.Offsets[g]-m.Dot(t.Verts[k]))
		}
		cot := c / n.Cross(m).Norm()
		if depth := max(slack, 0) / c; depth < roomNear*t.Radius && cot < roomCot {
			r.Cot = max(r.Cot, cot)
		} else {
			r.Depth = min(r.Depth, depth)
		}
	}
	return r
}

// isPointed reports whether each three consecutive edges of vertex k span a strictly convex corner. The ring
// turns clockwise seen from outside.
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

func finite(x float64) bool { return x-x == 0 }

// RimNumbers is the rims of all shapes as one column, eight numbers each in the order of Rim: what kernels look up.
func (s *Shapes) RimNumbers() []float64 {
	if len(s.rims) == 0 {
		return nil
	}
	return unsafe.Slice(&s.rims[0].In.X, len(s.rims)*int(unsafe.Sizeof(Rim{})/unsafe.Sizeof(0.0)))
}
