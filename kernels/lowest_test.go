package kernels

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestLowest has a cube of side 2 on another, tilted so that each corner of its bottom in turn is the lowest, and so that an
// edge is level, which nobody knows; and one under another.
func TestLowest(t *testing.T) {
	const depth = 0.1
	var shapes soa.Shapes
	add(t, &shapes, prism(5)) // so that rows differ
	h := add(t, &shapes, cube())[0]
	// Face 5 of the cube is its top, 4 its bottom.
	v := shapes.View(h)
	bottom, top := face(v, 4), face(v, 5)
	backends.Run(t, func(t *testing.T) {
		for _, kind := range []soa.FacetKind{soa.FaceVertex, soa.VertexFace} {
			var bodies soa.Bodies
			f := Lowest{Facets: Facets{Kind: kind}}
			id, corners := soa.FacetID{Kind: kind, A: 5}, bottom
			if kind == soa.VertexFace {
				id, corners = soa.FacetID{Kind: kind, B: 4}, top
			}
			const n = 20
			f.Resize(soa.Pad(n))
			var want [n]soa.Vertex
			for i := range n {
				axis := vec.V(math.Cos(float64(i)+0.5), math.Sin(float64(i)+0.5), 0)
				if i%5 == 4 {
					axis = vec.V(1, 0, 0)
				}
				tilt := vec.FromRotationVector(axis.Scale(0.01))
				low := math.Inf(1)
				for _, k := range corners {
					up := tilt.Rotate(v.Vert(k)).Z
					if kind == soa.VertexFace {
						up = -up
					}
					if up < low {
						low, want[i] = up, k
					}
				}
				if kind == soa.FaceVertex {
					a, b := onTop(&bodies, tilt, 1-low-depth)
					f.Set(i, &shapes, a, b, h, h, id, corners)
				} else {
					a, b := onTop(&bodies, vec.Identity, 1-low-depth)
					frame := bodies.Rot.At(int(a))
					bodies.Rot.Set(int(a), frame.Mul(tilt))
					f.Set(i, &shapes, a, b, h, h, id, corners)
				}
			}
			f.Solve(&shapes, &bodies, 0, f.Fill(n))
			for i := range n {
				if known := i%5 != 4; f.Known(i) != known {
					t.Fatalf("kind %d, pair %d: known is %v", kind, i, !known)
				} else if !known {
					continue
				}
				got := f.Facet(i, id, corners)
				expected := id
				if expected.B = uint16(want[i]); kind == soa.VertexFace {
					expected.A, expected.B = uint16(want[i]), id.B
				}
				if d := math.Abs(f.Gap[i] + depth); got != expected || d > 1e-14 {
					t.Errorf("pair %d: facet %v at %g, want %v at %g", i, got, f.Gap[i], expected, -depth)
				}
			}
		}
	})
}

// face returns the corners of a face.
func face(v *soa.View, f soa.Face) (c soa.Corners) {
	copy(c[:], v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]])
	return c
}

func TestLowestAllocatesNothing(t *testing.T) {
	shapes, bodies, f := resting(64)
	if n := testing.AllocsPerRun(100, func() { f.Solve(shapes, bodies, 0, 64) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestLowestOfNoKindPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f := &Lowest{Facets: Facets{Kind: soa.EdgeEdge}}
	f.Resize(8)
	f.Solve(&soa.Shapes{}, &soa.Bodies{}, 0, 8)
}

// resting is touching for the lowest of the corners of a face of a cube over one of another.
func resting(n int) (*soa.Shapes, *soa.Bodies, *Lowest) {
	shapes, bodies, from := touching(soa.FaceVertex, n)
	f := &Lowest{Facets: Facets{Kind: soa.FaceVertex}}
	f.Resize(n)
	for i := range n {
		a, b := soa.Body(from.A[i]), soa.Body(from.B[i])
		p, q := soa.Shape(a%64), soa.Shape(b%64)
		v := shapes.View(q)
		f.Set(i, shapes, a, b, p, q, soa.FacetID{Kind: soa.FaceVertex}, face(v, soa.Face(i%v.NFaces)))
	}
	return shapes, bodies, f
}
