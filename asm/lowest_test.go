package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/vec"
)

// lowestColumns lists the columns of numbers, of which the first 14 are tables, and of words. The input is named apart.
func (f *Lowest) lowestColumns() (numbers []*[]float64, words []*[]uint32) {
	return append(f.numberColumns(), &f.Vertex, &f.Known), append(f.wordColumns(), &f.Others[0], &f.Others[1], &f.Others[2])
}

// newLowest is n pairs over tables of a number of poses, planes and points.
func newLowest(poses, planes, points, n int) *Lowest {
	f := &Lowest{Facets: *newFacets(poses, planes, points, n)}
	for j := range f.Others {
		f.Others[j] = make([]uint32, n)
	}
	f.Radius, f.Vertex, f.Known = make([]float64, n), make([]float64, n), make([]float64, n)
	return f
}

// TestLowest has a square of side 2 and an edge of it, tilted a little, over a plane and under one.
func TestLowest(t *testing.T) {
	const tilt, depth = 0.01, 0.1
	s, c := math.Sin(tilt), math.Cos(tilt)
	square := []vec.Vec3{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}
	about := func(x, y float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, 0)) }
	tests := []struct {
		name    string
		rot     vec.Quat
		corners [4]uint32
		vertex  float64
		at      vec.Vec3 // the lowest corner, turned
		known   bool
	}{
		{"an edge, head lower", about(0, tilt), [4]uint32{0, 1, 1, 1}, 1, vec.V(c, -1, -s), true},
		{"an edge, tail lower", about(0, -tilt), [4]uint32{0, 1, 1, 1}, 0, vec.V(-c, -1, -s), true},
		{"a level edge", about(tilt, 0), [4]uint32{0, 1, 1, 1}, 0, vec.Vec3{}, false},
		{"two corners alike", about(tilt, 0), [4]uint32{0, 1, 2, 3}, 0, vec.Vec3{}, false},
		{"a face", about(0, tilt).Mul(about(tilt, 0)), [4]uint32{0, 1, 2, 3}, 1, about(0, tilt).Mul(about(tilt, 0)).Rotate(square[1]), true},
		{"a triangle", about(0, -tilt).Mul(about(-tilt, 0)), [4]uint32{0, 2, 3, 3}, 2, about(0, -tilt).Mul(about(-tilt, 0)).Rotate(square[3]), true},
		{"too close to call", about(0, 0x1p-37), [4]uint32{0, 1, 1, 1}, 1, vec.Vec3{}, false},
		{"just clear", about(0, 0x1p-35), [4]uint32{0, 1, 1, 1}, 1, vec.V(1, -1, -0x1p-35), true},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			for ofA, kind := range map[bool]func(f *Lowest, lo, hi int){true: FaceLowest, false: LowestFace} {
				const n = 19
				f := newLowest(2, 2, 5, n)
				plane, body, first := 0, 1, f.Q // the plane is of A, and the square lies on it
				if !ofA {
					plane, body, first = 1, 0, f.P
				}
				f.NZ[0], f.NZ[1] = 1, 1
				f.RotW[1-body] = 1
				f.RotW[body], f.RotX[body], f.RotY[body], f.RotZ[body] = test.rot.W, test.rot.X, test.rot.Y, test.rot.Z
				f.PosZ[body] = -depth - test.at.Z
				for k, p := range square {
					f.X[k], f.Y[k], f.Z[k] = p.X, p.Y, p.Z
				}
				for i := range n {
					f.A[i], f.B[i], f.Radius[i] = 0, 1, 1.5
					f.P[i], f.Q[i] = uint32(plane), uint32(plane)
					first[i] = test.corners[0]
					for j := range f.Others {
						f.Others[j][i] = test.corners[j+1]
					}
				}
				kind(f, 1, n-1)
				for i := 1; i < n-1; i++ {
					if known := f.Known[i] == 1; known != test.known {
						t.Fatalf("%s, face of A %v: pair %d: known is %v", test.name, ofA, i, known)
					}
					if !test.known {
						continue
					}
					up, on, under := vec.V(f.NormalX[i], f.NormalY[i], f.NormalZ[i]), vec.V(f.ArmAX[i], f.ArmAY[i], f.ArmAZ[i]), vec.V(f.ArmBX[i], f.ArmBY[i], f.ArmBZ[i])
					foot, side := vec.V(test.at.X, test.at.Y, 0), 1.0
					if !ofA {
						on, under, side = under, on, -1
					}
					near := func(what string, got, want vec.Vec3) {
						t.Helper()
						if got.Sub(want).Norm() > 1e-13 {
							t.Errorf("%s, face of A %v: %s of pair %d is %v, want %v", test.name, ofA, what, i, got, want)
						}
					}
					near("gap and vertex", vec.V(f.Gap[i], f.Vertex[i], 0), vec.V(-depth, test.vertex, 0))
					near("normal", up, vec.V(0, 0, side))
					near("arm of the face", on, foot)
					near("arm of the vertex", under, test.at)
				}
				if f.Known[0] != 0 || f.Gap[n-1] != 0 {
					t.Error("a pair outside the range was written")
				}
			}
		}
	})
}

