package asm

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// numberColumns lists the columns of numbers. The first 14 are tables.
func (f *FacetColumns) numberColumns() []*[]float64 {
	v := reflect.ValueOf(f).Elem()
	var c []*[]float64
	for i := range v.NumField() {
		if column, ok := v.Field(i).Addr().Interface().(*[]float64); ok {
			c = append(c, column)
		}
	}
	return c
}

func (f *FacetColumns) wordColumns() []*[]uint32 {
	return []*[]uint32{&f.A, &f.B, &f.P, &f.Q, &f.P1, &f.Q1}
}

// newFacets returns n pairs over tables of so many poses, planes and points.
func newFacets(poses, planes, points, n int) *FacetColumns {
	f := &FacetColumns{}
	for j, c := range f.numberColumns() {
		switch {
		case j < 7:
			*c = make([]float64, poses)
		case j < 11:
			*c = make([]float64, planes)
		case j < 14:
			*c = make([]float64, points)
		default:
			*c = make([]float64, n)
		}
	}
	for _, c := range f.wordColumns() {
		*c = make([]uint32, n)
	}
	for i := range f.Sign {
		f.Sign[i] = 1
	}
	return f
}

// TestFacets has two cubes of side 2, and one on an edge, with obvious results.
func TestFacets(t *testing.T) {
	half, third := math.Sqrt(0.5), math.Sqrt(1.0/3)
	s := math.Sin(math.Pi / 8)
	c := math.Cos(math.Pi / 8)
	// Poses: 0 is the first cube. 1 is a quarter turn about z, far away. The others lie on top of 0
	// or 1.
	poses := [][7]float64{
		{0, 0, 0, 1, 0, 0, 0},
		{100, 50, 25, half, 0, 0, half},
		{0.5, 0.25, 1.9, 1, 0, 0, 0},
		{100, 50, 26.9, 1, 0, 0, 0},              // on 1
		{0, 0, 1 + math.Sqrt2 - 0.1, c, s, 0, 0}, // on an edge along x
		{0, 0, 2*math.Sqrt2 - 0.1, c, 0, s, 0},   // on an edge along y, above one along x
		{0, 0, 0, c, s, 0, 0},
		{3, 3, 3, 1, 0, 0, 0},
		{3, 1, 3, 1, 0, 0, 0},
		{1.5, 3, 3, 1, 0, 0, 0},
	}
	planes := [][4]float64{{0, 0, 1, 1}, {0, 0, -1, 1}}
	points := [][3]float64{{1, 1, 1}, {-1, -1, -1}, {1, -1, -1}, {-1, 1, 1}, {1, 1, -1}, {-1, 1, -1}}
	type row struct {
		a, b, p, p1, q, q1 uint32
		sign               float64
	}
	tests := []struct {
		name   string
		kind   func(f *FacetColumns, lo, hi int)
		row    row
		gap    float64
		normal [3]float64
		armA   [3]float64
	}{
		{"vertex in the top", FaceVertex, row{a: 0, b: 2, p: 0, q: 1}, -0.1, [3]float64{0, 0, 1}, [3]float64{-0.5, -0.75, 1}},
		{"vertex in the top of a turned cube", FaceVertex, row{a: 1, b: 3, p: 0, q: 1}, -0.1, [3]float64{0, 0, 1}, [3]float64{-1, -1, 1}},
		{"vertex in the bottom", VertexFace, row{a: 0, b: 2, p: 0, q: 1}, -0.1, [3]float64{0, 0, 1}, [3]float64{1, 1, 1}},
		{"vertex in the bottom, seen from a turned cube", VertexFace, row{a: 1, b: 3, p: 0, q: 1}, -0.1, [3]float64{0, 0, 1}, [3]float64{-1, 1, 1}},
		{"vertex on an edge in the top", FaceVertex, row{a: 0, b: 4, p: 0, q: 1}, -0.1, [3]float64{0, 0, 1}, [3]float64{-1, 0, 1}},
		// 6 has an edge along x at the top, from point 3 to 0; 5 one along y at the bottom, from 2 to 4.
		{"edges cross", EdgeEdge, row{a: 6, b: 5, p: 3, p1: 0, q: 2, q1: 4, sign: 1}, -0.1, [3]float64{0, 0, 1}, [3]float64{0, 0, math.Sqrt2}},
		// A cube above the corner (1, 1, 1): its corner at (2, 2, 2), its edges at x = 2, z = 2,
		// and edges of cube 0 at y = 1, z = 1.
		{"vertex next to a vertex", VertexVertex, row{a: 0, b: 7, p: 0, q: 1}, math.Sqrt(3), [3]float64{third, third, third}, [3]float64{1, 1, 1}},
		{"vertex next to an edge", VertexEdge, row{a: 0, b: 8, p: 0, q: 1, q1: 5}, math.Sqrt2, [3]float64{half, 0, half}, [3]float64{1, 1, 1}},
		{"edge next to a vertex", EdgeVertex, row{a: 0, b: 9, p: 3, p1: 0, q: 1}, math.Sqrt2, [3]float64{0, half, half}, [3]float64{0.5, 1, 1}},
		{"edges cross, tail and head changed", EdgeEdge, row{a: 6, b: 5, p: 3, p1: 0, q: 4, q1: 2, sign: -1}, -0.1, [3]float64{0, 0, 1}, [3]float64{0, 0, math.Sqrt2}},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				f := newFacets(len(poses), len(planes), len(points), n)
				fill := func(first int, rows int, at func(i, j int) float64, width int) {
					for j := range width {
						for i := range rows {
							(*f.numberColumns()[first+j])[i] = at(i, j)
						}
					}
				}
				fill(0, len(poses), func(i, j int) float64 { return poses[i][j] }, 7)
				fill(7, len(planes), func(i, j int) float64 { return planes[i][j] }, 4)
				fill(11, len(points), func(i, j int) float64 { return points[i][j] }, 3)
				r := test.row
				for i := range n {
					f.A[i], f.B[i], f.P[i], f.P1[i], f.Q[i], f.Q1[i], f.Sign[i] = r.a, r.b, r.p, r.p1, r.q, r.q1, r.sign
				}
				test.kind(f, 1, n-1)
				near := func(what string, i int, got, want float64) {
					t.Helper()
					if math.Abs(got-want) > 1e-13 {
						t.Errorf("%s of pair %d is %v, want %v", what, i, got, want)
					}
				}
				for i := 1; i < n-1; i++ {
					near("gap", i, f.Gap[i], test.gap)
					for j, got := range []float64{f.NormalX[i], f.NormalY[i], f.NormalZ[i]} {
						near("normal", i, got, test.normal[j])
					}
					armA := []float64{f.ArmAX[i], f.ArmAY[i], f.ArmAZ[i]}
					armB := []float64{f.ArmBX[i], f.ArmBY[i], f.ArmBZ[i]}
					for j := range 3 {
						near("arm of A", i, armA[j], test.armA[j])
						// The witness point on B is the one on A, moved along the normal by the
						// gap.
						near("arm of B", i, poses[r.b][j]+armB[j], poses[r.a][j]+armA[j]+test.gap*test.normal[j])
					}
				}
				if f.Gap[0] != 0 || f.Gap[n-1] != 0 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}

// TestTouchingFacets requires the gap +0 for bodies that just touch.
func TestTouchingFacets(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		f := newFacets(1, 1, 1, 12)
		f.RotW[0], f.NZ[0], f.D[0] = 1, -1, 0
		for name, kind := range map[string]func(f *FacetColumns, lo, hi int){"face": FaceVertex, "vertex": VertexFace} {
			kind(f, 0, 12)
			for i, gap := range f.Gap {
				if math.Float64bits(gap) != 0 {
					t.Errorf("%s: gap of pair %d is %v, bits %x", name, i, gap, math.Float64bits(gap))
				}
			}
		}
	})
}

