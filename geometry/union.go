package geometry

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BodyMass has the mass properties of a body whose density may vary.
type BodyMass struct {
	Mass    float64  // kg
	Centre  vec.Vec3 // m, of mass, in the frame of the body's pieces
	Inertia vec.Sym3 // kg·m², about Centre, axes of that frame
}

// Check returns an error that wraps ErrValue unless a body can have these mass properties: a mass above 0, a finite
// centre, and an inertia of principal moments above 0, of which none exceeds the sum of the others.
func (m BodyMass) Check() error {
	i := m.Inertia
	trace := i.XX + i.YY + i.ZZ
	moments, _ := MassProperties{Inertia: i}.Principal()
	least, most := min(moments.X, moments.Y, moments.Z), max(moments.X, moments.Y, moments.Z)
	switch {
	case !(m.Mass > 0 && m.Mass <= math.MaxFloat64):
		return mark.Errorf(ErrValue, "geometry: mass %g, expected above 0 and finite", m.Mass)
	case !m.Centre.Finite():
		return mark.Errorf(ErrValue, "geometry: centre %v, expected finite", m.Centre)
	case !(vec.Vec3{X: i.XY, Y: i.XZ, Z: i.YZ}).Finite():
		return mark.Errorf(ErrValue, "geometry: inertia %v, expected finite", i)
	case !(least > 0 && most <= math.MaxFloat64):
		return mark.Errorf(ErrValue, "geometry: inertia with the principal moments %g, %g and %g, expected all above 0 and finite", moments.X, moments.Y, moments.Z)
	case !(most <= (trace-most)*(1+momentTol)):
		return mark.Errorf(ErrValue, "geometry: inertia with the principal moments %g, %g and %g, expected none above the sum of the others: no body has such", moments.X, moments.Y, moments.Z)
	}
	return nil
}

// momentTol is by which share a principal moment may exceed the sum of the others, which it equals for a thin plate.
// Smaller: rounded input is refused. Larger: mistakes pass.
const momentTol = 1e-6

// MassPiece is a piece of a body: a ball or a block with a density.
type MassPiece struct {
	Shape   *soa.Template // of a rounded block, the core counts
	Pose    vec.Pose      // frame of the shape's file to that of the body; a zero rotation means none
	Density float64       // kg/m³
}

// maxFragments is the largest number of fragments into which blocks may be cut.
// Larger: minutes and gigabytes.
const maxFragments = 100_000

// UnionMass returns the mass properties of the union of pieces. Where pieces overlap, the density is that of the
// first one in order.
//
// Each block is cut with the planes of the blocks before it, and what lies outside of them is integrated. So blocks
// are exact to rounding: within 1e-12 if no fragment is thinner than 1/100 of its length. A ball that overlaps nothing
// is exact. Of other balls, the part outside of the pieces before is integrated along rays, within 1e-5 of the mass,
// and of the inertia, of each ball.
//
// Errors wrap ErrEmpty without pieces; ErrValue for a piece that is neither a ball nor a block, has no finite pose, or
// no density above 0; and ErrTooLarge if blocks fall into more than 100 000 fragments, or if a ball needs as many
// parts of directions.
func UnionMass(pieces []MassPiece) (BodyMass, error) {
	u := union{pieces: make([]unionPiece, len(pieces))}
	if len(pieces) == 0 {
		return BodyMass{}, mark.Errorf(ErrEmpty, "geometry: a union of 0 pieces, expected 1 or more")
	}
	for i, p := range pieces {
		pose := p.Pose.OrIdentity()
		switch norm := pose.Rot.Norm(); {
		case p.Shape == nil || !p.Shape.Kind.IsSolid():
			return BodyMass{}, mark.Errorf(ErrValue, "geometry: piece %d is neither a ball nor a block, expected one", i)
		case !pose.Pos.Finite() || !(math.Abs(norm-1) <= unitTol):
			return BodyMass{}, mark.Errorf(ErrValue, "geometry: piece %d has the pose %v, expected finite with a unit quaternion", i, pose)
		case !(p.Density > 0 && p.Density <= math.MaxFloat64):
			return BodyMass{}, mark.Errorf(ErrValue, "geometry: piece %d has the density %g, expected above 0 and finite", i, p.Density)
		}
		pose.Rot = pose.Rot.Normalized()
		u.pieces[i] = unionPieceOf(p.Shape, pose, p.Density)
	}
	if err := u.addBlocks(); err != nil {
		return BodyMass{}, err
	}
	for k := range u.pieces {
		if u.pieces[k].ball > 0 {
			if err := u.addBall(k); err != nil {
				return BodyMass{}, err
			}
		}
	}
	return u.total(), nil
}

