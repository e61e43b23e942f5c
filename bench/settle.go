package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// ErrNotSettled marks a pile that still moves when the allowed time is over.
var ErrNotSettled = errors.New("the pile has not come to rest")

// SettleOptions are the options of a pile; see Option.
type SettleOptions struct {
	Shape   string  `flag:"shape" default:"cube" help:"<cube> of side 1 m, or hull:N for rocks with N vertices and radius 0.62 m"`
	Bodies  int     `flag:"bodies" default:"1000" bounds:"1 to 16777216" help:"number <N> of bodies"`
	Seed    uint64  `flag:"seed" default:"1" help:"<S>eed of rocks and rotations"`
	Speed   float64 `flag:"speed" default:"1e-2" bounds:"> 0" unit:"m/s" help:"mean speed below which the pile rests, <m/s>"`
	Time    float64 `flag:"time" default:"60" bounds:"> 0" unit:"s" help:"simulated time, <s>, after which the command fails if the pile does not rest"`
	Workers int     `flag:"workers"` // 0: one for each processor
	Pin     bool    `flag:"pin"`     // tie each worker to a logical processor, as in engine.Config
	// Progress, if not nil, is called with the simulated time and the mean speed.
	Progress func(time, speed float64)
}

// SettleResult is a settled pile and how it was made.
type SettleResult struct {
	Scene *fileio.Settled
	Steps int64
	Time  float64 // s, simulated
	Speed float64 // m/s, mean at the end
	Worst float64 // m, deepest penetration at the end
}

const (
	hullShapes = 16   // number of different rocks in a pile
	hullRadius = 0.62 // m, radius of the ball through their farthest vertices
	cubeSide   = 1.0  // m
	// gridRoom, in bounding diameters, is the spacing of the grid from which bodies are dropped.
	gridRoom = 1.02
	// settledSink is the compression, m, of a contact at the bottom of the pile by the pile's
	// weight.
	settledSink = 0.002
	// settleDamping is the tangential damping relative to critical damping. Without damping, the
	// springs of sticking friction would keep oscillating.
	settleDamping = 0.2
	wallHalf      = 2.0 // m, half the thickness of the container's walls
	// settleCheck is the number of steps between two checks of the speeds.
	settleCheck = 50
)

// Settle drops a grid of randomly rotated bodies into an open box, and returns their poses when
// they are at rest. The box is about twice as wide as the pile is high. The same options yield the
// same scene, to the last bit, on every machine and with any number of workers.
func Settle(ctx context.Context, o SettleOptions) (SettleResult, error) {
	for _, p := range OptionsOf(&o, nil) {
		if err := p.Check(); err != nil {
			return SettleResult{}, err
		}
	}
	var r SettleResult
	e := &Env{ctx: ctx}
	if err := e.do(false, func() { r = o.settle(e) }); err != nil {
		return SettleResult{}, fmt.Errorf("bench: settling: %w", mark.Inner(err))
	}
	return r, nil
}

// fits returns an error if a heap of this many bodies does not fit into the machine's memory,
// bytes. If machine is 0, the size of the memory is unknown.
func (o *SettleOptions) fits(machine uint64) error {
	if _, heap := engine.Memory(uint64(o.Bodies)); machine > 0 && heap > machine {
		return mark.Errorf(ErrOption, "bench: bodies %d, which take about %.3g GB as a heap, expected no more than fit into the %.3g GB of memory that there are",
			o.Bodies, 1e-9*float64(heap), 1e-9*float64(machine))
	}
	return nil
}

