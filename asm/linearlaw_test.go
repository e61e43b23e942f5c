package asm

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// columns lists the columns of numbers, so that a test can go through them.
func (l *LinearLaw) columns() (numbers []*[]float64, names []string, indices []*[]uint32) {
	v := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		switch c := v.Field(i).Addr().Interface().(type) {
		case *[]float64:
			numbers, names = append(numbers, c), append(names, v.Type().Field(i).Name)
		case *[]uint32:
			indices = append(indices, c)
		}
	}
	return numbers, names, indices
}

// lawBlocks is the number of columns of each block: read, of bodies, of history, of laws, and
// written.
var lawBlocks = []int{16, 7, 7, 8, 21}

// firstWritten is the first column of numbers that is written.
const firstWritten = 16 + 7 + 7 + 8

// newLinearLaw returns columns of zeros.
func newLinearLaw(n, bodies, rows, laws int) *LinearLaw {
	l := &LinearLaw{}
	numbers, _, indices := l.columns()
	for block, count := range lawBlocks {
		for range count {
			*numbers[0] = make([]float64, []int{n, bodies, rows, laws, n}[block])
			numbers = numbers[1:]
		}
	}
	for _, c := range indices {
		*c = make([]uint32, n)
	}
	return l
}

// contactsOnWall returns n rows of the same contact. A lies on a fixed wall B, the normal points
// down, and the location is a metre to the side of A's centre.
func contactsOnWall(n int) *LinearLaw {
	l := newLinearLaw(n, 2, 1, 1)
	l.InvMass[0] = 0.5
	l.Kn[0], l.Kt[0], l.Mu[0], l.Ratio[0] = 100, 50, 0.5, -1
	for k := range n {
		l.Gap[k], l.NormalZ[k], l.ArmAX[k], l.B[k] = -0.01, -1, 1, 1
	}
	return l
}

