package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rested returns an arena of supports, two boxes and a triangle of a wall, and of shapes that rest
// on them.
func rested(t testing.TB, scale float64) *soa.Shapes {
	t.Helper()
	shapes := &soa.Shapes{}
	add := func(tpl *soa.Template, err error) {
		t.Helper()
		if err == nil {
			_, err = shapes.Add(tpl)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	solid := func(p *geometry.Polyhedron, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		add(p.Template(), nil)
	}
	solid(geometry.Box(40*scale, 30*scale, scale))
	solid(geometry.Box(1.5*scale, 2*scale, scale))
	add(geometry.FacetTemplate(vec.V(-2, -2, 0).Scale(scale), vec.V(3, -2, 0).Scale(scale), vec.V(0, 4, 0.1).Scale(scale)))
	solid(geometry.Tetra(scale))
	solid(geometry.Box(scale, 0.5*scale, 0.5*scale))
	solid(geometry.Octa(0.7 * scale))
	solid(geometry.Prism(3, 0.4*scale, scale))
	solid(geometry.Prism(6, 0.5*scale, 0.8*scale))
	return shapes
}

const resters = 3 // the first shape of rested that rests on others

// resting lays a face or an edge of b somewhere on a face of a, at the given depth, tilted by an
// angle about any axis in the plane. Of a facet it uses the upper side.
func resting(r *rand.Rand, a, b *soa.View, depth, tilt float64) (pa, pb vec.Pose) {
	f := soa.Face(r.IntN(a.NFaces))
	if a.Kind == soa.Facet {
		f = 0
	}
	n := a.Normal(f)
	k := soa.HalfEdge(r.IntN(len(b.Tail)))
	down := b.Normal(b.Face[k])
	if r.IntN(2) == 0 {
		down = down.Scale(0.2+r.Float64()).AddScaled(0.2+r.Float64(), b.Normal(b.Face[b.Twin[k]])).Unit()
	}
	turn := vec.Identity
	if axis := down.Cross(n.Neg()); axis.Norm() > 1e-9 {
		turn = vec.FromRotationVector(axis.Unit().Scale(math.Atan2(axis.Norm(), -down.Dot(n))))
	} else if down.Dot(n) > 0 {
		turn = vec.FromRotationVector(n.Perpendicular().Scale(math.Pi))
	}
	u := n.Perpendicular().Unit()
	v := n.Cross(u)
	azimuth := 2 * math.Pi * r.Float64()
	axis := u.Scale(math.Cos(azimuth)).AddScaled(math.Sin(azimuth), v)
	twist := vec.FromRotationVector(n.Scale(6 * r.Float64()))
	pb.Rot = vec.FromRotationVector(axis.Scale(tilt)).Mul(twist).Mul(turn).Normalized()
	low := math.Inf(1)
	for i := range b.NVerts {
		low = min(low, n.Dot(pb.Rot.Rotate(b.Vert(soa.Vertex(i)))))
	}
	// A weighted mean of the face's corners.
	at, sum := vec.Vec3{}, 0.0
	first := a.LoopFirst[f]
	for i := range a.LoopLen[f] {
		w := r.Float64()
		at, sum = at.AddScaled(w, a.Vert(a.Tail[first+i])), sum+w
	}
	at = at.Scale(1 / sum)
	pb.Pos = at.AddScaled(a.D[f]-n.Dot(at)-depth-low, n)
	pa.Rot = vec.Identity
	return pa, pb
}
