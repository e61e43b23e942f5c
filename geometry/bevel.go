package geometry

import (
	"math"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeTurn is the cosine of the angle up to which planes follow each other along an edge: 45°, lowered so that a right angle
// has one bevel. The edge between two stands out of the rounded body by 8 % of its radius.
const edgeTurn = 0.7071

// cornerRoom, in rounding radii, is how far a corner of a bevelled body may stand out of the rounded one: less than that
// and it gets no plane of its own.
const cornerRoom = 1.0 / 6

// sameTurn is the cosine of the angle up to which two corners share a new plane: 8°.
const sameTurn = 0.99

// bevelRounds is how often corners may get planes of their own. Needles and sheets take three rounds.
const bevelRounds = 16

// Bevelled returns a polyhedron around the rounded body of p and r: all that lies within r, m, of p. Its planes touch the
// rounded body: the faces of p moved out by r, and bevels along its edges and at its corners where faces turn sharply.
// It stands out of the rounded body by r/6 at most, and by nothing on faces. The frame is that of p.
//
// Errors: ErrValue for an r that is not ≥ 0 and finite, and those of FromPoints.
func (p *Polyhedron) Bevelled(r float64) (*Polyhedron, error) {
	switch {
	case !(r >= 0 && r <= math.MaxFloat64):
		return nil, mark.Errorf(ErrValue, "geometry: %s: rounding radius %g, expected ≥ 0 and finite", p.Name, r)
	case r == 0:
		return p, nil
	}
	t := p.Template() // its frame is the centroid's, which costs bodies far from the origin no digits
	planes := p.tangents(t, r)
	for round := 0; ; round++ {
		corners, err := cornersOf(planes)
		if err != nil {
			return nil, mark.Errorf(ErrValue, "geometry: %s rounded by %g m: %w", p.Name, r, err)
		}
		had := len(planes)
		for _, x := range corners {
			if round == bevelRounds {
				break
			}
			on, _ := nearest(t.Verts, t.Normals, t.Offsets, p.Loop, x)
			out := x.Sub(on)
			if !(out.Norm() > float64((1+cornerRoom)*r)) {
				continue
			}
			n, known := out.Unit(), false
			for _, other := range planes[had:] {
				known = known || n.Dot(other.normal) > sameTurn
			}
			if !known {
				planes = append(planes, tangent{n, n.Dot(x.Sub(out)) + r})
			}
		}
		if len(planes) == had {
			for k, x := range corners {
				corners[k] = x.Add(t.Origin)
			}
			return FromPoints(p.Name, corners)
		}
	}
}

// cornersOf returns the corners of the body that planes bound. A plane n·x = d about a point inside is the point n/d of the
// dual, whose hull has a face for each corner.
func cornersOf(planes []tangent) ([]vec.Vec3, error) {
	dual := make([]vec.Vec3, len(planes))
	for k, t := range planes {
		dual[k] = t.normal.Scale(1 / t.offset)
	}
	h, err := hull.Compute(dual, hull.Options{})
	if err != nil {
		return nil, err
	}
	corners := make([]vec.Vec3, len(h.Faces))
	for f, n := range h.Normals {
		corners[f] = n.Scale(1 / h.Offsets[f])
	}
	return corners, nil
}

// tangent is a plane that touches a rounded body: normal·x = offset about the centroid.
type tangent struct {
	normal vec.Vec3
	offset float64
}

// tangents returns the planes of the faces of p, moved out by r, and of the bevels along its edges.
func (p *Polyhedron) tangents(t *soa.Template, r float64) []tangent {
	var planes []tangent
	for f, n := range t.Normals {
		planes = append(planes, tangent{n, t.Offsets[f] + r})
	}
	for h, w := range p.Twin {
		if soa.HalfEdge(h) > w {
			continue
		}
		at := t.Verts[p.Tail[h]]
		between(t.Normals[p.Face(soa.HalfEdge(h))], t.Normals[p.Face(w)], func(n vec.Vec3) {
			planes = append(planes, tangent{n, n.Dot(at) + r})
		})
	}
	return planes
}

// between calls do with the normals of the bevels between two faces, whose normals are given.
func between(a, b vec.Vec3, do func(vec.Vec3)) {
	if a.Dot(b) >= edgeTurn {
		return
	}
	middle := a.Add(b).Unit()
	between(a, middle, do)
	do(middle)
	between(middle, b, do)
}

// nearest returns the point of a convex body's surface nearest to a point outside, and the distance between them, m; a
// distance of +Inf if the point is not outside. The nearest point lies on a face that x is over: within it, or on a side.
func nearest[V int | soa.Vertex](
	verts, normals []vec.Vec3, offsets []float64, loop func(f int) []V, x vec.Vec3,
) (best vec.Vec3, least float64) {
	least = math.Inf(1)
	for f, n := range normals {
		height := n.Dot(x) - offsets[f]
		if !(height > 0 && height < least) {
			continue
		}
		loop, inside := loop(f), true
		for i, k := range loop {
			a := verts[k]
			along := verts[loop[(i+1)%len(loop)]].Sub(a)
			if inside = inside && n.Dot(along.Cross(x.Sub(a))) >= 0; inside {
				continue
			}
			s := a.AddScaled(min(max(along.Dot(x.Sub(a))/along.Norm2(), 0), 1), along)
			if d := x.Sub(s).Norm(); d < least {
				best, least = s, d
			}
		}
		if inside {
			best, least = x.AddScaled(-height, n), height
		}
	}
	return best, least
}
