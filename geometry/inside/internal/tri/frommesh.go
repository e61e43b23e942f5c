package tri

import (
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// maxRows is the largest number of vertices, triangles or corners of a surface: lists of cells pack
// a triangle with four bits, and lists of edges pack a vertex with one bit.
const maxRows = 1 << 28

// maxCoordinate keeps squares and products of three coordinates in range. With a smaller value,
// sound meshes are rejected. With a larger one, areas and volumes overflow.
const maxCoordinate = 0x1p300

// Read is the result of FromMesh.
type Read struct {
	Surface
	Face       []uint32 // of each triangle: its face in the mesh
	Welded     int      // vertices with the coordinates of an earlier one
	Collapsed  int      // faces with fewer than three corners left
	Degenerate int      // triangles without area
	Folded     int      // polygons whose projection intersects itself, and that were cut as a fan
}

// FaceOf returns the face of the mesh from which triangle t comes.
func (r *Read) FaceOf(t int) int { return int(r.Face[t]) }

// FromMesh makes a surface of a mesh. Vertices with equal coordinates become one. Corners that
// repeat their neighbour and spikes are removed. Polygons are cut into triangles. Triangles without
// area are kept: they close the surface if vertices lie on edges. Errors wrap geometry.ErrEmpty,
// ErrTruncated, ErrNotFinite, ErrValue, ErrTooLarge and ErrFlat, and name the face or vertex.
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

// withoutSpikes appends the rows of a face's corners to the empty loop. Corners that repeat their
// neighbour are removed. So are spikes: corners whose two neighbours are equal, so that the edges
// cancel.
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
		case loop[lo] == loop[hi-1]: // both corners repeat
			hi--
		case loop[lo] == loop[hi-2]: // a spike at the last corner
			hi -= 2
		case loop[lo+1] == loop[hi-1]: // a spike at the first corner
			lo++
			hi--
		default:
			return loop[:copy(loop, loop[lo:hi])]
		}
	}
	return loop[:0]
}

// DropDegenerate removes the triangles without area. The set of points of the surface does not
// change.
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

// Turn reverses the orientation of all triangles.
func (r *Read) Turn() {
	for t := range r.Tris {
		k := &r.Tris[t]
		k[1], k[2] = k[2], k[1]
	}
}

// describe returns the coordinates of a vertex for messages.
func describe(v vec.Vec3) string { return fmt.Sprintf("(%.6g %.6g %.6g)", v.X, v.Y, v.Z) }
