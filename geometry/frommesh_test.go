package geometry

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// meshOf returns a polyhedron as a mesh of polygons.
func meshOf(p *Polyhedron) *Mesh {
	m := &Mesh{Name: "mesh", Verts: append([]vec.Vec3(nil), p.Verts...)}
	for f := range p.NFaces() {
		var face []int
		for _, k := range p.Loop(f) {
			face = append(face, int(k))
		}
		m.Faces = append(m.Faces, face)
	}
	return m
}

// triangulated divides polygons into fans.
func triangulated(m *Mesh) *Mesh {
	t := &Mesh{Name: m.Name, Verts: m.Verts}
	for _, face := range m.Faces {
		for j := 2; j < len(face); j++ {
			t.Faces = append(t.Faces, []int{face[0], face[j-1], face[j]})
		}
	}
	return t
}

// soup gives each facet its own vertices, in single precision, as in an STL file.
func soup(m *Mesh) *Mesh {
	t := &Mesh{Name: m.Name}
	for _, face := range triangulated(m).Faces {
		var facet []int
		for _, k := range face {
			v := m.Verts[k]
			facet = append(facet, len(t.Verts))
			t.Verts = append(t.Verts, vec.V(float64(float32(v.X)), float64(float32(v.Y)), float64(float32(v.Z))))
		}
		t.Faces = append(t.Faces, facet)
	}
	return t
}

func flipped(m *Mesh) *Mesh {
	t := &Mesh{Name: m.Name, Verts: m.Verts}
	for _, face := range m.Faces {
		var back []int
		for j := range face {
			back = append(back, face[len(face)-1-j])
		}
		t.Faces = append(t.Faces, back)
	}
	return t
}

func cubeMesh(t testing.TB) *Mesh { return meshOf(must[*Polyhedron](t)(Box(2, 2, 2))) }

// sameBody fails unless p has the vertices of want, in order, and faces with the same vertices, in
// order.
func sameBody(t *testing.T, p, want *Polyhedron, tol float64) {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(p.Verts) != len(want.Verts) || p.NFaces() != want.NFaces() {
		t.Fatalf("%d vertices, %d faces, want %d, %d", len(p.Verts), p.NFaces(), len(want.Verts), want.NFaces())
	}
	for k, v := range p.Verts {
		if v.Sub(want.Verts[k]).MaxAbs() > tol {
			t.Errorf("vertex %d is %v, want %v", k, v, want.Verts[k])
		}
	}
	for f := range p.NFaces() {
		a, b := map[int]bool{}, map[int]bool{}
		for _, k := range p.Loop(f) {
			a[int(k)] = true
		}
		for _, k := range want.Loop(f) {
			b[int(k)] = true
		}
		for k := range a {
			if !b[k] || len(a) != len(b) {
				t.Fatalf("face %d is %v, want %v", f, p.Loop(f), want.Loop(f))
			}
		}
	}
}

// TestFromMeshKeepsTheBody passes polygons, triangles, soups and inside-out meshes of the same body
// through FromMesh.
func TestFromMeshKeepsTheBody(t *testing.T) {
	for _, spec := range []string{"box:1x2x3", "tetra:1", "octa:1", "dodeca:1", "icosa:1", "prism:9,1,1", "rock:3,40,1"} {
		want := must[Builtin](t)(ParseBuiltin(spec)).Poly
		mesh := meshOf(want)
		for _, scale := range []float64{1, 1e-6, 1e6} {
			want := must[*Polyhedron](t)(want.Scaled(scale))
			mesh := &Mesh{Name: mesh.Name, Verts: want.Verts, Faces: mesh.Faces}
			for name, m := range map[string]*Mesh{
				"polygons": mesh, "triangles": triangulated(mesh), "insideOut": flipped(triangulated(mesh)),
			} {
				t.Run(spec+"/"+name, func(t *testing.T) {
					p := must[*Polyhedron](t)(FromMesh(m))
					sameBody(t, p, want, 0)
					if p.WeldTol <= 0 || p.MergeTol <= p.WeldTol || p.Spread > p.MergeTol {
						t.Errorf("tolerances %g, %g, spread %g", p.WeldTol, p.MergeTol, p.Spread)
					}
				})
			}
			t.Run(spec+"/soup", func(t *testing.T) {
				p := must[*Polyhedron](t)(FromMesh(soup(mesh)))
				if err := p.Validate(); err != nil {
					t.Fatal(err)
				}
				if len(p.Verts) != len(want.Verts) || p.NFaces() != want.NFaces() || !near(p.Mass.Volume, want.Mass.Volume, 1e-6, 0) {
					t.Errorf("%d vertices, %d faces, volume %g", len(p.Verts), p.NFaces(), p.Mass.Volume)
				}
			})
		}
	}
}

