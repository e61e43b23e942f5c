package fileio

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/vec"
)

// Format is a format of mesh files.
type Format int

// The mesh formats. The two kinds of STL differ only for writing; a reader detects the kind.
const (
	STLBinary Format = iota
	STLASCII
	OBJ
	OFF
	PLY // read only
)

// maxMeshBytes is the size of the largest accepted mesh file: 2 GiB, 42 million triangles of binary
// STL.
const maxMeshBytes = 1 << 31

// meshFormat is what a format can do.
type meshFormat struct {
	ending  string // of file names; "" for a second kind of a format
	decode  func(m *meshBuilder, name string, content []byte) error
	encode  func(*atomicFile, *geometry.Mesh) error // nil if the format is only read
	numbers *regexp.Regexp                          // of vertices and faces that the format counts from 1: see Numbered
}

// meshFormats lists the formats. A new one needs a row here, its constant and its functions.
var meshFormats = [...]meshFormat{
	STLBinary: {".stl", (*meshBuilder).decodeSTL, encodeBinarySTL, faceNumbers},
	STLASCII:  {"", (*meshBuilder).decodeSTL, encodeASCIISTL, faceNumbers},
	OBJ:       {".obj", (*meshBuilder).decodeOBJ, encodeOBJ, allNumbers},
	OFF:       {".off", (*meshBuilder).decodeOFF, encodeOFF, nil},
	PLY:       {".ply", (*meshBuilder).decodePLY, nil, nil},
}

// MeshEndings returns the endings of the names of mesh files that can be read or, with written, also
// written: ".stl" and others.
func MeshEndings(written bool) (endings []string) {
	for _, f := range meshFormats {
		if f.ending != "" && (!written || f.encode != nil) {
			endings = append(endings, f.ending)
		}
	}
	return endings
}

// wantMeshName states the valid endings of mesh file names, for error messages.
func wantMeshName(written bool) string {
	all := MeshEndings(written)
	last := len(all) - 1
	return "a name that ends in " + strings.Join(all[:last], ", ") + " or " + all[last]
}

// IsMeshName reports whether ReadMesh knows the extension of the name.
func IsMeshName(path string) bool {
	_, ok := formatOf(path)
	return ok
}

// formatOf returns the format for the extension of a name. STLBinary stands for both kinds of STL.
func formatOf(path string) (f Format, ok bool) {
	ending := strings.ToLower(filepath.Ext(path))
	k := slices.IndexFunc(meshFormats[:], func(f meshFormat) bool { return ending != "" && f.ending == ending })
	return Format(k), k >= 0
}

// ReadMesh reads the mesh file at path. The extension determines the format. The name of the mesh
// is the file name without extension. The mesh is in the frame and unit of the file.
//
// STL files do not share vertices between triangles, so their vertices are welded with
// WeldTolerance. Meshes of other formats are returned unchanged, including duplicate vertices,
// degenerate faces and unused vertices. A file with points but no faces is a mesh without faces. A
// file without points is an error. Errors of content are InputErrors, and so is a path that is not
// a regular file.
func ReadMesh(path string) (*geometry.Mesh, error) {
	if !IsMeshName(path) {
		return nil, &InputError{File: path, Want: wantMeshName(false), Err: ErrUnknownFormat}
	}
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	if err := checkStart(path, file, size); err != nil {
		return nil, err
	}
	content, err := readAll(file, size, maxMeshBytes)
	if err != nil {
		return nil, fmt.Errorf("fileio: reading %s: %w", path, err)
	}
	return DecodeMesh(path, content)
}

// checkStart rejects a mesh file by its size and first bytes, before memory for the rest is
// allocated.
func checkStart(path string, file *os.File, size int64) error {
	if size > maxMeshBytes { // whatever the machine's memory
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
		return m.judgePLY(io.NewSectionReader(file, 0, size), size)
	default:
		if i := bytes.IndexByte(start, 0); i >= 0 {
			return &InputError{File: path, Byte: int64(i), Item: "start of file", Value: "\x00", Want: "a text"}
		}
	}
	return nil
}

// ReadMeshFrom reads a mesh from a stream. It returns an error if the stream is too long for the
// memory. name is used as in DecodeMesh.
func ReadMeshFrom(name string, from io.Reader) (*geometry.Mesh, error) {
	most, why := int64(maxMeshBytes), "as many as a mesh may have"
	if left, known := memoryLeft(); known && int64(left/streamRoom) < most {
		most, why = int64(left/streamRoom), "as many as fit into memory"
	}
	from = disk.Steady(from)
	if format, _ := formatOf(name); format == PLY {
		var start bytes.Buffer
		if err := newMeshBuilder(name, 0).judgePLY(io.TeeReader(from, &start), most); err != nil {
			return nil, err
		}
		from = io.MultiReader(&start, from)
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

// streamRoom is the number of copies of a stream in memory while it is read, because its length is
// unknown.
const streamRoom = 4

// readAll reads a regular file of the given size, but at most limit bytes. Unlike io.ReadAll it
// allocates the memory for the file at once.
func readAll(file *os.File, size, limit int64) ([]byte, error) {
	var content bytes.Buffer
	content.Grow(int(size) + bytes.MinRead)
	n, err := content.ReadFrom(io.LimitReader(file, limit+1)) // The file may grow while it is read.
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("the file grew to more than %d bytes while it was read, expected at most that", limit)
	}
	return content.Bytes(), nil
}

// DecodeMesh is ReadMesh for content in memory. name provides the extension, the name of the mesh,
// and the name in error messages.
func DecodeMesh(name string, content []byte) (*geometry.Mesh, error) {
	format, ok := formatOf(name)
	if !ok {
		return nil, &InputError{File: name, Want: wantMeshName(false), Err: ErrUnknownFormat}
	}
	m := newMeshBuilder(name, int64(len(content)))
	if err := meshFormats[format].decode(m, name, content); err != nil {
		return nil, err
	}
	if len(m.verts) == 0 {
		return nil, &InputError{File: name, Want: "at least one vertex: the mesh is empty"}
	}
	mesh := m.mesh(disk.Stem(name))
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

// meshBuilder collects a mesh. It uses two arrays for all faces instead of one allocation per face.
type meshBuilder struct {
	name    string // file name
	size    int64  // file size, bytes
	left    uint64 // memory left, bytes
	bounded bool   // left is known

	verts   []vec.Vec3
	corners []int // corners of all faces, one face after the other
	ends    []int // end of each face in corners
}

// newMeshBuilder returns a builder for a file of size bytes. The builder rejects a mesh that does
// not fit into the memory left.
func newMeshBuilder(name string, size int64) *meshBuilder {
	m := &meshBuilder{name: name, size: size}
	m.left, m.bounded = memoryLeft()
	return m
}

// endFace completes the face whose corners were appended since the last call.
func (m *meshBuilder) endFace() { m.ends = append(m.ends, len(m.corners)) }

// triangle appends a face with three corners.
func (m *meshBuilder) triangle(a, b, c int) {
	m.corners = append(m.corners, a, b, c)
	m.endFace()
}

// mesh returns the collected mesh. All faces share one array. The capacity of each face equals its
// length, so that appending to a face cannot overwrite the next one.
func (m *meshBuilder) mesh(name string) *geometry.Mesh {
	mesh := &geometry.Mesh{Name: name, Verts: m.verts, Faces: make([][]int, len(m.ends))}
	first := 0
	for i, end := range m.ends {
		mesh.Faces[i] = m.corners[first:end:end]
		first = end
	}
	return mesh
}
