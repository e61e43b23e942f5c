package engine

import (
	"bytes"
	"flag"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

var plots = flag.String("plots", "", "folder for the figures of docs/laws-derivations.md")

// wrench is force and moment on a cube, one number each, in units of k·δ and k·δ·side.
type wrench struct{ force, moment float64 }

// poseFamily is a one-parameter family of poses of a unit cube near some obstacle, and the wrench
// on the cube at a depth of 1 mm under a law.
type poseFamily struct {
	name, x, title string
	from, to       float64 // range of the parameter's decimal logarithm
	linearJumps    bool
	feel           func(t testing.TB, law force.Parameters, x float64) wrench
}

// smoothDepth is δ, m, and smoothStiffness k, N/m, of these poses.
const (
	smoothDepth     = 1e-3
	smoothStiffness = 1e6
)

var poseFamilies = []poseFamily{
	{"tilt", "angle, degrees", "a cube on its lowest edge, turned on a plane", -4, math.Log10(45), false, func(t testing.TB, law force.Parameters, x float64) wrench {
		angle := math.Pow(10, x) * math.Pi / 180
		w := newWorld(t, Config{}, law)
		addFloor(t, w)
		height := (math.Cos(angle)+math.Sin(angle))/2 - smoothDepth
		f, m := felt(t, w, addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), vec.Pose{Pos: vec.V(0, 0, height), Rot: vec.FromRotationVector(vec.V(0, angle, 0))},
			vec.Vec3{}, vec.Vec3{}))
		return wrench{f.Z, m.Y}
	}},
	{"rim", "width of the patch, m", "a cube pushed over the rim of a table", -5, 0, true, func(t testing.TB, law force.Parameters, x float64) wrench {
		patch := math.Pow(10, x)
		w := newWorld(t, Config{}, law)
		addMoving(t, w, addShape(t, w, box(t, 4, 4, 1)), at(-2, 0, -0.5), vec.Vec3{}, vec.Vec3{})
		f, m := felt(t, w, addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0.5-patch, 0, 0.5-smoothDepth), vec.Vec3{}, vec.Vec3{}))
		return wrench{f.Norm(), m.Y}
	}},
}

// felt returns the force and the moment about its centre on a body at rest.
func felt(t testing.TB, w *World, id soa.ID) (f, m vec.Vec3) {
	t.Helper()
	steps(t, w, 1, 1e-12)
	b := w.Bodies()
	return b.Force.At(int(id)).Scale(1 / (smoothStiffness * smoothDepth)), b.Torque.At(int(id)).Scale(1 / (smoothStiffness * smoothDepth))
}

// largestJump returns the largest change of force or moment between successive poses.
func (p *poseFamily) largestJump(t testing.TB, law force.Parameters, n int) float64 {
	largest, before := 0.0, wrench{}
	for i := range n + 1 {
		now := p.feel(t, law, p.from+(p.to-p.from)*float64(i)/float64(n))
		if i > 0 {
			largest = max(largest, math.Abs(now.force-before.force), math.Abs(now.moment-before.moment))
		}
		before = now
	}
	return largest
}

// TestThicknessIsContinuous turns a cube on a plane and moves one over a rim: if poses are four
// times as close, force and moment must change by about a quarter as much. Under the linear law
// they jump at the rim, however close the poses are.
func TestThicknessIsContinuous(t *testing.T) {
	thickness := force.Thickness{Stiffness: smoothStiffness, Restitution: 1}
	linear := force.Linear{Kn: smoothStiffness}
	for i := range poseFamilies {
		p := &poseFamilies[i]
		t.Run(p.name, func(t *testing.T) {
			coarse, fine := p.largestJump(t, thickness, 60), p.largestJump(t, thickness, 240)
			t.Logf("thickness: steps of %.3g, of %.3g where poses are a quarter as far apart", coarse, fine)
			if fine > 0.4*coarse {
				t.Errorf("force or moment jumps by %g", fine)
			}
			coarse, fine = p.largestJump(t, linear, 60), p.largestJump(t, linear, 240)
			if t.Logf("linear: steps of %.3g, of %.3g", coarse, fine); (fine > 0.4*coarse) != p.linearJumps {
				t.Errorf("linear law: steps of %g, of %g", coarse, fine)
			}
			if *plots != "" {
				p.draw(t, thickness, linear)
			}
		})
	}
}

// TestThicknessOverAJoint slides a unit cube, a thousandth deep, from one brick onto the next. At
// that depth it stores twice as much energy on both bricks. The force back is at most half of
// stiffness times depth, over a distance of about the depth. docs/laws-derivations.md has the figures.
func TestThicknessOverAJoint(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: smoothStiffness, Restitution: 1})
	brick := addShape(t, w, box(t, 4, 4, 1))
	addMoving(t, w, brick, at(-2, 0, -0.5), vec.Vec3{}, vec.Vec3{})
	addMoving(t, w, brick, at(2, 0, -0.5), vec.Vec3{}, vec.Vec3{})
	cube := int(addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 5), vec.Vec3{}, vec.Vec3{}))
	w.Measure()
	const unit = smoothStiffness * smoothDepth
	aside, where := 0.0, 0.0
	var f vec.Vec3
	for k := range 301 {
		past := smoothDepth * math.Pow(10, -2+4*float64(k)/300)
		f, _ = w.pressAt(cube, at(past-0.5, 0, 0.5-smoothDepth))
		if back := -f.X / unit; back > aside {
			aside, where = back, past/smoothDepth
		}
	}
	stored := storedIn(w) / (0.5 * unit * smoothDepth)
	t.Logf("the cube is pushed back by %.3f of stiffness and depth at most, %.2f depths past the joint; then it is carried by %.3f of them, and stores %.3f of what it does on one",
		aside, where, f.Z/unit, stored)
	if math.Abs(aside-0.51) > 0.01 || !(where < 1) || math.Abs(stored-2) > 0.01 || math.Abs(f.Z/unit-2) > 0.01 {
		t.Errorf("pushed back by %g at %g, carried by %g, %g stored", aside, where, f.Z/unit, stored)
	}
}

// draw writes the figure of a family.
func (p *poseFamily) draw(t *testing.T, thickness, linear force.Parameters) {
	fig := &chart.Chart{Title: p.title, Grid: true}
	fig.X.Title, fig.X.Log = p.x, true
	fig.Y.Title, fig.Y.Min, fig.Y.Max = "force / kδ, moment / kδL", -0.6, 1.1
	for i, law := range []struct {
		name string
		of   force.Parameters
		hue  color.RGBA
	}{{"thickness", thickness, color.RGBA{0, 114, 178, 255}}, {"linear", linear, color.RGBA{213, 94, 0, 255}}} {
		var f, m []chart.XY
		for k := range 241 {
			x := p.from + (p.to-p.from)*float64(k)/240
			y := p.feel(t, law.of, x)
			f, m = append(f, chart.XY{X: math.Pow(10, x), Y: y.force}), append(m, chart.XY{X: math.Pow(10, x), Y: y.moment})
		}
		width := 1.8 - 0.4*float64(i)
		fig.Lines = append(fig.Lines,
			chart.Line{Name: "force, " + law.name, Colour: law.hue, Width: width, Points: f},
			chart.Line{Name: "moment, " + law.name, Colour: law.hue, Width: width, Points: m, Dashed: true})
	}
	if err := os.MkdirAll(*plots, 0o755); err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := fig.WriteSVG(&picture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*plots, "law-"+p.name+".svg"), picture.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
