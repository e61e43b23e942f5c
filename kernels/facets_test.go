package kernels

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// onTop returns two bodies in a frame that is moved and turned: A at its origin, B tilted, at a
// height above A and a little aside.
func onTop(bodies *soa.Bodies, tilt vec.Quat, height float64) (a, b soa.PoseRow) {
	place := vec.Pose{Pos: vec.V(3, -4, 5), Rot: vec.FromRotationVector(vec.V(0.3, 0.5, -0.2))}
	a = soa.PoseRow(body(bodies, place))
	b = soa.PoseRow(body(bodies, vec.Pose{Pos: place.Point(vec.V(0.1, 0.2, height)), Rot: place.Rot.Mul(tilt)}))
	return a, b
}

func TestFacets(t *testing.T) {
	var shapes soa.Shapes
	add(t, &shapes, prism(5)) // makes rows and features differ
	h := add(t, &shapes, cube())[0]
	view := shapes.View(h)
	edge := func(from, to soa.Vertex) uint16 {
		for e, half := range view.Edge {
			if ends := [2]soa.Vertex{view.Tail[half], view.Head(half)}; ends == [2]soa.Vertex{from, to} || ends == [2]soa.Vertex{to, from} {
				return uint16(e)
			}
		}
		t.Fatalf("no edge from %d to %d", from, to)
		return 0
	}
	along := func(rot vec.Quat, e uint16) vec.Vec3 {
		half := view.Edge[e]
		return rot.Rotate(view.Vert(view.Head(half)).Sub(view.Vert(view.Tail[half])))
	}
	// A cube on its corner 0 reaches √3 down. A cube on the edge from 0 to 2, along y, reaches √2
	// down.
	corner := vec.FromRotationVector(vec.V(1, 1, 1).Unit().Cross(vec.V(0, 0, 1)).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
	onEdge := vec.FromRotationVector(vec.V(0, -math.Pi/4, 0))
	alongX := vec.FromRotationVector(vec.V(math.Pi/4, 0, 0))
	const depth = 0.1
	tests := []struct {
		name   string
		id     soa.FacetID
		tilt   vec.Quat // of B
		tiltA  vec.Quat
		height float64
		armA   vec.Vec3 // in the frame of the pair
	}{
		{"corner on top", soa.FacetID{Kind: soa.FaceVertex, A: 5, B: 0}, corner, vec.Identity, 1 + math.Sqrt(3) - depth, vec.V(0.1, 0.2, 1)},
		{"corner from below", soa.FacetID{Kind: soa.VertexFace, A: 7, B: 4}, vec.Identity, corner, 1 + math.Sqrt(3) - depth, vec.V(0, 0, math.Sqrt(3))},
		{"edges cross", soa.FacetID{Kind: soa.EdgeEdge, A: edge(6, 7), B: edge(0, 2)}, onEdge, alongX, 2*math.Sqrt2 - depth, vec.V(0.1, 0, math.Sqrt2)},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 20
				var bodies soa.Bodies
				f := FacetBatch{Kind: test.id.Kind}
				f.Resize(n)
				for i := range n {
					body(&bodies, vec.IdentityPose)
					a, b := onTop(&bodies, test.tilt, test.height)
					frame := bodies.Rot.At(int(a))
					bodies.Rot.Set(int(a), frame.Mul(test.tiltA))
					sign := 1.0
					if test.id.Kind == soa.EdgeEdge {
						cross := along(bodies.Rot.At(int(a)), test.id.A).Cross(along(bodies.Rot.At(int(b)), test.id.B))
						sign = math.Copysign(1, cross.Dot(frame.Rotate(vec.V(0, 0, 1))))
					}
					f.Set(i, &shapes, a, b, h, h, test.id, sign)
				}
				f.Solve(&shapes, &bodies.PoseColumns, 0, n)
				for i := range n {
					a, b := int(f.A[i]), int(f.B[i])
					frame := vec.FromRotationVector(vec.V(0.3, 0.5, -0.2))
					near := func(what string, got, want vec.Vec3) {
						t.Helper()
						if d := got.Sub(want).Norm(); !(d < 1e-14) {
							t.Errorf("pair %d: %s %v, want %v", i, what, got, want)
						}
					}
					up := frame.Rotate(vec.V(0, 0, 1))
					near("normal", f.Normal.At(i), up)
					near("arm of A", f.ArmA.At(i), frame.Rotate(test.armA))
					near("gap", vec.V(f.Gap[i], 0, 0), vec.V(-depth, 0, 0))
					onA, onB := bodies.Pos.At(a).Add(f.ArmA.At(i)), bodies.Pos.At(b).Add(f.ArmB.At(i))
					near("way from A to B", onB.Sub(onA), up.Scale(-depth))
				}
			})
		}
	})
}

