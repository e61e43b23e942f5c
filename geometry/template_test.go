package geometry

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestTemplateThroughArena stores shapes in the arena and compares the view with the polyhedron.
// Rings must be closed, have one orientation and contain every half-edge once; loops must be those
// of the faces.
func TestTemplateThroughArena(t *testing.T) {
	var arena soa.Shapes
	specs := []string{"box:1x2x3", "tetra:1", "octa:1", "dodeca:1", "icosa:1", "prism:11,1,2", "rock:1,37,1", "rock:2,4,1"}
	var polys []*Polyhedron
	for i, spec := range specs {
		p := must[Builtin](t)(ParseBuiltin(spec)).Poly
		p = must[*Polyhedron](t)(p.Translated(vec.V(10, -20, 30)))
		polys = append(polys, p)
		if h := must[soa.Shape](t)(arena.Add(p.Template())); int(h) != i {
			t.Fatalf("%s is shape %d", spec, h)
		}
	}
	facet := must[soa.Shape](t)(arena.Add(must[*soa.Template](t)(FacetTemplate(vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)))))
	ball := must[soa.Shape](t)(arena.Add(must[*soa.Template](t)(BallTemplate(2))))
	for i, p := range polys {
		v := arena.View(soa.Shape(i))
		if v.NVerts != len(p.Verts) || v.NFaces != p.NFaces() || len(v.Edge) != p.NEdges() {
			t.Fatalf("%s: view has %d vertices, %d faces, %d edges", specs[i], v.NVerts, v.NFaces, len(v.Edge))
		}
		c := p.Mass.Centroid
		if arena.Origin(soa.Shape(i)) != c {
			t.Errorf("%s: origin %v, want %v", specs[i], arena.Origin(soa.Shape(i)), c)
		}
		for k, w := range p.Verts {
			if v.Vert(soa.Vertex(k)) != w.Sub(c) || v.Vert(soa.Vertex(k)).Norm() > v.Radius {
				t.Errorf("%s: vertex %d is %v of radius %g", specs[i], k, v.Vert(soa.Vertex(k)), v.Radius)
			}
		}
		for f := range p.NFaces() {
			top := math.Inf(-1)
			for k := range p.Verts {
				top = max(top, v.Normal(soa.Face(f)).Dot(v.Vert(soa.Vertex(k))))
			}
			if top != v.D[f] || v.Inner > v.D[f] {
				t.Errorf("%s: face %d has the offset %g, its vertices reach %g, inner %g", specs[i], f, v.D[f], top, v.Inner)
			}
		}
		checkView(t, v)
		for j, h := range p.Edges() {
			if v.Edge[j] != h || p.Head(h) != v.Head(h) || p.Next(h) != v.Next(h) || p.Face(h) != v.Face[h] {
				t.Errorf("%s: edge %d is half-edge %d, want %d", specs[i], j, v.Edge[j], h)
			}
		}
	}
	checkView(t, arena.View(facet))
	if b := arena.View(ball); b.Kind != soa.Ball || b.NVerts != 0 || b.Radius != 2 {
		t.Errorf("ball: %+v", b)
	}
}

// checkView checks loops, twins and rings of a view.
func checkView(t *testing.T, v *soa.View) {
	t.Helper()
	met := make([]int, len(v.Tail))
	for k := range v.NVerts {
		ring := v.Ring[v.RingFirst[k] : v.RingFirst[k]+v.RingLen[k]]
		if len(ring) < 2 {
			t.Errorf("vertex %d has %d edges", k, len(ring))
		}
		for i, h := range ring {
			met[h]++
			if int(v.Tail[h]) != k {
				t.Errorf("half-edge %d in the ring of vertex %d begins at %d", h, k, v.Tail[h])
			}
			if next := v.Next(v.Twin[h]); next != ring[(i+1)%len(ring)] {
				t.Errorf("ring of vertex %d: %d follows %d, want %d", k, ring[(i+1)%len(ring)], h, next)
			}
		}
	}
	for h, n := range met {
		if n != 1 {
			t.Errorf("half-edge %d is in %d rings", h, n)
		}
		if v.Head(soa.HalfEdge(h)) != v.Tail[v.Next(soa.HalfEdge(h))] {
			t.Errorf("half-edge %d ends at %d, the next begins elsewhere", h, v.Head(soa.HalfEdge(h)))
		}
	}
}

func TestContains(t *testing.T) {
	for _, at := range []vec.Vec3{{}, {X: 1e6, Y: -1e6, Z: 3e5}} {
		p := must[*Polyhedron](t)(must[Builtin](t)(ParseBuiltin("dodeca:1")).Poly.Translated(at))
		if !p.Contains(p.Mass.Centroid) || p.Contains(at.Add(vec.V(2, 0, 0))) || p.Contains(vec.V(math.NaN(), 0, 0)) {
			t.Errorf("at %v: centre, outside or NaN", at)
		}
		for k, v := range p.Verts {
			if !p.Contains(v) {
				t.Errorf("at %v: vertex %d is outside", at, k)
			}
			if out := v.AddScaled(1e-6, v.Sub(at)); p.Contains(out) {
				t.Errorf("at %v: point beyond vertex %d is inside", at, k)
			}
		}
	}
}

