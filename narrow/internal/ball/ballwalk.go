package ball

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// ballClear is a distance in multiples of the pair's length scale. A walk's result is only used
	// if the nearest point lies this far inside its own feature and this far from the sides of
	// other features. Distances are known to 2⁻⁵⁰ length scales. A face whose nearest point q'
	// differs from the nearest point q is farther by |q−q'|²/2d, and d is at most two length
	// scales. So a face that passes for nearer by rounding has |q−q'| below 2⁻²⁴. Smaller: rounding
	// may name another feature. Larger: more loops over all faces.
	ballClear = 1.0 / (1 << 22)
	// maxBallWalk bounds the features that a walk passes. A walk over a shape of 1000 faces, from a
	// face in front of the centre, passes about ten.
	// Smaller: more loops.
	maxBallWalk = 64
)

// NearFrom finds the point of polyhedron b nearest to p, by a walk over its features that starts at
// from. A caller passes the feature of an earlier answer, or StartFor. moved reports whether the
// walk ended at another feature than from.
//
// ok is false if the walk fails, or if the loop over all faces might name another feature because
// of rounding. If ok is true, the result equals that of the loop to the bit.
//
// Source: the walk over faces of the shortest link method (Nezami et al. 2006), which inspects the
// faces around the nearest point and moves on if one of them is nearer. The distance from a point
// outside a convex body has one local minimum, so the walk may stop if no neighbour is nearer.
// Departures: the walk passes over edges and vertices too, so it does not inspect all the faces
// around a corner; and it requires margins (see settledNear).
//
// Cost: for each feature passed, the sides of a face or the edges at a vertex, whatever the number
// of faces.
func NearFrom(b *soa.View, p vec.Vec3, unit float64, from soa.FacetID) (near Nearest, moved, ok bool) {
	id := from
	for range maxBallWalk {
		next, done := nextNearer(b, p, id)
		if done {
			near, ok = settledNear(b, p, unit, id)
			return near, id != from, ok
		}
		if next == id {
			break
		}
		id = next
	}
	return near, false, false
}

// StartFor returns a face at which to start a walk towards p: one at the support vertex along p.
func StartFor(b *soa.View, p vec.Vec3) soa.FacetID {
	f, _ := pair.FaceAlong(b, pair.Climb(b, 0, p), p)
	return soa.FacetID{Kind: soa.VertexFace, B: uint16(f)}
}

// nextNearer reports whether p lies over a feature of b: a face, an edge or a vertex. If so, done
// is true and next is id. Otherwise next is the neighbour to continue with: the side of the face
// that p lies farthest beyond, the nearer end of the edge, or the neighbour towards which the
// distance falls fastest. If p lies behind a face and all its neighbours, next is id and done is
// false.
func nextNearer(b *soa.View, p vec.Vec3, id soa.FacetID) (next soa.FacetID, done bool) {
	switch id.Kind {
	case soa.VertexFace:
		f := soa.Face(id.B)
		side, inset := pair.Inset(b, f, p)
		if !(inset > 0) {
			return edgeID(b, side), false
		}
		height := b.Normal(f).Dot(p) - b.D[f]
		if height > 0 {
			return id, true
		}
		// p is behind the plane: continue at the highest neighbouring face.
		first := b.LoopFirst[f]
		for h := first; h < first+b.LoopLen[f]; h++ {
			g := b.Face[b.Twin[h]]
			if over := b.Normal(g).Dot(p) - b.D[g]; over > height {
				height, id = over, soa.FacetID{Kind: soa.VertexFace, B: uint16(g)}
			}
		}
		return id, false
	case soa.VertexEdge:
		h := b.Edge[id.B]
		q := b.Vert(b.Tail[h])
		t, inset, far := projectOn(q, b.Vert(b.Head(h)), p)
		if !(inset > 0) {
			return vertexID(pair.EndOf(b, h, far)), false
		}
		q = q.AddScaled(t, b.Vert(b.Head(h)).Sub(q))
		if side, fall := intoFace(b, h, p.Sub(q)); fall > 0 {
			return soa.FacetID{Kind: soa.VertexFace, B: uint16(b.Face[side])}, false
		}
		return id, true
	}
	k := soa.Vertex(id.B)
	if h, fall := alongEdge(b, k, p.Sub(b.Vert(k))); fall > 0 {
		return edgeID(b, h), false
	}
	return id, true
}

func edgeID(b *soa.View, h soa.HalfEdge) soa.FacetID {
	return soa.FacetID{Kind: soa.VertexEdge, B: pair.EdgeNumber(b, h)}
}

func vertexID(k soa.Vertex) soa.FacetID { return soa.FacetID{Kind: soa.VertexVertex, B: uint16(k)} }

// projectOn projects p onto the segment from q to q1. t is the parameter of the projection, 0 at q
// and 1 at q1. inset is how far inside the ends it lies. far reports whether q1 is the nearer end.
func projectOn(q, q1, p vec.Vec3) (t, inset float64, far bool) {
	e := q1.Sub(q)
	l := e.Norm2()
	t = p.Sub(q).Dot(e)
	return t / l, min(t, l-t) / math.Sqrt(l), t > 0.5*l
}

