package fileio

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// allocationFactor bounds the memory of a mesh per byte of its file. An OBJ face "f 1 1 1" with its
// line end becomes three indices, a face end and a slice header, 56 bytes; growing columns may be
// twice as long as needed. The smallest PLY vertex, three bytes, becomes 24 bytes; the smallest PLY
// face, five bytes, becomes 56.
const allocationFactor = 64

// checkDecoded checks that content is rejected with an InputError, or yields a valid mesh of
// bounded size that survives writing and reading.
func checkDecoded(t *testing.T, name string, content []byte) {
	m, err := DecodeMesh(name, content)
	if err != nil {
		var input *InputError
		if !errors.As(err, &input) {
			t.Fatalf("%v is no InputError", err)
		}
		return
	}
	if err := checkMesh(m); err != nil {
		t.Fatal(err)
	}
	size := 24*cap(m.Verts) + 24*cap(m.Faces)
	for _, f := range m.Faces {
		size += 8 * cap(f)
	}
	if size > allocationFactor*(len(content)+64) {
		t.Fatalf("%d bytes of mesh from %d bytes of file", size, len(content))
	}
	path := filepath.Join(t.TempDir(), "m.off")
	if err := WriteMesh(path, m); err != nil {
		t.Fatal(err)
	}
	again, err := ReadMesh(path)
	if err != nil {
		t.Fatal(err)
	}
	sameVerts := len(again.Verts) == len(m.Verts)
	for i := range m.Verts {
		sameVerts = sameVerts && again.Verts[i] == m.Verts[i]
	}
	if !sameVerts || !reflect.DeepEqual(again.Faces, m.Faces) {
		t.Fatalf("written and read, %v %v became %v %v", m.Verts, m.Faces, again.Verts, again.Faces)
	}
}

func FuzzSTL(f *testing.F) {
	one := [3]vec.Vec3{{}, {X: 1}, {Y: 1}}
	f.Add([]byte("solid a\n" + asciiTriangle + "endsolid a\n"))
	f.Add(binarySTL("solid", 1, one))
	f.Add(binarySTL("", 4_000_000_000, one))
	f.Add([]byte("solid\x00"))
	f.Fuzz(func(t *testing.T, content []byte) { checkDecoded(t, "m.stl", content) })
}

func FuzzOBJ(f *testing.F) {
	f.Add([]byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2//2 -1/1/1\n"))
	f.Add([]byte("f 3 2 1\\\n\\\n 1\rv 0 0 0 # \\\nv 1e308 -0 .5e-3 1\n"))
	f.Add([]byte("\xef\xbb\xbfo a\rv 1 2 3\\"))
	f.Fuzz(func(t *testing.T, content []byte) { checkDecoded(t, "m.obj", content) })
}

func FuzzOFF(f *testing.F) {
	f.Add([]byte("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"))
	f.Add([]byte("STCNOFF 3 1 0 # c\n0 0 0 1\n\n1 0 0\n0 1 0\n3 0 1 2 0.5"))
	f.Add([]byte("1 0\n9 9 9"))
	f.Add([]byte("OFF\n4000000000 4000000000 4000000000\n"))
	f.Fuzz(func(t *testing.T, content []byte) { checkDecoded(t, "m.off", content) })
}

func FuzzPLY(f *testing.F) {
	f.Add([]byte(plyASCII))
	f.Add(plyBinary(binary.LittleEndian, "binary_little_endian"))
	f.Add(plyBinary(binary.BigEndian, "binary_big_endian"))
	f.Add([]byte(strings.Replace(plyASCII, "vertex 4", "vertex 4000000000", 1)))
	f.Fuzz(func(t *testing.T, content []byte) { checkDecoded(t, "m.ply", content) })
}
