package scree_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/vec"
)

var soakPhysics = flag.Bool("soak.physics", false, "walls for as long as make soak-physics runs them")

// wallUnderThickness builds the wall of the example, rows bricks wide and high, under the
// thickness law. It also returns the time step, a fiftieth of the contact time.
func wallUnderThickness(t *testing.T, rows int) (b *scene.Built, dt float64) {
	t.Helper()
	text, err := os.ReadFile("examples/wall.toml")
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	for _, change := range [][2]string{{"[law]\n", "[order]\nbodies = \"none\"\n[law]\nnormal = \"thickness\"\n"}, {"count = 15\n", fmt.Sprintf("count = %d\n", rows)}} {
		if strings.Count(s, change[0]) != 1 {
			t.Fatalf("examples/wall.toml has %q %d times, expected once", change[0], strings.Count(s, change[0]))
		}
		s = strings.Replace(s, change[0], change[1], 1)
	}
	read, err := scene.Decode(strings.NewReader(s), "wall.toml", "examples")
	if err != nil {
		t.Fatal(err)
	}
	if b, err = read.Build(1); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	dt = b.World.TimeStep().Advised
	if want := math.Pi * math.Sqrt(650/8e7) / 50; math.Abs(dt-want) > 1e-9*want {
		t.Fatalf("a step of %g s is advised, expected %g s", dt, want)
	}
	return b, dt
}

// wallAtRest holds the measurements of a wall that is left alone.
type wallAtRest struct {
	most      []float64 // J, largest kinetic energy in each period
	lost      float64   // J, loss of mechanical energy from the start to its minimum
	rise      float64   // J, largest rise of mechanical energy above an earlier value
	riseShare float64   // largest ratio of such a rise to the loss until then, after the wall has landed
	leftOver  float64   // J, largest error of the energy account
	drift     float64   // m, largest displacement of a brick in the second half
	carried   float64   // relative error of the weight that the ground carries at the end
}

// watch runs a world through a number of periods and measures it every few steps.
func watch(t *testing.T, w *engine.World, dt, period float64, periods int) (r wallAtRest) {
	t.Helper()
	const look = 5 // steps
	mechanical := func(m engine.Measure) float64 {
		return m.Kinetic() + m.Potential + m.Ledger.Elastic + m.Ledger.Shear
	}
	start := mechanical(w.Measure())
	least := start
	half := make([]vec.Vec3, w.Bodies().Len())
	done := 0
	for k := range periods {
		most := 0.0
		for end := int(math.Round(float64(k+1) * period / dt)); done < end; done++ {
			if err := w.Step(dt); err != nil {
				t.Fatal(err)
			}
			if done%look != 0 {
				continue
			}
			m := w.Measure()
			most = max(most, m.Kinetic())
			r.leftOver = max(r.leftOver, math.Abs(m.LeftOver))
			e := mechanical(m)
			least = min(least, e)
			r.rise = max(r.rise, e-least)
			if k > 0 {
				r.riseShare = max(r.riseShare, (e-least)/(start-least))
			}
			for i := range half {
				if at := w.Bodies().Pos.At(i); 2*done < int(math.Round(float64(periods)*period/dt)) {
					half[i] = at
				} else {
					r.drift = max(r.drift, at.Sub(half[i]).Norm())
				}
			}
		}
		r.most = append(r.most, most)
	}
	r.lost = start - least
	f, _, err := w.WallForce(w.Walls()[0])
	if err != nil {
		t.Fatal(err)
	}
	weight := 9.81 * 650 * float64(len(half)-1)
	r.carried = math.Abs(f.Z+weight) / weight
	return r
}

// check compares the measurements with the limits for a wall at rest (case V32). Kinetic energies
// below nothing, J, are ignored.
func (r *wallAtRest) check(t *testing.T, nothing, atEnd, carried float64) {
	t.Helper()
	t.Logf("largest kinetic energy of each period %.3g J", r.most)
	t.Logf("%.4g J lost; mechanical energy rose by %.3g J, at most %.3g of what was lost until then; left over %.3g of it; drift %.3g m in the second half",
		r.lost, r.rise, r.riseShare, r.leftOver/r.lost, r.drift)
	for k := 1; k < len(r.most); k++ {
		if r.most[k] > max(r.most[k-1], nothing) {
			t.Errorf("in period %d the kinetic energy is up to %g J, in the one before up to %g", k+1, r.most[k], r.most[k-1])
		}
	}
	if last := r.most[len(r.most)-1]; last > atEnd {
		t.Errorf("in the last period the kinetic energy is up to %g J, expected %g at most", last, atEnd)
	}
	if r.rise > 1e-6*r.lost {
		t.Errorf("mechanical energy rose by %g J of %g J lost, expected 1e-6 of it at most", r.rise, r.lost)
	}
	if r.leftOver > 1e-3*r.lost {
		t.Errorf("left over are %g J of %g J lost, expected 1e-3 of it at most", r.leftOver, r.lost)
	}
	if t.Logf("what the ground carries is off by %.3g of the weight", r.carried); r.carried > carried {
		t.Errorf("what the ground carries is off by %g of the weight, expected %g at most", r.carried, carried)
	}
	if r.drift > 1e-4 {
		t.Errorf("a brick drifts by %g m in the second half, expected 1e-4 at most", r.drift)
	}
}

// TestThicknessWallRests leaves a wall of 15 bricks alone for 0.4 s. It is a short form of
// TestSoakWalls.
func TestThicknessWallRests(t *testing.T) {
	require.Numbers(t)
	b, dt := wallUnderThickness(t, 5)
	r := watch(t, b.World, dt, 0.1, 4)
	r.check(t, 1e-9, 1e-2, 1e-6)
	checkSag(t, b.World, 5)
}

// TestSoakWalls leaves the wall of the example alone for ten seconds, and a wall of 15 bricks for a
// minute.
func TestSoakWalls(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	for _, c := range []struct {
		rows    int
		seconds float64
	}{{5, 60}, {10, 10}, {15, 10}} {
		t.Run(fmt.Sprintf("%d bricks for %g s", c.rows*(c.rows+1)/2, c.seconds), func(t *testing.T) {
			b, dt := wallUnderThickness(t, c.rows)
			r := watch(t, b.World, dt, 2.5, int(c.seconds/2.5))
			r.check(t, 1e-9, 1e-2, 1e-9)
			checkSag(t, b.World, c.rows)
		})
	}
}
