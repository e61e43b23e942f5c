package geometry

import (
	"math"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeTurn is the cosine of the largest angle between neighbouring planes along an edge: 45°. The
// value is slightly lower than cos 45°, so that a right angle has one bevel. The edge between two
// planes stands out of the rounded body by at most 8 % of the radius.
// Smaller: rounded edges protrude more. Larger: more corners.
const edgeTurn = 0.7071

// cornerRoom, in rounding radii, limits how far a corner of the bevelled body may stand out of the
// rounded body. Beyond the limit, the corner gets a plane of its own.
// Smaller: more corners. Larger: corners protrude more.
const cornerRoom = 1.0 / 6

// sameTurn is the cosine of the angle, 8°, within which two corners share a new plane.
// Smaller: more rounds. Larger: planes closer than rounding.
const sameTurn = 0.99

// bevelRounds limits the rounds in which corners get planes of their own. Needles and thin plates
// take three rounds.
const bevelRounds = 16

// Bevelled returns a polyhedron around the rounded body of p and r: all points within r, m, of p. The
// planes of the polyhedron touch the rounded body. They are the faces of p moved outwards by r, and
// bevels along edges and at corners where faces turn sharply. The polyhedron stands out of the
// rounded body by at most r/6, and not at all on the faces. The frame is that of p.
//
// If r is 0, Bevelled returns p itself. Errors wrap ErrValue if r is negative or not finite or no
// polyhedron can be built, and otherwise those of FromPoints.
func (p *Polyhedron) Bevelled(r float64) (*Polyhedron, error) {
	switch {
	case !(r >= 0 && r <= math.MaxFloat64):
		return nil, mark.Errorf(ErrValue, "geometry: %s: rounding radius %g, expected ≥ 0 and finite", p.Name, r)
	case r == 0:
		return p, nil
	}
	t := p.Template() // in the centroid's frame, so that bodies far from the origin lose no digits
	planes := p.tangents(t, r)
	for round := 0; ; round++ {
		corners, _, err := cornersOf(planes)
		if err != nil {
			return nil, mark.Errorf(ErrValue, "geometry: %s rounded by %g m: %w", p.Name, r, err)
		}
		had := len(planes)
		for _, x := range corners {
			if round == bevelRounds {
				break
			}
			on, off := nearest(t.Verts, t.Normals, t.Offsets, p.Loop, x)
			out := x.Sub(on)
			// If the radius is tiny, rounding may place x outside no face.
			if math.IsInf(off, 1) || !(out.Norm() > float64((1+cornerRoom)*r)) {
				continue
			}
			n, known := out.Unit(), false
			for _, other := range planes[had:] {
				known = known || n.Dot(other.Normal) > sameTurn
			}
			if !known {
				at := n.Dot(x.Sub(out))
				if high := support(t.Verts, n); high > at+float64(hullMergeRel*t.Radius) {
					at = high // the radius is so small that n is rounding: no plane may cut p
				}
				planes = append(planes, Plane{n, at + r})
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

// cornersOf returns the corners of the body that planes bound, and of each corner its planes. The
// origin must be inside the body. Duality maps the plane n·x = d to the point n/d; each face of the
// hull of these points is a corner.
func cornersOf(planes []Plane) (corners []vec.Vec3, of [][]int, err error) {
	dual := make([]vec.Vec3, len(planes))
	for k, h := range planes {
		dual[k] = h.Normal.Scale(1 / h.Offset)
	}
	h, err := hull.Compute(dual, hull.Options{})
	if err != nil {
		return nil, nil, err
	}
	for f, n := range h.Normals {
		corners = append(corners, n.Scale(1/h.Offsets[f]))
		of = append(of, inOrder(h.Verts, h.Faces[f]))
	}
	return corners, of, nil
}

// tangents returns the planes of the faces of p, moved outwards by r, and of the bevels along its
// edges.
func (p *Polyhedron) tangents(t *soa.Template, r float64) []Plane {
	var planes []Plane
	for f, n := range t.Normals {
		planes = append(planes, Plane{n, t.Offsets[f] + r})
	}
	for h, w := range p.Twin {
		if soa.HalfEdge(h) > w {
			continue
		}
		at := t.Verts[p.Tail[h]]
		between(t.Normals[p.Face(soa.HalfEdge(h))], t.Normals[p.Face(w)], func(n vec.Vec3) {
			planes = append(planes, Plane{n, n.Dot(at) + r})
		})
	}
	return planes
}

// between calls do with the normals of the bevels between two faces of normals a and b.
func between(a, b vec.Vec3, do func(vec.Vec3)) {
	if a.Dot(b) >= edgeTurn {
		return
	}
	middle := a.Add(b).Unit()
	between(a, middle, do)
	do(middle)
	between(middle, b, do)
}

// nearest returns the point of a convex body's surface nearest to a point x outside the body, and
// their distance, m. If x is not outside, the distance is +Inf. The nearest point lies on a face that
// has x on its outer side: inside the face or on one of its edges.
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
