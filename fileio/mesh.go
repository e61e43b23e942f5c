package fileio

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// Format is a format of mesh files.
type Format int

// The formats. STL is told apart into its two kinds only for writing: reading looks at the content.
const (
	STLBinary Format = iota
	STLASCII
	OBJ
	OFF
	PLY // read only
)

// maxMeshBytes is the largest mesh file that is read: 2 GiB, 42 million binary STL triangles.
const maxMeshBytes = 1 << 31

// wantMeshName is what the name of a mesh file has to end with.
const wantMeshName = "a name that ends in .stl, .obj, .off or .ply"

// IsMeshName reports whether the extension of the name is one that ReadMesh knows.
func IsMeshName(path string) bool {
	_, ok := formatOf(path)
	return ok
}

// formatOf returns the format that a file's name tells; STLBinary stands for both kinds of STL.
func formatOf(path string) (f Format, ok bool) {
	f, ok = map[string]Format{".stl": STLBinary, ".obj": OBJ, ".off": OFF, ".ply": PLY}[strings.ToLower(filepath.Ext(path))]
	return f, ok
}

// ReadMesh reads the mesh file at path; the extension tells the format. The mesh is named by the
// file's stem and stands in the file's own frame and unit.
//
// Vertices of an STL file, which knows no shared ones, are welded with WeldTolerance. The other
// formats are returned as they stand, duplicates, degenerate faces and unused vertices included; a
// file of points without faces is a mesh without faces. A file without points is an error. Errors
// of content are InputErrors, and so is a path that is no regular file.
func ReadMesh(path string) (*geometry.Mesh, error) {
	if !IsMeshName(path) {
		return nil, &InputError{File: path, Want: wantMeshName, Err: ErrUnknownFormat}
	}
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // Nothing was written.
	if err := checkStart(path, file, size); err != nil {
		return nil, err
	}
	content, err := readAll(file, size, maxMeshBytes)
	if err != nil {
		return nil, fmt.Errorf("fileio: reading %s: %w", path, err)
	}
	return DecodeMesh(path, content)
}

// checkStart refuses a mesh file by its size and its first bytes, before the rest is read and
// there is memory for it.
func checkStart(path string, file *os.File, size int64) error {
	if size > maxMeshBytes { // whatever the memory
		return &InputError{File: path, Value: fmt.Sprintf("%d bytes", size),
			Want: fmt.Sprintf("at most %d bytes (2 GiB)", int64(maxMeshBytes))}
	}
	start := make([]byte, min(size, sniffBytes))
	if _, err := file.ReadAt(start, 0); err != nil {
		return fmt.Errorf("fileio: reading %s: %w", path, err)
	}
	m := newMeshBuilder(path, size)
	if err := m.announced(0, 0); err != nil {
		return err
	}
	switch format, _ := formatOf(path); format {
	case STLBinary:
		if isASCIISTL(start, size) {
			return nil
		}
		_, err := m.binarySTLCount(start, size)
		return err
	case PLY:
		return (&plyReader{lineReader: lineReader{file: path, rest: start, end: '\n'}}).magic()
	default:
		if i := bytes.IndexByte(start, 0); i >= 0 {
			return &InputError{File: path, Byte: int64(i), Item: "start of file", Value: "\x00", Want: "a text"}
		}
	}
	return nil
}

// ReadMeshFrom reads a mesh from a stream, which ends with an error where it is too long for
// memory. The name serves as for DecodeMesh.
func ReadMeshFrom(name string, from io.Reader) (*geometry.Mesh, error) {
	most, why := int64(maxMeshBytes), "as many as a mesh may have"
	if left, known := memoryLeft(); known && int64(left/streamRoom) < most {
		most, why = int64(left/streamRoom), "as many as fit into memory"
	}
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return nil, fmt.Errorf("fileio: reading %s: %w", name, err)
	}
	if int64(len(content)) > most {
		return nil, &InputError{File: name, Want: fmt.Sprintf("at most %d bytes, %s", most, why)}
	}
	return DecodeMesh(name, content)
}

// streamRoom is how many times the bytes of a stream are in memory while it is read, for its
// length is not known.
const streamRoom = 4

// readAll reads a regular file of a size to its end, limit bytes at most. Unlike io.ReadAll it
// takes the size of the file in one piece.
func readAll(file *os.File, size, limit int64) ([]byte, error) {
	var content bytes.Buffer
	content.Grow(int(size) + bytes.MinRead)
	n, err := content.ReadFrom(io.LimitReader(file, limit+1)) // It may grow meanwhile.
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("the file grew to more than %d bytes while it was read, expected at most that", limit)
	}
	return content.Bytes(), nil
}

// DecodeMesh is ReadMesh for content that is already in memory. The name serves for messages, for
// the extension and for the name of the mesh.
func DecodeMesh(name string, content []byte) (*geometry.Mesh, error) {
	format, ok := formatOf(name)
	if !ok {
		return nil, &InputError{File: name, Want: wantMeshName, Err: ErrUnknownFormat}
	}
	m := newMeshBuilder(name, int64(len(content)))
	decode := map[Format]func(name string, content []byte) error{
		STLBinary: m.decodeSTL, OBJ: m.decodeOBJ, OFF: m.decodeOFF, PLY: m.decodePLY,
	}
	if err := decode[format](name, content); err != nil {
		return nil, err
	}
	if len(m.verts) == 0 {
		return nil, &InputError{File: name, Want: "at least one vertex: the mesh is empty"}
	}
	mesh := m.mesh(stem(name))
	if format == STLBinary {
		near := WeldTolerance(mesh)
		whole := len(mesh.Faces)
		if mesh, _ = Weld(mesh, near); len(mesh.Faces) == 0 && whole > 0 {
			return nil, &InputError{File: name, Value: fmt.Sprintf("%d triangles smaller than that", whole), Want: fmt.Sprintf(
				"triangles of more than %.3g, the distance at which corners of an STL file are one: a millionth of the longest side of its box", near)}
		}
	}
	return mesh, nil
}

// stem returns the last element of the path without its extension.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// meshBuilder gathers a mesh with two allocations for all faces, instead of one for each.
type meshBuilder struct {
	name    string // of the file
	size    int64  // of the file
	left    uint64 // bytes of memory
	bounded bool   // whether left is known

	verts   []vec.Vec3
	corners []int // of all faces, one after the other
	ends    []int // where in corners each face ends
}

// newMeshBuilder returns a builder for a file, which is refused where it does not fit into the
// memory that is left.
func newMeshBuilder(name string, size int64) *meshBuilder {
	m := &meshBuilder{name: name, size: size}
	m.left, m.bounded = memoryLeft()
	return m
}

// endFace closes the face whose corners were appended since the last call.
func (m *meshBuilder) endFace() { m.ends = append(m.ends, len(m.corners)) }

// triangle appends a face of three corners.
func (m *meshBuilder) triangle(a, b, c int) {
	m.corners = append(m.corners, a, b, c)
	m.endFace()
}

// mesh returns what was gathered. The faces share one array, each with its capacity cut to its
// length, so that appending to one cannot run into the next.
func (m *meshBuilder) mesh(name string) *geometry.Mesh {
	mesh := &geometry.Mesh{Name: name, Verts: m.verts, Faces: make([][]int, len(m.ends))}
	first := 0
	for i, end := range m.ends {
		mesh.Faces[i] = m.corners[first:end:end]
		first = end
	}
	return mesh
}