func checkFacets(t *testing.T, s *source, n int) {
	t.Helper()
	rows := 1 + int(s.byte())%20
	from := newFacets(rows, rows, rows, n)
	tame := s.byte()%4 > 0
	for j, c := range from.numberColumns() {
		if j > 14 {
			break // results follow
		}
		*c = s.floats(len(*c))
		for i, v := range *c {
			if j == 14 {
				(*c)[i] = math.Copysign(1, v)
			} else if tame {
				(*c)[i] = math.Mod(v, 3) + float64(s.byte())/512
			}
		}
	}
	for _, c := range from.wordColumns() {
		for i := range *c {
			(*c)[i] = uint32(int(s.byte()) % rows)
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	for name, kind := range map[string]struct {
		generic, call func(f *FacetColumns, lo, hi int)
	}{
		"face and vertex": {faceVertexGeneric, FaceVertex},
		"vertex and face": {vertexFaceGeneric, VertexFace},
		"edges":           {edgeEdgeGeneric, EdgeEdge},
		"vertices":        {vertexVertexGeneric, VertexVertex},
		"vertex and edge": {vertexEdgeGeneric, VertexEdge},
		"edge and vertex": {edgeVertexGeneric, EdgeVertex},
	} {
		want := *from
		for j, c := range want.numberColumns() {
			if j > 14 {
				*c = slices.Clone(*c)
			}
		}
		kind.generic(&want, lo, hi)
		bothEnds(t, func(p *pen) {
			f := &FacetColumns{}
			source := from.numberColumns()
			for j, c := range f.numberColumns() {
				if j > 14 {
					*c = output[float64](p, n)
					clear(*c)
				} else {
					*c = place(p, *source[j])
				}
			}
			words := from.wordColumns()
			for j, c := range f.wordColumns() {
				*c = place(p, *words[j])
			}
			kind.call(f, lo, hi)
			wanted := want.numberColumns()
			for j, c := range f.numberColumns() {
				for i, v := range *c {
					if !sameBits(v, (*wanted[j])[i]) {
						t.Errorf("%s, %d to %d: column %d of row %d: got %v, want %v", name, lo, hi, j, i, v, (*wanted[j])[i])
					}
				}
			}
		})
	}
}

func TestFacetsLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(4) {
				checkFacets(t, &source{data: noise(4*uint64(n)+seed, 4000)}, n)
			}
		}
	})
}

