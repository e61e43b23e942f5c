package geometry_test

import (
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// A box is cut in two; the pieces are ready for the engine.
func Example() {
	box, err := geometry.Box(2, 1, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	left, right, err := box.Cut(vec.V(1, 0, 0), 0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []*geometry.Polyhedron{left, right} {
		t := p.Template()
		fmt.Printf("volume %.2f, centroid %v, %d vertices, %d faces\n", t.Volume, t.Origin, len(t.Verts), len(t.Normals))
	}
	// Output:
	// volume 1.50, centroid {-0.25 0 0}, 8 vertices, 6 faces
	// volume 0.50, centroid {0.75 0 0}, 8 vertices, 6 faces
}
