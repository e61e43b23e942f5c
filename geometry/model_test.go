package geometry

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// single returns a mesh, rotated and translated, as in a file of single precision: each triangle
// has its own corners.
func single(m *Mesh, turn vec.Quat, off vec.Vec3) *Mesh {
	q := &Mesh{Name: m.Name, Faces: m.Faces}
	for _, v := range m.Verts {
		q.Verts = append(q.Verts, turn.Rotate(v).Add(off))
	}
	return soup(q)
}

// squares returns a unit cube of k×k squares a side.
func squares(k int) *Mesh {
	m := &Mesh{Name: fmt.Sprintf("cube of %d squares", k)}
	for axis := range 3 {
		for side := range 2 {
			corner := func(i, j int) int {
				c := [3]float64{}
				c[axis] = float64(side) - 0.5
				c[(axis+1)%3], c[(axis+2)%3] = float64(i)/float64(k)-0.5, float64(j)/float64(k)-0.5
				m.Verts = append(m.Verts, vec.V(c[0], c[1], c[2]))
				return len(m.Verts) - 1
			}
			for i := range k {
				for j := range k {
					face := []int{corner(i, j), corner(i+1, j), corner(i+1, j+1), corner(i, j+1)}
					if side == 0 {
						face[1], face[3] = face[3], face[1]
					}
					m.Faces = append(m.Faces, face)
				}
			}
		}
	}
	return m
}

// checkExact fails unless the template's faces are those of the hull of its vertices, computed
// without merging. To rounding, the vertices of a face lie in its plane, and the vertices of every
// facet of the hull lie in the plane of some face.
func checkExact(t *testing.T, p *Polyhedron) {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	tpl := p.Template()
	h, err := hull.Compute(tpl.Verts, hull.Options{Merge: -1})
	if err != nil {
		t.Fatal(err)
	}
	level := 2 * hull.RoundingLevel * tpl.Radius
	under := func(f int, k soa.Vertex) float64 { return tpl.Offsets[f] - tpl.Normals[f].Dot(tpl.Verts[k]) }
	for f := range tpl.Normals {
		for _, k := range tpl.Tail[tpl.LoopFirst[f]:tpl.LoopFirst[f+1]] {
			if low := under(f, k); low > level {
				t.Errorf("vertex %d lies %.3g sizes under face %d", k, low/tpl.Radius, f)
			}
		}
	}
	for _, loop := range h.Faces {
		found := false
		for f := range tpl.Normals {
			all := true
			for _, k := range loop {
				all = all && under(f, soa.Vertex(h.Verts[k])) <= level
			}
			found = found || all
		}
		if !found {
			t.Errorf("a facet of the hull has vertices %v, which lie in no face", loop)
		}
	}
	box := p.Box()
	most := extent{box.Size().MaxAbs(), max(box.Min.MaxAbs(), box.Max.MaxAbs())}.tolerance(1.1e-6)
	if p.Moved > p.MergeTol || p.MergeTol > most {
		t.Errorf("vertices moved by %.3g, tolerance %.3g, expected at most %.3g", p.Moved, p.MergeTol, most)
	}
}

// TestBoxesOfFilesAreClean checks that a box from a file of single precision has right angles,
// planar faces with caps, and the rows that lane searches need, for any rotation and division into
// squares.
func TestBoxesOfFilesAreClean(t *testing.T) {
	for _, off := range []float64{0, 1, 8} {
		for _, k := range []int{1, 2, 5} {
			for seed := range uint64(4) {
				p := must[*Polyhedron](t)(FromMesh(single(squares(k), NewRand(seed).Rotation(), vec.V(off, -off, off))))
				checkExact(t, p)
				if len(p.Verts) != 8 || p.NFaces() != 6 || p.Label != nil {
					t.Fatalf("%g off, %d squares: %d vertices, %d faces, labels %v", off, k, len(p.Verts), p.NFaces(), p.Label)
				}
				for _, h := range p.Edges() {
					d := p.Verts[p.Head(h)].Sub(p.Verts[p.Tail[h]]).Unit()
					for _, g := range p.Edges() {
						e := p.Verts[p.Head(g)].Sub(p.Verts[p.Tail[g]]).Unit()
						if c := math.Abs(d.Dot(e)); c > 1e-14 && c < 1-1e-14 {
							t.Errorf("two edges have the cosine %g", c)
						}
					}
				}
				var arena soa.Shapes
				v := arena.View(must[soa.Shape](t)(arena.Add(p.Template())))
				for f := range v.NFaces {
					if v.Caps[f] < 0.99 || v.QuadOfFace[f] == 0 {
						t.Errorf("face %d has the cap %g, quad %d", f, v.Caps[f], v.QuadOfFace[f])
					}
				}
			}
		}
	}
}

