package kernels

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func ExamplePlaneDistance() {
	var shapes soa.Shapes
	h, err := shapes.Add(cube())
	if err != nil {
		fmt.Println(err)
		return
	}
	v := shapes.View(h)
	f, distance := PlaneDistance(v, vec.V(0, 3, 0))
	fmt.Println(f, v.Normal(f), distance)
	// Output: 3 {0 1 0} 2
}

// support computes a single query, as a row of Queries.
func support(v *soa.View, d vec.Vec3) (soa.Vertex, float64) {
	k, max := asm.Support(v.X, v.Y, v.Z, d.X, d.Y, d.Z)
	return soa.Vertex(k), max
}

func TestSupportOfCube(t *testing.T) {
	var shapes soa.Shapes
	v := shapes.View(add(t, &shapes, cube())[0])
	tests := []struct {
		name string
		d    vec.Vec3
		k    soa.Vertex
		max  float64
	}{
		{"a corner", vec.V(1, 1, 1), 7, 3},
		{"the opposite corner", vec.V(-1, -1, -1), 0, 3},
		{"an edge ties to the lowest", vec.V(1, 1, 0), 3, 2},
		{"a face ties to the lowest", vec.V(0, 0, 5), 4, 5},
		{"no direction ties all", vec.Vec3{}, 0, 0},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			k, max := support(v, test.d)
			if k != test.k || max != test.max {
				t.Errorf("%s: got %d, %v; want %d, %v", test.name, k, max, test.k, test.max)
			}
			_, hi, _, kHi := Interval(v, test.d)
			lo, _, kLo, _ := Interval(v, test.d.Neg())
			if hi != max || kHi != k || lo != -max || kLo != k {
				t.Errorf("%s: interval up to %v at %d, turned round down to %v at %d", test.name, hi, kHi, lo, kLo)
			}
		}
	})
}

// Padding repeats the last vertex, which must not win a tie. Padding of planes never wins.
func TestPadsNeverWin(t *testing.T) {
	shapes := mixed(t)
	r := newRandom(1)
	backends.Run(t, func(t *testing.T) {
		for h := range shapes.Len() {
			v := shapes.View(soa.Shape(h))
			if v.Kind == soa.Ball {
				continue
			}
			for range 50 {
				d := r.vec()
				want, wantMax := bestVert(v, d)
				if k, max := support(v, d); k != want || !sameBits(max, wantMax) {
					t.Errorf("shape %d: got %d, %v; want %d, %v", h, k, max, want, wantMax)
				}
				least, wantMin := bestVert(v, d.Neg())
				lo, hi, kLo, kHi := Interval(v, d)
				if kLo != least || kHi != want || lo != -wantMin || hi != wantMax {
					t.Errorf("shape %d: interval %v at %d to %v at %d; want %v at %d to %v at %d",
						h, lo, kLo, hi, kHi, -wantMin, least, wantMax, want)
				}
				p := r.vec().Scale(3)
				face, far := soa.Face(0), math.Inf(-1)
				for f := range v.NFaces {
					if g := v.Normal(soa.Face(f)).Dot(p) - v.D[f]; g > far {
						face, far = soa.Face(f), g
					}
				}
				if f, g := PlaneDistance(v, p); f != face || !sameBits(g, far) {
					t.Errorf("shape %d: plane %d at %v; want %d at %v", h, f, g, face, far)
				}
			}
		}
	})
}

// Rule of the layout: padding is inert by its values alone, so wrong padding must change a result.
func TestBrokenPadsShow(t *testing.T) {
	var shapes soa.Shapes
	v := shapes.View(add(t, &shapes, prism(3))[0])
	v.X[v.NVerts] = 9
	v.D[len(v.D)-1] = -9
	backends.Run(t, func(t *testing.T) {
		if k, max := support(v, vec.V(1, 0, 0)); int(k) != v.NVerts || max != 9 {
			t.Errorf("support %d, %v; want the broken pad", k, max)
		}
		if f, max := PlaneDistance(v, vec.Vec3{}); int(f) != len(v.D)-1 || max != 9 {
			t.Errorf("plane %d, %v; want the broken pad", f, max)
		}
	})
}

func TestSupportPairsEqualsSingleQuestions(t *testing.T) {
	shapes := mixed(t)
	r := newRandom(2)
	const n = 37
	var dirs soa.Vec3s
	dirs.Resize(n)
	for i := range n {
		dirs.Set(i, r.vec())
	}
	var q Queries
	q.Resize(n)
	for i := range n {
		q.Set(i, shapes, soa.Shape(i%shapes.Len()), dirs.At(i))
	}
	backends.Run(t, func(t *testing.T) {
		SupportPairs(shapes, &q, 0, n)
		for i := range n {
			v := shapes.View(soa.Shape(i % shapes.Len()))
			k, max := soa.Vertex(0), 0.0
			if v.Kind != soa.Ball {
				k, max = support(v, dirs.At(i))
			}
			if uint32(k) != q.Index[i] || !sameBits(max, q.Value[i]) {
				t.Errorf("question %d: batch %d, %v; single %d, %v", i, q.Index[i], q.Value[i], k, max)
			}
		}
	})
}

// The rows that Set computes from the addresses of a view are the shape's rows.
func TestQueriesFindTheArena(t *testing.T) {
	shapes := mixed(t)
	var q Queries
	q.Resize(1)
	next := uint32(0)
	for h := range shapes.Len() {
		v := shapes.View(soa.Shape(h))
		q.Set(0, shapes, soa.Shape(h), vec.Vec3{})
		if int(q.Count[0]) != soa.Pad(v.NVerts) {
			t.Errorf("shape %d: %d rows, want %d", h, q.Count[0], soa.Pad(v.NVerts))
		}
		if v.Kind == soa.Ball {
			continue
		}
		if q.First[0] != next {
			t.Errorf("shape %d: starts at %d, want %d", h, q.First[0], next)
		}
		next += q.Count[0]
	}
	if int(next) != len(shapes.Verts.X) {
		t.Errorf("the shapes take %d rows, the arena has %d", next, len(shapes.Verts.X))
	}
}

func TestQueriesResizeKeepsRows(t *testing.T) {
	shapes := mixed(t)
	var q Queries
	q.Resize(3)
	q.Set(2, shapes, 1, vec.V(1, 2, 3))
	q.Resize(100)
	if q.Len() != 100 || q.Dir.At(2) != vec.V(1, 2, 3) || q.Count[2] != 8 || q.Count[99] != 0 {
		t.Errorf("after growing: %d rows, row 2 is %v, %d", q.Len(), q.Dir.At(2), q.Count[2])
	}
	q.Resize(2)
	q.Resize(3)
	if q.Count[2] != 0 || q.Dir.At(2) != (vec.Vec3{}) {
		t.Error("a row that was dropped came back")
	}
}
