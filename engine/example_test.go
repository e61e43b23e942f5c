package engine_test

import (
	"fmt"
	"log"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// A program that moves its bodies itself hands their poses to a Detector, and gets contacts.
func ExampleDetector() {
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
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