func TestFromMeshWeldsAndIgnores(t *testing.T) {
	want := must[*Polyhedron](t)(Box(2, 2, 2))
	m := cubeMesh(t)
	// Add a vertex that no face uses and that is not finite, a duplicate within the tolerance, and
	// a facet that collapses.
	m.Verts = append(m.Verts, vec.V(math.NaN(), 0, 0), m.Verts[7].Add(vec.V(1e-8, 0, 0)))
	m.Faces[5] = []int{4, 5, 9, 6}
	m.Faces = append(m.Faces, []int{7, 9, 0})
	sameBody(t, must[*Polyhedron](t)(FromMesh(m)), want, 0)
}

// TestFromMeshMergesTiles divides each face of the cube into 5×5 tiles. One face for each must
// remain.
func TestFromMeshMergesTiles(t *testing.T) {
	cube := must[*Polyhedron](t)(Box(2, 2, 2))
	m := &Mesh{Name: "tiles"}
	const n = 5
	for f := range cube.NFaces() {
		loop := cube.Loop(f)
		o := cube.Verts[loop[0]]
		u, v := cube.Verts[loop[1]].Sub(o).Scale(1.0/n), cube.Verts[loop[3]].Sub(o).Scale(1.0/n)
		for i := range n {
			for j := range n {
				base := len(m.Verts)
				for _, c := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
					m.Verts = append(m.Verts, o.AddScaled(float64(i+c[0]), u).AddScaled(float64(j+c[1]), v))
				}
				m.Faces = append(m.Faces, []int{base, base + 1, base + 2}, []int{base, base + 2, base + 3})
			}
		}
	}
	p := must[*Polyhedron](t)(FromMesh(m))
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(p.Verts) != 8 || p.NFaces() != 6 || !near(p.Mass.Volume, 8, 1e-14, 0) {
		t.Fatalf("%d vertices, %d faces, volume %g", len(p.Verts), p.NFaces(), p.Mass.Volume)
	}
	for f, n := range p.Normals {
		if n.Sub(cube.Normals[f]).MaxAbs() > 1e-15 {
			t.Errorf("face %d has normal %v, want %v: faces follow the file", f, n, cube.Normals[f])
		}
	}
}

