package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// holedFloor returns floorOBJ(n) without the cells in the corner beyond (1, 1) and in the middle of
// the left side: an L with a bay, which is not convex. With stl it returns ASCII STL, in which
// triangles do not share vertices.
func holedFloor(n int, stl bool) string {
	var b strings.Builder
	at := func(k int) float64 { return 4*float64(k)/float64(n) - 2 }
	if stl {
		b.WriteString("solid floor\n")
	}
	count := 0
	triangle := func(c ...[2]int) {
		if stl {
			b.WriteString("facet normal 0 0 1\nouter loop\n")
		}
		for _, k := range c {
			if stl {
				fmt.Fprintf(&b, "vertex %.9g %.9g 0\n", at(k[0]), at(k[1]))
			} else {
				fmt.Fprintf(&b, "v %.9g %.9g 0\n", at(k[0]), at(k[1]))
			}
		}
		count += 3
		if stl {
			b.WriteString("endloop\nendfacet\n")
		} else {
			fmt.Fprintf(&b, "f %d %d %d\n", count-2, count-1, count)
		}
	}
	for j := range n {
		for i := range n {
			x, y := at(i)+2/float64(n), at(j)+2/float64(n)
			if x > 1 && y > 1 || x < -1.5 && y > -0.5 && y < 0.5 {
				continue
			}
			triangle([2]int{i, j}, [2]int{i + 1, j}, [2]int{i + 1, j + 1})
			triangle([2]int{i, j}, [2]int{i, j + 1}, [2]int{i + 1, j + 1})
		}
	}
	if stl {
		b.WriteString("endsolid floor\n")
	}
	return b.String()
}

// TestMeshFloorThatIsNotConvex: a floor from a file consists of several facets. Bodies that fall on
// it, rebound and slide across facet edges with friction move as on a plane. Users know the
// opposite as a mesh wall that rebounds differently from an analytic plane.
func TestMeshFloorThatIsNotConvex(t *testing.T) {
	const law = "normal = \"linear\"\nrestitution = 0.7\nfriction = 0.3"
	turned := "\nrotation = [0.9689124217106447, 0, 0, 0.2474039592545229]"
	for name, file := range map[string]string{"floor.obj": holedFloor(24, false), "floor.stl": holedFloor(23, true)} {
		for _, body := range []string{
			"shape = \"box\"\nvelocity = [1.5, 0.7, -1]\nposition = [-0.6, -0.5, 0.15]" + turned,
			"shape = \"box\"\nvelocity = [1.5, 0.3, -1]\nposition = [-0.6, -0.5, 0.35]\nrotation = [0.9, 0.3, 0.2, 0.244948974278]",
			"shape = \"ball\"\nvelocity = [1.5, 0.7, -1]\nposition = [-0.6, -0.5, 0.15]",
		} {
			mesh := onFloorOf(t, name, file, `file = "`+name+`"`, law, body)
			plane := onFloorOf(t, name, file, planeFloor, law, body)
			if n := mesh.World.Pieces().Len(); n < 3 {
				t.Fatalf("%s: %d pieces, expected a floor of several facets", name, n)
			}
			touched := 0
			for range 150 {
				advance(t, mesh, 100)
				advance(t, plane, 100)
				if n, m := contacts(mesh), contacts(plane); n != m {
					t.Fatalf("%s: %d contacts, on a plane %d", name, n, m)
				}
				touched += contacts(plane)
				m, p := mesh.World.Bodies(), plane.World.Bodies()
				if d := max(m.Pos.At(0).Sub(p.Pos.At(0)).Norm(), m.Vel.At(0).Sub(p.Vel.At(0)).Norm()); !(d < 1e-9) {
					t.Fatalf("%s: %s: it is %g off the motion on a plane, at %v", name, body, d, p.Pos.At(0))
				}
			}
			if x := plane.World.Bodies().Pos.At(0); touched == 0 || x.Sub(vec.V(-0.6, -0.5, x.Z)).Norm() < 0.1 {
				t.Errorf("%s: %s: %d contacts seen, at %v at the end, expected to slide", name, body, touched, x)
			}
		}
	}
}
