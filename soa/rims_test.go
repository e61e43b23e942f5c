package soa

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// pyramid returns a pyramid with a square base of side 2 at z = 0 and its tip at height h. The
// normals are outward and unit; the base is face 0.
func pyramid(h float64) *Template {
	t := &Template{
		Kind: Block, Radius: math.Hypot(h, 2),
		Verts:     []vec.Vec3{vec.V(1, 1, 0), vec.V(-1, 1, 0), vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(0, 0, h)},
		LoopFirst: []HalfEdge{0, 4, 7, 10, 13, 16},
	}
	loops := [][]Vertex{{3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}
	half := map[[2]Vertex]HalfEdge{}
	for _, l := range loops {
		for i, k := range l {
			half[[2]Vertex{k, l[(i+1)%len(l)]}] = HalfEdge(len(t.Tail))
			t.Tail = append(t.Tail, k)
		}
		a, b, c := t.Verts[l[0]], t.Verts[l[1]], t.Verts[l[2]]
		n := b.Sub(a).Cross(c.Sub(b)).Unit()
		t.Normals = append(t.Normals, n)
		t.Offsets = append(t.Offsets, n.Dot(a))
	}
	t.Twin = make([]HalfEdge, len(t.Tail))
	for e, h := range half {
		t.Twin[h] = half[[2]Vertex{e[1], e[0]}]
	}
	return t
}

func closeTo(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-15*max(1, math.Abs(want))) {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

// TestRims checks the constants of a pyramid of height 2, which are computed by hand.
func TestRims(t *testing.T) {
	var s Shapes
	v := s.View(add(t, &s, pyramid(2)))
	base := v.Rims[0] // from (1,-1) to (-1,-1), seen from below
	if base.In.Sub(vec.V(0, 1, 0)).Norm() > 1e-15 {
		t.Errorf("into the base is %v", base.In)
	}
	closeTo(t, "offset", base.Offset, -1)
	closeTo(t, "length", base.Length, 2)
	closeTo(t, "rise", base.Rise, 2)
	closeTo(t, "from tail", base.FromTail, 0)
	closeTo(t, "from head", base.FromHead, 0)

	side := v.Rims[4] // from (1,1) to (-1,1): an isosceles triangle of height √5
	closeTo(t, "slope into the side", side.In.Z, 2/math.Sqrt(5))
	closeTo(t, "rise of the side", side.Rise, math.Sqrt(5))
	closeTo(t, "side from tail", side.FromTail, 1/math.Sqrt(5))
	closeTo(t, "side from head", side.FromHead, -1/math.Sqrt(5))

	// The sides are inclined inwards by 1 over 2. At height d above the base, they have moved
	// inwards by d/2.
	closeTo(t, "room of the base", v.Rooms[0].Cot, 0.5)
	closeTo(t, "depth of the base", v.Rooms[0].Depth, 1)
	// The side opposite a side makes twice the angle whose tangent is 1/2, and shares the tip. The
	// normal of the base also has a negative product with that of the side.
	if r := v.Rooms[1]; !(r.Cot >= 0.5 && r.Depth > 0) {
		t.Errorf("room of a side %+v", r)
	}
	for k := range v.NVerts {
		if !v.Pointed[k] {
			t.Errorf("vertex %d is not pointed", k)
		}
	}
}

// TestRimsHold checks random points. Points between the ends of a parallel to a half-edge must lie
// in the face, and points slightly beyond outside. Points that Room allows must lie in the body,
// and some slightly beyond outside.
func TestRimsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, h := range []float64{0.5, 1, 2, 5} {
		var s Shapes
		v := s.View(add(t, &s, pyramid(h)))
		outside := func(p vec.Vec3) float64 {
			most := math.Inf(-1)
			for f := range v.NFaces {
				most = max(most, v.Normal(Face(f)).Dot(p)-v.D[f])
			}
			return most
		}
		for e := range v.Tail {
			rim, f := v.Rims[e], v.Face[e]
			tail := v.Vert(v.Tail[e])
			along := v.Vert(v.Head(HalfEdge(e))).Sub(tail).Scale(1 / rim.Length)
			for range 20 {
				d := rim.Rise * r.Float64()
				lo, hi := d*rim.FromTail, rim.Length+d*rim.FromHead
				for _, at := range []struct{ s, want float64 }{{lo, 0}, {hi, 0}, {lo + (hi-lo)*r.Float64(), 0}, {lo - 0.01, 1}, {hi + 0.01, 1}} {
					p := tail.AddScaled(at.s, along).AddScaled(d, rim.In)
					if o := outside(p); at.want == 0 && o > 1e-14 || at.want == 1 && !(o > 1e-4) {
						t.Fatalf("height %g, half-edge %d of face %d, %g in and %g along: %g outside", h, e, f, d, at.s, o)
					}
				}
			}
		}
		for f := range v.NFaces {
			room := v.Rooms[f]
			rims := v.Rims[v.LoopFirst[f]:][:v.LoopLen[f]]
			tested := 0
			for range 2000 {
				p := v.Normal(Face(f)).Scale(v.D[f])
				q := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
				p = p.Add(q.AddScaled(-q.Dot(v.Normal(Face(f))), v.Normal(Face(f))))
				margin := math.Inf(1)
				for _, rim := range rims {
					margin = min(margin, rim.In.Dot(p)-rim.Offset)
				}
				d := min(room.Depth, margin/room.Cot)
				if !(margin > 0) {
					continue
				}
				tested++
				if o := outside(p.AddScaled(-d, v.Normal(Face(f)))); o > 1e-14 {
					t.Fatalf("height %g, face %d: a point %g from the sides and %g deep is %g outside", h, f, margin, d, o)
				}
			}
			if tested < 20 {
				t.Errorf("height %g: %d points over face %d", h, tested, f)
			}
		}
	}
}

// TestRimsOfBentFaces checks a base whose corners do not lie in one plane. Its Rise is 0, and no
// face of the body has a Room.
func TestRimsOfBentFaces(t *testing.T) {
	p := pyramid(2)
	p.Verts[0].Z += 1e-6
	var s Shapes
	v := s.View(add(t, &s, p))
	for h := range 4 {
		if v.Rims[h].Rise != 0 {
			t.Errorf("half-edge %d of a bent face rises %g", h, v.Rims[h].Rise)
		}
	}
	for f := range v.NFaces {
		if v.Rooms[f].Depth != 0 {
			t.Errorf("face %d of a bent body has room %g", f, v.Rooms[f].Depth)
		}
	}
}

// TestPointed checks that a vertex in the middle of an edge or a face is not pointed.
func TestPointed(t *testing.T) {
	for _, k := range []struct {
		tip  vec.Vec3
		want bool
	}{{vec.V(0, 0, 1), true}, {vec.V(0, 0, 1e-12), false}} {
		p := pyramid(1)
		p.Verts[4] = k.tip
		var s Shapes
		v := s.View(add(t, &s, p))
		if v.Pointed[4] != k.want {
			t.Errorf("tip at %v: pointed %v", k.tip, v.Pointed[4])
		}
	}
}