func TestFromMeshRefuses(t *testing.T) {
	with := func(change func(m *Mesh)) *Mesh {
		m := triangulated(cubeMesh(t))
		m.Name = "broken"
		change(m)
		return m
	}
	cube := cubeMesh(t)
	apart := func(shift vec.Vec3, scale float64) *Mesh {
		m := &Mesh{Name: "two", Verts: append([]vec.Vec3(nil), cube.Verts...), Faces: append([][]int(nil), cube.Faces...)}
		for _, v := range cube.Verts {
			m.Verts = append(m.Verts, v.Scale(scale).Add(shift))
		}
		for _, face := range cube.Faces {
			var g []int
			for _, k := range face {
				g = append(g, k+8)
			}
			m.Faces = append(m.Faces, g)
		}
		return m
	}
	for _, c := range []struct {
		name string
		mesh *Mesh
		want error
		says string
	}{
		{"empty", &Mesh{Name: "void"}, ErrEmpty, `mesh "void": 0 vertices and 0 faces`},
		{"noFaces", &Mesh{Name: "void", Verts: cube.Verts}, ErrEmpty, "8 vertices and 0 faces"},
		{"threeVertices", &Mesh{Name: "t", Verts: cube.Verts[:3], Faces: [][]int{{0, 1, 2}}}, ErrEmpty, "3 vertices, expected at least 4"},
		{"truncatedFace", with(func(m *Mesh) { m.Faces[3] = []int{1, 2} }), ErrTruncated, "face 3 has 2 vertices"},
		{"missingVertex", with(func(m *Mesh) { m.Faces[4] = []int{1, 2, 8} }), ErrTruncated, "face 4 names vertex 8, expected 0 to 7"},
		{"negativeVertex", with(func(m *Mesh) { m.Faces[4] = []int{1, 2, -1} }), ErrTruncated, "vertex -1"},
		{"NaN", with(func(m *Mesh) { m.Verts = append([]vec.Vec3(nil), m.Verts...); m.Verts[5].Y = math.NaN() }), ErrNotFinite, "vertex 5: (1, NaN, 1)"},
		{"infinite", with(func(m *Mesh) { m.Verts = append([]vec.Vec3(nil), m.Verts...); m.Verts[2].X = math.Inf(-1) }), ErrNotFinite, "vertex 2"},
		{"huge", with(func(m *Mesh) { m.Verts = append([]vec.Vec3(nil), m.Verts...); m.Verts[2].X = 1e60 }), ErrValue, "vertex 2"},
		{"open", with(func(m *Mesh) { m.Faces = m.Faces[:11] }), ErrNotClosed, "expected 2 faces"},
		{"flat", func() *Mesh {
			m := triangulated(cube)
			m.Verts = append([]vec.Vec3(nil), m.Verts...)
			for k := range m.Verts {
				m.Verts[k].Z *= 1e-9
			}
			return m
		}(), ErrFlat, "of the plane through vertices"},
		{"line", func() *Mesh {
			m := triangulated(cube)
			m.Verts = append([]vec.Vec3(nil), m.Verts...)
			for k := range m.Verts {
				m.Verts[k] = vec.V(m.Verts[k].X, float64(k)*1e-9, m.Verts[k].Z*1e-8)
			}
			return m
		}(), ErrFlat, "of the line through vertices"},
		{"point", &Mesh{Name: "point", Verts: make([]vec.Vec3, 4), Faces: [][]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}}, ErrFlat, "size 0"},
		{"oneFaceFlipped", with(func(m *Mesh) { m.Faces[0] = []int{m.Faces[0][0], m.Faces[0][2], m.Faces[0][1]} }), ErrNotOriented, "faces 0 and"},
		{"faceTwice", with(func(m *Mesh) { m.Faces = append(m.Faces, m.Faces[0]) }), ErrNotManifold, "in 3 faces"},
		{"TJunction", func() *Mesh {
			// Vertex 8 halves the edge from vertex 4 to 5 of the top. The side below still has the
			// whole edge.
			m := &Mesh{Name: "t", Verts: append(append([]vec.Vec3(nil), cube.Verts...), vec.V(0, -1, 1)), Faces: append([][]int(nil), cube.Faces...)}
			m.Faces[5] = []int{4, 8, 5, 7, 6}
			return m
		}(), ErrNotClosed, "vertex 8 lies on the edge"},
		{"dent", func() *Mesh {
			m := &Mesh{Name: "dent", Verts: append(append([]vec.Vec3(nil), cube.Verts...), vec.V(0, 0, 0.5)), Faces: append([][]int(nil), cube.Faces[:5]...)}
			m.Faces = append(m.Faces, []int{4, 5, 8}, []int{5, 7, 8}, []int{7, 6, 8}, []int{6, 4, 8})
			return m
		}(), ErrNotConvex, "vertex 8 lies 0.5 inside the convex hull"},
		{"reentrantEdge", func() *Mesh {
			// All four corners are outermost, as of a tetrahedron, but the faces use the inner
			// diagonal.
			v := []vec.Vec3{vec.V(0, 0, 0), vec.V(1, 0, 0.3), vec.V(1, 1, 0), vec.V(0, 1, 0.3), vec.V(0.5, 0.5, -1)}
			return &Mesh{Name: "valley", Verts: v, Faces: [][]int{{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}}}
		}(), ErrNotConvex, "inside the convex hull"},
		{"lShape", lShape(), ErrNotConvex, "scree shape hull"},
		{"torus", torus(), ErrNotConvex, "V - E + F is 0"},
		{"twoCubes", apart(vec.V(5, 0, 0), 1), ErrNotConnected, "vertex 8 is not connected with vertex 0"},
		{"cubeInCube", apart(vec.Vec3{}, 0.5), ErrNotConnected, "vertex 8"},
		{"pinchedVertex", pinched(), ErrNotManifold, "hang together"},
		{"bentFace", func() *Mesh {
			m := &Mesh{Name: "bent", Verts: append([]vec.Vec3(nil), cube.Verts...), Faces: cube.Faces}
			m.Verts[7] = vec.V(1, 1, 1.2)
			return m
		}(), ErrNotPlanar, "face 5 bends by"},
		{"figureOfEight", with(func(m *Mesh) { m.Faces[2] = []int{0, 1, 5, 1, 4} }), ErrSelfIntersecting, "passes vertex 1 twice"},
		{"pierced", pierced(), ErrSelfIntersecting, "cross"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := FromMesh(c.mesh)
			if !errors.Is(err, c.want) || p != nil {
				t.Fatalf("got %v; want %v", err, c.want)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "geometry: ") {
				t.Errorf("%q does not say %q", err, c.says)
			}
			if strings.Count(err.Error(), "geometry: ") != 1 || !strings.Contains(err.Error(), `mesh "`+c.mesh.Name+`"`) {
				t.Errorf("%q should name the package and the mesh once", err)
			}
		})
	}
}

