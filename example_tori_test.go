package scree_test

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// Example_interlockingTori pulls one link of a chain through another: two tori, neither convex.
// Each torus is set up once, in its own frame. At each distance, a neighbour search finds the
// overlapping boxes. For those pairs, the program finds the nodes of each torus inside the other,
// on all processors.
func Example_interlockingTori() {
	mesh := must(surfaces.Torus(1, 0.25, 96, 48)) // radii, m; 4608 nodes, 9216 faces
	torus := must(inside.New(mesh, inside.Options{}))
	defer torus.Close()
	upright := vec.FromRotationVector(vec.V(math.Pi/2, 0, 0))
	bodies := []inside.PosedSolid{{Solid: torus}, {Solid: torus, Pose: vec.Pose{Rot: upright}}}
	finder := broad.NewFinder(multilevel.New())
	meeting := inside.NewMeeting(0)
	defer meeting.Close()
	var pairs broad.Found
	var hits []inside.Hit
	for _, x := range []float64{1, 1.5, 1.75, 2, 2.4, 2.6} {
		bodies[1].Pose.Pos.X = x
		boxes := []vec.Box{bodies[0].Box(), bodies[1].Box()}
		check(finder.Find(&broad.Input{Box: boxes}, &pairs))
		hits = must(meeting.Find(bodies, pairs.A, pairs.B, hits[:0]))
		fmt.Printf("%.2f m apart: %d pair of boxes, %d nodes inside\n", x, len(pairs.A), len(hits))
	}
	// Output:
	// 1.00 m apart: 1 pair of boxes, 0 nodes inside
	// 1.50 m apart: 1 pair of boxes, 0 nodes inside
	// 1.75 m apart: 1 pair of boxes, 450 nodes inside
	// 2.00 m apart: 1 pair of boxes, 461 nodes inside
	// 2.40 m apart: 1 pair of boxes, 98 nodes inside
	// 2.60 m apart: 0 pair of boxes, 0 nodes inside
}
