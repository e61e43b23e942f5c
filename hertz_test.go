package scree_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// Hertz is the normal force of two smooth elastic bodies, f = Stiffness·overlap^(3/2), without friction (Hertz 1882).
type Hertz struct {
	Stiffness float64 // N/m^(3/2): (4/3)·E*·√R* of two balls
}

// Law implements force.Parameters.
func (h Hertz) Law() (force.Law, error) {
	if !(h.Stiffness > 0) || math.IsInf(h.Stiffness, 0) {
		return nil, fmt.Errorf("Hertz stiffness is %g, expected > 0 N/m^(3/2): %w", h.Stiffness, force.ErrLaw)
	}
	return h, nil
}

// Needs implements force.Law: Apply reads the gap alone and stores no history. Result.Stored is the potential of the force.
func (h Hertz) Needs() force.Needs { return force.Needs{Potential: true} }

// Apply implements force.Law.
func (h Hertz) Apply(c *force.Contact, _ []float64, r *force.Result) {
	*r = force.Result{}
	overlap := -(c.Gap + c.Forgiven)
	if !(overlap > 0) {
		return
	}
	load := float64(h.Stiffness*overlap) * math.Sqrt(overlap)
	r.Force = c.Normal.Scale(-load)
	r.Stored = 0.4 * float64(load*overlap)
}

// Held implements force.Law: there are no friction springs.
func (h Hertz) Held([]float64) float64 { return 0 }

// Springs implements force.Law: the slope of the force at an overlap.
func (h Hertz) Springs(_, overlap float64) force.Springs {
	return force.Springs{Normal: 1.5 * float64(h.Stiffness*math.Sqrt(max(overlap, 0)))}
}

// hertzWorld returns a world with a ball that falls on a plane, 1 mm below it, and with two rocks
// under the linear law beside the ball. It also returns the duration of the impact, s, by Hertz's
// theory.
func hertzWorld(t *testing.T, workers int) (*engine.World, float64) {
	t.Helper()
	const stiffness, speed = 2e6, 0.5
	law := must(force.NewTable(2, Hertz{stiffness}))
	check(law.Set(1, 1, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.5}))
	w := must(engine.New(engine.Config{Law: law, Workers: workers}))
	t.Cleanup(w.Close)
	plane := must(w.AddShape(engine.PlaneTemplate()))
	must(w.AddWall(engine.WallSpec{Parts: []engine.Part{{Shape: plane}}, Pose: engine.PlanePose(vec.Vec3{}, vec.V(0, 0, 1))}))
	ball := must(w.AddShape(must(geometry.BallTemplate(0.05))))
	fall := vec.V(0, 0, -speed)
	id := must(w.AddBody(engine.BodySpec{Parts: []engine.Part{{Shape: ball, Density: 2600}}, Pose: vec.Pose{Pos: vec.V(0, 0, 0.051), Rot: vec.Identity}, Vel: fall}))
	rock := must(w.AddShape(must(geometry.Rock(1, 12, 0.05)).Template()))
	for k, z := range []float64{0.3, 0.38} {
		part := engine.Part{Shape: rock, Density: 2600, Material: 1}
		v := vec.V(0.1, 0, float64(-k))
		must(w.AddBody(engine.BodySpec{Parts: []engine.Part{part}, Pose: vec.Pose{Pos: vec.V(1, 0, z), Rot: vec.Identity}, Vel: v}))
	}
	m := 1 / w.Bodies().InvMass[id]
	deepest := math.Pow(1.25*m*speed*speed/stiffness, 0.4)
	return w, 2.943275 * deepest / speed
}

// TestLawOfAProgram runs a law that the engine does not know. An impact has the duration of Hertz's
// theory, and conserves energy. Rocks with the linear law move beside the ball. The bits are the
// same with one and several workers, and after a restart.
func TestLawOfAProgram(t *testing.T) {
	const dt = 1e-5
	run := func(workers, restartAt int) (lasts, speed float64, hash uint64) {
		w, _ := hertzWorld(t, workers)
		for k := range 1800 {
			if k == restartAt {
				state := w.State()
				w, _ = hertzWorld(t, workers)
				check(w.Restore(state))
			}
			check(w.Step(dt))
			if w.Contacts().Active[0] && w.Forces().Force.Z[0] != 0 {
				lasts += dt
			}
		}
		return lasts, w.Bodies().Vel.Z[1], w.Hash()
	}
	_, want := hertzWorld(t, 1)
	lasts, speed, hash := run(1, -1)
	if math.Abs(lasts-want) > 1e-3*want || math.Abs(speed-0.5) > 1e-6 {
		t.Errorf("the impact took %g s and ended at %g m/s, expected %g s and 0.5 m/s", lasts, speed, want)
	}
	for _, c := range [][2]int{{2, -1}, {1, 700}, {3, 900}} {
		if _, _, got := run(c[0], c[1]); got != hash {
			t.Errorf("%d workers, restarted at step %d: hash %x, expected %x", c[0], c[1], got, hash)
		}
	}
}

// TestHertzInTheGuide compares the law in the guide with the code above. It also builds the program
// of the guide, which must print the output stated in the guide.
func TestHertzInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("docs/howto/add-a-force-law.md")
	check(err)
	source, err := os.ReadFile("hertz_test.go")
	check(err)
	blocks := strings.Split(string(guide), "```go\n")[1:]
	if len(blocks) != 2 {
		t.Fatalf("the guide has %d blocks of code, expected hertz.go and main.go", len(blocks))
	}
	dir := t.TempDir()
	args := []string{"build", "-o", filepath.Join(dir, "hertz")}
	for i, name := range []string{"hertz.go", "main.go"} {
		code, rest, _ := strings.Cut(blocks[i], "```")
		if _, law, ok := strings.Cut(code, "// Hertz is"); ok && !strings.Contains(string(source), law) {
			t.Errorf("the law of the guide is not in hertz_test.go:\n%s", law)
		}
		args = append(args, filepath.Join(dir, name))
		check(os.WriteFile(filepath.Join(dir, name), []byte(code), 0o666))
		blocks[i] = rest
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	tool, err := exec.LookPath("go")
	require.Tool(t, err == nil, "needs go")
	if text, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := exec.Command(args[2]).CombinedOutput()
	if _, want, _ := strings.Cut(blocks[1], "It prints\n\n    "); err != nil || len(text) == 0 || !strings.HasPrefix(want, string(text)) {
		t.Errorf("the program ends with %v and prints %q, expected what the guide says: %.80q", err, text, want)
	}
}