// lShape is an L of height 1.
func lShape() *Mesh {
	outline := []vec.Vec3{vec.V(0, 0, 0), vec.V(2, 0, 0), vec.V(2, 1, 0), vec.V(1, 1, 0), vec.V(1, 2, 0), vec.V(0, 2, 0)}
	m := &Mesh{Name: "L", Verts: append([]vec.Vec3(nil), outline...)}
	n := len(outline)
	for _, v := range outline {
		m.Verts = append(m.Verts, v.Add(vec.V(0, 0, 1)))
	}
	var bottom, top []int
	for k := range n {
		bottom = append(bottom, n-1-k)
		top = append(top, n+k)
		m.Faces = append(m.Faces, []int{k, (k + 1) % n, n + (k+1)%n, n + k})
	}
	m.Faces = append(m.Faces, bottom, top)
	return m
}

// torus is a ring of 6 by 5 quadrilaterals, as triangles.
func torus() *Mesh {
	m := &Mesh{Name: "torus"}
	for i := range 6 {
		s, c := math.Sincos(float64(i) * math.Pi / 3)
		for j := range 5 {
			t, u := math.Sincos(float64(j) * 2 * math.Pi / 5)
			m.Verts = append(m.Verts, vec.V((3+u)*c, (3+u)*s, t))
		}
	}
	for i := range 6 {
		for j := range 5 {
			a, b, c, d := 5*i+j, 5*((i+1)%6)+j, 5*((i+1)%6)+(j+1)%5, 5*i+(j+1)%5
			m.Faces = append(m.Faces, []int{a, b, c}, []int{a, c, d})
		}
	}
	return m
}

// pinched is two tetrahedra that share vertex 0.
func pinched() *Mesh {
	v := []vec.Vec3{{}, vec.V(1, 0, 1), vec.V(-1, 1, 1), vec.V(-1, -1, 1), vec.V(1, 0, -1), vec.V(-1, 1, -1), vec.V(-1, -1, -1)}
	return &Mesh{Name: "pinched", Verts: v, Faces: [][]int{
		{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}, {0, 4, 5}, {0, 5, 6}, {0, 6, 4}, {4, 6, 5}}}
}

// pierced is a cube; a pyramid leads from its top down through its bottom.
func pierced() *Mesh {
	v := append(cubeCorners(), vec.V(0.1, 0.05, -1.5))
	return &Mesh{Name: "pierced", Verts: v, Faces: [][]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3},
		{0, 2, 3, 1}, {4, 5, 8}, {5, 7, 8}, {7, 6, 8}, {6, 4, 8}}}
}

// FuzzFromMesh turns hulls of points into meshes, triangulates them, and damages some. The result
// must be the hull or an error.
func FuzzFromMesh(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x01\x00\x01\x00\xff\x00\x01\x00\xff\x00\x01\x00\xff\x00\xff\x00\xff\x00\xff\x00\x01"), uint8(0), uint8(0))
	f.Add([]byte("the quick brown fox jumps over the lazy dog and runs away from the convex hull of it"), uint8(3), uint8(0))
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), uint8(9), uint8(1))
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), uint8(17), uint8(2))
	f.Add([]byte("xijklmnopqrsxBCDEF001K7M0\x000QAS0"), uint8('t'), uint8(0)) // a thin wedge
	f.Fuzz(func(t *testing.T, data []byte, at, damage uint8) {
		want, err := FromPoints("hull", points(data, 24))
		if err != nil {
			return
		}
		if err := want.Validate(); err != nil {
			t.Fatal(err)
		}
		m := triangulated(meshOf(want))
		m.Verts = append([]vec.Vec3(nil), m.Verts...)
		i := int(at) % len(m.Faces)
		broken := true
		switch damage % 5 {
		case 0:
			broken = false
		case 1:
			m.Faces = append(m.Faces[:i:i], m.Faces[i+1:]...)
		case 2:
			m.Faces[i] = []int{m.Faces[i][0], m.Faces[i][2], m.Faces[i][1]}
		case 3:
			// A vertex moved to the centroid makes a dent, or a smaller convex body (if the vertex
			// was the tip of a pyramid).
			m.Verts[int(at)%len(m.Verts)] = want.Mass.Centroid
			broken = false
		case 4:
			m = flipped(m)
			broken = false
		}
		p, err := FromMesh(m)
		if broken {
			if err == nil {
				t.Fatalf("damage %d at %d went unnoticed", damage%5, at)
			}
			return
		}
		if err != nil {
			// Only FromMesh treats bodies thinner than the tolerance of files as flat.
			if errors.Is(err, ErrFlat) || damage%5 == 3 {
				return
			}
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		size := want.Box().Size().MaxAbs()
		if d := math.Abs(p.Mass.Volume - want.Mass.Volume); damage%5 != 3 && d > 4*p.MergeTol*size*size*6 {
			t.Errorf("volume %g, want %g", p.Mass.Volume, want.Mass.Volume)
		}
	})
}

