package kernels

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func ExampleWorldBox() {
	var shapes soa.Shapes
	h, err := shapes.Add(cube())
	if err != nil {
		fmt.Println(err)
		return
	}
	var box vec.Box
	WorldBox(shapes.View(h), vec.Pose{Pos: vec.V(10, 0, 0), Rot: vec.Identity}, &box)
	fmt.Println(box)
	// Output: {{9 -1 -1} {11 1 1}}
}

// body adds a body with the given pose and returns it.
func body(bodies *soa.Bodies, pose vec.Pose) soa.Body {
	i := bodies.Len()
	bodies.Resize(i + 1)
	bodies.Pos.Set(i, pose.Pos)
	bodies.Rot.Set(i, pose.Rot)
	return soa.Body(i)
}

// crowd adds pieces of every shape. Some bodies are clumps, whose pieces have offsets.
func crowd(shapes *soa.Shapes, n int, seed uint64) (*soa.Pieces, *soa.Bodies) {
	r := newRandom(seed)
	pieces, bodies := &soa.Pieces{}, &soa.Bodies{}
	for pieces.Len() < n {
		b := body(bodies, r.pose())
		local := vec.IdentityPose
		for range 1 + r.IntN(3)/2 {
			h := soa.Shape(r.IntN(shapes.Len()))
			pieces.Add(b, shapes.Kind[h], h, 0, local)
			local = r.pose()
		}
	}
	return pieces, bodies
}

func TestWorldBox(t *testing.T) {
	var shapes soa.Shapes
	h := add(t, &shapes, cube(), ball(0.5), facet())
	root2 := math.Sqrt2
	eighth := vec.FromRotationVector(vec.V(0, 0, math.Pi/4))
	tests := []struct {
		name  string
		shape soa.Shape
		pose  vec.Pose
		want  vec.Box
	}{
		{"cube", h[0], vec.IdentityPose, vec.Box{Min: vec.V(-1, -1, -1), Max: vec.V(1, 1, 1)}},
		{"cube turned by an eighth", h[0], vec.Pose{Pos: vec.V(1, 2, 3), Rot: eighth},
			vec.Box{Min: vec.V(1-root2, 2-root2, 2), Max: vec.V(1+root2, 2+root2, 4)}},
		{"ball does not turn", h[1], vec.Pose{Pos: vec.V(1, 2, 3), Rot: eighth},
			vec.Box{Min: vec.V(0.5, 1.5, 2.5), Max: vec.V(1.5, 2.5, 3.5)}},
		{"facet", h[2], vec.Pose{Pos: vec.V(0, 0, -1), Rot: vec.Identity},
			vec.Box{Min: vec.V(0, 0, -1), Max: vec.V(1, 1, 0)}},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			var got vec.Box
			WorldBox(shapes.View(test.shape), test.pose, &got)
			if got.Min.Sub(test.want.Min).MaxAbs() > 1e-15*8 || got.Max.Sub(test.want.Max).MaxAbs() > 1e-15*8 {
				t.Errorf("%s: got %v, want %v", test.name, got, test.want)
			}
		}
	})
}

func TestWorldBoxes(t *testing.T) {
	shapes := mixed(t)
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			pieces, bodies := crowd(shapes, n, uint64(n))
			n := pieces.Len()
			lo := min(n, 2)
			hi := max(lo, n-1)
			var out soa.Boxes
			out.Resize(n)
			untouched := vec.Box{Min: vec.V(7, 7, 7), Max: vec.V(8, 8, 8)}
			for p := range n {
				out.Set(p, untouched)
			}
			WorldBoxes(shapes, pieces, bodies, lo, hi, &out)
			for p := range n {
				v := shapes.View(pieces.Shape[p])
				pose := pieces.Pose(bodies, soa.Piece(p))
				want := untouched
				if lo <= p && p < hi {
					WorldBox(v, pose, &want)
					tight(t, v, pose, want)
				}
				if out.At(p) != want {
					t.Errorf("piece %d of %d: %v, want %v", p, n, out.At(p), want)
				}
			}
		}
	})
}

// A side at zero is +0, for any signs of its vertices and of the position. So WorldBox agrees with
// WorldBoxes, whose backends may keep either of two zeros.
func TestWorldBoxZeroIsPositive(t *testing.T) {
	z := math.Copysign(0, -1)
	corner := template(soa.Facet, []vec.Vec3{vec.V(-1, z, z), vec.V(z, -1, z), vec.V(z, z, -1)},
		[][]soa.Vertex{{0, 2, 1}, {1, 2, 0}})
	shapes, pieces, bodies := &soa.Shapes{}, &soa.Pieces{}, &soa.Bodies{}
	pose := vec.Pose{Pos: vec.V(z, z, z), Rot: vec.Identity}
	pieces.Add(body(bodies, pose), soa.Facet, add(t, shapes, corner)[0], 0, vec.IdentityPose)
	backends.Run(t, func(t *testing.T) {
		var box vec.Box
		WorldBox(shapes.View(0), pose, &box)
		var out soa.Boxes
		out.Resize(1)
		WorldBoxes(shapes, pieces, bodies, 0, 1, &out)
		for _, b := range []vec.Box{box, out.At(0)} {
			for _, side := range []float64{b.Max.X, b.Max.Y, b.Max.Z} {
				if !sameBits(side, 0) {
					t.Errorf("upper sides %v, want +0", b.Max)
				}
			}
		}
	})
}

// tight checks a box against every vertex, turned by the quaternion instead of the matrix.
func tight(t *testing.T, v *soa.View, pose vec.Pose, box vec.Box) {
	t.Helper()
	if v.Kind == soa.Ball {
		return
	}
	want := vec.EmptyBox()
	for k := range v.NVerts {
		want = want.With(pose.Point(v.Vert(soa.Vertex(k))))
	}
	want = want.Enlarged(v.Round)
	const tol = 1e-14 // lengths up to 12, with some ten roundings each
	if want.Min.Sub(box.Min).MaxAbs() > tol || want.Max.Sub(box.Max).MaxAbs() > tol {
		t.Errorf("box %v, over the vertices %v", box, want)
	}
}