// intoFace returns the side of edge h whose direction into its face makes the larger dot product
// with d, and that product. The two faces of a facet have the same direction; intoFace then returns
// the side in front. Frame of the view.
func intoFace(v *soa.View, h soa.HalfEdge, d vec.Vec3) (soa.HalfEdge, float64) {
	twin := v.Twin[h]
	one, two := v.Rims[h].In.Dot(d), v.Rims[twin].In.Dot(d)
	if two > one || two == one && v.Normal(v.Face[twin]).Dot(d) > v.Normal(v.Face[h]).Dot(d) {
		return twin, two
	}
	return h, one
}

// alongEdge returns the edge at vertex k whose unit direction has the largest positive dot product
// with d, and that product; 0 if there is none.
func alongEdge(v *soa.View, k soa.Vertex, d vec.Vec3) (at soa.HalfEdge, best float64) {
	from := v.Vert(k)
	for _, h := range pair.RingOf(v, k) {
		e := v.Vert(v.Head(h)).Sub(from)
		if along := e.Dot(d); along > 0 {
			if along /= v.Rims[h].Length; along > best {
				best, at = along, h
			}
		}
	}
	return at, best
}

// settledNear returns the vector to feature id, which p must lie over, with the bits of
// nearestOnFaces. It returns false if nearestOnFaces might name another feature.
//
// nearestOnFaces names the face, or the lower of two at an edge, with the least rounded distance.
// Let q be the nearest point. Suppose q lies ballClear inside its feature, and as far from all
// sides of the faces around it that do not contain q. Then no other face has a point within 2⁻²⁴
// length scales of q on the side from which p is seen. Also, p lies so far beyond the sides of the
// faces around that none of them contains its projection. A face with p in its plane cannot be told
// from a face with p behind it. Therefore one face must be clearly in front.
func settledNear(b *soa.View, p vec.Vec3, unit float64, id soa.FacetID) (Nearest, bool) {
	clear, front := float64(ballClear*unit), float64(4*pair.RoundTol*unit)
	switch id.Kind {
	case soa.VertexFace:
		f := soa.Face(id.B)
		n := b.Normal(f)
		h := n.Dot(p) - b.D[f]
		if _, inset := pair.Inset(b, f, p); !(inset > clear) || !(h > front) {
			return Nearest{}, false
		}
		return Nearest{h, n.Scale(-h), id}, true
	case soa.VertexEdge:
		h := b.Edge[id.B]
		q, q1 := b.Vert(b.Tail[h]), b.Vert(b.Head(h))
		t, inset, _ := projectOn(q, q1, p)
		q = q.AddScaled(t, q1.Sub(q))
		f, g := b.Face[h], b.Face[b.Twin[h]]
		if f > g {
			f, g = g, f
		}
		if _, fall := intoFace(b, h, p.Sub(q)); !(inset > clear && fall < -clear) ||
			!clearOfSides(b, f, q, clear, h, b.Twin[h]) || !clearOfSides(b, g, q, clear, h, b.Twin[h]) {
			return Nearest{}, false
		}
		best, highest := Nearest{D: math.Inf(1)}, math.Inf(-1)
		for _, k := range [2]soa.Face{f, g} {
			highest = max(highest, b.Normal(k).Dot(p)-b.D[k])
			best.TryFace(b, int(k), p, unit)
		}
		return best, highest > front && best.ID == id
	}
	k := soa.Vertex(id.B)
	v := b.Vert(k)
	w := v.Sub(p)
	highest := math.Inf(-1)
	for _, h := range pair.RingOf(b, id.B) {
		r := &b.Rims[h]
		if e := b.Vert(b.Head(h)).Sub(v); !(e.Dot(w) > clear*r.Length) {
			return Nearest{}, false
		}
		f := b.Face[h]
		highest = max(highest, b.Normal(f).Dot(p)-b.D[f])
		last := h
		for b.Next(last) != h {
			last = b.Next(last)
		}
		if !clearOfSides(b, f, v, clear, h, last) {
			return Nearest{}, false
		}
	}
	return Nearest{lengthOf(w), w, id}, highest > front
}

// clearOfSides reports whether a point of a face lies farther than clear inside all sides of the
// face except the sides but and and.
func clearOfSides(b *soa.View, f soa.Face, q vec.Vec3, clear float64, but, and soa.HalfEdge) bool {
	first := b.LoopFirst[f]
	for h := first; h < first+b.LoopLen[f]; h++ {
		if r := &b.Rims[h]; h != but && h != and && !(r.In.Dot(q)-r.Offset > clear) {
			return false
		}
	}
	return true
}

// Feature answers a ball and a polyhedron by a walk that starts at id, the nearest feature of an
// earlier answer. It returns false if id does not fit the shape, if the walk fails, or if the ball
// is out of reach. out is then undefined.
func Feature(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, id soa.FacetID, out *pair.Answer,
) bool {
	n := 0
	switch id.Kind {
	case soa.VertexVertex:
		n = b.NVerts
	case soa.VertexFace:
		n = b.NFaces
	case soa.VertexEdge:
		n = len(b.Edge)
	}
	if id.A != 0 || int(id.B) >= n {
		return false
	}
	*out = pair.Answer{AnsweredBy: pair.ByFeature}
	c, unit, ok := BallIn(a, pa, b, pb)
	if !ok {
		return false
	}
	near, moved, ok := NearFrom(b, c, unit, id)
	if !ok || !(near.D-a.Radius <= reach) { // out of reach, the answer may be a bound
		return false
	}
	if moved {
		out.AnsweredBy = pair.ByWalk
	}
	WriteBall(a, pa, b, pb, c, near, out)
	return true
}
