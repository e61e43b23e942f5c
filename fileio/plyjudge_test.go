package fileio

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// TestPLYIsJudgedByItsCounts: a PLY mesh whose header promises more rows than the file or the memory
// can hold is refused after its header: nothing behind it is read, and no memory is taken.
func TestPLYIsJudgedByItsCounts(t *testing.T) {
	const xyz = "property float x\nproperty float y\nproperty float z\n"
	head := func(format string, verts, faces int, more string) string {
		return "ply\nformat " + format + " 1.0\nelement vertex " + strconv.Itoa(verts) + "\n" + xyz +
			"element face " + strconv.Itoa(faces) + "\nproperty list uchar int vertex_indices\n" + more + "end_header\n"
	}
	const little = "binary_little_endian"
	read := errors.New("was read")
	cases := map[string]struct{ head, want string }{
		"vertices":      {head(little, 1<<40, 1, ""), "element vertex"},
		"most vertices": {head("binary_big_endian", math.MaxInt64, 1, ""), "element vertex"},
		"ASCII":         {head("ascii", 1<<40, 1, ""), "element vertex"},
		"faces":         {head(little, 3, 1<<40, ""), "element face"},
		"others":        {head(little, 3, 1, "element edge 1099511627776\nproperty int a\n"), "element edge"},
		"together":      {head(little, 80_000_000, 1<<30+1<<29, ""), "element face"}, // each fits into 2 GiB
	}
	for name, c := range cases {
		in := io.MultiReader(strings.NewReader(c.head), iotest.ErrReader(read))
		if _, err := ReadMeshFrom("x.ply", in); !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in a stream: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "x.ply")
		if err := errors.Join(os.WriteFile(path, []byte(c.head), 0o600), os.Truncate(path, 1<<30)); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadMesh(path)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), c.want) || took > 1<<20 {
			t.Errorf("%s in a file: %v, after %d bytes of memory", name, err, took)
		}
		if _, err := DecodeMesh("x.ply", []byte(c.head)); !errors.Is(err, ErrTruncated) {
			t.Errorf("%s in memory: %v", name, err)
		}
	}
	defer func(there func() uint64) { memoryThere = there }(memoryThere)
	memoryThere = func() uint64 { return 1 << 30 }
	_, err := ReadMeshFrom("x.ply", io.MultiReader(strings.NewReader(head(little, 10_000_000, 1, "")), iotest.ErrReader(read)))
	if err == nil || !strings.Contains(err.Error(), "of memory") {
		t.Errorf("more than the memory: %v", err)
	}
	long := io.MultiReader(strings.NewReader("ply\n"), &repeated{text: "comment x\n"})
	if _, err := ReadMeshFrom("x.ply", long); err == nil || !strings.Contains(err.Error(), "end_header in the first 262144 bytes") {
		t.Errorf("an endless header: %v", err)
	}
	if _, err := ReadMeshFrom("x.ply", endless('a')); err == nil || !strings.Contains(err.Error(), `"ply"`) {
		t.Errorf("an endless line: %v", err)
	}
}
