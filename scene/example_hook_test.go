package scene_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/vec"
)

// press is a cube between a floor and a plate.
const press = `
[time]
dt = 1e-4
steps = 6000
[gravity]
vector = [0, 0, 0]
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:0.1x0.1x0.1"
material = "stone"
[[bodies]]
shape = "cube"
position = [0, 0, 0.05]
[[walls]]
name = "floor"
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "stone"
[[walls]]
name = "plate"
plane = {point = [0, 0, 0.11], normal = [0, 0, -1]}
material = "stone"
[law]
stiffness = 1e6
restitution = 0.5
`

// A servo of one's own: a plate is pressed on a cube by a force. Before each step the hook sets the velocity of the
// plate by what the force lacks.
func ExampleOptions() {
	dir, err := os.MkdirTemp("", "scree")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	file := filepath.Join(dir, "press.toml")
	if err := os.WriteFile(file, []byte(press), 0o644); err != nil {
		log.Fatal(err)
	}
	s, err := scene.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	const target, perNewton = 500.0, 1e-4 // N, and m/s for each N that is missing
	missing := target
	sum, err := scene.Run(context.Background(), s, scene.Options{
		Dir: filepath.Join(dir, "out"), Workers: 1,
		Each: func(w *engine.World, _ int64) error {
			plate := w.Walls()[1]
			f, _, err := w.WallForce(plate)
			if err != nil {
				return err
			}
			missing = target - f.Z
			return w.SetWallMotion(plate, engine.Motion{Velocity: vec.V(0, 0, -perNewton*missing)})
		},
		Columns: []scene.HistoryColumn{{Name: "missing", Value: func(*engine.World) float64 { return missing }}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("after %d steps %.3f of %.0f N are missing\n", sum.Steps, missing, target)
	// Output:
	// after 6000 steps 0.000 of 500 N are missing
}

// A program builds a world, steps it by itself, and writes the folder of a run.
func ExampleWriter() {
	dir, err := os.MkdirTemp("", "scree")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	law, err := force.NewTable(1, force.Linear{Kn: 1e6, ByRestitution: true, Restitution: 0.5})
	if err != nil {
		log.Fatal(err)
	}
	w, err := engine.New(engine.Config{Law: law, Gravity: vec.V(0, 0, -9.81), Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	ball, err := geometry.BallTemplate(0.05)
	if err != nil {
		log.Fatal(err)
	}
	round, err := w.AddShape(ball)
	if err != nil {
		log.Fatal(err)
	}
	plane, err := w.AddShape(engine.PlaneTemplate())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.AddWall(engine.WallSpec{Name: "floor", Parts: []engine.Part{{Shape: plane}}}); err != nil {
		log.Fatal(err)
	}
	out, err := scene.NewWriter(w, scene.WriterOptions{Dir: dir, Name: "balls", Every: 100, HistoryEvery: 10})
	if err != nil {
		log.Fatal(err)
	}
	for step := range 500 {
		if step%100 == 0 { // a ball comes
			part := engine.Part{Shape: round, Density: 2600}
			if _, err := w.AddBody(engine.BodySpec{Parts: []engine.Part{part}, Pose: vec.Pose{Pos: vec.V(0.2*float64(step/100), 0, 0.3)}}); err != nil {
				log.Fatal(err)
			}
		}
		if err := w.Step(5e-4); err != nil {
			log.Fatal(err)
		}
		if err := out.Write(); err != nil {
			log.Fatal(err)
		}
	}
	sum, err := out.Close()
	if err != nil {
		log.Fatal(err)
	}
	frames, err := filepath.Glob(filepath.Join(dir, "bodies-*.vtp"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d balls after %d steps, %d frames, %.2f J brought\n", sum.Bodies, sum.Steps, len(frames), sum.Energies.Inserted)
	// Output:
	// 5 balls after 500 steps, 6 frames, 20.03 J brought
}