// union collects the parts of a union. Its axes are those of the body.
type union struct {
	pieces []unionPiece
	parts  []unionPart
}

// unionPiece is a piece with the axes of the body, about its own centre.
type unionPiece struct {
	centre  vec.Vec3 // m, frame of the body
	box     vec.Box  // m, frame of the body
	ball    float64  // m, radius; 0: a block
	block   *Polyhedron
	planes  []Plane // of a block
	density float64
}

// unionPart has the moments of a part of the union about a point, each times the density.
type unionPart struct {
	at         vec.Vec3
	mass       float64
	first      vec.Vec3 // ∫x
	xx, yy, zz float64  // ∫x², …
	xy, xz, yz float64
}

func unionPieceOf(t *soa.Template, pose vec.Pose, density float64) unionPiece {
	p := unionPiece{centre: pose.Point(t.Origin), density: density}
	if len(t.Verts) == 0 {
		p.ball = t.Radius
		p.box = vec.Box{Min: p.centre, Max: p.centre}.Enlarged(p.ball)
		return p
	}
	b := &Polyhedron{Name: t.Name, Verts: t.Verts, Normals: t.Normals, LoopFirst: t.LoopFirst, Tail: t.Tail, Twin: t.Twin}
	if pose.Rot != vec.Identity {
		b.Verts, b.Normals = make([]vec.Vec3, len(t.Verts)), make([]vec.Vec3, len(t.Normals))
		for k, v := range t.Verts {
			b.Verts[k] = pose.Rot.Rotate(v)
		}
		for f, n := range t.Normals {
			b.Normals[f] = pose.Rot.Rotate(n).Unit()
		}
	}
	b.measure()
	p.block, p.planes, p.box = b, b.Planes(), b.Box()
	p.box.Min, p.box.Max = p.box.Min.Add(p.centre), p.box.Max.Add(p.centre)
	return p
}

// addBlocks adds the blocks, each without those before it.
func (u *union) addBlocks() error {
	all := 0
	for i := range u.pieces {
		p := &u.pieces[i]
		if p.block == nil {
			continue
		}
		fragments := []*Polyhedron{p.block}
		for j := range u.pieces[:i] {
			if q := &u.pieces[j]; q.block != nil && q.box.Overlaps(p.box) {
				var err error
				if fragments, err = u.outside(fragments, q, q.centre.Sub(p.centre)); err != nil {
					return err
				}
				if all+len(fragments) > maxFragments {
					return mark.Errorf(ErrTooLarge, "geometry: piece %d: the union falls into more than %d fragments, expected at most as many", i, maxFragments)
				}
			}
		}
		all += len(fragments)
		for _, f := range fragments {
			u.parts = append(u.parts, partOf(f.Mass, p.centre, p.density))
		}
	}
	return nil
}

// outside returns the parts of fragments that lie outside of block q, whose centre is at to.
func (u *union) outside(fragments []*Polyhedron, q *unionPiece, to vec.Vec3) (kept []*Polyhedron, err error) {
	planes := make([]Plane, len(q.planes))
	for f, h := range q.planes {
		planes[f] = Plane{h.Normal, h.Offset + h.Normal.Dot(to)}
	}
	for _, fragment := range fragments {
		if separated(fragment, planes, q.block.Verts, to) {
			kept = append(kept, fragment)
			continue
		}
		first, inside := len(kept), fragment
		for _, h := range planes {
			var out *Polyhedron
			if inside, out, err = cutOff(inside, h); err != nil {
				return nil, err
			}
			if out != nil {
				kept = append(kept, out)
			}
			if inside == nil {
				kept = append(kept[:first], fragment) // It is whole.
				break
			}
		}
	}
	return kept, nil
}

