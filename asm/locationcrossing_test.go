package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// numberColumns lists the columns of numbers but for the table of rims: seven of poses, three of points, then those
// of pairs.
func (c *Crossings) numberColumns() []*[]float64 {
	return []*[]float64{
		&c.PosX, &c.PosY, &c.PosZ, &c.RotW, &c.RotX, &c.RotY, &c.RotZ, &c.X, &c.Y, &c.Z,
		&c.RadiusA, &c.RadiusB, &c.Gap, &c.NormalX, &c.NormalY, &c.NormalZ,
		&c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.ArmBX, &c.ArmBY, &c.ArmBZ,
		&c.LocationX, &c.LocationY, &c.LocationZ, &c.XX, &c.YY, &c.ZZ, &c.XY, &c.XZ, &c.YZ, &c.Known,
	}
}

const crossingAnswers = 22 // numberColumns from here on

func (c *Crossings) wordColumns() []*[]uint32 {
	return []*[]uint32{&c.A, &c.B, &c.TailA, &c.HeadA, &c.TailB, &c.HeadB, &c.NearA, &c.FarA, &c.NearB, &c.FarB}
}

func (c *Crossings) setTable(table []float64) {
	for j := range c.Rims {
		c.Rims[j] = table[j:]
	}
}

// newCrossings is n pairs of an edge along x, of body 0, on one along y, of body 1: roofs with a slope of 1 that touch
// with their ridges, 2 long, at z = 1 and -1.
func newCrossings(n int) (c *Crossings, table []float64) {
	c = &Crossings{}
	for j, p := range c.numberColumns() {
		switch {
		case j < 7:
			*p = make([]float64, 2)
		case j < 10:
			*p = make([]float64, 4)
		default:
			*p = make([]float64, n)
		}
	}
	c.RotW = []float64{1, 1}
	c.PosZ = []float64{0, 2}
	c.X = []float64{-1, 1, 0, 0}
	c.Y = []float64{0, 0, -1, 1}
	c.Z = []float64{1, 1, -1, -1}
	s := math.Sqrt(0.5)
	table = []float64{
		0, s, -s, 0, 2, 0, 0, 1, 0, -s, -s, 0, 2, 0, 0, 1,
		-s, 0, s, 0, 2, 0, 0, 1, s, 0, s, 0, 2, 0, 0, 1,
	}
	c.setTable(table)
	for j, w := range c.wordColumns() {
		*w = slices.Repeat([]uint32{[]uint32{0, 1, 0, 1, 2, 3, 0, 8, 16, 24}[j]}, n)
	}
	for i := range n {
		c.RadiusA[i], c.RadiusB[i], c.NormalZ[i], c.ArmAZ[i], c.ArmBZ[i] = 1.5, 1.5, 1, 1, -1
	}
	return c, table
}

