package asm

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/vec"
)

// Places in a row of the table of quads.
const (
	quadNormal = 0
	quadOffset = 3
	quadU      = 4
	quadV      = 7
	quadCorner = 10
	quadFlat   = 22
	quadLength = 30
	quadVertex = 34
	quadRadius = 38
)

// boxQuad is the row of the top, or of the bottom, of a box with half sides hx, hy, hz.
func boxQuad(hx, hy, hz float64, top bool) (row [QuadNumbers]float64) {
	put := func(at int, v vec.Vec3) { row[at], row[at+1], row[at+2] = v.X, v.Y, v.Z }
	up, v := 1.0, 1.0
	signs := [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	index := [4]float64{0, 1, 3, 2}
	if !top {
		up, v = -1, -1
		signs = [4][2]float64{{-1, -1}, {-1, 1}, {1, 1}, {1, -1}}
		index = [4]float64{4, 6, 7, 5}
	}
	put(quadNormal, vec.V(0, 0, up))
	row[quadOffset] = hz
	put(quadU, vec.V(1, 0, 0))
	put(quadV, vec.V(0, v, 0))
	for k, s := range signs {
		put(quadCorner+3*k, vec.V(s[0]*hx, s[1]*hy, up*hz))
		row[quadFlat+2*k], row[quadFlat+2*k+1] = s[0]*hx, v*s[1]*hy
		row[quadVertex+k] = index[k]
		n := signs[(k+1)%4]
		row[quadLength+k] = math.Abs(n[0]-s[0])*hx + math.Abs(n[1]-s[1])*hy
	}
	row[quadRadius] = vec.V(hx, hy, hz).Norm()
	return row
}

// faceColumns lists the columns of numbers: 7 of poses, the table, the results.
func (f *FaceFaceColumns) faceColumns() []*[]float64 {
	v := reflect.ValueOf(f).Elem()
	var c []*[]float64
	for i := range v.NumField() {
		switch field := v.Field(i).Addr().Interface().(type) {
		case *[]float64:
			c = append(c, field)
		case *[QuadNumbers][]float64:
			for j := range field {
				c = append(c, &field[j])
			}
		}
	}
	return c
}

func (f *FaceFaceColumns) wordColumns() []*[]uint32 {
	return []*[]uint32{&f.A, &f.B, &f.QuadA, &f.QuadB}
}

// newFaceFaces returns n pairs over so many poses and a table of quads.
func newFaceFaces(poses int, table []float64, n int) *FaceFaceColumns {
	f := &FaceFaceColumns{}
	for j, c := range f.faceColumns() {
		switch {
		case j < 7:
			*c = make([]float64, poses)
		case j < 7+QuadNumbers:
			*c = table[j-7:]
		default:
			*c = make([]float64, n)
		}
	}
	for _, c := range f.wordColumns() {
		*c = make([]uint32, n)
	}
	return f
}

func (f *FaceFaceColumns) setPose(i int, pos vec.Vec3, rot vec.Quat) {
	f.PosX[i], f.PosY[i], f.PosZ[i] = pos.X, pos.Y, pos.Z
	f.RotW[i], f.RotX[i], f.RotY[i], f.RotZ[i] = rot.W, rot.X, rot.Y, rot.Z
}

// TestFaceFace has two cubes of side 2, one on the other, with obvious results.
func TestFaceFace(t *testing.T) {
	const tilt, depth = 0.01, 0.1
	const hair, faceTie = 1e-9, 0x1p-46
	const beside = 17.0 / 16 * (2 - depth) * faceTie / hair // A's face is that many ties deeper than B's there
	s, c := math.Sin(tilt), math.Cos(tilt)
	about := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	corner := about(0, tilt, 0).Mul(about(tilt, 0, 0))
	deep := corner.Rotate(vec.V(1, -1, -1)) // the lowest corner of B with this turn
	top := about(0, tilt, 0).Mul(about(tilt, 0, 0)).Rotate(vec.V(-1, 1, 1))
	tests := []struct {
		name       string
		rotA, rotB vec.Quat
		posB       vec.Vec3
		armA       vec.Vec3
		ofB        float64
		vertex     float64
		known      bool
	}{
		{"level", vec.Identity, vec.Identity, vec.V(0.5, 0.25, 2-depth), vec.V(0.25, 0.125, 1), 0, 4, true},
		{"level and turned", vec.Identity, about(0, 0, math.Pi/2), vec.V(0.5, 0.25, 2-depth), vec.V(0.25, 0.125, 1), 0, 4, true},
		{"an eighth turn", vec.Identity, about(0, 0, math.Pi/4), vec.V(0, 0, 2-depth), vec.V(0, 0, 1), 0, 4, true},
		{"edge in the top", vec.Identity, about(0, tilt, 0), vec.V(-0.5, 0.25, 1-depth+s+c), vec.V(c-s-0.5, 0.125, 1), 0, 5, true},
		{"edge in the bottom", about(0, tilt, 0), vec.Identity, vec.V(-0.5, 0.25, 1-depth+s+c), vec.V(s-c, 0.125, s+c), 1, 0, true},
		{"corner in the top", vec.Identity, corner, vec.V(-0.5, 0.5, 1-depth-deep.Z), vec.V(deep.X-0.5, deep.Y+0.5, 1), 0, 5, true},
		{"corner in the bottom", corner, vec.Identity, vec.V(-0.5, 0.5, 1-depth+top.Z), top, 1, 2, true},
		{"edges cross", about(tilt, 0, 0), about(0, tilt, 0), vec.V(-0.5, 0.5, 2*(s+c)-depth), vec.Vec3{}, 0, 5, false},
		{"level but for half a tie", vec.Identity, about(0, 0x1p-48, 0), vec.V(-0.5, 0.25, 2-depth), vec.V(-0.25, 0.125, 1), 0, 4, true},
		{"faces too close to call", vec.Identity, about(0, hair, 0), vec.V(beside, 0, 2-depth-hair), vec.Vec3{}, 0, 5, false},
		{"corner beyond a corner", vec.Identity, about(0, hair, 0).Mul(about(hair, 0, 0)), vec.V(hair, -hair, 2-depth+2*hair), vec.V(1, -1, 1), 0, 5, true},
		{"nothing in common", vec.Identity, vec.Identity, vec.V(2.5, 0, 2-depth), vec.Vec3{}, 0, 4, false},
	}
	var table []float64
	for _, up := range []bool{true, true, false} { // the first row is not computed
		row := boxQuad(1, 1, 1, up)
		table = append(table, row[:]...)
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				f := newFaceFaces(3, table, n)
				frame, at := about(0.3, 0.5, -0.2), vec.V(3, -4, 5)
				if test.name == "level but for half a tie" || test.name == "faces too close to call" {
					frame = vec.Identity // another frame would round the tilt away
				}
				f.setPose(1, at, frame.Mul(test.rotA))
				f.setPose(2, at.Add(frame.Rotate(test.posB)), frame.Mul(test.rotB))
				for i := range n {
					f.A[i], f.B[i], f.QuadA[i], f.QuadB[i] = 1, 2, QuadNumbers, 2*QuadNumbers
				}
				FaceFace(f, 1, n-1)
				near := func(what string, i int, got, want vec.Vec3) {
					t.Helper()
					if got.Sub(want).Norm() > 1e-13 {
						t.Errorf("%s of pair %d is %v, want %v", what, i, got, want)
					}
				}
				for i := 1; i < n-1; i++ {
					if known := f.Known[i] == 1; known != test.known {
						t.Fatalf("pair %d: known is %v", i, known)
					}
					if !test.known {
						continue
					}
					normal := vec.V(f.NormalX[i], f.NormalY[i], f.NormalZ[i])
					armA, armB := vec.V(f.ArmAX[i], f.ArmAY[i], f.ArmAZ[i]), vec.V(f.ArmBX[i], f.ArmBY[i], f.ArmBZ[i])
					near("gap", i, vec.V(f.Gap[i], 0, 0), vec.V(-depth, 0, 0))
					near("normal", i, normal, frame.Rotate(vec.V(0, 0, 1)))
					near("arm of A", i, armA, frame.Rotate(test.armA))
					near("arm of B", i, frame.Rotate(test.posB).Add(armB), armA.AddScaled(-depth, normal))
					if f.OfB[i] != test.ofB || f.Vertex[i] != test.vertex {
						t.Errorf("pair %d: face of B %v, vertex %v, want %v, %v", i, f.OfB[i], f.Vertex[i], test.ofB, test.vertex)
					}
				}
				if f.Gap[0] != 0 || f.Gap[n-1] != 0 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}

// checkFaceFaces compares every backend with the Go loop, on boxes that nearly lie on each other
// and on noise.
func checkFaceFaces(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	poses, rows := 2+int(s.byte())%8, 2+int(s.byte())%4
	var table []float64
	for i := range rows {
		side := func() float64 { return 0.25 + float64(s.byte())/128 }
		row := boxQuad(side(), side(), 1, i%2 == 0)
		table = append(table, row[:]...)
	}
	from := newFaceFaces(poses, table, n)
	noisy := s.byte()%4 == 0
	for i := range poses {
		aside := func() float64 { return float64(int(s.byte())%16-8) / 32 }
		tilt := vec.V(aside(), aside(), 0).Scale(math.Pow(10, -float64(s.byte()%17)))
		if s.byte()%2 == 0 {
			tilt.X = 0
		}
		from.setPose(i, vec.V(aside(), aside(), float64(i%2)*(2-0x1p-7)), vec.FromRotationVector(tilt))
		if s.byte()%4 == 0 {
			from.setPose(i, vec.V(0, aside(), float64(i%2)*(2-0x1p-7)), vec.Identity)
		}
	}
	if noisy {
		for _, c := range from.faceColumns()[:7] {
			*c = s.floats(poses)
		}
		copy(table, s.floats(len(table)))
	}
	for i := range n {
		a, b := int(s.byte())%(poses/2)*2, int(s.byte())%(poses/2)*2+1
		from.A[i], from.B[i] = uint32(a), uint32(b)
		from.QuadA[i], from.QuadB[i] = uint32(int(s.byte())%((rows+1)/2)*2*QuadNumbers), uint32((int(s.byte())%(rows/2)*2+1)*QuadNumbers)
		if noisy {
			from.QuadA[i] = uint32(int(s.byte()) % (len(table) - QuadNumbers + 1))
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	for j, c := range want.faceColumns() {
		if j >= 7+QuadNumbers {
			*c = slices.Clone(*c)
		}
	}
	faceFaceGeneric(&want, lo, hi)
	bothEnds(t, func(p *pen) {
		f := &FaceFaceColumns{}
		source := from.faceColumns()
		quads := place(p, table)
		for j, c := range f.faceColumns() {
			switch {
			case j < 7:
				*c = place(p, *source[j])
			case j < 7+QuadNumbers:
				*c = quads[j-7:]
			default:
				*c = output[float64](p, n)
				clear(*c)
			}
		}
		words := from.wordColumns()
		for j, c := range f.wordColumns() {
			*c = place(p, *words[j])
		}
		FaceFace(f, lo, hi)
		wanted := want.faceColumns()
		for j, c := range f.faceColumns()[7+QuadNumbers:] {
			for i, v := range *c {
				if w := (*wanted[7+QuadNumbers+j])[i]; !sameBits(v, w) {
					t.Errorf("%d to %d: answer %d of row %d: got %v, want %v", lo, hi, j, i, v, w)
				}
			}
		}
	})
	for i := lo; i < hi; i++ {
		known += int(want.Known[i])
	}
	return known
}

func TestFaceFacesLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 40 {
			for seed := range uint64(4) {
				known += checkFaceFaces(t, &source{data: noise(4*uint64(n)+seed+1000, 4000)}, n)
			}
		}
		if known < 100 {
			t.Errorf("%d answers, too few to prove anything", known)
		}
	})
}

func FuzzFaceFaces(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkFaceFaces(t, s, int(s.byte()%40))
		})
	})
}

func TestFaceFacesPanic(t *testing.T) {
	row := boxQuad(1, 1, 1, true)
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(f *FaceFaceColumns){
			"range":        func(f *FaceFaceColumns) { FaceFace(f, 0, 21) },
			"turned":       func(f *FaceFaceColumns) { FaceFace(f, 3, 2) },
			"short answer": func(f *FaceFaceColumns) { f.Known = f.Known[:4]; FaceFace(f, 0, 4) },
			"short table":  func(f *FaceFaceColumns) { f.Quads[7] = f.Quads[7][:1]; FaceFace(f, 0, 4) },
			"body A":       func(f *FaceFaceColumns) { f.A[3] = 2; FaceFace(f, 0, 20) },
			"body B":       func(f *FaceFaceColumns) { f.B[13] = 1 << 31; FaceFace(f, 0, 20) },
			"quad of A":    func(f *FaceFaceColumns) { f.QuadA[7] = 2; FaceFace(f, 0, 20) },
			"quad of B":    func(f *FaceFaceColumns) { f.QuadB[19] = math.MaxUint32; FaceFace(f, 0, 20) },
		} {
			if panics(func() { f(newFaceFaces(2, row[:], 20)) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
