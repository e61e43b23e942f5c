package fileio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
)

// TestMeshesFitIntoMemory: a mesh that does not fit into memory is rejected. The error names the
// file, the memory that it needs (40 MB) and the memory of the machine. The rejection itself uses a
// fraction of it.
func TestMeshesFitIntoMemory(t *testing.T) {
	const there, n = 8 << 20, 40_000
	runtime.GC()
	live := uint64(0)
	memoryThere = func() uint64 { return live + there*5/4 }
	defer func() { memoryThere = cpu.Memory }()

	binarySTL := make([]byte, stlPrefixBytes+n*stlTriangleBytes)
	binary.LittleEndian.PutUint32(binarySTL[stlHeaderBytes:], n)
	rows := func(start, row, end string) []byte { return []byte(start + strings.Repeat(row, n) + end) }
	const facet = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
	const plyVerts = "\nelement vertex 40000\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
	for name, content := range map[string][]byte{
		"binary.stl": binarySTL,
		"text.stl":   rows("solid\n", facet, "endsolid\n"),
		"verts.obj":  rows("", "v 0 0 1\n", ""),
		"faces.obj":  rows("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3\n", ""),
		"verts.off":  rows(fmt.Sprintf("OFF %d 0 0\n", n), "0 0 1\n", ""),
		"faces.off":  rows(fmt.Sprintf("OFF 3 %d 0\n0 0 0\n1 0 0\n0 1 0\n", n), "3 0 1 2\n", ""),
		"binary.ply": append([]byte("ply\nformat binary_little_endian 1.0"+plyVerts), make([]byte, 12*n)...),
		"text.ply":   rows("ply\nformat ascii 1.0"+plyVerts, "0 0 1\n", ""),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		live = before.HeapAlloc
		_, err := ReadMesh(path)
		runtime.ReadMemStats(&after)
		var fault *InputError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), name+": expected a mesh that fits into the ") || !strings.Contains(err.Error(), "GB of memory that there are") {
			t.Errorf("%s: error %v, expected that it does not fit", name, err)
		}
		// The first vertices of a text are read; their columns double as they grow.
		if took := after.TotalAlloc - before.TotalAlloc; took > 2*there {
			t.Errorf("%s: %d bytes before it was refused, expected at most %d", name, took, 2*there)
		}
	}
	if _, err := ReadMeshFrom("standard input.stl", bytes.NewReader(append(binarySTL, make([]byte, 4*there)...))); err == nil ||
		!strings.Contains(err.Error(), "fit into memory") {
		t.Errorf("a stream: error %v, expected that it does not fit", err)
	}
}

// TestMeshesThatAreNone: a large file of another kind is rejected by its start, without memory for
// the rest.
func TestMeshesThatAreNone(t *testing.T) {
	for name, want := range map[string]string{
		"zeros.stl": `byte 80, triangle count: found "0", expected the 1342175 triangles`,
		"zeros.ply": `expected a first line "ply"`,
		"zeros.obj": `start of file: found "\x00", expected a text`,
		"zeros.off": `start of file: found "\x00", expected a text`,
	} {
		path := filepath.Join(t.TempDir(), name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Truncate(1<<26), file.Close()); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = ReadMesh(path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected that it has %s", name, err, want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes before it was refused, expected at most %d", name, took, 1<<20)
		}
	}
}

// TestMeshesOfTwoGiB: a file above the size limit is rejected with this limit, whatever the memory.
func TestMeshesOfTwoGiB(t *testing.T) {
	defer func() { memoryThere = cpu.Memory }()
	for _, there := range []uint64{1 << 20, 1 << 50} {
		memoryThere = func() uint64 { return there }
		for _, name := range []string{"a.stl", "a.obj", "a.off", "a.ply"} {
			path := filepath.Join(t.TempDir(), name)
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(file.Truncate(maxMeshBytes+1), file.Close()); err != nil {
				t.Skip("no file of 2 GiB: ", err)
			}
			var fault *InputError
			if _, err := ReadMesh(path); !errors.As(err, &fault) || !strings.HasSuffix(err.Error(), name+`: found "2147483649 bytes", expected at most 2147483648 bytes (2 GiB)`) {
				t.Errorf("%d bytes of memory: %v", there, err)
			}
		}
	}
}
