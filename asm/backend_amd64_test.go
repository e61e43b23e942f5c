//go:build !purego && !race

package asm

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/require"
)

// TestEveryBackendIsProven fails if some machine code of this build runs neither here nor in the
// interpreter of asm/gen. The interpreter runs AVX2 and AVX-512 on any machine.
func TestEveryBackendIsProven(t *testing.T) {
	if require.Quick() {
		t.Skip("builds and runs the tests of asm/gen")
	}
	// The test reads the generator's files, so the go command runs it again after a change there.
	files, err := filepath.Glob("gen/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("asm/gen: %d files, %v", len(files), err)
	}
	for _, f := range files {
		if _, err := os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	list := exec.Command("go", "list", "-test", "-deps", ".")
	list.Dir = "gen"
	if os.Getenv("SCREE_REQUIRE") != "all" {
		list.Env = append(os.Environ(), "GOPROXY=off") // a plain go test downloads nothing for this
	}
	out, err := list.CombinedOutput()
	require.Tool(t, err == nil, "asm/gen needs the go command and the modules of its go.mod: "+tail(out))
	test := exec.Command("go", "test", ".")
	test.Dir = "gen"
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("the interpreter disagrees with the Go loops: %v\n%s", err, out)
	}
}

func tail(out []byte) string { return string(out[max(0, len(out)-300):]) }

// byColumns turns a kernel that takes addresses into a function that takes columns.
func byColumns(
	support func(x, y, z *float64, n int, dx, dy, dz float64) (int, float64),
	interval func(x, y, z *float64, n int, dx, dy, dz float64) (lo, hi float64, kLo, kHi int),
	plane func(nx, ny, nz, d *float64, n int, px, py, pz float64) (int, float64),
) machineCode {
	at := func(c []float64) *float64 { return unsafe.SliceData(c) }
	return machineCode{
		support: func(x, y, z []float64, dx, dy, dz float64) (int, float64) {
			return support(at(x), at(y), at(z), len(x), dx, dy, dz)
		},
		interval: func(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
			return interval(at(x), at(y), at(z), len(x), dx, dy, dz)
		},
		plane: func(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
			return plane(at(nx), at(ny), at(nz), at(d), len(d), px, py, pz)
		},
	}
}

func TestShortSets(t *testing.T) {
	for backend, code := range map[string]machineCode{
		cpu.AVX2:   byColumns(supportAVX2, intervalAVX2, planeDistanceAVX2),
		cpu.AVX512: byColumns(supportAVX512, intervalAVX512, planeDistanceAVX512),
	} {
		if slices.Contains(cpu.Available(), backend) {
			t.Run("backend/"+backend, func(t *testing.T) { checkShort(t, code) })
		}
	}
}