func TestApplyLinear(t *testing.T) {
	type answer struct{ force, torqueA, torqueB, slip, damping, moment [3]float64 }
	tests := []struct {
		name           string
		set            func(l *LinearLaw, k int)
		want           answer
		rise, stored   float64
		shear          float64
		share, dt, tol float64
	}{
		// 100 N/m · 0.01 m upwards, at 1 m along x: a torque of -1 N·m about y.
		{name: "rests", set: func(l *LinearLaw, k int) {},
			want: answer{force: [3]float64{0, 0, 1}, torqueA: [3]float64{0, -1, 0}}, stored: 0.005},
		{name: "does not touch", set: func(l *LinearLaw, k int) { l.Gap[k] = 0.01; l.OldSlipX[0] = 0.2 }, rise: -1},
		{name: "just touches", set: func(l *LinearLaw, k int) { l.Gap[k] = 0 }},
		{name: "spring begins at a gap", set: func(l *LinearLaw, k int) { l.Gap[k], l.ReferenceGap[0] = 0.01, 0.03 },
			want: answer{force: [3]float64{0, 0, 2}, torqueA: [3]float64{0, -2, 0}}, stored: 0.02},
		{name: "half forgiven", set: func(l *LinearLaw, k int) { l.Gap[k] = -0.02; l.Relief[0] = 0.02 }, share: 0.5,
			want: answer{force: [3]float64{0, 0, 1}, torqueA: [3]float64{0, -1, 0}}, stored: 0.005},
		// 0.1 m/s into the wall, d = 3 N·s/m.
		{name: "coefficient of a dashpot", set: func(l *LinearLaw, k int) { l.VelZ[0], l.Dn[0] = -0.1, 3 },
			want:   answer{force: [3]float64{0, 0, 1.3}, torqueA: [3]float64{0, -1.3, 0}, damping: [3]float64{0, 0, 0.3}},
			stored: 0.005},
		// Mass 2 kg: d = 2·0.25·√200.
		{name: "ratio of a dashpot", set: func(l *LinearLaw, k int) { l.VelZ[0], l.Ratio[0] = -0.1, 0.25 },
			want: answer{force: [3]float64{0, 0, 1 + 0.05*math.Sqrt(200)}, torqueA: [3]float64{0, -1 - 0.05*math.Sqrt(200), 0},
				damping: [3]float64{0, 0, 0.05 * math.Sqrt(200)}}, stored: 0.005},
		{name: "does not pull", set: func(l *LinearLaw, k int) { l.VelZ[0], l.Dn[0] = 1, 3 },
			want: answer{damping: [3]float64{0, 0, -1}}, stored: 0.005},
		{name: "pulls", set: func(l *LinearLaw, k int) { l.VelZ[0], l.Dn[0], l.LeastNormal[0] = 1, 3, math.Inf(-1) },
			want:   answer{force: [3]float64{0, 0, -2}, torqueA: [3]float64{0, 2, 0}, damping: [3]float64{0, 0, -3}},
			stored: 0.005},
		// 0.2 m/s for 1/64 s along y: 50 N/m times 1/320 m.
		{name: "begins to stick", set: func(l *LinearLaw, k int) { l.VelY[0] = 0.2 },
			want: answer{force: [3]float64{0, -0.15625, 1}, torqueA: [3]float64{0, -1, -0.15625}, slip: [3]float64{0, 0.003125, 0}},
			rise: 0.5 * 50 * 0.003125 * 0.003125, shear: 0.5 * 50 * 0.003125 * 0.003125, stored: 0.005},
		{name: "sticks on", set: func(l *LinearLaw, k int) { l.OldSlipY[0], l.OldNormalZ[0] = 0.004, -1 },
			want:  answer{force: [3]float64{0, -0.2, 1}, torqueA: [3]float64{0, -1, -0.2}, slip: [3]float64{0, 0.004, 0}},
			shear: 0.5 * 50 * 0.004 * 0.004, stored: 0.005},
		{name: "slides", set: func(l *LinearLaw, k int) { l.OldSlipY[0], l.OldNormalZ[0] = 0.04, -1 },
			want: answer{force: [3]float64{0, -0.5, 1}, torqueA: [3]float64{0, -1, -0.5}, slip: [3]float64{0, 0.01, 0}},
			rise: 0.5 * 50 * (0.01*0.01 - 0.04*0.04), shear: 0.0025, stored: 0.005},
		{name: "another normal", set: func(l *LinearLaw, k int) { l.OldSlipY[0], l.OldNormalZ[0] = 0.004, 1 },
			want: answer{force: [3]float64{0, 0, 1}, torqueA: [3]float64{0, -1, 0}}, rise: -0.5 * 50 * 0.004 * 0.004, stored: 0.005},
		// 2 N·s/m times 0.2 m/s would be 0.4 N. The spring already has 0.2 of 0.5 N.
		{name: "drag is cut", set: func(l *LinearLaw, k int) {
			l.OldSlipY[0], l.OldNormalZ[0], l.VelY[0], l.Dt[0], l.Kt[0] = 0.004, -1, 0.2, 2, 50
			l.OldSlipY[0] -= 0.003125
		}, want: answer{force: [3]float64{0, -0.5, 1}, torqueA: [3]float64{0, -1, -0.5}, slip: [3]float64{0, 0.004, 0},
			damping: [3]float64{0, -0.3, 0}}, rise: 25 * (0.004*0.004 - 0.000875*0.000875), shear: 0.0004, stored: 0.005},
		// The body reaches the wall at 2 m/s, and has touched it for 0.005 s, not for 1/64 s: a
		// slip of 0.2 m/s for that time.
		{name: "meets in this step", set: func(l *LinearLaw, k int) { l.VelZ[0], l.VelY[0] = -2, 0.2 },
			want: answer{force: [3]float64{0, -0.05, 1}, torqueA: [3]float64{0, -1, -0.05}, slip: [3]float64{0, 0.001, 0}},
			rise: 0.5 * 50 * 1e-6, shear: 0.5 * 50 * 1e-6, stored: 0.005},
		// d = 3, width 0.04 m² along x and y, 0.1 rad/s about x: 3·0.04·0.1. At 1 m the body does
		// not approach.
		{name: "rocks", set: func(l *LinearLaw, k int) {
			l.SpinX[0], l.Dn[0], l.WidthXX[k], l.WidthYY[k] = 0.1, 3, 0.04, 0.04
		}, want: answer{force: [3]float64{0, 0, 1}, torqueA: [3]float64{-0.012, -1, 0}, torqueB: [3]float64{0.012, 0, 0},
			moment: [3]float64{-0.012, 0, 0}}, stored: 0.005},
		{name: "rocks as far as it can", set: func(l *LinearLaw, k int) {
			l.SpinX[0], l.Dn[0], l.WidthXX[k], l.WidthYY[k] = 10, 3, 0.04, 0.05
		}, want: answer{force: [3]float64{0, 0, 1}, torqueA: [3]float64{-0.3, -1, 0}, torqueB: [3]float64{0.3, 0, 0},
			moment: [3]float64{-0.3, 0, 0}}, stored: 0.005},
		{name: "arm of B", set: func(l *LinearLaw, k int) { l.ArmBY[k] = 2 },
			want: answer{force: [3]float64{0, 0, 1}, torqueA: [3]float64{0, -1, 0}, torqueB: [3]float64{-2, 0, 0}}, stored: 0.005},
	}
	near := func(t *testing.T, what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 11
				for at := range n {
					l := contactsOnWall(n)
					test.set(l, at)
					ApplyLinear(l, 0x1p-6, test.share, 0, n)
					for axis := range 3 {
						by := []string{" x", " y", " z"}[axis]
						near(t, "force"+by, [][]float64{l.ForceX, l.ForceY, l.ForceZ}[axis][at], test.want.force[axis])
						near(t, "torque on A"+by, [][]float64{l.TorqueAX, l.TorqueAY, l.TorqueAZ}[axis][at], test.want.torqueA[axis])
						near(t, "torque on B"+by, [][]float64{l.TorqueBX, l.TorqueBY, l.TorqueBZ}[axis][at], test.want.torqueB[axis])
						near(t, "slip"+by, [][]float64{l.SlipX, l.SlipY, l.SlipZ}[axis][at], test.want.slip[axis])
						near(t, "damping"+by, [][]float64{l.DampingX, l.DampingY, l.DampingZ}[axis][at], test.want.damping[axis])
						near(t, "moment"+by, [][]float64{l.MomentX, l.MomentY, l.MomentZ}[axis][at], test.want.moment[axis])
					}
					near(t, "rise", l.ShearRise[at], test.rise)
					near(t, "stored", l.Stored[at], test.stored)
					near(t, "shear", l.Shear[at], test.shear)
				}
			})
		}
	})
}

