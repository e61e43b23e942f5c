package scree_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/soa"
)

// examples are the scenes whose state hash must not depend on how they are run. The numbers of
// steps are for a run with SCREE_REQUIRE=all, for a plain go test, and for the emulator. The
// hourglass falls freely in all of them. The rocks of drop.toml touch the floor and each other
// after some thousand steps. Those of funnel.toml touch the facets of a wall, and each other, after
// some hundred steps.
var examples = []example{
	{"examples/wall.toml", 1000, 1000, 40, true},
	{"examples/hourglass-large.toml", 2000, 300, 20, false},
	{"examples/drop.toml", 16000, 8000, 5000, true},
	{"testdata/funnel.toml", 1100, 1100, 1100, true},
}

type example struct {
	file                   string
	whole, plain, emulated int
	touching               bool // contacts must be active at the end
}

func (e *example) steps() int {
	switch {
	case require.Quick() && !e.touching:
		return e.plain / 5
	case os.Getenv("SCREE_REQUIRE") == "all":
		return e.whole
	}
	return e.plain
}

// build loads the scene and builds its world.
func (e *example) build(t *testing.T, workers int) (*scene.Scene, *scene.Built) {
	t.Helper()
	s, err := scene.Load(e.file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build(workers)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

// advance builds a scene and makes some steps, from a state if from is not nil. At the end contacts
// must be active if e.touching is set.
func advance(t *testing.T, e *example, workers, steps int, from []engine.Column) (uint64, []engine.Column) {
	t.Helper()
	s, b := e.build(t, workers)
	defer b.Close()
	if from != nil {
		if err := b.World.Restore(from); err != nil {
			t.Fatal(err)
		}
	}
	for range steps {
		if err := b.World.Step(s.Dt); err != nil {
			t.Fatal(err)
		}
	}
	hash, state := b.World.Hash(), b.World.State()
	if m := b.World.Measure(); e.touching && m.Step >= int64(e.emulated) && m.Active == 0 {
		t.Errorf("%s: no contact is active at step %d", e.file, m.Step)
	}
	return hash, state
}

func TestExamplesGiveTheSameBits(t *testing.T) {
	for _, e := range examples {
		t.Run(filepath.Base(e.file), func(t *testing.T) {
			n := e.steps()
			want, _ := advance(t, &e, 1, n, nil)
			for _, workers := range []int{2, 3, 7} {
				if got, _ := advance(t, &e, workers, n, nil); got != want {
					t.Errorf("%d steps on %d workers: hash %016x, expected %016x", n, workers, got, want)
				}
			}
			_, middle := advance(t, &e, 2, n/2, nil)
			if got, _ := advance(t, &e, 2, n-n/2, middle); got != want {
				t.Errorf("restart at step %d: hash at step %d is %016x, expected %016x", n/2, n, got, want)
			}
		})
	}
}

// TestNoOrderKeepsTheBits: with the bodies in the order of the file, a run has the bits that it had before there was
// another order.
func TestNoOrderKeepsTheBits(t *testing.T) {
	text := read(t, "testdata/funnel.toml") + "\n[order]\nbodies = \"none\"\n"
	s, err := scene.Decode(strings.NewReader(text), "funnel.toml", "testdata")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := scene.Run(t.Context(), s, scene.Options{Dir: t.TempDir(), Steps: 1100})
	if err != nil {
		t.Fatal(err)
	}
	const want = "46182da4030da3ca"
	if sum.StateHash != want {
		t.Errorf("hash %s, expected %s", sum.StateHash, want)
	}
}

// TestExamplesWithComersGiveTheSameBits lets 40 bodies go at random in a run of each example, and others come at the poses of
// bodies that have gone.
func TestExamplesWithComersGiveTheSameBits(t *testing.T) {
	const changes = 40
	run := func(t *testing.T, e *example, workers int) uint64 {
		s, b := e.build(t, workers)
		defer b.Close()
		w, rng := b.World, rand.New(rand.NewPCG(5, 6))
		each := e.steps() / (3 * changes)
		var gone []engine.BodySpec
		var ids []soa.ID
		for row, inverse := range w.Bodies().InvMass {
			if inverse > 0 {
				ids = append(ids, soa.ID(row))
			}
		}
		for turn := range changes {
			for range each {
				if err := w.Step(s.Dt); err != nil {
					t.Fatal(err)
				}
			}
			k := rng.IntN(len(ids))
			id := ids[k]
			ids = append(ids[:k], ids[k+1:]...)
			bodies, pieces := w.Bodies(), w.Pieces()
			row, _ := bodies.Row(id)
			first := bodies.FirstPiece[row]
			volume, _ := w.Shapes().Volume(pieces.Shape[first])
			part := engine.Part{Shape: pieces.Shape[first], Material: pieces.Material[first], Density: bodies.Mass[row] / volume}
			gone = append(gone, engine.BodySpec{Parts: []engine.Part{part}, Pose: w.Pose(id)})
			if err := w.RemoveBody(id); err != nil {
				t.Fatal(err)
			}
			if turn%2 == 1 {
				id, err := w.AddBody(gone[rng.IntN(len(gone))])
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, id)
			}
		}
		for range each {
			if err := w.Step(s.Dt); err != nil {
				t.Fatal(err)
			}
		}
		return w.Hash()
	}
	for _, e := range examples {
		t.Run(filepath.Base(e.file), func(t *testing.T) {
			want := run(t, &e, 1)
			for _, workers := range []int{2, 7} {
				if got := run(t, &e, workers); got != want {
					t.Errorf("on %d workers: hash %016x, expected %016x", workers, got, want)
				}
			}
			for name := range backends.Each(t) {
				if got := run(t, &e, 2); got != want {
					t.Errorf("backend %s: hash %016x, expected %016x", name, got, want)
				}
			}
		})
	}
}

// TestBuildsGiveTheSameBits runs the command from other builds: without assembly, and for arm64
// under an emulator. A newer amd64 differs from this one in nothing but fused operations, of which
// .ci/fused finds every one.
func TestBuildsGiveTheSameBits(t *testing.T) {
	_, err := exec.LookPath("qemu-aarch64")
	for _, b := range []struct {
		name   string
		env    []string
		args   []string
		run    []string
		needed bool
	}{
		{"purego", nil, []string{"-tags", "purego"}, nil, false},
		{"arm64", []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}, nil, []string{"qemu-aarch64"}, true},
	} {
		t.Run(b.name, func(t *testing.T) {
			if require.Quick() {
				t.Skip("builds the command")
			}
			if b.needed {
				require.Tool(t, err == nil, "qemu-aarch64 (Debian: qemu-user) runs the arm64 build")
			}
			bin := filepath.Join(t.TempDir(), "scree")
			build := exec.Command("go", append(append([]string{"build", "-o", bin}, b.args...), "./cmd/scree")...)
			build.Env = append(os.Environ(), b.env...)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, e := range examples {
				want, _ := advance(t, &e, 2, e.emulated, nil)
				args := append(append([]string{}, b.run...), bin, "run", e.file, "--steps", fmt.Sprint(e.emulated),
					"--json", "--quiet", "-o", t.TempDir())
				out, err := exec.Command(args[0], args[1:]...).Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s", args, err, stderrOf(err))
				}
				var summary struct {
					Hash string `json:"state_hash"`
				}
				if err := json.Unmarshal(out, &summary); err != nil {
					t.Fatalf("%v: %v in %s", args, err, out)
				}
				if w := fmt.Sprintf("%016x", want); summary.Hash != w {
					t.Errorf("%s: hash %s after %d steps, expected %s", e.file, summary.Hash, e.emulated, w)
				}
			}
		})
	}
}

func stderrOf(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}