// TestLocateCrossings has two strips, a tenth wide each: what they have in common is a square, or with B turned a
// rhombus, around where the ridges cross.
func TestLocateCrossings(t *testing.T) {
	tests := []struct {
		name  string
		at    [2]float64 // of B
		turn  float64    // of B about z
		gap   float64
		known bool
	}{
		{"in the middle", [2]float64{}, 0, -0.1, true},
		{"aside", [2]float64{0.5, -0.25}, 0, -0.1, true},
		{"turned", [2]float64{0.5, -0.25}, 1, -0.1, true},
		{"near an end", [2]float64{0.9, 0}, 0, -0.1, true},
		{"too near an end", [2]float64{0.96, 0}, 0, -0.1, false},
		{"beyond an end", [2]float64{1.5, 0}, 0, -0.1, false},
		{"parallel", [2]float64{}, math.Pi / 2, -0.1, false},
		{"deep", [2]float64{}, 0, -1.5, false},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				c, _ := newCrossings(n)
				c.PosX[1], c.PosY[1], c.PosZ[1] = test.at[0], test.at[1], 2+test.gap
				c.RotW[1], c.RotZ[1] = math.Cos(test.turn/2), math.Sin(test.turn/2)
				for i := range n {
					c.Gap[i] = test.gap
					c.ArmBX[i], c.ArmBY[i] = -test.at[0], -test.at[1]
				}
				LocateCrossings(c, 1, n-1)
				// B's ridge is along (-sin, cos) of the turn through its place; it meets y = 0 here.
				x := test.at[0] + test.at[1]*math.Tan(test.turn)
				// Half sides along the ridges.
				half := -test.gap / 2 / math.Cos(test.turn)
				square := half * half / 3
				sin, cos := math.Sincos(test.turn)
				want := [9]float64{x, 0, 1 + test.gap/2, square * (1 + sin*sin), square * cos * cos, 0, -square * sin * cos, 0, 0}
				for i := 1; i < n-1; i++ {
					if known := c.Known[i] == 1; known != test.known {
						t.Fatalf("pair %d: known %v", i, c.Known[i])
					}
					got := [9]float64{c.LocationX[i], c.LocationY[i], c.LocationZ[i], c.XX[i], c.YY[i], c.ZZ[i], c.XY[i], c.XZ[i], c.YZ[i]}
					for j := range got {
						if test.known && !(math.Abs(got[j]-want[j]) < 1e-14) {
							t.Errorf("pair %d: answer %d is %v, want %v", i, j, got[j], want[j])
						}
					}
				}
				if c.Known[0] != 0 || c.LocationZ[n-1] != 0 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}

func checkCrossings(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	from, table := newCrossings(n)
	if wild := s.byte()%4 == 0; wild {
		table = s.floats(len(table))
		from.setTable(table)
	}
	for j, p := range from.numberColumns()[:crossingAnswers] {
		for i := range *p {
			if j < 2 {
				(*p)[i] += float64(s.byte())/256 - 0.5
			} else if j == 12 {
				(*p)[i] = -float64(s.byte()) / 1024
			}
			if s.byte() < 3 {
				(*p)[i] = s.float()
			}
		}
	}
	for j, w := range from.wordColumns() {
		for i := range *w {
			if s.byte() < 6 {
				(*w)[i] = uint32(s.byte() % []byte{2, 2, 4, 4, 4, 4, 25, 25, 25, 25}[j])
			}
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	for _, p := range want.numberColumns()[crossingAnswers:] {
		*p = slices.Clone(*p)
	}
	locateCrossingsGeneric(&want, lo, hi)
	for _, k := range want.Known {
		known += int(k)
	}
	bothEnds(t, func(p *pen) {
		c := &Crossings{}
		source := from.numberColumns()
		for j, v := range c.numberColumns() {
			if j >= crossingAnswers {
				*v = output[float64](p, n)
				clear(*v)
			} else {
				*v = place(p, *source[j])
			}
		}
		words := from.wordColumns()
		for j, w := range c.wordColumns() {
			*w = place(p, *words[j])
		}
		c.setTable(place(p, table))
		LocateCrossings(c, lo, hi)
		wanted := want.numberColumns()
		for j, v := range c.numberColumns() {
			for i, x := range *v {
				if !sameBits(x, (*wanted[j])[i]) {
					t.Errorf("%d to %d: column %d of row %d: got %v, want %v", lo, hi, j, i, x, (*wanted[j])[i])
				}
			}
		}
	})
	return known
}

func TestCrossingsLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 40 {
			for seed := range uint64(4) {
				known += checkCrossings(t, &source{data: noise(4*uint64(n)+seed, 8000)}, n)
			}
		}
		if known < 100 {
			t.Errorf("only %d rows of all are answered", known)
		}
	})
}

func FuzzCrossings(f *testing.F) {
	addSeeds(f)
	f.Add(noise(1, 4000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkCrossings(t, s, int(s.byte()%40))
		})
	})
}

func TestCrossingsPanic(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(c *Crossings){
			"range":        func(c *Crossings) { LocateCrossings(c, 0, 21) },
			"turned":       func(c *Crossings) { LocateCrossings(c, 3, 2) },
			"short answer": func(c *Crossings) { c.XZ = c.XZ[:4]; LocateCrossings(c, 0, 4) },
			"short column": func(c *Crossings) { c.RadiusB = c.RadiusB[:4]; LocateCrossings(c, 0, 4) },
			"short poses":  func(c *Crossings) { c.RotY = c.RotY[:1]; LocateCrossings(c, 0, 4) },
			"short points": func(c *Crossings) { c.Z = c.Z[:1]; LocateCrossings(c, 0, 4) },
			"short table":  func(c *Crossings) { c.Rims[7] = c.Rims[7][:9]; LocateCrossings(c, 0, 4) },
			"body A":       func(c *Crossings) { c.A[3] = 2; LocateCrossings(c, 0, 20) },
			"body B":       func(c *Crossings) { c.B[13] = 1 << 31; LocateCrossings(c, 0, 20) },
			"tail of A":    func(c *Crossings) { c.TailA[0] = 4; LocateCrossings(c, 0, 20) },
			"head of A":    func(c *Crossings) { c.HeadA[19] = 4; LocateCrossings(c, 0, 20) },
			"tail of B":    func(c *Crossings) { c.TailB[8] = math.MaxUint32; LocateCrossings(c, 0, 20) },
			"head of B":    func(c *Crossings) { c.HeadB[9] = 4; LocateCrossings(c, 0, 20) },
			"rim of A":     func(c *Crossings) { c.NearA[7] = 25; LocateCrossings(c, 0, 20) },
			"rim of B":     func(c *Crossings) { c.FarB[17] = 1 << 31; LocateCrossings(c, 0, 20) },
			"second of A":  func(c *Crossings) { c.FarA[1] = 32; LocateCrossings(c, 0, 20) },
			"second of B":  func(c *Crossings) { c.NearB[2] = 25; LocateCrossings(c, 0, 20) },
		} {
			c, _ := newCrossings(20)
			if panics(func() { f(c) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