// read fills a column: with the numbers of the bytes, or with numbers between -1 and 1, some of
// which it replaces.
func (s *source) column(c []float64, tame bool) {
	copy(c, s.floats(len(c)))
	for i := range c {
		if tame && s.byte() > 2 {
			c[i] = math.Mod(c[i], 1)
		}
	}
}

// checkApplyLinear compares a backend with the Go loop. Columns lie next to pages that fault.
func checkApplyLinear(t *testing.T, s *source, n int) {
	t.Helper()
	bodies, rows, laws := 1+int(s.byte()%9), 1+int(s.byte()%40), 1+int(s.byte()%4)
	from := newLinearLaw(n, bodies, rows, laws)
	numbers, names, indices := from.columns()
	tame := s.byte()%4 > 0
	for i, c := range numbers[:firstWritten] {
		s.column(*c, tame)
		if positive := strings.Contains(" InvMass Kn Mu Dn Dt ", " "+names[i]+" "); tame && positive {
			for j, v := range *c {
				(*c)[j] = math.Abs(v)
			}
		}
	}
	for i, c := range indices {
		for j := range *c {
			(*c)[j] = uint32(int(s.byte()) % []int{bodies, bodies, rows, laws}[i])
		}
	}
	for k := range n {
		// Some contacts keep their normal.
		if s.byte()%2 == 0 {
			j := from.Row[k]
			from.OldNormalX[j], from.OldNormalY[j], from.OldNormalZ[j] = from.NormalX[k], from.NormalY[k], from.NormalZ[k]
		}
	}
	u := &lawUniforms{math.Ldexp(1+float64(s.byte())/256, -int(s.byte()%12)), float64(s.byte()%5) / 4}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	checkBits(t, from, func(l *LinearLaw) { applyLinearGeneric(l, u, lo, hi) }, func(l *LinearLaw) { ApplyLinear(l, u.dt, u.share, lo, hi) })
}

func TestApplyLinearLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(4) {
				checkApplyLinear(t, &source{data: noise(4*uint64(n)+seed, 12000)}, n)
			}
		}
	})
}

func FuzzApplyLinear(f *testing.F) {
	addSeeds(f)
	f.Add(noise(99, 9000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkApplyLinear(t, s, int(s.byte()%40))
		})
	})
}

func TestApplyLinearBadIndices(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, at := range []int{0, 5, 17, 39} {
			for _, bad := range []uint32{2, 41, 1 << 31, 1<<32 - 1} {
				for name, column := range map[string]func(l *LinearLaw) []uint32{
					"A": func(l *LinearLaw) []uint32 { return l.A }, "B": func(l *LinearLaw) []uint32 { return l.B },
					"row": func(l *LinearLaw) []uint32 { return l.Row }, "law": func(l *LinearLaw) []uint32 { return l.Law },
				} {
					l := contactsOnWall(40)
					column(l)[at] = bad
					if panics(func() { ApplyLinear(l, 1, 0, 0, 40) }) == "" {
						t.Errorf("%s: index %d at %d: no panic", name, bad, at)
					}
					for k, v := range l.ForceZ {
						if k >= at && v != 0 {
							t.Errorf("%s: index %d at %d: contact %d was written", name, bad, at, k)
						}
					}
				}
			}
		}
	})
}

// TestApplyLinearChecksLengths shortens each column in turn by a row.
func TestApplyLinearChecksLengths(t *testing.T) {
	numbers, names, _ := (&LinearLaw{}).columns()
	for i := range numbers {
		l := newLinearLaw(5, 3, 4, 2)
		c, _, _ := l.columns()
		*c[i] = (*c[i])[:len(*c[i])-1]
		if panics(func() { ApplyLinear(l, 1, 0, 0, 4) }) == "" {
			t.Errorf("%s is short: no panic", names[i])
		}
	}
	for i := range 4 {
		l := newLinearLaw(5, 3, 4, 2)
		_, _, ids := l.columns()
		*ids[i] = (*ids[i])[:4]
		if panics(func() { ApplyLinear(l, 1, 0, 0, 4) }) == "" {
			t.Errorf("column %d of indices is short: no panic", i)
		}
	}
	for _, r := range [][2]int{{-1, 3}, {3, 2}, {0, 6}} {
		if panics(func() { ApplyLinear(newLinearLaw(5, 3, 4, 2), 1, 0, r[0], r[1]) }) == "" {
			t.Errorf("%d to %d of 5: no panic", r[0], r[1])
		}
	}
}

func TestApplyLinearAllocatesNothing(t *testing.T) {
	l := contactsOnWall(100)
	if n := testing.AllocsPerRun(100, func() {
		ApplyLinear(l, 1e-6, 0, 0, 100)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
