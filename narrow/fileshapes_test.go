package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// squareBoxMesh returns a unit cube whose sides have k×k squares of two triangles each, rotated and
// moved in a file of single precision. As in an STL file, each triangle has its own corners.
func squareBoxMesh(k int, turn vec.Quat, off vec.Vec3) *geometry.Mesh {
	m := &geometry.Mesh{Name: fmt.Sprintf("%d squares", k)}
	single := func(x float64) float64 { return float64(float32(x)) }
	for axis := range 3 {
		for side := range 2 {
			corner := func(i, j int) int {
				c := [3]float64{}
				c[axis] = float64(side) - 0.5
				c[(axis+1)%3], c[(axis+2)%3] = float64(i)/float64(k)-0.5, float64(j)/float64(k)-0.5
				v := turn.Rotate(vec.V(c[0], c[1], c[2])).Add(off)
				m.Verts = append(m.Verts, vec.V(single(v.X), single(v.Y), single(v.Z)))
				return len(m.Verts) - 1
			}
			for i := range k {
				for j := range k {
					for _, t := range [2][3][2]int{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}} {
						face := []int{corner(i+t[0][0], j+t[0][1]), corner(i+t[1][0], j+t[1][1]), corner(i+t[2][0], j+t[2][1])}
						if side == 0 {
							face[1], face[2] = face[2], face[1]
						}
						m.Faces = append(m.Faces, face)
					}
				}
			}
		}
	}
	return m
}

// bentShapes returns shapes whose faces bend a little: shapes of single-precision files, and point
// sets whose facets are close to one plane.
func bentShapes(t testing.TB) (names []string, views []*soa.View) {
	add := func(name string, p *geometry.Polyhedron, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var arena soa.Shapes
		at, err := arena.Add(p.Template())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		names, views = append(names, name), append(views, arena.View(at))
	}
	turn := vec.FromRotationVector(vec.V(0.4, 0.2, 0.3))
	for _, off := range []float64{0, 1, 8, 20} {
		for _, k := range []int{1, 2, 5} {
			p, err := geometry.FromMesh(squareBoxMesh(k, turn, vec.V(off, off, off)))
			add(fmt.Sprintf("box of %d squares, %g off", k, off), p, err)
		}
	}
	p, err := geometry.FromMesh(squareBoxMesh(1, turn, vec.V(80, 80, 80)))
	add("box, 80 off", p, err)
	for _, bend := range []float64{1e-13, 1e-12, 1e-11, 1e-9, 1e-7, 1e-6} {
		p, err := geometry.FromPoints("coin", coinPoints(24, 1, bend))
		add(fmt.Sprintf("coin domed by %g", bend), p, err)
		p, err = geometry.FromPoints("block", crownedPoints(4, bend))
		add(fmt.Sprintf("block crowned by %g", bend), p, err)
	}
	return names, views
}

// TestBentShapes tests all methods on shapes whose faces bend. The expected gap depends on the
// vertices alone.
func TestBentShapes(t *testing.T) {
	names, views := bentShapes(t)
	names, views = append(names, "cube"), append(views, box(t, 1, 1, 1))
	r := rand.New(rand.NewPCG(12, 2))
	s := NewSearch()
	pairs := require.Rounds(150, 300, 600)
	faults, fallbacks := 0, 0
	for range pairs {
		i, j := r.IntN(len(views)), r.IntN(len(views))
		a, b := views[i], views[j]
		if a.NVerts*b.NVerts > 3000 && r.IntN(8) > 0 {
			continue
		}
		pa, pb := placed(r, a, b, []float64{-0.2, -1e-2, -1e-4, -1e-7, 1e-3}[r.IntN(5)])
		want := vertexGap(t, a, pa, b, pb)
		tol := ProofTol * max(a.Radius, b.Radius, pa.Rot.RotateInv(pb.Pos.Sub(pa.Pos)).MaxAbs())
		var out Answer
		for m := range NMethods {
			if !m.Available() || !m.Deepens() {
				continue
			}
			var mem Memory
			fell := s.By(m, a, pa, b, pb, math.Inf(1), Dtol(a, b), &mem, &out)
			bad := math.Abs(out.Gap-want) > tol
			if want > 0 && !m.Measures() {
				bad = out.Gap > want+tol
			}
			if (out.Status == NotConverged || bad) && faults < 10 {
				faults++
				t.Errorf("%v of %s and %s: %v, gap %g, want %g, off by %g of %g\npa=%+v pb=%+v",
					m, names[i], names[j], out.Status, out.Gap, want, out.Gap-want, tol, pa, pb)
			}
			if m == Auto && fell {
				fallbacks++
			}
		}
		s.Exhaustive(a, pa, b, pb, math.Inf(1), &out)
		if out.Status == NotConverged {
			t.Errorf("exhaustive search of %s and %s: %v\npa=%+v pb=%+v", names[i], names[j], out.Status, pa, pb)
		}
	}
	if fallbacks > 0 {
		t.Errorf("%d of %d pairs fell back to the exhaustive search, expected none", fallbacks, pairs)
	}
}
