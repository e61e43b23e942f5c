package narrow_test

import (
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A box of 1 m sinks onto a wedge and into it. The memory of the pair proves the second step apart,
// and answers the fourth from the features of the third.
func Example() {
	var arena soa.Shapes
	box := must(arena.Add(must(geometry.FromPoints("box", []vec.Vec3{
		{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1},
	})).Template()))
	wedge := must(arena.Add(must(geometry.FromPoints("wedge", []vec.Vec3{
		{X: -2, Y: -2}, {X: 2, Y: -2}, {Y: -2, Z: 1}, {X: -2, Y: 2}, {X: 2, Y: 2}, {Y: 2, Z: 1},
	})).Template()))
	// Create views after all shapes have been added: adding a shape may move the others in memory.
	a, b := arena.View(box), arena.View(wedge)

	search := narrow.NewSearch() // one per goroutine
	var memory narrow.Memory     // one per pair
	var answer narrow.Answer
	// A pose is that of the shape's own frame. Its axes are those of the points above. Its origin
	// is the centroid, which is arena.Origin among those points.
	poseB := vec.Pose{Pos: arena.Origin(wedge), Rot: vec.Identity}
	for _, z := range []float64{1.5, 1.375, 0.9375, 0.875} {
		poseA := vec.Pose{Pos: vec.V(-0.5, -0.5, z).Add(arena.Origin(box)), Rot: vec.Identity}
		search.By(narrow.Auto, a, poseA, b, poseB, 0, narrow.Dtol(a, b), &memory, &answer)
		fmt.Printf("foot at %.4f m: %v, by %v", z, answer.Status, answer.AnsweredBy)
		if answer.Status == narrow.Penetrating {
			fmt.Printf(", depth %.4f m along (%.0f, %.0f, %.0f)", -answer.Gap, answer.Normal.X, answer.Normal.Y, answer.Normal.Z)
		}
		fmt.Println()
	}
	// Output:
	// foot at 1.5000 m: separated, by search
	// foot at 1.3750 m: separated, by odometer
	// foot at 0.9375 m: penetrating, by search, depth 0.0625 m along (0, 0, -1)
	// foot at 0.8750 m: penetrating, by feature, depth 0.1250 m along (0, 0, -1)
}

// A host that puts a spring at each contact keeps a list for each pair. Its law writes the mode of
// a contact, which lasts as long as the contact.
func ExampleContactList() {
	var arena soa.Shapes
	box := must(arena.Add(must(geometry.Box(1, 1, 1)).Template()))
	v := arena.View(box)
	search := narrow.NewSearch()
	var memory narrow.Memory
	var answer narrow.Answer
	for step := range 2 {
		// One box on the other.
		low := vec.Pose{Rot: vec.Identity}
		high := vec.Pose{Pos: vec.V(0.25+0.125*float64(step), 0.25, 1), Rot: vec.Identity}
		search.By(narrow.FDS, v, low, v, high, 0, narrow.Dtol(v, v), &memory, &answer)
		list := &memory.List
		fmt.Printf("%v, %d contacts\n", list.Type, len(list.Basic))
		for i := range list.Basic {
			c := &list.Basic[i]
			fmt.Printf("  %-3v at (%6.3f, %6.3f, %.3f), mode %d\n", c.Type, c.Point.X, c.Point.Y, c.Point.Z, c.Mode)
			c.Mode = narrow.Stick
		}
	}
	// Output:
	// f-f, 4 contacts
	//   v-f at ( 0.500,  0.500, 0.500), mode 0
	//   f-v at (-0.250, -0.250, 0.500), mode 0
	//   e-e at ( 0.500, -0.250, 0.500), mode 0
	//   e-e at (-0.250,  0.500, 0.500), mode 0
	// f-f, 4 contacts
	//   v-f at ( 0.500,  0.500, 0.500), mode 1
	//   f-v at (-0.125, -0.250, 0.500), mode 1
	//   e-e at ( 0.500, -0.250, 0.500), mode 1
	//   e-e at (-0.125,  0.500, 0.500), mode 1
}
