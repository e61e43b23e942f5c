package tri

import (
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// maxRows is how many vertices, triangles or corners a surface may have: lists of cells pack a
// triangle with four bits, and lists of edges a vertex with one.
const maxRows = 1 << 28

// maxCoordinate keeps squares and products of three coordinates in range. Smaller: sound meshes are
// refused; larger: areas and volumes overflow.
const maxCoordinate = 0x1p300

// Read is what FromMesh made of a mesh.
type Read struct {
	Surface
	Face       []uint32 // face of the mesh of each triangle
	Welded     int      // vertices with the coordinates of an earlier one
	Collapsed  int      // faces left with fewer than three corners
	Degenerate int      // triangles without area
	Folded     int      // polygons whose projection cuts itself, and that were cut as a fan
}

// FaceOf returns the face of the mesh that triangle t comes from.
func (r *Read) FaceOf(t int) int { return int(r.Face[t]) }

// FromMesh makes a surface of a mesh: vertices with equal coordinates become one, corners that
// repeat their neighbour and spikes go, and polygons are cut into triangles. Triangles without area stay: they
// close the surface where vertices lie on edges. Errors wrap geometry.ErrEmpty, ErrTruncated,
// ErrNotFinite, ErrValue and ErrTooLarge and name the face or vertex.
func FromMesh(m *geometry.Mesh) (*Read, error) {
	if len(m.Faces) == 0 {
		return nil, mark.Errorf(geometry.ErrEmpty, "no faces, expected one or more")
	} else if len(m.Verts) == 0 {
		return nil, mark.Errorf(geometry.ErrEmpty, "no vertices, expected three or more")
	}
	used, corners, err := m.Used()
	if err != nil {
		return nil, err
	}
	if max(corners, len(m.Verts)) > maxRows {
		return nil, mark.Errorf(geometry.ErrTooLarge, "%d vertices and %d corners of faces, expected at most %d", len(m.Verts), corners, maxRows)
	}
	r := &Read{}
	nUsed := 0
	for k, u := range used {
		if !u {
			continue
		}
		nUsed++
		if v := m.Verts[k]; !v.Finite() {
			return nil, mark.Errorf(geometry.ErrNotFinite, "vertex %d is %s, expected finite coordinates", k, describe(v))
		} else if v.MaxAbs() > maxCoordinate {
			return nil, mark.Errorf(geometry.ErrValue, "vertex %d is %s, expected coordinates of at most %.3g", k, describe(v), maxCoordinate)
		}
	}
	verts, row := weld(m.Verts, used)
	r.Verts, r.Welded = verts, nUsed-len(verts)
	r.cut(m, row, corners)
	if len(r.Tris) == 0 {
		return nil, mark.Errorf(geometry.ErrFlat, "none of %d faces has three distinct corners, expected one or more", len(m.Faces))
	}
	box := vec.EmptyBox()
	for t := range r.Tris {
		a, b, c := r.Corners(t)
		if vec.Collinear(a, b, c) {
			r.Degenerate++
		}
		extend(&box, &a)
		extend(&box, &b)
		extend(&box, &c)
	}
	r.box = &box
	return r, nil
}

// cut makes the triangles.
func (r *Read) cut(m *geometry.Mesh, row []uint32, corners int) {
	c := cutter{out: make([][3]uint32, 0, corners-2*len(m.Faces))}
	r.Face = make([]uint32, 0, cap(c.out))
	var loop []uint32
	for f, face := range m.Faces {
		if loop = withoutSpikes(loop[:0], face, row); len(loop) == 0 {
			r.Collapsed++
		} else {
			c.add(r.Verts, loop)
		}
		for len(r.Face) < len(c.out) {
			r.Face = append(r.Face, uint32(f))
		}
	}
	r.Tris, r.Folded = c.out, c.folded
}

// withoutSpikes appends the rows of a face's corners to loop, which is empty. Corners that repeat
// their neighbour go, and so do spikes: corners whose two neighbours are one, so that edges cancel.
func withoutSpikes(loop []uint32, face []int, row []uint32) []uint32 {
	for _, k := range face {
		n := len(loop)
		switch {
		case n > 0 && loop[n-1] == row[k]:
		case n > 1 && loop[n-2] == row[k]:
			loop = loop[:n-1]
		default:
			loop = append(loop, row[k])
		}
	}
	lo, hi := 0, len(loop)
	for hi-lo > 2 {
		switch {
		case loop[lo] == loop[hi-1]: // neighbours
			hi--
		case loop[lo] == loop[hi-2]: // about the last corner
			hi -= 2
		case loop[lo+1] == loop[hi-1]: // about the first corner
			lo++
			hi--
		default:
			return loop[:copy(loop, loop[lo:hi])]
		}
	}
	return loop[:0]
}

// DropDegenerate removes the triangles without area. The surface has the same points without them.
func (r *Read) DropDegenerate() {
	n := 0
	for t, k := range r.Tris {
		if !vec.Collinear(r.Corners(t)) {
			r.Tris[n], r.Face[n] = k, r.Face[t]
			n++
		}
	}
	r.Tris, r.Face, r.box = r.Tris[:n], r.Face[:n], nil
}

// Turn makes each triangle's other side its outside.
func (r *Read) Turn() {
	for t := range r.Tris {
		k := &r.Tris[t]
		k[1], k[2] = k[2], k[1]
	}
}

// describe returns the place of a vertex for messages.
func describe(v vec.Vec3) string { return fmt.Sprintf("(%.6g %.6g %.6g)", v.X, v.Y, v.Z) }
