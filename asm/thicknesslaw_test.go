package asm

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// columns lists the columns of numbers, so that a test can go through them.
func (l *ThicknessLaw) columns() (numbers []*[]float64, names []string, indices []*[]uint32) {
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

// thicknessBlocks is the number of columns of each block: read, of bodies, of history, of laws, and
// written.
var thicknessBlocks = []int{30, 17, 13, 5, 36}

// thicknessWritten is the first column of numbers that is written.
const thicknessWritten = 30 + 17 + 13 + 5

// newThicknessLaw returns columns of zeros.
func newThicknessLaw(n, bodies, rows, laws int) *ThicknessLaw {
	l := &ThicknessLaw{}
	numbers, _, indices := l.columns()
	for block, count := range thicknessBlocks {
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

// slabsOnWall returns n rows of the same contact. A lies on a fixed wall B, the location is a metre
// to the side of A's centre, and the overlap is a slab 0.01 m thick.
func slabsOnWall(n int) *ThicknessLaw {
	l := newThicknessLaw(n, 2, 1, 1)
	l.InvMass[0], l.RotW[0], l.RotW[1] = 0.5, 1, 1
	l.Stiffness[0], l.Tangential[0], l.Friction[0] = 100, 50, 0.5
	l.Variance[0], l.VarianceGradientZ[0] = 0.01*0.01/12, -0.01/6
	for k := range n {
		l.NormalX[k], l.ArmAX[k], l.B[k] = 1, 1, 1
	}
	l.repeatOverlap()
	return l
}

// repeatOverlap copies the overlap of the first contact to all contacts.
func (l *ThicknessLaw) repeatOverlap() {
	numbers, _, _ := l.columns()
	for _, c := range numbers[9:30] {
		for k := range *c {
			(*c)[k] = (*c)[0]
		}
	}
}

// thicknessKernel is one of the two forms of the law, and its Go loop.
type thicknessKernel struct {
	name    string
	apply   func(l *ThicknessLaw, dt, share float64, lo, hi int)
	generic func(l *ThicknessLaw, u *lawUniforms, lo, hi int)
}

var thicknessKernels = []thicknessKernel{
	{"plain", ApplyThickness, applyThicknessGeneric}, {"by area", ApplyThicknessByArea, applyThicknessByAreaGeneric},
}

func TestApplyThickness(t *testing.T) {
	type vector = [3]float64
	type answer struct {
		force, torqueA, torqueB, slip, damping, moment, rub, rubMoment vector
		angle, width, growth, rise, stored, shear                      float64
	}
	up, about, turned := vector{0, 0, 1}, vector{0, -1, 0}, 0.5*50*0.08*0.01*0.01
	tests := []struct {
		name  string
		set   func(l *ThicknessLaw)
		want  answer
		share float64
		rests bool // no force acts, so the normal stays
	}{
		// 100 N/m · 0.01 m upwards, at 1 m along x: a torque of -1 N·m about y.
		{name: "rests", set: func(l *ThicknessLaw) {}, want: answer{force: up, torqueA: about, stored: 0.005}},
		{name: "no overlap", set: func(l *ThicknessLaw) { l.Variance[0], l.OldSlipX[0] = 0, 0.2 }, want: answer{rise: -1}, rests: true},
		{name: "forgiven", set: func(l *ThicknessLaw) { l.Relief[0] = 0.02 }, share: 0.5, rests: true},
		{name: "half forgiven", set: func(l *ThicknessLaw) { l.Relief[0] = 0.01 }, share: 0.5,
			want: answer{force: vector{0, 0, 0.5}, torqueA: vector{0, -0.5, 0}, stored: 0.00125}},
		{name: "inside", set: func(l *ThicknessLaw) { l.VarianceGradientZ[0] = 0 }, want: answer{stored: 0.005}, rests: true},
		// 0.25 m², so √A is 0.5 m. Each metre of depth adds 0.25 m³.
		{name: "root of the area", set: func(l *ThicknessLaw) { l.AreaExponent[0], l.Volume[0], l.VolumeGradientZ[0] = 0.5, 0.0025, -0.25 },
			want: answer{force: vector{0, 0, 0.5}, torqueA: vector{0, -0.5, 0}, stored: 0.0025, growth: 0.5}},
		{name: "area", set: func(l *ThicknessLaw) { l.AreaExponent[0], l.Volume[0], l.VolumeGradientZ[0] = 1, 0.0025, -0.25 },
			want: answer{force: vector{0, 0, 0.25}, torqueA: vector{0, -0.25, 0}, stored: 0.00125, growth: 0.25}},
		{name: "turns", set: func(l *ThicknessLaw) { l.VarianceTurnX[0] = 0.01 / 6 },
			want: answer{force: up, torqueA: vector{-1, -1, 0}, torqueB: vector{1, 0, 0}, stored: 0.005}},
		// Mass 2 kg: 2·0.25·√200 times 0.001 m/s into the wall.
		{name: "dashpot", set: func(l *ThicknessLaw) { l.VelZ[0], l.Zeta[0] = -0.001, 0.25 },
			want: answer{force: vector{0, 0, 1 + 0.0005*math.Sqrt(200)}, torqueA: vector{0, -1 - 0.0005*math.Sqrt(200), 0},
				damping: vector{0, 0, 0.0005 * math.Sqrt(200)}, stored: 0.005}},
		// A force 1 m to the side also turns the body, so it accelerates 1/(0.5 + 0.5) kg. The body
		// is turned by half a turn about z, which changes no moment of inertia.
		{name: "dashpot of a body that turns", set: func(l *ThicknessLaw) {
			l.VelZ[0], l.Zeta[0], l.InverseYY[0], l.RotW[0], l.RotZ[0] = -0.001, 0.25, 0.5, 0, 1
		}, want: answer{force: vector{0, 0, 1.005}, torqueA: vector{0, -1.005, 0}, damping: vector{0, 0, 0.005}, stored: 0.005}},
		{name: "does not pull", set: func(l *ThicknessLaw) { l.VelZ[0], l.Zeta[0] = 1, 0.25 },
			want: answer{damping: vector{0, 0, -1}, stored: 0.005}},
		{name: "dashpot at most the spring", set: func(l *ThicknessLaw) { l.VelZ[0], l.Zeta[0], l.Friction[0] = -1, 0.25, 0 },
			want: answer{force: vector{0, 0, 2}, torqueA: vector{0, -2, 0}, damping: up, stored: 0.005}},
		{name: "sticks on", set: func(l *ThicknessLaw) { l.OldSlipY[0], l.OldNormalZ[0] = 0.004, -1 },
			want: answer{force: vector{0, -0.2, 1}, torqueA: vector{0, -1, -0.2}, slip: vector{0, 0.004, 0}, rub: vector{0, -0.2, 0},
				shear: 0.0004, stored: 0.005}},
		{name: "slides", set: func(l *ThicknessLaw) { l.OldSlipY[0], l.OldNormalZ[0] = 0.04, -1 },
			want: answer{force: vector{0, -0.5, 1}, torqueA: vector{0, -1, -0.5}, slip: vector{0, 0.01, 0}, rub: vector{0, -0.5, 0},
				rise: 0.0025 - 0.04, shear: 0.0025, stored: 0.005}},
		{name: "another normal", set: func(l *ThicknessLaw) { l.OldSlipY[0], l.OldNormalZ[0] = 0.004, 1 },
			want: answer{force: up, torqueA: about, rise: -0.0004, stored: 0.005}},
		{name: "no friction", set: func(l *ThicknessLaw) { l.OldSlipY[0], l.OldNormalZ[0], l.Friction[0] = 0.004, -1, 0 },
			want: answer{force: up, torqueA: about, slip: vector{0, 0.004, 0}, shear: 0.0004, stored: 0.005}},
		// 0.08 m² of second moment about the normal: 50·0.08·0.01 N·m. The limit is 0.5·√0.08.
		{name: "holds a turn", set: func(l *ThicknessLaw) {
			l.SpreadXX[0], l.SpreadYY[0], l.OldAngle[0], l.OldWidth[0], l.OldNormalZ[0] = 0.04, 0.04, 0.01, 0.08, -1
		}, want: answer{force: up, torqueA: vector{0, -1, 0.04}, torqueB: vector{0, 0, -0.04}, angle: 0.01, width: 0.08,
			rubMoment: vector{0, 0, 0.04}, shear: turned, stored: 0.005}},
		{name: "turns where it is", set: func(l *ThicknessLaw) {
			l.SpreadXX[0], l.SpreadYY[0], l.OldAngle[0], l.OldWidth[0], l.OldNormalZ[0] = 0.04, 0.04, -1, 0.08, -1
		}, want: answer{force: up, torqueA: vector{0, -1, -0.5 * math.Sqrt(0.08)}, torqueB: vector{0, 0, 0.5 * math.Sqrt(0.08)},
			angle: -0.5 * math.Sqrt(0.08) / 4, width: 0.08, rubMoment: vector{0, 0, -0.5 * math.Sqrt(0.08)},
			rise: 0.5*0.25/50 - 0.5*50*0.08, shear: 0.5 * 0.25 / 50, stored: 0.005}},
		// The patch was a quarter as wide. Half the angle has the same energy.
		{name: "widens", set: func(l *ThicknessLaw) {
			l.SpreadXX[0], l.SpreadYY[0], l.OldAngle[0], l.OldWidth[0], l.OldNormalZ[0] = 0.04, 0.04, 0.02, 0.02, -1
		}, want: answer{force: up, torqueA: vector{0, -1, 0.04}, torqueB: vector{0, 0, -0.04}, angle: 0.01, width: 0.08,
			rubMoment: vector{0, 0, 0.04}, shear: turned, stored: 0.005}},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			for _, kernel := range thicknessKernels {
				const n = 11
				l := slabsOnWall(n)
				test.set(l)
				l.repeatOverlap()
				if l.AreaExponent[0] > 0 && kernel.name == "plain" {
					continue
				}
				kernel.apply(l, 0x1p-6, test.share, 0, n)
				normal := vector{0, 0, -1}
				if test.rests {
					normal = vector{1, 0, 0}
				}
				w := &test.want
				for k := range n {
					near := func(what string, got, want float64) {
						t.Helper()
						if !(math.Abs(got-want) <= 1e-15) {
							t.Errorf("%s, %s: contact %d: %s is %v, want %v", test.name, kernel.name, k, what, got, want)
						}
					}
					for _, c := range []struct {
						what    string
						x, y, z []float64
						want    vector
					}{
						{"normal", l.NewNormalX, l.NewNormalY, l.NewNormalZ, normal}, {"force", l.ForceX, l.ForceY, l.ForceZ, w.force},
						{"torque on A", l.TorqueAX, l.TorqueAY, l.TorqueAZ, w.torqueA}, {"torque on B", l.TorqueBX, l.TorqueBY, l.TorqueBZ, w.torqueB},
						{"slip", l.SlipX, l.SlipY, l.SlipZ, w.slip}, {"damping", l.DampingX, l.DampingY, l.DampingZ, w.damping},
						{"moment", l.MomentX, l.MomentY, l.MomentZ, w.moment}, {"friction", l.RubX, l.RubY, l.RubZ, w.rub},
						{"friction's moment", l.RubMomentX, l.RubMomentY, l.RubMomentZ, w.rubMoment},
					} {
						near(c.what+" x", c.x[k], c.want[0])
						near(c.what+" y", c.y[k], c.want[1])
						near(c.what+" z", c.z[k], c.want[2])
					}
					near("angle", l.Angle[k], w.angle)
					near("width", l.Width[k], w.width)
					near("growth", l.Growth[k], w.growth)
					near("rise", l.ShearRise[k], w.rise)
					near("stored", l.Stored[k], w.stored)
					near("shear", l.Shear[k], w.shear)
				}
			}
		}
	})
}

// checkApplyThickness compares a backend with the Go loop. Columns lie next to pages that fault.
func checkApplyThickness(t *testing.T, kernel *thicknessKernel, s *source, n int) {
	t.Helper()
	sizes := []int{1 + int(s.byte()%9), 1 + int(s.byte()%40), 1 + int(s.byte()%4)} // bodies, rows, laws
	sized := func() *ThicknessLaw { return newThicknessLaw(n, sizes[0], sizes[1], sizes[2]) }
	from := sized()
	numbers, names, indices := from.columns()
	tame := s.byte()%4 > 0
	for i, c := range numbers[:thicknessWritten] {
		s.column(*c, tame)
		if positive := strings.Contains(" InvMass Stiffness Tangential Friction Zeta Volume Variance OldWidth Relief ", " "+names[i]+" "); tame && positive {
			for j, v := range *c {
				(*c)[j] = math.Abs(v)
			}
		}
	}
	for j := range from.AreaExponent {
		from.AreaExponent[j] = float64(s.byte()%3) / 2
	}
	for i, c := range indices {
		for j := range *c {
			(*c)[j] = uint32(int(s.byte()) % []int{sizes[0], sizes[0], sizes[1], sizes[2]}[i])
		}
	}
	u := &lawUniforms{math.Ldexp(1+float64(s.byte())/256, -int(s.byte()%12)), float64(s.byte()%5) / 4}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := sized()
	to, _, toIndices := want.columns()
	for j, c := range numbers {
		*to[j] = slices.Clone(*c)
	}
	for j, c := range indices {
		*toIndices[j] = *c
	}
	kernel.generic(want, u, lo, hi)
	bothEnds(t, func(p *pen) {
		l := &ThicknessLaw{}
		columns, names, ids := l.columns()
		for j, c := range numbers {
			if j < thicknessWritten {
				*columns[j] = place(p, *c)
			} else {
				*columns[j] = output[float64](p, n)
				clear(*columns[j])
			}
		}
		for j, c := range indices {
			*ids[j] = place(p, *c)
		}
		kernel.apply(l, u.dt, u.share, lo, hi)
		for j := thicknessWritten; j < len(columns); j++ {
			for k, v := range *columns[j] {
				if !sameBits(v, (*to[j])[k]) {
					t.Errorf("%d to %d: %s of %d: got %v, want %v", lo, hi, names[j], k, v, (*to[j])[k])
				}
			}
		}
	})
}

func TestApplyThicknessLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for k := range thicknessKernels {
				checkApplyThickness(t, &thicknessKernels[k], &source{data: noise(2*uint64(n)+uint64(k), 24000)}, n)
			}
		}
	})
}

