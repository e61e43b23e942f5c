package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// blocks returns an arena of shapes of different sizes and numbers of vertices, not all at its
// start.
func blocks(t *testing.T) *soa.Shapes {
	t.Helper()
	shapes := &soa.Shapes{}
	add := func(p *geometry.Polyhedron, err error) {
		t.Helper()
		if err == nil {
			_, err = shapes.Add(p.Template())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(geometry.Tetra(1.6))
	add(geometry.Box(1, 1, 1))
	add(geometry.Box(1, 0.5, 0.25))
	add(geometry.Prism(12, 0.5, 1))
	for _, n := range []int{8, 20, 40} {
		add(geometry.Rock(uint64(n), n, 1))
	}
	return shapes
}

// TestKernelsAnswerAsFeature lets pairs touch at random, proves their features, and answers them by
// the batches of package kernels. Gap, normal and arms must be those of Feature, to the bit, on
// every backend.
func TestKernelsAnswerAsFeature(t *testing.T) {
	shapes := blocks(t)
	r := rand.New(rand.NewPCG(8, 8))
	unit := func() vec.Vec3 {
		return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
	}
	type touch struct {
		p, q soa.Shape
		a, b soa.PoseRow
		want narrow.Answer
	}
	bodies := &soa.Bodies{}
	place := func(pose vec.Pose) soa.PoseRow {
		i := bodies.Len()
		bodies.Resize(i + 1)
		bodies.Pos.Set(i, pose.Pos)
		bodies.Rot.Set(i, pose.Rot)
		return soa.PoseRow(i)
	}
	found := map[soa.FacetKind][]touch{}
	s := narrow.NewSearch()
	pairs := 6000
	if require.Quick() {
		pairs = 1500
	}
	for range pairs {
		p, q := soa.Shape(r.IntN(shapes.Len())), soa.Shape(r.IntN(shapes.Len()))
		va, vb := shapes.View(p), shapes.View(q)
		pa := vec.Pose{Pos: unit().Scale(math.Pow(10, 4*r.Float64()-2)), Rot: vec.FromRotationVector(unit().Scale(3 * r.Float64()))}
		pb := vec.Pose{Pos: pa.Pos.Add(unit().Scale(3)), Rot: vec.FromRotationVector(unit().Scale(3 * r.Float64()))}
		var ans, want narrow.Answer
		if s.Resolve(va, pa, vb, pb, 10, &ans); ans.Status != narrow.Separated {
			t.Fatalf("blocks 3 m apart are %v", ans.Status)
		}
		pb.Pos = pb.Pos.AddScaled(-ans.Gap-math.Pow(10, -5*r.Float64()-1.5), ans.Normal)
		s.Resolve(va, pa, vb, pb, 0, &ans)
		if ans.Status != narrow.Penetrating || !s.Feature(va, pa, vb, pb, 0, ans.Facet, &want) {
			continue
		}
		found[want.Facet.Kind] = append(found[want.Facet.Kind], touch{p, q, place(pa), place(pb), want})
	}
	for kind := soa.FaceVertex; kind <= soa.EdgeEdge; kind++ {
		touches := found[kind]
		if len(touches) < pairs/20 {
			t.Errorf("%d pairs touch at features of kind %d, too few to prove anything", len(touches), kind)
		}
		for backend := range backends.Each(t) {
			f := kernels.FacetBatch{Kind: kind}
			f.Resize(len(touches))
			for i, c := range touches {
				sign := 1.0
				if kind == soa.EdgeEdge {
					e := edgeOf(shapes.View(c.p), bodies.Rot.At(int(c.a)), c.want.Facet.A)
					g := edgeOf(shapes.View(c.q), bodies.Rot.At(int(c.b)), c.want.Facet.B)
					sign = math.Copysign(1, e.Cross(g).Dot(c.want.Normal))
				}
				f.Set(i, shapes, c.a, c.b, c.p, c.q, c.want.Facet, sign)
			}
			f.Solve(shapes, &bodies.PoseColumns, 0, f.Len())
			for i, c := range touches {
				got := [4]vec.Vec3{{X: f.Gap[i]}, f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i)}
				want := [4]vec.Vec3{{X: c.want.Gap}, c.want.Normal, c.want.ArmA, c.want.ArmB}
				for j := range got {
					if bitsOf(got[j]) != bitsOf(want[j]) {
						t.Fatalf("%s, kind %d, pair %d of shapes %d and %d: gap, normal, arms\n%v, want\n%v",
							backend, kind, i, c.p, c.q, got, want)
					}
				}
			}
		}
	}
}

// edgeOf returns the vector of an edge, from tail to head of its lower half-edge, rotated by rot.
func edgeOf(v *soa.View, rot vec.Quat, e uint16) vec.Vec3 {
	h := v.Edge[e]
	return rot.Rotate(v.Vert(v.Head(h)).Sub(v.Vert(v.Tail[h])))
}

func bitsOf(v vec.Vec3) [3]uint64 {
	return [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
}