// settle runs until the mean speed is small at two consecutive checks. A single check could see
// bodies that were thrown up together at the top of their flight, where all stand still at the same
// moment.
func (o *SettleOptions) settle(e *Env) SettleResult {
	e.check(o.fits(cpu.Memory()))
	scene, layers := o.dropped(e)
	// The mass of a shape's full bounding box is an upper bound of a body's mass.
	h := scene.Shapes[0].Half
	mass := Density * 8 * h.X * h.Y * h.Z
	law := linearLaw(mass * Gravity * float64(layers) / settledSink)
	law.Dt = settleDamping * 2 * math.Sqrt(law.Kt*mass)
	w, err := newPile(scene, law, engine.Config{Workers: o.Workers, Pin: o.Pin, NoLedger: true})
	e.check(err)
	defer w.Close()
	dt := 0.05 * w.TimeStep().Contact // Half of the advised step: bodies at rest with many contacts need it.
	unpin, err := w.PinCaller()
	e.check(err)
	defer unpin()
	for quiet := 0; quiet < 2; {
		e.steps(w, settleCheck, dt)
		speed := meanSpeed(w)
		if quiet++; speed > o.Speed {
			quiet = 0
		}
		if o.Progress != nil {
			o.Progress(w.Time(), speed)
		}
		if quiet == 0 && w.Time() > o.Time {
			e.check(fmt.Errorf("mean speed %.3g m/s after %.3g s, expected at most %.3g m/s: %w", speed, w.Time(), o.Speed, ErrNotSettled))
		}
	}
	for i := range scene.Bodies {
		scene.Bodies[i].Pose = vec.Pose{Pos: w.Bodies().Pos.At(i), Rot: w.Bodies().Rot.At(i)}
	}
	return SettleResult{Scene: scene, Steps: w.Steps(), Time: w.Time(), Speed: meanSpeed(w), Worst: w.Measure().Penetration}
}

// dropped returns the grid of bodies above the floor of the box, and the number of layers.
func (o *SettleOptions) dropped(e *Env) (scene *fileio.Settled, layers int) {
	scene = &fileio.Settled{}
	diameter := o.addShapes(e, scene)
	// The grid has half as many layers as bodies along a side.
	n := 1
	for n*n*((n+1)/2) < o.Bodies {
		n++
	}
	layers = (o.Bodies + n*n - 1) / (n * n)
	spacing := gridRoom * diameter
	half := float64(0.5 * float64(n) * spacing)
	r := geometry.NewRand(o.Seed)
	for i := range o.Bodies {
		at := site(i, n).Add(vec.V(0.5, 0.5, 0.5)).Scale(spacing).Sub(vec.V(half, half, 0))
		scene.Bodies = append(scene.Bodies, fileio.SettledBody{Shape: i % len(scene.Shapes), Pose: vec.Pose{Pos: at, Rot: r.Rotation()}})
	}
	top := 0.5 * spacing * float64(layers+2)
	out := half + 2*wallHalf
	mid := half + wallHalf
	scene.Static = []fileio.SettledBox{
		{Half: vec.V(out, out, wallHalf), Center: vec.V(0, 0, -wallHalf)},
		{Half: vec.V(wallHalf, out, top), Center: vec.V(-mid, 0, top)},
		{Half: vec.V(out, wallHalf, top), Center: vec.V(0, -mid, top)},
		{Half: vec.V(wallHalf, out, top), Center: vec.V(mid, 0, top)},
		{Half: vec.V(out, wallHalf, top), Center: vec.V(0, mid, top)},
	}
	return scene, layers
}

// addShapes adds the shapes of the pile and returns the largest bounding diameter about the
// centroid, m.
func (o *SettleOptions) addShapes(e *Env, scene *fileio.Settled) (diameter float64) {
	count, isHull := strings.CutPrefix(o.Shape, "hull:")
	n, wrong := strconv.Atoi(count)
	isBox := o.Shape == "cube"
	if !isBox && (!isHull || wrong != nil) {
		e.check(mark.Errorf(ErrOption, "shape %q, expected cube or hull:N, such as hull:20", o.Shape))
	}
	for i := range uint64(min(o.Bodies, hullShapes)) {
		p, err := geometry.Box(cubeSide, cubeSide, cubeSide)
		if isHull {
			p, err = geometry.Rock(o.Seed+i, n, hullRadius)
		}
		if err == nil {
			p, err = p.Translated(p.Mass.Centroid.Neg()) // Poses in a settled scene are poses of centroids.
		}
		if err != nil {
			e.check(mark.Errorf(errors.Join(ErrOption, err), "shape %q: %s", o.Shape, mark.WithoutPackage(err.Error())))
		}
		scene.Shapes = append(scene.Shapes, fileio.SettledShape{IsBox: isBox, Half: p.Box().Size().Scale(0.5), Verts: p.Verts})
		if diameter = max(diameter, 2*p.Template().Radius); isBox {
			break
		}
	}
	return diameter
}