func FuzzApplyThickness(f *testing.F) {
	addSeeds(f)
	f.Add(noise(99, 24000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkApplyThickness(t, &thicknessKernels[s.byte()%2], s, int(s.byte()%40))
		})
	})
}

func TestApplyThicknessBadIndices(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, at := range []int{0, 5, 17, 39} {
			for _, bad := range []uint32{2, 41, 1 << 31, 1<<32 - 1} {
				for i, name := range []string{"A", "B", "row", "law"} {
					for _, kernel := range thicknessKernels {
						l := slabsOnWall(40)
						_, _, indices := l.columns()
						(*indices[i])[at] = bad
						if panics(func() { kernel.apply(l, 1, 0, 0, 40) }) == "" {
							t.Errorf("%s, %s: index %d at %d: no panic", kernel.name, name, bad, at)
						}
						for k, v := range l.Stored {
							if k >= at && v != 0 {
								t.Errorf("%s, %s: index %d at %d: contact %d was written", kernel.name, name, bad, at, k)
							}
						}
					}
				}
			}
		}
	})
}

// TestApplyThicknessChecksLengths shortens each column in turn by a row. ApplyThickness accesses
// fewer columns than ApplyThicknessByArea.
func TestApplyThicknessChecksLengths(t *testing.T) {
	numbers, names, ids := (&ThicknessLaw{}).columns()
	for i := range numbers {
		l := newThicknessLaw(5, 3, 4, 2)
		c, _, _ := l.columns()
		*c[i] = (*c[i])[:len(*c[i])-1]
		for _, kernel := range thicknessKernels {
			ofArea := strings.Contains(" OldGrowth AreaExponent Growth Volume ", " "+names[i]+" ") || strings.HasPrefix(names[i], "VolumeGradient") ||
				strings.HasPrefix(names[i], "VolumeTurn")
			wanted := kernel.name == "by area" || !ofArea
			if caught := panics(func() { kernel.apply(l, 1, 0, 0, 4) }) != ""; caught != wanted {
				t.Errorf("%s: %s is short: panics %v, want %v", kernel.name, names[i], caught, wanted)
			}
		}
	}
	for i := range ids {
		l := newThicknessLaw(5, 3, 4, 2)
		_, _, ids := l.columns()
		*ids[i] = (*ids[i])[:4]
		if panics(func() { ApplyThickness(l, 1, 0, 0, 4) }) == "" {
			t.Errorf("column %d of indices is short: no panic", i)
		}
	}
	for _, r := range [][2]int{{-1, 3}, {3, 2}, {0, 6}} {
		if panics(func() { ApplyThickness(newThicknessLaw(5, 3, 4, 2), 1, 0, r[0], r[1]) }) == "" {
			t.Errorf("%d to %d of 5: no panic", r[0], r[1])
		}
	}
}

func TestApplyThicknessAllocatesNothing(t *testing.T) {
	l := slabsOnWall(100)
	if n := testing.AllocsPerRun(100, func() {
		ApplyThickness(l, 1e-6, 0, 0, 100)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
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
