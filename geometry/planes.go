package geometry

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Plane bounds the half-space Normal·x ≤ Offset. A body that planes bound lies on the inner side of
// each: normals point out of the body.
type Plane struct {
	Normal vec.Vec3 // unit
	Offset float64  // m
}

// unitTol is how far the length of a normal may be from 1. It admits four printed digits. A normal
// that is off by more is a mistake in the input.
// Smaller: short files are refused. Larger: mistakes pass.
const unitTol = 1e-3

// Unit returns the same half-space with a normal whose length is 1 to rounding. Errors wrap
// ErrNotFinite, and ErrValue if the normal is longer or shorter than 1 by more than 1e-3 or the
// offset is above 1e50 m.
func (h Plane) Unit() (Plane, error) {
	n := h.Normal
	length := n.Norm()
	switch {
	case !n.Finite() || h.Offset-h.Offset != 0:
		return h, mark.Errorf(ErrNotFinite, "normal (%g, %g, %g) and offset %g, expected finite numbers", n.X, n.Y, n.Z, h.Offset)
	case !(math.Abs(length-1) <= unitTol):
		return h, mark.Errorf(ErrValue, "normal (%g, %g, %g) of length %g, expected 1", n.X, n.Y, n.Z, length)
	case math.Abs(h.Offset) > maxCoordinate:
		return h, mark.Errorf(ErrValue, "offset %g, expected at most %g", h.Offset, maxCoordinate)
	}
	return Plane{n.Unit(), h.Offset / length}, nil
}

// Planes returns the planes of the faces, in the frame of p: the H-representation of the body
// (Boon et al. 2012). Offsets are those of supporting planes.
func (p *Polyhedron) Planes() []Plane {
	planes := make([]Plane, p.NFaces())
	for f, n := range p.Normals {
		planes[f] = Plane{n, p.Offsets[f]}
	}
	return planes
}

// FromPlanes returns the body of all points that satisfy Normal·x ≤ Offset for every plane, m.
// Planes that repeat others or that do not reach the body are left out. Normals must be unit, as for
// Unit. Faces have the order of FromPoints, not that of the planes.
//
// The planes are mapped to points by duality about the centre of the largest ball inside all of
// them, and each face of the hull of these points is a corner (Preparata & Muller 1979). FromPoints
// makes the body of the corners. Corners lie on their planes within 1e-12 of the size, or within
// 2e-14·size/r of the size, if the largest ball has the radius r. Far from the origin, offsets are
// rounded, and a corner of more than three planes may become several.
//
// Errors wrap those of Unit, with the number of the plane from 0; ErrNotClosed if the body is open;
// ErrEmpty if the planes leave nothing that is thicker than rounding; ErrFlat for a body so thin that
// a corner is off its planes by more than that or 1e-6 of the size; ErrBroken if no point inside is
// found; and those of FromPoints.
func FromPlanes(name string, planes []Plane) (*Polyhedron, error) {
	unit := make([]Plane, len(planes))
	for i, h := range planes {
		var err error
		if unit[i], err = h.Unit(); err != nil {
			return nil, fmt.Errorf("geometry: %s: plane %d: %w", name, i, err)
		}
	}
	b, err := inscribed(unit)
	if err != nil {
		return nil, fmt.Errorf("geometry: %s: %w", name, err)
	}
	scale := b.centre.MaxAbs()
	for _, i := range b.touches {
		scale = max(scale, math.Abs(unit[i].Offset))
	}
	if t := b.touches; !(b.radius > planeRel*scale) {
		slices.Sort(t[:])
		return nil, mark.Errorf(ErrEmpty, "geometry: %s: the planes leave nothing: no ball lies inside planes %d, %d, %d and %d, counted from 0 (the largest would have radius %.3g), expected a body",
			name, t[0], t[1], t[2], t[3], b.radius)
	}
	return bodyAbout(name, b, vec.Vec3{}, unit)
}

// dualRel, times the size of a body over the radius of its largest ball, times its size, is how far
// a corner may be off its planes. The dual points of a ball of radius r lie within 1/r. Their hull
// merges what differs by three times RoundingLevel, and so much in the dual is up to size² times as
// much in the body.
// Smaller: thin bodies are refused. Larger: planes that meet at small angles lose corners.
const dualRel = 3 * hull.RoundingLevel

// bodyAbout returns the body that planes bound. b is its largest ball. Both are relative to base, a
// point in the frame of the body.
func bodyAbout(name string, b ball, base vec.Vec3, planes []Plane) (*Polyhedron, error) {
	about := make([]Plane, len(planes))
	at := vec.Difference(b.centre, vec.Vec3{})
	for i, h := range planes {
		// In twofold precision: a body far from the origin loses no digits.
		n := vec.Difference(h.Normal, vec.Vec3{})
		about[i] = Plane{h.Normal, vec.Twofold{Hi: h.Offset}.Sub(n.Dot(at)).Float()}
	}
	corners, of, err := cornersOf(about)
	if err != nil {
		return nil, mark.Errorf(ErrFlat, "geometry: %s: the corners: %w", name, err)
	}
	if len(corners) > soa.MaxVerts {
		return nil, mark.Errorf(ErrTooLarge, "geometry: %s: %d vertices, expected at most %d", name, len(corners), soa.MaxVerts)
	}
	worst := 0.0
	for k, x := range corners {
		meet := inOrder(about, of[k])
		off := astray(x, about, meet)
		if at := meeting(x, meet); astray(at, about, meet) < off {
			x, off = at, astray(at, about, meet)
		}
		corners[k], worst = x, max(worst, off)
	}
	e := extentOf(vec.BoxAround(corners))
	tol := min(e.tolerance(hullMergeRel)+float64(dualRel*e.size*(e.size/b.radius)), e.tolerance(mergeRel))
	if !(worst <= tol) {
		return nil, mark.Errorf(ErrFlat, "geometry: %s: a corner is %.3g off its planes, because the body is thin or its planes meet at small angles, expected at most %.3g",
			name, worst, tol)
	}
	for k, x := range corners {
		corners[k] = x.Add(b.centre).Add(base)
	}
	return FromPoints(name, corners)
}