func FuzzFacets(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkFacets(t, s, int(s.byte()%40))
		})
	})
}

func TestFacetsPanic(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(f *FacetColumns){
			"range":        func(f *FacetColumns) { FaceVertex(f, 0, 21) },
			"turned":       func(f *FacetColumns) { VertexFace(f, 3, 2) },
			"short answer": func(f *FacetColumns) { f.ArmBZ = f.ArmBZ[:4]; EdgeEdge(f, 0, 4) },
			"short table":  func(f *FacetColumns) { f.RotY = f.RotY[:1]; EdgeEdge(f, 0, 4) },
			"no sign":      func(f *FacetColumns) { f.Sign = nil; EdgeEdge(f, 0, 4) },
			"body A":       func(f *FacetColumns) { f.A[3] = 2; FaceVertex(f, 0, 20) },
			"body B":       func(f *FacetColumns) { f.B[13] = 1 << 31; EdgeEdge(f, 0, 20) },
			"plane":        func(f *FacetColumns) { f.P[7] = 3; FaceVertex(f, 0, 20) },
			"vertex":       func(f *FacetColumns) { f.P[16] = 4; VertexFace(f, 0, 20) },
			"plane of B":   func(f *FacetColumns) { f.Q[0] = math.MaxUint32; VertexFace(f, 0, 20) },
			"head of A":    func(f *FacetColumns) { f.P1[19] = 4; EdgeEdge(f, 0, 20) },
			"head of B":    func(f *FacetColumns) { f.Q1[8] = 4; EdgeEdge(f, 0, 20) },
			"corner of B":  func(f *FacetColumns) { f.Q[8] = 4; VertexVertex(f, 0, 20) },
			"edge of B":    func(f *FacetColumns) { f.Q1[8] = 4; VertexEdge(f, 0, 20) },
			"edge of A":    func(f *FacetColumns) { f.P1[8] = 4; EdgeVertex(f, 0, 20) },
		} {
			if panics(func() { f(newFacets(2, 3, 4, 20)) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
		// Three planes and four points, so an index that is no plane may be a point. Kinds with a
		// face have no second point.
		f := newFacets(2, 3, 4, 20)
		f.Q[9], f.P1, f.Q1, f.Sign = 3, nil, nil, nil
		FaceVertex(f, 0, 20)
	})
}