// TestValidateFindsDamage damages one property at a time.
func TestValidateFindsDamage(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(p *Polyhedron)
		want  error
	}{
		{"twin", func(p *Polyhedron) { p.Twin[0], p.Twin[1] = p.Twin[1], p.Twin[0] }, ErrBroken},
		{"tail", func(p *Polyhedron) { p.Tail[0] = p.Tail[1] }, ErrBroken},
		{"tailOutOfRange", func(p *Polyhedron) { p.Tail[0] = 99 }, ErrBroken},
		{"normal", func(p *Polyhedron) { p.Normals[2] = p.Normals[2].Scale(2) }, ErrBroken},
		{"dent", func(p *Polyhedron) { q := dented(); q.Spread = 0; *p = *q }, ErrNotConvex},
		{"normalTurned", func(p *Polyhedron) { p.Normals[2] = p.Normals[3] }, ErrNotConvex},
		{"offset", func(p *Polyhedron) { p.Offsets[1] += 1e-9 }, ErrBroken},
		{"vertexOut", func(p *Polyhedron) { p.Verts[0] = p.Verts[0].Scale(1.001) }, ErrBroken},
		{"vertexOutMeasured", func(p *Polyhedron) { p.Verts[0] = p.Verts[0].Scale(1.001); p.measure() }, ErrNotPlanar},
		{"vertexNaN", func(p *Polyhedron) { p.Verts[0].Z = math.NaN() }, ErrNotFinite},
		{"mass", func(p *Polyhedron) { p.Mass.Volume *= 1 + 1e-12 }, ErrBroken},
		{"faceMissing", func(p *Polyhedron) { p.Normals = p.Normals[1:] }, ErrBroken},
		{"vertexMissing", func(p *Polyhedron) { p.Verts = p.Verts[1:] }, ErrNotManifold},
		{"empty", func(p *Polyhedron) { *p = Polyhedron{} }, ErrEmpty},
	} {
		p := must[*Polyhedron](t)(Box(1, 2, 3))
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		c.spoil(p)
		if err := p.Validate(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestTransformsRefuse(t *testing.T) {
	p := must[*Polyhedron](t)(Box(1, 2, 3))
	check := func(name string, q *Polyhedron, err, want error) {
		if !errors.Is(err, want) || q != nil {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	for name, s := range map[string]float64{"zero": 0, "negative": -1, "NaN": math.NaN(), "infinite": math.Inf(1)} {
		q, err := p.Scaled(s)
		check(name, q, err, ErrValue)
	}
	q, err := p.Scaled(0.3 * minSize)
	check("scaled below the least size", q, err, ErrFlat)
	must[*Polyhedron](t)(p.Scaled(0.4 * minSize))
	q, err = p.Translated(vec.V(1e30, 0, 0))
	check("translated too far", q, err, ErrFlat)
	q, err = p.Translated(vec.V(math.Inf(1), 0, 0))
	check("translated to infinity", q, err, ErrNotFinite)
	q, err = p.Rotated(vec.Quat{})
	check("no rotation", q, err, ErrValue)
}

// dented is an octahedron with one vertex moved through the centre: consistent, but not convex.
func dented() *Polyhedron {
	verts := axes()
	verts[5] = vec.V(0, 0, -0.5)
	loops := [][]int{{1, 3, 5}, {3, 0, 5}, {0, 2, 5}, {2, 1, 5}, {3, 1, 4}, {0, 3, 4}, {2, 0, 4}, {1, 2, 4}}
	p, err := assemble("dented", verts, loops, normalsOf(verts, loops))
	if err != nil {
		panic(err)
	}
	return p
}

func TestFacetPolygonTemplate(t *testing.T) {
	ring := func(n int) []vec.Vec3 {
		var p []vec.Vec3
		for k := range n {
			s, c := vec.Sincos(2 * math.Pi * float64(k) / float64(n))
			p = append(p, vec.V(c, s, 2))
		}
		return p
	}
	for _, n := range []int{3, 4, 5, 8, 100, soa.MaxVerts} {
		want := ring(n)
		tpl := must[*soa.Template](t)(FacetPolygonTemplate(want))
		var arena soa.Shapes
		v := arena.View(must[soa.Shape](t)(arena.Add(tpl)))
		checkView(t, v)
		if v.NVerts != n || v.NFaces != 2 || len(v.Edge) != n || v.Normal(0) != v.Normal(1).Neg() || v.D[0] < 2 || v.D[1] < -2 ||
			tpl.Origin != (vec.Vec3{}) || !(v.Radius >= math.Sqrt(5)) || v.Caps[0] != 1 || v.Caps[1] != 1 {
			t.Errorf("%d corners: view %d vertices, %d faces, %d edges", n, v.NVerts, v.NFaces, len(v.Edge))
		}
		for k := range n {
			if v.Vert(soa.Vertex(k)) != want[k] {
				t.Fatalf("vertex %d moved", k)
			}
		}
	}
	dent, bent, star := ring(6), ring(6), ring(5)
	dent[2] = vec.V(0, 0, 2)
	bent[2].Z += 1e-9
	star[1], star[2], star[3], star[4] = star[2], star[4], star[1], star[3]
	for _, c := range []struct {
		name string
		p    []vec.Vec3
		want error
	}{
		{"two", ring(3)[:2], ErrTruncated},
		{"too many", ring(soa.MaxVerts + 1), ErrTooLarge},
		{"dent", dent, ErrNotConvex},
		{"bent", bent, ErrNotPlanar},
		{"star", star, ErrNotConvex},
		{"line", []vec.Vec3{{}, {X: 1}, {X: 2}, {X: 3}}, ErrFlat},
		{"NaN", append(ring(4), vec.V(math.NaN(), 0, 0)), ErrNotFinite},
		{"closed", append(ring(4), ring(4)[0]), ErrSelfIntersecting},
		{"twice around", append(ring(4), ring(4)...), ErrSelfIntersecting},
	} {
		if _, err := FacetPolygonTemplate(c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, expected %v", c.name, err, c.want)
		}
	}
}
