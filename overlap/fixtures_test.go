package overlap

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// arenas has an arena for each running test.
var arenas sync.Map

// view adds a body to the arena of a test. Three vertices make a facet, whose frame may be anywhere.
// The origin of a block's frame must be inside the block.
func view(t testing.TB, b oracle.ConvexBody) *soa.View {
	t.Helper()
	arena, known := arenas.LoadOrStore(t, &soa.Shapes{})
	if !known {
		t.Cleanup(func() { arenas.Delete(t) })
	}
	i, err := arena.(*soa.Shapes).Add(template(b))
	if err != nil {
		t.Fatal(err)
	}
	v := *arena.(*soa.Shapes).View(i)
	return &v
}

// template returns the template of a body.
func template(b oracle.ConvexBody) *soa.Template {
	tpl := &soa.Template{Kind: soa.Block, Verts: b.Verts, LoopFirst: []soa.HalfEdge{0}}
	if len(b.Verts) == 3 {
		tpl.Kind = soa.Facet
	}
	half := map[[2]int]soa.HalfEdge{}
	for _, loop := range b.Faces {
		for i, v := range loop {
			half[[2]int{v, loop[(i+1)%len(loop)]}] = soa.HalfEdge(len(tpl.Tail))
			tpl.Tail = append(tpl.Tail, soa.Vertex(v))
		}
		tpl.LoopFirst = append(tpl.LoopFirst, soa.HalfEdge(len(tpl.Tail)))
		p, q, r := b.Verts[loop[0]], b.Verts[loop[1]], b.Verts[loop[2]]
		n := q.Sub(p).Cross(r.Sub(p)).Unit()
		tpl.Normals = append(tpl.Normals, n)
		tpl.Offsets = append(tpl.Offsets, b.Support(n))
	}
	tpl.Twin = make([]soa.HalfEdge, len(tpl.Tail))
	for e, h := range half {
		tpl.Twin[h] = half[[2]int{e[1], e[0]}]
	}
	for _, v := range b.Verts {
		tpl.Radius = max(tpl.Radius, v.Norm())
	}
	if tpl.Kind == soa.Block {
		tpl.Inner = max(0, slices.Min(tpl.Offsets)*(1-1e-12))
	}
	return tpl
}

func boxBody(x, y, z float64) oracle.ConvexBody {
	var p []vec.Vec3
	for k := range 8 {
		p = append(p, vec.V(float64(k&1)-0.5, float64(k>>1&1)-0.5, float64(k>>2)-0.5).Mul(vec.V(x, y, z)))
	}
	return oracle.Hull(p)
}

// barBody returns a bar with its length along x and ridges at ±h in y and z.
func barBody(length, h float64) oracle.ConvexBody {
	var p []vec.Vec3
	for _, x := range []float64{-length / 2, length / 2} {
		p = append(p, vec.V(x, h, 0), vec.V(x, -h, 0), vec.V(x, 0, h), vec.V(x, 0, -h))
	}
	return oracle.Hull(p)
}

func rockBody(r *rand.Rand, n int) oracle.ConvexBody {
	var p []vec.Vec3
	for range n {
		p = append(p, direction(r).Scale(0.8+0.4*r.Float64()))
	}
	b := oracle.Hull(p)
	_, c := b.Volume()
	return b.Moved(c.Neg())
}

func direction(r *rand.Rand) vec.Vec3 {
	for {
		v := vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
		if l := v.Norm(); l > 0.1 && l <= 1 {
			return v.Unit()
		}
	}
}

func turn(r *rand.Rand) vec.Quat {
	return vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
}

func about(axis vec.Vec3, degrees float64) vec.Quat {
	return vec.FromRotationVector(axis.Unit().Scale(degrees * math.Pi / 180))
}

func at(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.Identity} }

func turned(q vec.Quat, x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: q} }

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.17g, want %.17g (off by %.3g, tolerance %.3g)", what, got, want, got-want, tol)
	}
}

func nearVec(t testing.TB, what string, got, want vec.Vec3, tol float64) {
	t.Helper()
	if !(got.Sub(want).Norm() <= tol) {
		t.Errorf("%s is %v, want %v (off by %.3g, tolerance %.3g)", what, got, want, got.Sub(want).Norm(), tol)
	}
}

// facesPair places face 0 of one body on face 1 of another, with a random rotation about the
// normal, an offset, and a tilt of 1e-6.
func facesPair(r *rand.Rand, v *soa.View) (pa, pb vec.Pose, normal vec.Vec3) {
	normal, pa = direction(r), vec.IdentityPose
	pa.Rot = spin(r, v.Normal(0), normal)
	pb.Rot = about(direction(r), 6e-5).Mul(spin(r, v.Normal(1), normal.Neg()))
	pb.Pos = pa.Rot.Rotate(onFacePoint(r, v, 0)).Sub(pb.Rot.Rotate(onFacePoint(r, v, 1))).AddScaled(-1e-3, normal)
	return pa, pb, normal
}

// spin returns a random rotation that rotates from to to, both unit.
func spin(r *rand.Rand, from, to vec.Vec3) vec.Quat {
	c := from.Cross(to)
	q := vec.Quat{W: 1 + from.Dot(to), X: c.X, Y: c.Y, Z: c.Z}.Normalized()
	return vec.FromRotationVector(to.Scale(2 * math.Pi * r.Float64())).Mul(q)
}

// onFacePoint returns a random point of face f, in the frame of v.
func onFacePoint(r *rand.Rand, v *soa.View, f soa.Face) vec.Vec3 {
	var p vec.Vec3
	total := 0.0
	for _, k := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
		w := r.ExpFloat64()
		total += w
		p = p.AddScaled(w, v.Vert(k))
	}
	return p.Scale(1 / total)
}

// lowest returns the vertex furthest along n, in the frame of v.
func lowest(v *soa.View, n vec.Vec3) soa.Vertex {
	best, at := math.Inf(-1), 0
	for k := range v.NVerts {
		if h := n.Dot(v.Vert(soa.Vertex(k))); h > best {
			best, at = h, k
		}
	}
	return soa.Vertex(at)
}

// prismBody returns a right prism of n sides, radius 1 and height 1, made without a hull.
func prismBody(n int) oracle.ConvexBody {
	var b oracle.ConvexBody
	var top, bottom []int
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		b.Verts = append(b.Verts, vec.V(c, s, -0.5), vec.V(c, s, 0.5))
		next := (k + 1) % n
		b.Faces = append(b.Faces, []int{2 * k, 2 * next, 2*next + 1, 2*k + 1})
		top, bottom = append(top, 2*k+1), append(bottom, 2*k)
	}
	slices.Reverse(bottom)
	b.Faces = append(b.Faces, top, bottom)
	return b
}