// trapezohedron returns a body of 2n kites. n kites, and so more than three planes, meet at each of
// two vertices.
func trapezohedron(n int) *Mesh {
	m := &Mesh{Name: "trapezohedron"}
	c := math.Cos(math.Pi / float64(n))
	top := (1 + c) / (1 - c) * 0.1 // the height at which kites are planar
	m.Verts = append(m.Verts, vec.V(0, 0, top), vec.V(0, 0, -top))
	for i := range 2 * n {
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(n))
		m.Verts = append(m.Verts, vec.V(cos, sin, 0.1*float64(1-2*(i%2))))
	}
	at := func(i int) int { return 2 + i%(2*n) }
	for i := range n {
		m.Faces = append(m.Faces, []int{0, at(2 * i), at(2*i + 1), at(2*i + 2)}, []int{1, at(2*i + 3), at(2*i + 2), at(2*i + 1)})
	}
	return m
}

// TestFacesOfFilesArePlanar checks that bodies from files of single precision keep their faces, and
// that these are planar to rounding, for any number of faces at a vertex.
func TestFacesOfFilesArePlanar(t *testing.T) {
	bodies := map[string]*Mesh{"trapezohedron of 5": trapezohedron(5), "trapezohedron of 9": trapezohedron(9)}
	for _, spec := range []string{"dodeca:1", "icosa:1", "prism:9,1,1", "prism:24,1,0.3", "rock:3,40,1"} {
		bodies[spec] = meshOf(must[Builtin](t)(ParseBuiltin(spec)).Poly)
	}
	for name, m := range bodies {
		for _, off := range []float64{0, 1, 4} {
			p, err := FromMesh(single(m, NewRand(7).Rotation(), vec.V(off, off, -off)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkExact(t, p)
			if len(p.Verts) != len(m.Verts) || p.NFaces() != len(m.Faces) {
				t.Errorf("%s, %g off: %d vertices, %d faces, want %d, %d", name, off, len(p.Verts), p.NFaces(), len(m.Verts), len(m.Faces))
			}
		}
	}
}

// TestRoundingBeyondTheTolerance checks files whose rounding bends faces by more than the
// tolerance. The body must be the hull of the points in the file, with all its facets, and the
// facets of one face must share a label.
func TestRoundingBeyondTheTolerance(t *testing.T) {
	labelled := 0
	turn := vec.FromRotationVector(vec.V(0.4, 0.2, 0.3))
	for _, k := range []int{1, 2, 5, 10} {
		p, err := FromMesh(single(squares(k), turn, vec.V(20, 20, 20)))
		if err != nil {
			t.Fatal(err)
		}
		checkExact(t, p)
		for f, g := range p.Label {
			if int(g) == f {
				continue
			}
			labelled++
			if p.Label[g] != g || p.Normals[f].Dot(p.Normals[g]) < 0.9 {
				t.Errorf("%d squares: face %d has the label %d", k, f, g)
			}
			for _, v := range p.Loop(f) {
				if d := math.Abs(p.Normals[g].Dot(p.Verts[v].Sub(p.Verts[p.Loop(int(g))[0]]))); d > 8*p.MergeTol {
					t.Errorf("%d squares: vertex %d lies %g off the plane of label %d", k, v, d, g)
				}
			}
		}
	}
	if labelled == 0 {
		t.Error("no face was labelled")
	}
}

// TestDomesKeepTheirFacets checks that heights above the tolerance of a point set are preserved,
// and smaller heights become planar.
func TestDomesKeepTheirFacets(t *testing.T) {
	for _, bend := range []float64{1e-13, 5e-13, 1e-12, 3e-12, 1e-9, 1e-6} {
		var points []vec.Vec3
		for _, side := range []float64{-1, 1} {
			points = append(points, vec.V(0, 0, side*(0.2+bend)))
			for i := range 24 {
				sin, cos := math.Sincos(math.Pi / 12 * float64(i))
				points = append(points, vec.V(0.5*cos, 0.5*sin, side*0.2), vec.V(0.25*cos, 0.25*sin, side*(0.2+0.75*bend)))
			}
		}
		p := must[*Polyhedron](t)(FromPoints("coin", points))
		checkExact(t, p)
		if n := p.NFaces(); bend < 1e-12 && n != 26 || bend > 1e-12 && n != 24+2*72 && n != 24+2*48 {
			t.Errorf("domed by %g: %d faces", bend, n)
		}
	}
}

// TestFarFromTheOrigin checks that a body 10⁶ sizes from the origin of its file is planar to the
// rounding of its size.
func TestFarFromTheOrigin(t *testing.T) {
	near := must[*Polyhedron](t)(must[*Polyhedron](t)(Prism(7, 0.5, 1)).Rotated(vec.FromRotationVector(vec.V(0.4, 0.2, 0.3))))
	far := must[*Polyhedron](t)(near.Translated(vec.V(1e6, -1e6, 1e6)))
	p := must[*Polyhedron](t)(FromPoints("prism", far.Verts))
	checkExact(t, p)
	if len(p.Verts) != 14 || p.NFaces() != 9 {
		t.Errorf("%d vertices, %d faces", len(p.Verts), p.NFaces())
	}
	for name, q := range map[string]*Polyhedron{
		"scaled":     must[*Polyhedron](t)(p.Scaled(3)),
		"turned":     must[*Polyhedron](t)(p.Rotated(vec.FromRotationVector(vec.V(1, 2, 3)))),
		"translated": must[*Polyhedron](t)(p.Translated(vec.V(-1e6, 1e6, -1e6))),
	} {
		tpl := q.Template()
		for f, c := range tpl.Caps {
			if !(c > 0.5) {
				t.Errorf("%s: face %d has the cap %g", name, f, c)
			}
		}
	}
}

// FuzzModel makes bodies of points on a small grid, many of them coplanar. It adds noise from below
// rounding to above the tolerances, and rotates and translates the body. As points and as a mesh,
// each body must be the hull of its vertices.
func FuzzModel(f *testing.F) {
	f.Add([]byte("012345678901234567890123456789"), uint8(7), uint8(1), uint64(1))
	f.Add([]byte("\x00\x02\x06\x08\x12\x14\x18\x1a\x04\x0a\x0c\x0e\x10\x16"), uint8(12), uint8(3), uint64(2))
	f.Fuzz(func(t *testing.T, cells []byte, noise, away uint8, seed uint64) {
		r := NewRand(seed)
		turn, off := r.Rotation(), r.Unit().Scale(vec.Pow(2, float64(away%12))-1)
		var pts []vec.Vec3
		for _, c := range cells[:min(len(cells), 40)] {
			v := vec.V(float64(c%3), float64(c/3%3), float64(c/9%3))
			v = v.AddScaled(vec.Pow(10, -5-float64(noise%12)), vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)))
			pts = append(pts, turn.Rotate(v).Add(off))
		}
		p, err := FromPoints("points", pts)
		if err != nil {
			return
		}
		checkExact(t, p)
		q, err := FromMesh(triangulated(meshOf(p)))
		if err != nil {
			t.Skip(err)
		}
		checkExact(t, q)
	})
}

