package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

func newPoses(n int) *BoxPoses {
	c := make([]float64, 12*n)
	col := func(i int) []float64 { return c[i*n : (i+1)*n] }
	return &BoxPoses{
		XX: col(0), XY: col(1), XZ: col(2), YX: col(3), YY: col(4), YZ: col(5),
		ZX: col(6), ZY: col(7), ZZ: col(8), PX: col(9), PY: col(10), PZ: col(11),
	}
}

// columns lists the columns of p, so that a test can go through them.
func (p *BoxPoses) columns() []*[]float64 {
	return []*[]float64{&p.XX, &p.XY, &p.XZ, &p.YX, &p.YY, &p.YZ, &p.ZX, &p.ZY, &p.ZZ, &p.PX, &p.PY, &p.PZ}
}

func (b *BoxColumns) columns() []*[]float64 {
	return []*[]float64{&b.MinX, &b.MinY, &b.MinZ, &b.MaxX, &b.MaxY, &b.MaxZ}
}

// box is one row of Boxes, with its columns in their order.
type box [6]float64

func newBoxes(n int) *BoxColumns {
	b := &BoxColumns{}
	for _, c := range b.columns() {
		*c = make([]float64, n)
	}
	return b
}

func (b *BoxColumns) row(i int) box {
	return box{b.MinX[i], b.MinY[i], b.MinZ[i], b.MaxX[i], b.MaxY[i], b.MaxZ[i]}
}

func TestPosedBoxes(t *testing.T) {
	inf := math.Inf(1)
	// A tetrahedron at the corner of 1, 2, 3, then a single point, then one at the origin.
	x := []float64{0, 1, 0, 0, 7, negZero}
	y := []float64{0, 0, 2, 0, 8, negZero}
	z := []float64{0, 0, 0, 3, 9, negZero}
	identity := [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	quarterZ := [9]float64{0, -1, 0, 1, 0, 0, 0, 0, 1}
	half := math.Sqrt(0.5)
	eighthZ := [9]float64{half, -half, 0, half, half, 0, 0, 0, 1}
	tests := []struct {
		name         string
		first, count uint32
		rot          [9]float64
		pos          [3]float64
		want         box
	}{
		{"as it is", 0, 4, identity, [3]float64{}, box{0, 0, 0, 1, 2, 3}},
		{"moved", 0, 4, identity, [3]float64{10, 20, 30}, box{10, 20, 30, 11, 22, 33}},
		{"a quarter turn about z", 0, 4, quarterZ, [3]float64{}, box{-2, 0, 0, 0, 1, 3}},
		{"an eighth of a turn about z", 0, 4, eighthZ, [3]float64{}, box{-2 * half, 0, 0, half, 2 * half, 3}},
		{"one point", 4, 1, identity, [3]float64{1, 1, 1}, box{8, 9, 10, 8, 9, 10}},
		{"no point", 2, 0, identity, [3]float64{1, 1, 1}, box{inf, inf, inf, -inf, -inf, -inf}},
		{"negative zero becomes zero", 5, 1, identity, [3]float64{negZero, negZero, negZero}, box{}},
		{"not a number", 0, 4, identity, [3]float64{math.NaN(), 0, 0}, box{math.NaN(), 0, 0, math.NaN(), 2, 3}},
	}
	backends.Run(t, func(t *testing.T) {
		n := len(tests)
		poses, out := newPoses(n), newBoxes(n)
		first, count := make([]uint32, n), make([]uint32, n)
		for i, test := range tests {
			first[i], count[i] = test.first, test.count
			for j, c := range poses.columns() {
				if j < 9 {
					(*c)[i] = test.rot[j]
				} else {
					(*c)[i] = test.pos[j-9]
				}
			}
		}
		PosedBoxes(x, y, z, first, count, poses, out)
		for i, test := range tests {
			for side, got := range out.row(i) {
				if !sameBits(got, test.want[side]) {
					t.Errorf("%s: got %v, want %v", test.name, out.row(i), test.want)
					break
				}
			}
		}
	})
}

func checkPosedBoxes(t *testing.T, s *source, n, rows int) {
	t.Helper()
	x, y, z := s.points(n)
	poses := newPoses(rows)
	for _, c := range poses.columns() {
		copy(*c, s.floats(rows))
	}
	first, count := make([]uint32, rows), make([]uint32, rows)
	for i := range first {
		first[i] = uint32(s.byte()) % uint32(n+1)
		count[i] = uint32(s.byte()) % (uint32(n) - first[i] + 1)
	}
	// Adding the position to every point instead gives the same box.
	want := make([]box, rows)
	for i := range want {
		lo, hi := first[i], first[i]+count[i]
		c := poses.columns()
		for axis := range 3 {
			h := heights(x[lo:hi], y[lo:hi], z[lo:hi], (*c[3*axis])[i], (*c[3*axis+1])[i], (*c[3*axis+2])[i])
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range h {
				if math.IsNaN(v) {
					continue
				}
				low, high = min(low, sum(v, 0)), max(high, sum(v, 0))
			}
			pos := (*c[9+axis])[i]
			want[i][axis], want[i][3+axis] = sum(low, pos), sum(high, pos)
			if math.IsInf(pos, 0) || math.IsNaN(pos) {
				continue
			}
			for _, v := range h {
				if moved := sum(sum(v, 0), pos); moved < want[i][axis] || moved > want[i][3+axis] {
					t.Errorf("a point at %v is outside the box from %v to %v", moved, want[i][axis], want[i][3+axis])
				}
			}
		}
	}
	bothEnds(t, func(p *pen) {
		placed, out := &BoxPoses{}, &BoxColumns{}
		from := poses.columns()
		for i, c := range placed.columns() {
			*c = place(p, *from[i])
		}
		for _, c := range out.columns() {
			*c = output[float64](p, rows)
		}
		PosedBoxes(place(p, x), place(p, y), place(p, z), place(p, first), place(p, count), placed, out)
		for i := range want {
			for side, got := range out.row(i) {
				if !sameBits(got, want[i][side]) {
					t.Errorf("points %d to %d: got %v, want %v", first[i], first[i]+count[i], out.row(i), want[i])
					break
				}
			}
		}
	})
}

func TestPosedBoxesLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 67 {
			checkPosedBoxes(t, &source{data: noise(uint64(n), 3000)}, n, 1+n%9)
		}
	})
}

func FuzzPosedBoxes(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkPosedBoxes(t, s, int(s.byte()%70), int(s.byte()%12))
		})
	})
}
