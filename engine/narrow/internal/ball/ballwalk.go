package ball

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// ballClear is how far inside its own feature, and from the sides of others, the point nearest to a ball has to lie to be
	// taken from a walk, in units. Distances are known to 2⁻⁵⁰ units; a face whose nearest point q' is another than the
	// nearest q is farther by |q−q'|²/2d, and d is at most two units: so one that passes for nearer has |q−q'| below
	// 2⁻²⁴ units. Smaller: rounding may name another feature; larger: more loops over all faces.
	ballClear = 1.0 / (1 << 22)
	// maxBallWalk bounds the features that a walk passes. From a face in front of the centre, of shapes of 1000 faces, it is
	// ten or so.
	maxBallWalk = 64
)

// NearFrom finds the point of a polyhedron nearest to p by a walk over its features, from one that it had before, or from
// the face that a climb finds. It returns false where it does not find it, and where the loop over all faces might,
// by rounding, name another feature: what it returns is the loop's answer to the bit. moved tells whether it is another
// feature than that of the start.
//
// Source: the walk over faces of the shortest link method (Nezami et al. 2006), which looks at the faces around the nearest
// point again and goes on where one of them is nearer. The distance of a point outside of a convex body has one local
// minimum, so where no neighbour is nearer, none is. Departures: it goes over features instead of faces, so that of many
// faces around a corner none is looked at; and the margins (see settled).
// Cost: the sides of a face, or the edges about a vertex, for each feature passed, whatever the number of faces.
func NearFrom(b *soa.View, p vec.Vec3, lengthScale float64, from soa.FacetID) (near Nearest, moved, ok bool) {
	id := from
	for range maxBallWalk {
		next, done := nextNearer(b, p, id)
		if done {
			near, ok = settledNear(b, p, lengthScale, id)
			return near, id != from, ok
		}
		if next == id {
			break
		}
		id = next
	}
	return near, false, false
}

// StartFor returns a face to walk from towards a point: one at the vertex that lies farthest its way.
func StartFor(b *soa.View, p vec.Vec3) soa.FacetID {
	f, _ := pair.FaceAlong(b, pair.Climb(b, 0, p), p)
	return soa.FacetID{Kind: soa.VertexFace, B: uint16(f)}
}

// nextNearer reports whether p lies over a feature, of those of a face, an edge or a vertex of b, and else returns the next one: the
// side of the face that p lies farthest beyond, the nearer end of the edge, or the neighbour towards which the
// distance falls fastest. It returns the same feature where there is no next: for a point behind all faces next door.
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
		// Behind: to the face next door that is highest.
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

// projectOn returns where on a segment, 0 to 1, the foot of p is, how far inside the ends, and which end is nearer.
func projectOn(q, q1, p vec.Vec3) (t, inset float64, far bool) {
	e := q1.Sub(q)
	l := e.Norm2()
	t = p.Sub(q).Dot(e)
	return t / l, min(t, l-t) / math.Sqrt(l), t > 0.5*l
}

// intoFace returns the side of an edge on which the way into its face goes most along d, and how far, relative to |d|'s
// unit. The two faces of a facet have the same way: it is the one in front. Frame of the view.
func intoFace(v *soa.View, h soa.HalfEdge, d vec.Vec3) (soa.HalfEdge, float64) {
	twin := v.Twin[h]
	one, two := v.Rims[h].In.Dot(d), v.Rims[twin].In.Dot(d)
	if two > one || two == one && v.Normal(v.Face[twin]).Dot(d) > v.Normal(v.Face[h]).Dot(d) {
		return twin, two
	}
	return h, one
}

// alongEdge returns the edge at vertex k that goes most along d, and how far, as intoFace does.
func alongEdge(v *soa.View, k soa.Vertex, d vec.Vec3) (at soa.HalfEdge, best float64) {
	from := v.Vert(k)
	first := v.RingFirst[k]
	for _, h := range v.Ring[first : first+v.RingLen[k]] {
		e := v.Vert(v.Head(h)).Sub(from)
		if along := e.Dot(d); along > 0 {
			if along /= v.Rims[h].Length; along > best {
				best, at = along, h
			}
		}
	}
	return at, best
}

// settledNear returns the way to the feature that p lies over, with the bits of nearestOnFaces, and returns false where that might
// name another.
//
// It names the face, or the lowest of two at an edge, with the least distance as it is rounded. Let q be the nearest
// point. If q lies ballClear inside its feature, and as far from all sides of the faces around that do not hold it, then no
// other face has a point within 2⁻²⁴ units of q on that side from which p is seen, and p is so far beyond the sides of
// the faces around that none of them takes it for its own. Faces of which p lies in the plane are not told apart from such
// behind it; so one face has to be clearly in front.
func settledNear(b *soa.View, p vec.Vec3, lengthScale float64, id soa.FacetID) (Nearest, bool) {
	clear, front := float64(ballClear*lengthScale), float64(4*pair.RoundTol*lengthScale)
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
			n := b.Normal(k)
			over := n.Dot(p) - b.D[k]
			highest = max(highest, over)
			if over < -pair.RoundTol*lengthScale || over >= best.D {
				continue
			}
			if now := NearestOnFace(b, int(k), n, over, p); now.D < best.D {
				best = now
			}
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
	return Nearest{w.Norm(), w, id}, highest > front
}

// clearOfSides reports whether a point of a face lies farther than clear inside all of its sides but two.
func clearOfSides(b *soa.View, f soa.Face, q vec.Vec3, clear float64, but, and soa.HalfEdge) bool {
	first := b.LoopFirst[f]
	for h := first; h < first+b.LoopLen[f]; h++ {
		if r := &b.Rims[h]; h != but && h != and && !(r.In.Dot(q)-r.Offset > clear) {
			return false
		}
	}
	return true
}

// Feature is Feature for a ball and a polyhedron: it walks from the nearest feature of an earlier answer.
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
	c, lengthScale, ok := BallIn(a, pa, b, pb)
	if !ok {
		return false
	}
	near, moved, ok := NearFrom(b, c, lengthScale, id)
	if !ok || !(near.D-a.Radius <= reach) { // out of reach the answer may be a bound
		return false
	}
	if moved {
		out.AnsweredBy = pair.ByWalk
	}
	WriteBall(a, pa, b, pb, c, near, out)
	return true
}