// TestFromMeshTakesThinHulls makes meshes of wedges, lenses and needles, thinner and thicker than
// the tolerance of files. Each must be its own hull.
func TestFromMeshTakesThinHulls(t *testing.T) {
	r, flat := NewRand(21), 0
	for k := range 6000 {
		thin, narrow, turn := vec.Pow(10, -5.5*r.Float64()), 1.0, r.Rotation()
		if k%3 == 2 {
			narrow = vec.Pow(10, -4*r.Float64())
		}
		pts := make([]vec.Vec3, 5+int(12*r.Float64()))
		for i := range pts {
			v := vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1))
			if k%3 == 1 {
				v.Z *= 1 - v.X
			}
			pts[i] = turn.Rotate(vec.V(v.X, narrow*v.Y, thin*narrow*v.Z))
		}
		want, err := FromPoints("hull", pts)
		if err != nil {
			continue
		}
		p, err := FromMesh(triangulated(meshOf(want)))
		switch {
		case errors.Is(err, ErrFlat):
			flat++
		case err != nil:
			t.Errorf("body %d, %.3g by %.3g: %v", k, narrow, thin*narrow, err)
		default:
			if err := p.Validate(); err != nil {
				t.Errorf("body %d: %v", k, err)
			}
		}
	}
	if flat > 1500 {
		t.Errorf("%d of 6000 are flat", flat)
	}
}

// TestFromMeshFarAway moves meshes of size 1 to where coordinates have ten digits left.
func TestFromMeshFarAway(t *testing.T) {
	for _, spec := range []string{"box:1x2x3", "dodeca:1", "rock:3,40,1", "prism:30,1,1"} {
		want := must[*Polyhedron](t)(must[Builtin](t)(ParseBuiltin(spec)).Poly.Translated(vec.V(1e6, -2e6, 3e5)))
		if err := want.Validate(); err != nil {
			t.Fatal(err)
		}
		m := triangulated(meshOf(want))
		sameBody(t, must[*Polyhedron](t)(FromMesh(m)), want, 0)
		p := must[*Polyhedron](t)(FromPoints(spec, m.Verts))
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(p.Verts) != len(want.Verts) || p.NFaces() != want.NFaces() {
			t.Errorf("%s: hull has %d vertices, %d faces, want %d, %d", spec, len(p.Verts), p.NFaces(), len(want.Verts), want.NFaces())
		}
	}
}

// TestFromPointsRefuses checks point sets that have no hull, and the numbers in the messages.
func TestFromPointsRefuses(t *testing.T) {
	square := []vec.Vec3{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: 0.5, Y: 0.5, Z: 1e-13}}
	for _, c := range []struct {
		name string
		pts  []vec.Vec3
		want error
		says string
	}{
		{"none", nil, ErrEmpty, "0 vertices, expected at least 4"},
		{"three", square[:3], ErrEmpty, "3 vertices"},
		{"plane", square, ErrFlat, "of the plane through vertices"},
		{"line", []vec.Vec3{{}, {X: 1}, {X: 2}, {X: 3}}, ErrFlat, "of the line through vertices"},
		{"point", make([]vec.Vec3, 9), ErrFlat, "size 0"},
		{"NaN", append([]vec.Vec3{{Z: math.NaN()}}, square...), ErrNotFinite, "vertex 0"},
		{"huge", append([]vec.Vec3{{Z: 1e51}}, square...), ErrValue, "vertex 0"},
	} {
		p, err := FromPoints(c.name, c.pts)
		if !errors.Is(err, c.want) || p != nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v, want %v saying %q", c.name, err, c.want, c.says)
		}
	}
	many := make([]vec.Vec3, 9000)
	r := NewRand(1)
	for k := range many {
		many[k] = r.Unit()
	}
	if _, err := FromPoints("many", many); !errors.Is(err, ErrTooLarge) {
		t.Errorf("9000 vertices: %v", err)
	}
}
