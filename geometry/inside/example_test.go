package inside_test

import (
	"fmt"

	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// Find which of three points lie in a torus.
func Example() {
	mesh, err := surfaces.Torus(1, 0.25, 24, 12) // or fileio.ReadMesh
	if err != nil {
		panic(err)
	}
	solid, err := inside.New(mesh, inside.Options{}) // an error explains what is wrong with the mesh
	if err != nil {
		panic(err)
	}
	defer solid.Close()
	points := []vec.Vec3{{}, {X: 1}, {X: 1.25}}
	places, values := make([]inside.Place, len(points)), make([]float64, len(points))
	if err := solid.Locate(points, places, values); err != nil {
		panic(err)
	}
	fmt.Println(places, values, solid.Report.Triangles)
	// Output: [0 1 on] [0 1 0.5] 576
}