// TestMovedCountsWhatWasLeftOut compares Moved with the distance of every point of the file from
// the body. Points left out beyond an edge are farther away than their height over any face.
func TestMovedCountsWhatWasLeftOut(t *testing.T) {
	beyond := 0
	for seed := range uint64(30) {
		r := NewRand(seed)
		mesh := single(squares(2+int(seed%4)), r.Rotation(), vec.V(r.Range(-8, 8), r.Range(-8, 8), r.Range(-8, 8)))
		pts := mesh.Verts
		p, err := FromMesh(mesh)
		if err != nil {
			t.Fatal(err)
		}
		body := oracle.ConvexBody{Verts: p.Verts}
		for f := range p.NFaces() {
			var loop []int
			for _, v := range p.Loop(f) {
				loop = append(loop, int(v))
			}
			body.Faces = append(body.Faces, loop)
		}
		worst, over := 0.0, 0.0
		for _, q := range pts {
			worst = max(worst, math.Max(oracle.Gap(oracle.ConvexBody{Verts: []vec.Vec3{q}}, body).Gap, 0))
			height := 0.0
			for f := range p.NFaces() {
				height = max(height, p.Normals[f].Dot(q)-p.Offsets[f])
			}
			over = max(over, height)
		}
		if worst > p.Moved*(1+1e-9)+1e-15 || p.Moved > p.MergeTol {
			t.Errorf("seed %d: a point is %.4g from the body, whose points moved by %.4g at most, within %.4g", seed, worst, p.Moved, p.MergeTol)
		}
		if worst > 1.01*over {
			beyond++
		}
	}
	if beyond == 0 {
		t.Error("no point lies beyond an edge")
	}
}

// TestContainsItsVertices checks thin bodies far from the origin, whose vertices lie outside of other
// faces by rounding.
func TestContainsItsVertices(t *testing.T) {
	r := NewRand(8)
	for k := range 400 {
		thin, off := math.Pow(10, -r.Range(5, 11)), math.Pow(10, r.Range(2, 6))
		q, at := r.Rotation(), r.Unit().Scale(off)
		var points []vec.Vec3
		for range 30 {
			p := r.Unit()
			points = append(points, q.Rotate(vec.V(p.X, p.Y, math.Copysign(thin, p.Z))).Add(at))
		}
		p, err := FromPoints("plate", points)
		if err != nil {
			continue // thinner than rounding
		}
		for i, v := range p.Verts {
			if !p.Contains(v) {
				t.Errorf("body %d, thickness %g, %g from the origin: vertex %d is outside", k, thin, off, i)
			}
		}
	}
}
