package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// A brick is a parallelepiped. A row of the table of bricks has BrickSize numbers, at the offsets
// named below:
//
//   - BrickCentre: the centre, shape frame, m.
//   - BrickHalf: three half-edge vectors u0, u1, u2 from the centre to the middles of faces, right-handed, shape frame, m.
//   - BrickRadius: the shape's bounding radius, m.
//   - BrickFeature: 27 features. Feature number Σ (1 + eₖ)·3ᵏ lies at centre + Σ eₖ·uₖ, where eₖ is -1 or 1 for an
//     end of uₖ. If eₖ is 0, the feature extends along uₖ. So a vertex has no zero, an edge one, and a face two.
//     The number with three zeros is not a feature.
//   - BrickSign: one sign per feature. It is -1 if an edge, from the tail to the head of its lower half-edge, points
//     against uₖ. Otherwise it is 1.
const (
	BrickCentre  = 0
	BrickHalf    = 3
	BrickRadius  = 12
	BrickFeature = 13
	BrickSign    = 40
	BrickSize    = 67
)

// Brick is where the row of a brick starts in Shapes.Bricks; 0 means none.
type Brick uint32

const (
	// brickSlim is the least ratio of the length of a half-edge vector to the radius. The direction
	// of a shorter one would be mainly rounding.
	brickSlim = 0x1p-6
	// brickSkew is the least sine of the angle between two edges. With smaller angles, their cross
	// product loses digits.
	brickSkew = 0x1p-4
	// brickTol, relative to the radius, is the largest distance of a vertex from the place that
	// the half-edge vectors give.
	brickTol = 0x1p-48
	// brickPlane is the largest difference of a face's normal from the cross product of its
	// half-edge vectors. Relative to the radius, it also bounds the error of the face's offset.
	brickPlane = 0x1p-46
)

// addBrick adds the row of the newest shape, if the shape is a parallelepiped that is not slim.
func (s *Shapes) addBrick(t *Template) {
	row, ok := t.brick()
	s.Bricks, s.brick = addSolid(s.Bricks, s.brick, row[:], ok)
}

func (t *Template) brick() (row [BrickSize]float64, ok bool) {
	if t.Kind != Block || len(t.Verts) != 8 || len(t.Normals) != 6 || len(t.Tail) != 24 {
		return row, false
	}
	centre, half, ok := t.halfEdges()
	if !ok {
		return row, false
	}
	put(row[:], BrickCentre, centre)
	for k, u := range half {
		put(row[:], BrickHalf+3*k, u)
	}
	row[BrickRadius] = t.Radius
	for number := range row[BrickFeature:BrickSign] {
		ends := [3]int{number%3 - 1, number/3%3 - 1, number/9 - 1}
		free := 0
		for _, e := range ends {
			if e == 0 {
				free++
			}
		}
		feature, sign, found := 0.0, 1.0, free == 3
		switch free {
		case 0:
			var k int
			k, found = t.vertexAt(centre, half, ends)
			feature = float64(k)
		case 1:
			p, foundP := t.vertexAt(centre, half, filled(ends, -1))
			q, foundQ := t.vertexAt(centre, half, filled(ends, 1))
			e := t.signedEdge(Vertex(p), Vertex(q))
			found = foundP && foundQ && e != 0
			feature, sign = math.Abs(e)-1, math.Copysign(1, e)
		case 2:
			var f int
			f, found = t.faceAt(centre, half, ends)
			feature = float64(f)
		}
		if !found {
			return row, false
		}
		row[BrickFeature+number], row[BrickSign+number] = feature, sign
	}
	return row, true
}

// filled returns ends with zeros replaced by end.
func filled(ends [3]int, end int) [3]int {
	for k, e := range ends {
		if e == 0 {
			ends[k] = end
		}
	}
	return ends
}

// halfEdges returns the centre of a brick, and half of each of the three edges at vertex 0, in
// right-handed order.
func (t *Template) halfEdges() (centre vec.Vec3, half [3]vec.Vec3, ok bool) {
	count := 0
	for h, k := range t.Tail {
		if k == 0 && count < 3 {
			half[count] = t.Verts[t.Tail[t.Twin[h]]].Sub(t.Verts[0]).Scale(0.5)
			count++
		}
	}
	centre = t.Verts[0].Add(half[0]).Add(half[1]).Add(half[2])
	if half[0].Cross(half[1]).Dot(half[2]) < 0 {
		half[1], half[2] = half[2], half[1]
	}
	for k, u := range half {
		v := half[(k+1)%3]
		if !(u.Norm() >= brickSlim*t.Radius) || !(u.Cross(v).Norm() >= brickSkew*u.Norm()*v.Norm()) {
			return centre, half, false
		}
	}
	return centre, half, count == 3
}

// vertexAt returns the vertex at the given ends of the three half-edge vectors.
func (t *Template) vertexAt(centre vec.Vec3, half [3]vec.Vec3, ends [3]int) (k int, ok bool) {
	p := centre
	for k, e := range ends {
		p = p.AddScaled(float64(e), half[k])
	}
	for k, v := range t.Verts {
		if v.Sub(p).MaxAbs() <= brickTol*t.Radius {
			return k, true
		}
	}
	return 0, false
}

// faceAt returns the face at the given end of one half-edge vector.
func (t *Template) faceAt(centre vec.Vec3, half [3]vec.Vec3, ends [3]int) (f int, ok bool) {
	for k, e := range ends {
		if e == 0 {
			continue
		}
		n := half[(k+1)%3].Cross(half[(k+2)%3]).Unit().Scale(float64(e))
		d := n.Dot(centre) + n.Dot(half[k].Scale(float64(e)))
		for f, m := range t.Normals {
			if m.Sub(n).MaxAbs() <= brickPlane && t.Offsets[f]-d <= brickPlane*t.Radius && d-t.Offsets[f] <= brickPlane*t.Radius {
				return f, true
			}
		}
	}
	return 0, false
}
