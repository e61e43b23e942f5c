package soa

import "math"

// A row of the table of tetrahedra has TetraSize numbers, at the offsets named below:
//
//   - TetraCorner: the corners, shape frame, m. The last three are counter-clockwise seen from outside their face.
//   - TetraRadius: the shape's bounding radius, m.
//   - TetraVertex: the vertex index of each corner.
//   - TetraFace: the face opposite each corner.
//   - TetraEdge: the edges 01, 02, 03, 12, 13 and 23, each as its index plus 1. The number is negative if the edge, from
//     the tail to the head of its lower half-edge, runs from the second to the first corner.
const (
	TetraCorner = 0
	TetraRadius = 12
	TetraVertex = 13
	TetraFace   = 17
	TetraEdge   = 21
	TetraSize   = 27
)

// Tetra is where the row of a tetrahedron starts in Shapes.Tetras; 0 means none.
type Tetra uint32

const (
	// tetraSlim is the least value of two ratios: of the area of a face's parallelogram to the
	// square of its longest side, and of the height of a corner to the radius. The normals of
	// slimmer tetrahedra lose digits.
	tetraSlim = 0x1p-4
	// tetraPlane is the largest difference of a face's normal from the cross product of its sides.
	// Relative to the radius, it also bounds the distance of its corners from its plane.
	tetraPlane = 0x1p-46
)

// addTetra adds the row of the newest shape, if it is a tetrahedron that is not slim.
func (s *Shapes) addTetra(t *Template) {
	row, ok := t.tetra()
	s.Tetras, s.tetra = addSolid(s.Tetras, s.tetra, row[:], ok)
}

func (t *Template) tetra() (row [TetraSize]float64, ok bool) {
	if t.Kind != Block || len(t.Verts) != 4 || len(t.Normals) != 4 || len(t.Tail) != 12 {
		return row, false
	}
	order := [4]Vertex{0, 1, 2, 3}
	v := t.Verts
	if v[1].Sub(v[0]).Cross(v[2].Sub(v[0])).Dot(v[3].Sub(v[0])) < 0 {
		order[2], order[3] = 3, 2
	}
	for k, at := range order {
		put(row[:], TetraCorner+3*k, v[at])
		row[TetraVertex+k] = float64(at)
	}
	row[TetraRadius] = t.Radius
	for k, sides := range [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}} {
		f := t.faceWithout(order[k])
		p, q, r := v[order[sides[0]]], v[order[sides[1]]], v[order[sides[2]]]
		n := q.Sub(p).Cross(r.Sub(p))
		area := n.Norm()
		longest := max(q.Sub(p).Norm2(), r.Sub(q).Norm2(), p.Sub(r).Norm2())
		if f < 0 || !(area > tetraSlim*longest) || !(n.Scale(1/area).Sub(t.Normals[f]).Norm() < tetraPlane) ||
			!(t.Offsets[f]-t.Normals[f].Dot(v[order[k]]) > tetraSlim*t.Radius) ||
			!(math.Abs(t.Offsets[f]-t.Normals[f].Dot(p)) < tetraPlane*t.Radius) {
			return row, false
		}
		row[TetraFace+k] = float64(f)
	}
	e := 0
	for i := range order {
		for _, j := range order[i+1:] {
			row[TetraEdge+e], e = t.signedEdge(order[i], j), e+1
		}
	}
	return row, true
}

// faceWithout returns the face of a tetrahedron that does not contain vertex k, or -1.
func (t *Template) faceWithout(k Vertex) int {
	for f := range t.Normals {
		has := false
		for _, w := range t.Tail[t.LoopFirst[f]:t.LoopFirst[f+1]] {
			has = has || w == k
		}
		if !has {
			return f
		}
	}
	return -1
}

// signedEdge returns the index plus 1 of the edge between vertices p and q, or 0 if there is none.
// The number is negative if the edge's lower half-edge runs from q to p.
func (t *Template) signedEdge(p, q Vertex) float64 {
	e := 0
	for h, w := range t.Twin {
		if HalfEdge(h) > w {
			continue
		}
		e++
		switch tail, head := t.Tail[h], t.Tail[w]; {
		case tail == p && head == q:
			return float64(e)
		case tail == q && head == p:
			return -float64(e)
		}
	}
	return 0
}