// separated reports whether a plane of a fragment or of a block separates the two. verts are those of the block, relative
// to a point.
func separated(fragment *Polyhedron, planes []Plane, verts []vec.Vec3, to vec.Vec3) bool {
	beyond := func(points []vec.Vec3, h Plane) bool {
		return !slices.ContainsFunc(points, func(v vec.Vec3) bool { return h.Normal.Dot(v) < h.Offset })
	}
	for _, h := range planes {
		if beyond(fragment.Verts, h) {
			return true
		}
	}
	for f, n := range fragment.Normals {
		if beyond(verts, Plane{n, fragment.Offsets[f] - n.Dot(to)}) {
			return true
		}
	}
	return false
}

// cutShift times the size of a fragment is how far a plane is moved if Cut finds no polygon in it: the plane touches
// vertices within rounding.
// Smaller: cuts fail. Larger: an error of the volume.
const cutShift = 0x1p-42

// cutOff cuts a fragment. A part with less volume than rounding is nil.
func cutOff(p *Polyhedron, h Plane) (inside, out *Polyhedron, err error) {
	size := p.Box().Size().MaxAbs()
	for _, k := range [...]float64{0, 1, -1, 3, -3, 9, -9} {
		if inside, out, err = p.Cut(h.Normal, h.Offset+float64(k*cutShift*size)); err == nil {
			return inside, out, nil
		}
	}
	return nil, nil, err
}

// partOf returns the moments of a block about its centroid. centre is the origin of its frame.
func partOf(m MassProperties, centre vec.Vec3, density float64) unionPart {
	i := m.Inertia.Scale(density)
	half := float64((i.XX + i.YY + i.ZZ) / 2)
	return unionPart{
		at: centre.Add(m.Centroid), mass: float64(density * m.Volume),
		xx: half - i.XX, yy: half - i.YY, zz: half - i.ZZ, xy: -i.XY, xz: -i.XZ, yz: -i.YZ,
	}
}

// total returns the sum of all parts.
func (u *union) total() (m BodyMass) {
	base := u.pieces[0].centre
	var first vec.Vec3
	for i := range u.parts {
		p := &u.parts[i]
		m.Mass += p.mass
		first = first.Add(p.first).AddScaled(p.mass, p.at.Sub(base))
	}
	centre := first.Scale(1 / m.Mass)
	m.Centre = base.Add(centre)
	for i := range u.parts {
		p := &u.parts[i]
		d, f := p.at.Sub(base).Sub(centre), p.first
		about := func(second, fi, fj, di, dj float64) float64 {
			return second + float64(fi*dj) + float64(fj*di) + float64(p.mass*float64(di*dj))
		}
		xx, yy, zz := about(p.xx, f.X, f.X, d.X, d.X), about(p.yy, f.Y, f.Y, d.Y, d.Y), about(p.zz, f.Z, f.Z, d.Z, d.Z)
		m.Inertia = m.Inertia.Add(vec.Sym3{
			XX: yy + zz, YY: xx + zz, ZZ: xx + yy,
			XY: -about(p.xy, f.X, f.Y, d.X, d.Y), XZ: -about(p.xz, f.X, f.Z, d.X, d.Z), YZ: -about(p.yz, f.Y, f.Z, d.Y, d.Z),
		})
	}
	return m
}

// Mass returns the mass properties, at a density of 1 kg/m³, of the solid that a closed mesh encloses. It need not be
// convex. The mesh must be closed and oriented, which Mass does not check; a mesh inside out counts as turned. The
// error is that of a mesh without faces, or of a face that names no vertex.
func (m *Mesh) Mass() (MassProperties, error) {
	if _, err := m.check(); err != nil {
		return MassProperties{}, err
	}
	p := massOf(m.Verts, len(m.Faces), func(f int) []int { return m.Faces[f] })
	if p.Volume < 0 {
		p.Volume, p.Inertia = -p.Volume, p.Inertia.Scale(-1)
	}
	return p, nil
}