func TestFacetsAllocateNothing(t *testing.T) {
	shapes, bodies, f := touching(soa.EdgeEdge, 64)
	if n := testing.AllocsPerRun(100, func() { f.Solve(shapes, &bodies.PoseColumns, 0, 64) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestFacetsOfNoKindPanic(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	(&FacetBatch{Kind: soa.NoFacet}).Solve(&soa.Shapes{}, &soa.PoseColumns{}, 0, 0)
}

// touching returns n pairs of bodies that are near each other in their order, with random features.
// The time of a pair does not depend on its features.
func touching(kind soa.FacetKind, n int) (*soa.Shapes, *soa.Bodies, *FacetBatch) {
	shapes, bodies := &soa.Shapes{}, &soa.Bodies{}
	for range 64 {
		if _, err := shapes.Add(prism(6)); err != nil {
			panic(err)
		}
	}
	r := newRandom(11)
	of := max(n/3, 40)
	for range of {
		body(bodies, r.pose())
	}
	f := &FacetBatch{Kind: kind}
	f.Resize(n)
	for i := range n {
		a := i * (of - 20) / n
		b := a + 1 + r.IntN(19)
		id := soa.FacetID{Kind: kind, A: uint16(r.IntN(8)), B: uint16(r.IntN(8))}
		f.Set(i, shapes, soa.PoseRow(a), soa.PoseRow(b), soa.Shape(a%64), soa.Shape(b%64), id, 1)
	}
	return shapes, bodies, f
}

// BenchmarkFacets computes as many pairs as fill a quarter of a megabyte, with their bodies.
func BenchmarkFacets(b *testing.B) {
	const n = 1500
	for at, name := range []string{"facevertex", "vertexface", "edgeedge"} {
		kind := soa.FaceVertex + soa.FacetKind(at)
		shapes, bodies, f := touching(kind, n)
		words := 4
		if kind == soa.EdgeEdge {
			words = 6 + 2
		}
		benchmarkPairs(b, name, n, 4*words+10*8+7*8/3, func() { f.Solve(shapes, &bodies.PoseColumns, 0, n) }, f.Gap, f.ArmB.Z)
	}
	shapes, bodies, f := walled(n)
	benchmarkPairs(b, "faceface", n, 4*4+13*8+7*8/3, func() { f.Solve(shapes, &bodies.PoseColumns, 0, n) }, f.Gap, f.ArmB.Z)
	for i := range n {
		if !f.Known(i) {
			b.Fatalf("pair %d is not known", i)
		}
	}
}

// benchmarkPairs computes n pairs on each backend. The sums of the results must be equal.
func benchmarkPairs(b *testing.B, name string, n, bytes int, solve func(), answers ...[]float64) {
	b.Helper()
	sum := func() float64 {
		s := 0.0
		for _, column := range answers {
			for _, x := range column {
				s += x
			}
		}
		return s
	}
	want := math.NaN()
	for backend := range backends.Each(b) {
		if solve(); math.IsNaN(want) {
			want = sum()
		}
		b.Run(fmt.Sprintf("kind=%s/backend=%s/data=L2", name, backend), func(b *testing.B) {
			for b.Loop() {
				solve()
			}
			report(b, n, "pair", bytes, sum(), want)
		})
	}
}
