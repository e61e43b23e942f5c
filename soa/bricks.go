package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// A row of the table of bricks, parallelepipeds, is BrickSize numbers, from the places named below on: the centre, and
// three vectors, right-handed, from it to the middles of faces, shape frame, m; the shape's bounding radius, m; and 27
// features. Feature number Σ (1 + e)·3ᵏ has the end e = 1 or -1 of half edge k, or lies along it, e = 0. So none of e is 0
// for a vertex, one for an edge and two for a face. For each there is a sign, -1 where an edge, from the tail to the head of
// its lower half-edge, runs against the half edge, and else 1.
const (
	BrickCentre  = 0
	BrickHalf    = 3
	BrickRadius  = 12
	BrickFeature = 13
	BrickSign    = 40
	BrickSize    = 67
)

// Brick is where the row of a brick starts in Shapes.Bricks. 0 is none.
type Brick uint32

const (
	// brickSlim is the least length of a half edge over the radius: the direction of a shorter one is rounding.
	brickSlim = 0x1p-6
	// brickSkew is the least sine of two edges: with less their product loses digits.
	brickSkew = 0x1p-4
	// brickLevel, in units of the radius, is how far a vertex may lie from where the half edges have it.
	brickLevel = 0x1p-48
	// brickPlane is by how much a face's normal may differ from the product of its half edges.
	brickPlane = 0x1p-46
)

// addBrick derives the row of the newest shape, if it is a parallelepiped that is not slim.
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

// filled puts an end where there is none.
func filled(ends [3]int, end int) [3]int {
	for k, e := range ends {
		if e == 0 {
			ends[k] = end
		}
	}
	return ends
}

// halfEdges returns the centre of a brick and half the edges at vertex 0, turned about to be right-handed.
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

// vertexAt returns the vertex at the ends of three half edges.
func (t *Template) vertexAt(centre vec.Vec3, half [3]vec.Vec3, ends [3]int) (k int, ok bool) {
	p := centre
	for k, e := range ends {
		p = p.AddScaled(float64(e), half[k])
	}
	for k, v := range t.Verts {
		if v.Sub(p).MaxAbs() <= brickLevel*t.Radius {
			return k, true
		}
	}
	return 0, false
}

// faceAt returns the face at the end of one half edge.
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
