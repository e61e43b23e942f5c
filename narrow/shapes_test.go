package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// hullOf returns the convex hull of points by brute force over all planes through three of them. It
// is slow, obvious, and independent of the quickhull in package geometry. Coplanar points share a
// face.
func hullOf(t testing.TB, pts []vec.Vec3) *soa.View {
	t.Helper()
	size := 0.0
	for _, p := range pts {
		size = max(size, p.Norm())
	}
	tpl := &soa.Template{Kind: soa.Block, Radius: size, Verts: pts, LoopFirst: []soa.HalfEdge{0}}
	tol := 1e-11 * size
	n := len(pts)
	seen := map[[3]int]bool{}
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				if seen[[3]int{i, j, k}] {
					continue
				}
				m := pts[j].Sub(pts[i]).Cross(pts[k].Sub(pts[i]))
				if m.Norm() <= 1e-12*size*size {
					continue
				}
				m = m.Unit()
				d := m.Dot(pts[i])
				above, below := false, false
				var on []int
				for l, p := range pts {
					switch h := m.Dot(p) - d; {
					case h > tol:
						above = true
					case h < -tol:
						below = true
					default:
						on = append(on, l)
					}
				}
				if above && below {
					continue
				}
				if above {
					m = m.Neg()
				}
				for x := range on {
					for y := x + 1; y < len(on); y++ {
						for z := y + 1; z < len(on); z++ {
							seen[[3]int{on[x], on[y], on[z]}] = true
						}
					}
				}
				addFace(tpl, m, on)
			}
		}
	}
	return addTemplate(t, tpl)
}

// addFace appends the face through the vertices on, ordered counter-clockwise about its normal.
func addFace(tpl *soa.Template, n vec.Vec3, on []int) {
	var c vec.Vec3
	for _, i := range on {
		c = c.Add(tpl.Verts[i].Scale(1 / float64(len(on))))
	}
	u := n.Perpendicular()
	w := n.Cross(u)
	angle := func(i int) float64 {
		p := tpl.Verts[i].Sub(c)
		return math.Atan2(w.Dot(p), u.Dot(p))
	}
	for i := range on {
		for j := i; j > 0 && angle(on[j]) < angle(on[j-1]); j-- {
			on[j], on[j-1] = on[j-1], on[j]
		}
	}
	d := math.Inf(-1)
	for _, p := range tpl.Verts {
		d = max(d, n.Dot(p))
	}
	for _, i := range on {
		tpl.Tail = append(tpl.Tail, soa.Vertex(i))
	}
	tpl.Normals = append(tpl.Normals, n)
	tpl.Offsets = append(tpl.Offsets, d)
	tpl.LoopFirst = append(tpl.LoopFirst, soa.HalfEdge(len(tpl.Tail)))
}

// addTemplate links the twins and returns the view of the shape.
func addTemplate(t testing.TB, tpl *soa.Template) *soa.View {
	t.Helper()
	at := map[[2]soa.Vertex]soa.HalfEdge{}
	head := make([]soa.Vertex, len(tpl.Tail))
	for f := range tpl.Normals {
		lo, hi := tpl.LoopFirst[f], tpl.LoopFirst[f+1]
		for h := lo; h < hi; h++ {
			next := h + 1
			if next == hi {
				next = lo
			}
			head[h] = tpl.Tail[next]
			at[[2]soa.Vertex{tpl.Tail[h], head[h]}] = h
		}
	}
	tpl.Twin = make([]soa.HalfEdge, len(tpl.Tail))
	for h := range tpl.Tail {
		w, ok := at[[2]soa.Vertex{head[h], tpl.Tail[h]}]
		if !ok {
			t.Fatalf("half-edge %d of the test hull has no twin", h)
		}
		tpl.Twin[h] = w
	}
	var s soa.Shapes
	id, err := s.Add(tpl)
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

func facetOf(t testing.TB, a, b, c vec.Vec3) *soa.View {
	t.Helper()
	g := a.Add(b).Add(c).Scale(1.0 / 3)
	pts := []vec.Vec3{a.Sub(g), b.Sub(g), c.Sub(g)}
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	r := max(pts[0].Norm(), pts[1].Norm(), pts[2].Norm())
	tpl := &soa.Template{Kind: soa.Facet, Radius: r, Verts: pts, LoopFirst: []soa.HalfEdge{0, 3, 6}}
	tpl.Normals = []vec.Vec3{n, n.Neg()}
	d := max(n.Dot(pts[0]), n.Dot(pts[1]), n.Dot(pts[2]))
	e := max(-n.Dot(pts[0]), -n.Dot(pts[1]), -n.Dot(pts[2]))
	tpl.Offsets = []float64{d, e}
	tpl.Tail = []soa.Vertex{0, 1, 2, 0, 2, 1}
	return addTemplate(t, tpl)
}

func ballOf(t testing.TB, r float64) *soa.View {
	t.Helper()
	var s soa.Shapes
	id, err := s.Add(&soa.Template{Kind: soa.Ball, Radius: r, Inner: r})
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

func boxPoints(x, y, z float64) []vec.Vec3 {
	var p []vec.Vec3
	for i := range 8 {
		q := vec.V(x/2, y/2, z/2)
		if i&1 == 0 {
			q.X = -q.X
		}
		if i&2 == 0 {
			q.Y = -q.Y
		}
		if i&4 == 0 {
			q.Z = -q.Z
		}
		p = append(p, q)
	}
	return p
}

func box(t testing.TB, x, y, z float64) *soa.View { return hullOf(t, boxPoints(x, y, z)) }

func tetraPoints() []vec.Vec3 {
	return []vec.Vec3{vec.V(1, 1, 1), vec.V(1, -1, -1), vec.V(-1, 1, -1), vec.V(-1, -1, 1)}
}

// rockPoints returns n points on an ellipsoid-like surface, all of them on their hull.
func rockPoints(r *rand.Rand, n int) []vec.Vec3 {
	sx, sy, sz := 0.6+0.4*r.Float64(), 0.6+0.4*r.Float64(), 0.6+0.4*r.Float64()
	var p []vec.Vec3
	for len(p) < n {
		q := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
		p = append(p, vec.V(sx*q.X, sy*q.Y, sz*q.Z))
	}
	return p
}

func rock(t testing.TB, seed uint64, n int) *soa.View {
	return hullOf(t, rockPoints(rand.New(rand.NewPCG(seed, 7)), n))
}

// scaled returns the shape with all lengths multiplied by k.
func scaled(t testing.TB, v *soa.View, k float64) *soa.View {
	t.Helper()
	tpl := &soa.Template{Kind: v.Kind, Radius: v.Radius * k, LoopFirst: []soa.HalfEdge{0}}
	for i := range v.NVerts {
		tpl.Verts = append(tpl.Verts, v.Vert(soa.Vertex(i)).Scale(k))
	}
	for f := range v.NFaces {
		tpl.Normals = append(tpl.Normals, v.Normal(soa.Face(f)))
		tpl.Offsets = append(tpl.Offsets, v.D[f]*k)
		tpl.LoopFirst = append(tpl.LoopFirst, v.LoopFirst[f]+v.LoopLen[f])
	}
	tpl.Tail, tpl.Twin = v.Tail, v.Twin
	var s soa.Shapes
	id, err := s.Add(tpl)
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

func randomRot(r *rand.Rand) vec.Quat {
	return vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
}

func randomUnit(r *rand.Rand) vec.Vec3 {
	return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
}

func at(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.Identity} }
