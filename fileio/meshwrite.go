package fileio

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// WriteMesh writes the mesh in the format of the extension: .stl (binary), .obj or .off. The file
// appears only when it is complete. WriteMeshAs describes what each format preserves.
func WriteMesh(path string, m *geometry.Mesh) error {
	format, ok := formatOf(path)
	if !ok || meshFormats[format].encode == nil {
		return &InputError{File: path, Want: wantMeshName(true), Err: ErrUnknownFormat}
	}
	return WriteMeshAs(path, format, m)
}

// WriteMeshAs writes the mesh in the given format. OBJ and OFF preserve polygons, and the order and
// every bit of the vertices (except that −0 becomes 0). STL holds triangles only, so polygons are
// split into fans from their first vertex; a face that is not convex is an error. ASCII STL
// preserves every bit, binary STL rounds to float32. Invalid indices and coordinates that are not
// finite are errors.
func WriteMeshAs(path string, format Format, m *geometry.Mesh) error {
	if format < 0 || int(format) >= len(meshFormats) || meshFormats[format].encode == nil {
		return &InputError{File: path, Want: "one of STL, OBJ and OFF to write", Err: ErrUnknownFormat}
	}
	m = cmp.Or(m, &geometry.Mesh{}) // refused as empty
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("fileio: cannot write %s: mesh %s: %w", path, m.Name, err)
	}
	return writeAtomic(path, func(a *atomicFile) error { return meshFormats[format].encode(a, m) })
}

// checkMesh rejects meshes that no reader would accept.
func checkMesh(m *geometry.Mesh) error {
	if len(m.Verts) == 0 {
		return mark.Errorf(geometry.ErrEmpty, "no vertices, expected one or more")
	}
	for i, v := range m.Verts {
		if !v.Finite() {
			return mark.Errorf(geometry.ErrNotFinite, "vertex %d is %g %g %g, expected finite numbers", i, v.X, v.Y, v.Z)
		}
	}
	for i, face := range m.Faces {
		if len(face) < 3 {
			return mark.Errorf(geometry.ErrTruncated, "face %d has %d corners, expected at least 3", i, len(face))
		}
		for _, v := range face {
			if v < 0 || v >= len(m.Verts) {
				return mark.Errorf(geometry.ErrValue, "face %d names vertex %d, expected 0 to %d", i, v, len(m.Verts)-1)
			}
		}
	}
	return nil
}

func encodeOBJ(a *atomicFile, m *geometry.Mesh) error {
	for _, v := range m.Verts {
		b := appendPoint(append(a.AvailableBuffer(), 'v'), v)
		a.Write(append(b, '\n')) // bufio keeps the error for Flush.
	}
	for _, face := range m.Faces {
		a.WriteByte('f')
		writeCorners(a, face, 1)
	}
	return nil
}

// writeCorners writes the vertex numbers of a face, counted from first, and ends the line.
func writeCorners(a *atomicFile, face []int, first int) {
	for _, v := range face {
		b := append(a.AvailableBuffer(), ' ')
		a.Write(strconv.AppendInt(b, int64(v)+int64(first), 10))
	}
	a.WriteByte('\n')
}

func encodeOFF(a *atomicFile, m *geometry.Mesh) error {
	// Readers ignore the number of edges. Many writers put 0.
	fmt.Fprintf(a, "OFF\n%d %d 0\n", len(m.Verts), len(m.Faces))
	for _, v := range m.Verts {
		b := appendPoint(a.AvailableBuffer(), v)
		a.Write(append(b[1:], '\n'))
	}
	for _, face := range m.Faces {
		a.Write(strconv.AppendInt(a.AvailableBuffer(), int64(len(face)), 10))
		writeCorners(a, face, 0)
	}
	return nil
}

// normalOf returns the unit normal of a triangle, or zero if the triangle has no area.
func normalOf(p, q, r vec.Vec3) vec.Vec3 { return q.Sub(p).Unit().Cross(r.Sub(p).Unit()).Unit() }

// fans calls emit for each triangle of the mesh. It rejects a polygon whose fan turns back on
// itself, because the triangles would cover more than the face.
func fans(m *geometry.Mesh, emit func(p, q, r, normal vec.Vec3) error) error {
	for i, face := range m.Faces {
		// The normal by Newell's sum about the first vertex, which is right for every simple
		// polygon.
		first := m.Verts[face[0]]
		var sum vec.Vec3
		for k := 1; k+1 < len(face); k++ {
			sum = sum.Add(m.Verts[face[k]].Sub(first).Cross(m.Verts[face[k+1]].Sub(first)))
		}
		for k := 1; k+1 < len(face); k++ {
			q, r := m.Verts[face[k]], m.Verts[face[k+1]]
			normal := normalOf(first, q, r)
			if len(face) > 3 && normal.Dot(sum) < 0 {
				return mark.Errorf(geometry.ErrNotConvex, "face %d is not convex at its corner %d, and STL holds triangles only",
					i, k+1)
			}
			if err := emit(first, q, r, normal); err != nil {
				return err
			}
		}
	}
	return nil
}

func encodeASCIISTL(a *atomicFile, m *geometry.Mesh) error {
	fmt.Fprintf(a, "solid %s\n", oneLine(m.Name))
	err := fans(m, func(p, q, r, normal vec.Vec3) error {
		b := appendPoint(append(a.AvailableBuffer(), "facet normal"...), normal)
		b = append(b, "\nouter loop\n"...)
		for _, v := range [3]vec.Vec3{p, q, r} {
			b = append(appendPoint(append(b, "vertex"...), v), '\n')
		}
		_, err := a.Write(append(b, "endloop\nendfacet\n"...))
		return err
	})
	fmt.Fprintf(a, "endsolid %s\n", oneLine(m.Name))
	return err
}

// oneLine replaces control characters in a name by blanks, because they could end the line.
func oneLine(name string) string {
	b := []byte(name)
	for i, c := range b {
		if c < ' ' {
			b[i] = ' '
		}
	}
	return string(b)
}

func encodeBinarySTL(a *atomicFile, m *geometry.Mesh) error {
	n := 0
	for _, face := range m.Faces {
		n += len(face) - 2
	}
	if uint64(n) > math.MaxUint32 {
		return fmt.Errorf("%d triangles, and binary STL holds %d", n, uint32(math.MaxUint32))
	}
	// The header must not start with "solid", because many readers would then expect ASCII STL.
	header := make([]byte, stlHeaderBytes, stlPrefixBytes)
	copy(header, "binary STL written by scree")
	a.Write(binary.LittleEndian.AppendUint32(header, uint32(n)))
	record := make([]byte, 0, stlTriangleBytes)
	return fans(m, func(p, q, r, normal vec.Vec3) error {
		b := record
		for _, v := range [4]vec.Vec3{normal, p, q, r} {
			for _, x := range [3]float64{v.X, v.Y, v.Z} {
				f := float32(x)
				if math.IsInf(float64(f), 0) {
					return mark.Errorf(geometry.ErrValue, "%g is beyond the float32 of binary STL, expected at most %g", x, math.MaxFloat32)
				}
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
			}
		}
		_, err := a.Write(append(b, 0, 0))
		return err
	})
}
