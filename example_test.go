package scree_test

import (
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// Example drops a hundred rocks of different shapes into a box made of planes, 0.7 m wide and open
// at the top. It checks the rocks after they have come to rest.
func Example() {
	law := must(force.NewTable(1, force.Thickness{Stiffness: 2e4, Tangential: 16e3, Friction: 0.5, Restitution: 0.3}))
	w := must(engine.New(engine.Config{Gravity: vec.V(0, 0, -9.81), Law: law}))
	defer w.Close()
	plane := []engine.Part{{Shape: must(w.AddShape(engine.PlaneTemplate()))}}
	for _, n := range []vec.Vec3{{Z: 1}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		must(w.AddWall(engine.WallSpec{Parts: plane, Pose: engine.PlanePose(n.Scale(-0.35), n)}))
	}
	for i := range 100 {
		rock := must(geometry.Rock(uint64(i), 12, 0.05)) // seed, vertices, radius
		part := engine.Part{Shape: must(w.AddShape(rock.Template())), Density: 2600}
		at := vec.V(float64(i%5-2), float64(i/5%5-2), float64(i/25)).Scale(0.12)
		must(w.AddBody(engine.BodySpec{Parts: []engine.Part{part}, Pose: vec.Pose{Pos: at}}))
	}
	for range 10000 {
		check(w.Step(1.5e-4))
	}

	inside, b := 0, w.Bodies()
	for i := range b.Len() {
		if p := b.Pos.At(i); b.InvMass[i] > 0 && max(p.X, -p.X, p.Y, -p.Y, -p.Z) < 0.35 {
			inside++ // walls have no inverse mass
		}
	}
	m := w.Measure()
	fmt.Printf("%d rocks are in the box after %.1f s; sunk in by less than 2 mm: %v; at rest: %v\n",
		inside, m.Time, m.Penetration < 2e-3, m.Kinetic() < 1e-4*m.StartedAbove)
	// Output:
	// 100 rocks are in the box after 1.5 s; sunk in by less than 2 mm: true; at rest: true
}

// Example_world drops a rock on a floor.
func Example_world() {
	law := must(force.NewTable(1, force.Thickness{Stiffness: 2e4, Tangential: 16e3, Friction: 0.5, Restitution: 0.3}))
	w := must(engine.New(engine.Config{Gravity: vec.V(0, 0, -9.81), Law: law}))
	defer w.Close()
	floor := engine.Part{Shape: must(w.AddShape(engine.PlaneTemplate()))}
	must(w.AddWall(engine.WallSpec{Parts: []engine.Part{floor}}))
	rock := must(geometry.Rock(1, 12, 0.05)) // seed, vertices, radius
	part := engine.Part{Shape: must(w.AddShape(rock.Template())), Density: 2600}
	must(w.AddBody(engine.BodySpec{Parts: []engine.Part{part}, Pose: vec.Pose{Pos: vec.V(0, 0, 0.2)}}))
	for range 10000 {
		check(w.Step(1.5e-4))
	}
	for c := range w.ActiveContacts() {
		fmt.Printf("the floor carries %.1f N of %.1f N\n", c.Force.Z, 9.81*w.Bodies().Mass[c.A])
	}
	// Output:
	// the floor carries 4.7 N of 4.7 N
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