// astray returns how far a point is outside of one of the planes, or off one of those that meet in it.
func astray(x vec.Vec3, planes, meet []Plane) (most float64) {
	for _, h := range planes {
		most = max(most, h.Normal.Dot(x)-h.Offset)
	}
	for _, h := range meet {
		most = max(most, math.Abs(h.Normal.Dot(x)-h.Offset))
	}
	return most
}

// meeting returns the point in which three of the planes meet that is at x by the hull of the dual
// points. That hull leaves an error of rounding over the thinness of the body. The three planes are
// those that meet least obliquely.
func meeting(x vec.Vec3, meet []Plane) vec.Vec3 {
	a, b, c := meet[0], Plane{}, Plane{}
	most, det := 0.0, 0.0
	for _, h := range meet {
		if s := a.Normal.Cross(h.Normal).Norm(); s > most {
			b, most = h, s
		}
	}
	for _, h := range meet {
		if s := a.Normal.Cross(b.Normal).Dot(h.Normal); math.Abs(s) > math.Abs(det) {
			c, det = h, s
		}
	}
	off := func(h Plane) float64 { return (h.Offset - h.Normal.Dot(x)) / det }
	return x.AddScaled(off(a), b.Normal.Cross(c.Normal)).AddScaled(off(b), c.Normal.Cross(a.Normal)).AddScaled(off(c), a.Normal.Cross(b.Normal))
}

// Eroded returns the body with all faces moved inwards by r, m: all centres of balls of radius r
// that p contains. Faces may vanish, and then Expanded does not bring them back. The frame is that
// of p.
//
// If r is 0, Eroded returns p itself. Errors wrap ErrValue if r is negative, not finite, or not
// below the radius of the largest ball in p; and otherwise those of FromPoints.
func (p *Polyhedron) Eroded(r float64) (*Polyhedron, error) { return p.withFacesMoved("eroded", r, -1) }

// Expanded returns the body with all faces moved outwards by r, m. Its edges and corners are sharp,
// so they move by more than r. The frame is that of p. Errors are those of Eroded.
func (p *Polyhedron) Expanded(r float64) (*Polyhedron, error) {
	return p.withFacesMoved("expanded", r, 1)
}

// withFacesMoved returns the body with all faces moved by r in the direction sign.
func (p *Polyhedron) withFacesMoved(how string, r, sign float64) (*Polyhedron, error) {
	switch {
	case !(r >= 0 && r <= maxCoordinate):
		return nil, mark.Errorf(ErrValue, "geometry: %s: %s by %g, expected 0 to %g", p.Name, how, r, maxCoordinate)
	case r == 0:
		return p, nil
	}
	t := p.Template() // in the centroid's frame, so that bodies far from the origin lose no digits
	planes := make([]Plane, p.NFaces())
	for f, n := range t.Normals {
		planes[f] = Plane{n, t.Offsets[f]}
	}
	b, err := inscribed(planes)
	if err != nil {
		return nil, fmt.Errorf("geometry: %s: %w", p.Name, err)
	}
	// If all faces move by the same distance, the largest ball keeps its centre.
	largest := b.radius
	if b.radius += float64(sign * r); !(b.radius > planeRel*t.Radius) {
		return nil, mark.Errorf(ErrValue, "geometry: %s: %s by %g, which leaves nothing, expected less than the radius %.9g of the largest ball inside",
			p.Name, how, r, largest)
	}
	for f := range planes {
		planes[f].Offset += float64(sign * r)
	}
	q, err := bodyAbout(p.Name, b, t.Origin, planes)
	if err != nil {
		return nil, fmt.Errorf("%w (%s by %g)", err, how, r)
	}
	return q, nil
}

// Dilated returns the rounded body of p and r as a template for the engine: all points within r, m,
// of p. Round is r, and vertices and faces are those of p, the core. Volume, centroid and inertia are
// those of Expanded(r), the body whose faces are moved out. They exceed those of the rounded body by
// what lies between its round edges and the sharp ones. Eroded followed by Dilated rounds a body
// within its faces. The frame of the template has its origin at that centroid.
//
// Errors are those of Expanded, and ErrValue if that centroid is outside of the core.
func (p *Polyhedron) Dilated(r float64) (*soa.Template, error) {
	out, err := p.withFacesMoved("dilated", r, 1)
	if err != nil {
		return nil, err
	}
	core := *p
	core.Mass = out.Mass
	if !p.Contains(core.Mass.Centroid) {
		return nil, mark.Errorf(ErrValue, "geometry: %s: dilated by %g: the centroid of the body with its faces moved out lies outside of the core, expected a smaller radius", p.Name, r)
	}
	if shift := core.Mass.Centroid.Sub(p.Mass.Centroid); p.local != nil {
		core.local = make([]vec.Vec3, len(p.local))
		for k, v := range p.local {
			core.local[k] = v.Sub(shift)
		}
	}
	t := core.Template()
	t.Round = r
	return t, nil
}
