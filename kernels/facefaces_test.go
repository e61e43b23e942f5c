package kernels

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// cappedCube is a cube of side 2. The caps of its faces have an angle of 90°.
func cappedCube() *soa.Template {
	t := cube()
	t.Caps = make([]float64, len(t.Normals))
	for f := range t.Caps {
		t.Caps[f] = 1
	}
	return t
}

// walled returns n pairs of cubes that lie on each other. Half of them are parallel, half tilted a
// little about one axis.
func walled(n int) (*soa.Shapes, *soa.Bodies, *FaceFaces) {
	shapes, bodies := &soa.Shapes{}, &soa.Bodies{}
	for range 64 {
		if _, err := shapes.Add(cappedCube()); err != nil {
			panic(err)
		}
	}
	r := newRandom(12)
	of := max(n/3, 40) &^ 1
	for i := range of {
		at, rot := vec.V(0.25*r.Float64(), 0.25*r.Float64(), 1.99*float64(i%2)), vec.Identity
		if i%4 == 1 {
			at.X -= 0.75
			rot = vec.FromRotationVector(vec.V(0, 0.001, 0))
		}
		body(bodies, vec.Pose{Pos: at, Rot: rot})
	}
	f := &FaceFaces{}
	f.Resize(n)
	for i := range n {
		a := i * (of - 20) / n &^ 1
		b := a + 1 + 2*r.IntN(9)
		// Face 5 of a cube is its top, face 4 its bottom.
		va, vb := shapes.View(soa.Shape(a%64)), shapes.View(soa.Shape(b%64))
		f.Set(i, soa.PoseRow(a), soa.PoseRow(b), uint32(va.QuadOfFace[5]), uint32(vb.QuadOfFace[4]))
	}
	return shapes, bodies, f
}

// TestFaceFaces has cubes of side 2 on each other, in a frame that is moved and turned.
func TestFaceFaces(t *testing.T) {
	const n, depth = 20, 0.1
	var shapes soa.Shapes
	add(t, &shapes, prism(5)) // makes rows differ
	h := add(t, &shapes, cappedCube())[0]
	v := shapes.View(h)
	face := func(up float64) soa.Face {
		for f := range v.NFaces {
			if v.NZ[f] == up {
				return soa.Face(f)
			}
		}
		t.Fatal("no such face")
		return 0
	}
	lowest := func(f soa.Face) uint16 {
		least := soa.Vertex(math.MaxUint16)
		for _, k := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
			least = min(least, k)
		}
		return uint16(least)
	}
	top, bottom := face(1), face(-1)
	backends.Run(t, func(t *testing.T) {
		var bodies soa.Bodies
		var f FaceFaces
		f.Resize(n)
		for i := range n {
			body(&bodies, vec.IdentityPose)
			a, b := onTop(&bodies, vec.Identity, 2-depth)
			f.Set(i, a, b, uint32(v.QuadOfFace[top]), uint32(v.QuadOfFace[bottom]))
		}
		f.Solve(&shapes, &bodies.PoseColumns, 0, n)
		for i := range n {
			frame := bodies.Rot.At(int(f.A[i]))
			near := func(what string, got, want vec.Vec3) {
				t.Helper()
				if d := got.Sub(want).Norm(); !(d < 1e-14) {
					t.Errorf("pair %d: %s %v, want %v", i, what, got, want)
				}
			}
			if !f.Known(i) {
				t.Fatalf("pair %d is not known", i)
			}
			if id, want := f.Facet(i, &shapes), (soa.FacetID{Kind: soa.FaceVertex, A: uint16(top), B: lowest(bottom)}); id != want {
				t.Errorf("pair %d: facet %v, want %v", i, id, want)
			}
			near("normal", f.Normal.At(i), frame.Rotate(vec.V(0, 0, 1)))
			near("gap", vec.V(f.Gap[i], 0, 0), vec.V(-depth, 0, 0))
			near("arm of A", f.ArmA.At(i), frame.Rotate(vec.V(0.05, 0.1, 1)))
			near("arm of B", f.ArmB.At(i), frame.Rotate(vec.V(-0.05, -0.1, -1)))
		}
	})
}

func TestFaceFacesAllocateNothing(t *testing.T) {
	shapes, bodies, f := walled(64)
	if n := testing.AllocsPerRun(100, func() { f.Solve(shapes, &bodies.PoseColumns, 0, 64) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
