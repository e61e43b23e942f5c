package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
)

// TestMoreBodiesAllowNoLongerStep compares the limits of two balls with those of the same balls
// beside two cubes. The cubes yield more along normals, and the balls more in other directions.
func TestMoreBodiesAllowNoLongerStep(t *testing.T) {
	of := func(cubes, balls int) TimeStep {
		w := newWorld(t, Config{}, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5})
		cube, round := addShape(t, w, box(t, 1, 1, 1)), addShape(t, w, ball(t, 0.5))
		for i := range cubes {
			addBody(t, w, BodySpec{Parts: one(cube, 1), Pose: at(float64(3*i), 0, 0)})
		}
		for i := range balls {
			addBody(t, w, BodySpec{Parts: one(round, 0.26/(math.Pi/6)), Pose: at(float64(3*i), 0, 10)})
		}
		return w.TimeStep()
	}
	all, balls, cubes := of(2, 2), of(0, 2), of(2, 0)
	if all.Stable > min(balls.Stable, cubes.Stable) || all.Packed > min(balls.Packed, cubes.Packed) || all.Contact > min(balls.Contact, cubes.Contact) {
		t.Errorf("limits %+v of all bodies, %+v of the balls, %+v of the cubes", all, balls, cubes)
	}
}

// TestLimitOfTheSameBodyInTwoMaterials compares the limit of a clump of two materials and two loose
// bodies with that of each pair alone. The clump is the lightest body of both materials.
func TestLimitOfTheSameBodyInTwoMaterials(t *testing.T) {
	of := func(which ...int) float64 {
		table, err := force.NewTable(2, force.Linear{Kn: 1, Kt: 0.8, Mu: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Set(0, 1, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.5}); err != nil {
			t.Fatal(err)
		}
		w, err := New(Config{Law: table, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		cube, small := addShape(t, w, box(t, 1, 1, 1)), addShape(t, w, box(t, 0.1, 0.1, 0.1))
		clump := []Part{{Shape: cube, Density: 1}, {Shape: small, Density: 1, Material: 1}}
		bodies := [][]Part{clump, {{Shape: cube, Density: 3.3}}, {{Shape: cube, Density: 5, Material: 1}}}
		for k, i := range which {
			addBody(t, w, BodySpec{Parts: bodies[i], Pose: at(float64(3*k), 0, 0)})
		}
		return w.TimeStep().Stable
	}
	if all, least := of(0, 1, 2), min(of(0, 1), of(0, 2), of(1, 2)); all > least {
		t.Errorf("the limit of all bodies is %g s, of two of them %g s", all, least)
	}
}
