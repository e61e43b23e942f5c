package engine_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A World moves its bodies by the forces between them: a heap of three cubes on a floor.
func ExampleWorld() {
	laws, err := force.NewTable(1, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.5, Restitution: 0.2})
	check(err)
	w, err := engine.New(engine.Config{Gravity: vec.V(0, 0, -9.81), Law: laws})
	check(err)
	defer w.Close()
	cube := addBox(w)
	for i := range 3 {
		_, err := w.AddBody(engine.BodySpec{Parts: []engine.Part{{Shape: cube, Density: 2000}}, Pose: vec.Pose{Pos: vec.V(0, 0, 0.6+1.1*float64(i))}})
		check(err)
	}
	addFloor(w)
	for w.Time() < 2 {
		check(w.Step(1e-3))
	}
	for c := range w.ActiveContacts() {
		fmt.Printf("bodies %d and %d, normal %.0f, force %.0f kN\n", c.A, c.B, c.Normal.Z, c.Force.Z/1000)
	}
	// Output:
	// bodies 0 and 1, normal 1, force -39 kN
	// bodies 0 and 3, normal -1, force 59 kN
	// bodies 1 and 2, normal 1, force -20 kN
}

// Bodies come and go while a World runs. A body too light for the time step is refused, with a step that would do.
func ExampleWorld_AddBody() {
	laws, err := force.NewTable(1, force.Thickness{Stiffness: 1e6, Restitution: 0.2})
	check(err)
	w, err := engine.New(engine.Config{Gravity: vec.V(0, 0, -9.81), Law: laws})
	check(err)
	defer w.Close()
	cube := addBox(w)
	addFloor(w)
	drop := func(density float64) error {
		id, err := w.AddBody(engine.BodySpec{Parts: []engine.Part{{Shape: cube, Density: density}}, Pose: vec.Pose{Pos: vec.V(0, 0, 1)}})
		if err == nil {
			fmt.Printf("body %d comes at %.1f s\n", id, w.Time())
		}
		return err
	}
	check(drop(2000))
	for range 500 {
		check(w.Step(1e-3))
	}
	check(w.RemoveBody(1))
	check(drop(2000))
	fmt.Println(errors.Is(drop(0.01), engine.ErrTimeStep))
	fmt.Println(w.Bodies().Count(), "bodies")
	// Output:
	// body 1 comes at 0.0 s
	// body 2 comes at 0.5 s
	// true
	// 2 bodies
}

// addBox returns a cube of 1 m.
func addBox(w *engine.World) soa.Shape {
	cube, err := geometry.Box(1, 1, 1)
	check(err)
	shape, err := w.AddShape(cube.Template())
	check(err)
	return shape
}

// addFloor adds the plane z = 0.
func addFloor(w *engine.World) {
	plane, err := w.AddShape(engine.PlaneTemplate())
	check(err)
	_, err = w.AddWall(engine.WallSpec{Parts: []engine.Part{{Shape: plane}}})
	check(err)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A program that moves its bodies itself hands their poses to a Detector, and gets contacts.
func ExampleDetector() {
	d, err := engine.NewDetector(engine.DetectorConfig{Needs: force.Needs{Reach: 1e-3}, Workers: 1})
	check(err)
	defer d.Close()
	cube, err := geometry.Box(1, 1, 1)
	check(err)
	shape, err := d.AddShape(cube.Template())
	check(err)
	floor, err := d.AddShape(engine.PlaneTemplate())
	check(err)
	for range 2 {
		_, err = d.Add(engine.Part{Shape: shape})
		check(err)
	}
	_, err = d.AddFixed(vec.IdentityPose, engine.Part{Shape: floor})
	check(err)

	// The host's records: x, y, z and the quaternion w, x, y, z of each body.
	bodies := []float64{
		0, 0, 0.499, 1, 0, 0, 0,
		0, 0, 1.6, 1, 0, 0, 0,
	}
	poses := engine.Poses{
		X: bodies, Y: bodies[1:], Z: bodies[2:], QW: bodies[3:], QX: bodies[4:], QY: bodies[5:], QZ: bodies[6:], Stride: 7,
	}
	for range 3 {
		c, err := d.Detect(poses)
		check(err)
		for k := range c.Len() {
			fmt.Printf("bodies %d and %d, gap %.3f m, normal %.0f, was %d\n", c.A[k], c.B[k], c.Gap[k], c.Normal.Z[k], c.Was[k])
		}
		fmt.Println()
		bodies[9] -= 0.06 // the upper cube comes down
	}
	// Output:
	// bodies 0 and 2, gap -0.001 m, normal -1, was -1
	//
	// bodies 0 and 2, gap -0.001 m, normal -1, was 0
	//
	// bodies 0 and 1, gap -0.019 m, normal 1, was -1
	// bodies 0 and 2, gap -0.001 m, normal -1, was 0
}