func checkLowest(t *testing.T, s *source, n int) {
	t.Helper()
	rows := 1 + int(s.byte())%20
	from := newLowest(rows, rows, rows, n)
	tame := s.byte()%4 > 0
	inputs := func(f *Lowest) []*[]float64 { return append(f.numberColumns()[:15:15], &f.Radius) }
	for _, c := range inputs(from) {
		*c = s.floats(len(*c))
		for i, v := range *c {
			if tame {
				(*c)[i] = math.Mod(v, 3) + float64(s.byte())/512
			}
		}
	}
	_, words := from.lowestColumns()
	for _, c := range words {
		for i := range *c {
			(*c)[i] = uint32(int(s.byte()) % rows)
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	for name, kind := range map[string]struct{ generic, call func(f *Lowest, lo, hi int) }{
		"face": {faceLowestGeneric, FaceLowest}, "vertex": {lowestFaceGeneric, LowestFace},
	} {
		want := *from
		wanted, _ := want.lowestColumns()
		for _, c := range wanted[15:] {
			*c = slices.Clone(*c)
		}
		kind.generic(&want, lo, hi)
		bothEnds(t, func(p *pen) {
			f := &Lowest{}
			source := inputs(from)
			for j, c := range inputs(f) {
				*c = place(p, *source[j])
			}
			got, gotWords := f.lowestColumns()
			for _, c := range got[15:] {
				*c = output[float64](p, n)
				clear(*c)
			}
			for j, c := range gotWords {
				*c = place(p, *words[j])
			}
			kind.call(f, lo, hi)
			for j, c := range got[15:] {
				for i, v := range *c {
					if !sameBits(v, (*wanted[15+j])[i]) {
						t.Errorf("%s, %d to %d: answer %d of row %d: got %v, want %v", name, lo, hi, j, i, v, (*wanted[15+j])[i])
					}
				}
			}
		})
	}
}

func TestLowestLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(4) {
				checkLowest(t, &source{data: noise(5*uint64(n)+seed, 4000)}, n)
			}
		}
	})
}

func FuzzLowest(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkLowest(t, s, int(s.byte()%40))
		})
	})
}

func TestLowestPanics(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(f *Lowest){
			"range":        func(f *Lowest) { FaceLowest(f, 0, 21) },
			"short answer": func(f *Lowest) { f.Known = f.Known[:4]; LowestFace(f, 0, 4) },
			"short others": func(f *Lowest) { f.Others[1] = f.Others[1][:4]; FaceLowest(f, 0, 4) },
			"no radius":    func(f *Lowest) { f.Radius = nil; FaceLowest(f, 0, 4) },
			"body B":       func(f *Lowest) { f.B[13] = 1 << 31; FaceLowest(f, 0, 20) },
			"plane":        func(f *Lowest) { f.P[7] = 3; FaceLowest(f, 0, 20) },
			"vertex":       func(f *Lowest) { f.P[16] = 4; LowestFace(f, 0, 20) },
			"other":        func(f *Lowest) { f.Others[2][3] = 4; LowestFace(f, 0, 20) },
			"other of B":   func(f *Lowest) { f.Others[0][19] = math.MaxUint32; FaceLowest(f, 0, 20) },
		} {
			if panics(func() { f(newLowest(2, 3, 4, 20)) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
