package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// template returns a shape with the given loops of vertices, counter-clockwise seen from outside.
func template(kind soa.Kind, verts []vec.Vec3, loops [][]soa.Vertex) *soa.Template {
	t := &soa.Template{Kind: kind, Verts: verts}
	at := map[[2]soa.Vertex]soa.HalfEdge{}
	for _, loop := range loops {
		t.LoopFirst = append(t.LoopFirst, soa.HalfEdge(len(t.Tail)))
		for i, a := range loop {
			at[[2]soa.Vertex{a, loop[(i+1)%len(loop)]}] = soa.HalfEdge(len(t.Tail))
			t.Tail = append(t.Tail, a)
		}
		a, b, c := verts[loop[0]], verts[loop[1]], verts[loop[2]]
		n := b.Sub(a).Cross(c.Sub(a)).Unit()
		d := math.Inf(-1)
		for _, v := range verts {
			d = max(d, n.Dot(v))
		}
		t.Normals, t.Offsets = append(t.Normals, n), append(t.Offsets, d)
	}
	t.LoopFirst = append(t.LoopFirst, soa.HalfEdge(len(t.Tail)))
	t.Twin = make([]soa.HalfEdge, len(t.Tail))
	for ends, h := range at {
		t.Twin[h] = at[[2]soa.Vertex{ends[1], ends[0]}]
	}
	for _, v := range verts {
		t.Radius = max(t.Radius, v.Norm())
	}
	return t
}

// prism is a right prism over a regular polygon of n corners, with radius 1, height 2 and the first
// corner on the x axis. Corner k is vertex k at z = -1, and vertex n+k at z = 1. Face k is the side
// after corner k, face n the bottom, and face n+1 the top.
func prism(n int) *soa.Template {
	verts := make([]vec.Vec3, 2*n)
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		verts[k], verts[n+k] = vec.V(c, s, -1), vec.V(c, s, 1)
	}
	var loops [][]soa.Vertex
	var bottom, top []soa.Vertex
	for k := range n {
		a, b := soa.Vertex(k), soa.Vertex((k+1)%n)
		loops = append(loops, []soa.Vertex{a, b, b + soa.Vertex(n), a + soa.Vertex(n)})
		bottom, top = append(bottom, soa.Vertex(n-1-k)), append(top, soa.Vertex(n+k))
	}
	return template(soa.Block, verts, append(loops, bottom, top))
}

// cube is the cube from -1 to 1. Vertex k has positive x, y, z if bits 0, 1, 2 of k are set. The
// faces are -x, +x, -y, +y, -z, +z.
func cube() *soa.Template {
	var verts []vec.Vec3
	for k := range 8 {
		verts = append(verts, vec.V(float64(k&1*2-1), float64(k>>1&1*2-1), float64(k>>2*2-1)))
	}
	return template(soa.Block, verts, [][]soa.Vertex{
		{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6},
	})
}

func facet() *soa.Template {
	return template(soa.Facet, []vec.Vec3{vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)},
		[][]soa.Vertex{{0, 1, 2}, {2, 1, 0}})
}

func ball(r float64) *soa.Template { return &soa.Template{Kind: soa.Ball, Radius: r, Inner: r} }

func add(t testing.TB, shapes *soa.Shapes, templates ...*soa.Template) []soa.Shape {
	t.Helper()
	var h []soa.Shape
	for _, s := range templates {
		i, err := shapes.Add(s)
		if err != nil {
			t.Fatal(err)
		}
		h = append(h, i)
	}
	return h
}

// mixed is shapes of all kinds: blocks with every number of points in a last register, facets and
// balls.
func mixed(t testing.TB) *soa.Shapes {
	t.Helper()
	shapes := &soa.Shapes{}
	add(t, shapes, ball(0.5), cube())
	for n := 3; n < 14; n++ {
		add(t, shapes, prism(n), facet())
	}
	add(t, shapes, ball(2), prism(40))
	for _, s := range []*soa.Template{cube(), prism(7), facet(), ball(1)} {
		s.Round = 0.125 // exact in binary, and so are sums with it in these tests
		add(t, shapes, s)
	}
	return shapes
}

type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 15))} }

// vec returns a vector with components between -1 and 1, sometimes along an axis.
func (r random) vec() vec.Vec3 {
	v := vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
	switch r.IntN(8) {
	case 0:
		return vec.V(0, 0, v.Z)
	case 1:
		return vec.V(v.X, 0, 0)
	}
	return v
}

func (r random) pose() vec.Pose {
	q := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	return vec.Pose{Pos: r.vec().Scale(10), Rot: q.Normalized()}
}

// bestVert returns the support over the real vertices, by one comparison after the other.
func bestVert(v *soa.View, d vec.Vec3) (soa.Vertex, float64) {
	best, max := soa.Vertex(0), v.Vert(0).Dot(d)
	for k := 1; k < v.NVerts; k++ {
		if h := v.Vert(soa.Vertex(k)).Dot(d); h > max {
			best, max = soa.Vertex(k), h
		}
	}
	return best, max
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
