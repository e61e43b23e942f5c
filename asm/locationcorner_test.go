package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// numberColumns lists the columns of numbers but for the tables: seven of poses, then those of pairs.
func (c *Corners) numberColumns() []*[]float64 {
	return []*[]float64{
		&c.PosX, &c.PosY, &c.PosZ, &c.RotW, &c.RotX, &c.RotY, &c.RotZ,
		&c.RadiusV, &c.RadiusG, &c.FaceX, &c.FaceY, &c.FaceZ, &c.Cot, &c.Deepest, &c.Sign,
		&c.Gap, &c.NormalX, &c.NormalY, &c.NormalZ, &c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.ArmBX, &c.ArmBY, &c.ArmBZ,
		&c.X, &c.Y, &c.Z, &c.XX, &c.YY, &c.ZZ, &c.XY, &c.XZ, &c.YZ, &c.Known,
	}
}

const cornerAnswers = 25 // numberColumns from here on

func (c *Corners) wordColumns() []*[]uint32 {
	return []*[]uint32{&c.A, &c.B, &c.V, &c.G, &c.Fan, &c.Sides[0], &c.Sides[1], &c.Sides[2], &c.Sides[3]}
}

func (c *Corners) setTables(fans, rims []float64) {
	for j := range c.Fans {
		c.Fans[j] = fans[j:]
	}
	for j := range c.Rims {
		c.Rims[j] = rims[j:]
	}
}

const fanRow = 3 + 3*FanEdges

// newCorners is n pairs of a pyramid, body 0, whose tip at z = 1 has four edges with a slope of 1 along ±x and ±y, and a
// square of side 2, body 1, whose face is at z = -1.
func newCorners(n int) (c *Corners, fans, rims []float64) {
	c = &Corners{}
	for j, p := range c.numberColumns() {
		if *p = make([]float64, n); j < 7 {
			*p = make([]float64, 2)
		}
	}
	c.RotW = []float64{1, 1}
	c.PosZ = []float64{0, 2}
	fans = make([]float64, 2*fanRow)
	fans[fanRow+2] = 1
	for k := range FanEdges {
		way := [][]float64{{1, 0, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 1, -1}}[min(k, 3)]
		copy(fans[fanRow+3+3*k:], way)
	}
	rims = make([]float64, 4*RimNumbers)
	for k, in := range [][]float64{{1, 0, 0, -1}, {-1, 0, 0, -1}, {0, 1, 0, -1}, {0, -1, 0, -1}} {
		copy(rims[RimNumbers*k:], in)
	}
	c.setTables(fans, rims)
	for j, w := range c.wordColumns() {
		*w = slices.Repeat([]uint32{[]uint32{0, 1, 0, 1, fanRow, 0, 8, 16, 24}[j]}, n)
	}
	for i := range n {
		c.RadiusV[i], c.RadiusG[i], c.FaceZ[i], c.Cot[i], c.Deepest[i], c.Sign[i] = 1, 1.5, -1, 1, 0.9, 1
		c.NormalZ[i], c.ArmAZ[i], c.ArmBZ[i] = 1, 1, -1
	}
	return c, fans, rims
}

// TestLocateCorners has the pyramid's section, a square of half diagonal half of the gap.
func TestLocateCorners(t *testing.T) {
	tests := []struct {
		name  string
		at    [2]float64 // of the square
		gap   float64
		tilt  float64 // of the face's normal
		known bool
	}{
		{"in the middle", [2]float64{}, -0.1, 0, true},
		{"aside", [2]float64{0.5, -0.25}, -0.1, 0, true},
		{"near a side", [2]float64{0.89, 0}, -0.1, 0, true},
		{"too near a side", [2]float64{0.91, 0}, -0.1, 0, false}, // the tip reaches 0.05, the side leans in by as much
		{"beyond a side", [2]float64{0, 1.5}, -0.1, 0, false},
		{"deep", [2]float64{}, -1.1, 0, false},
		{"deeper than the face", [2]float64{}, -1.9, 0, false},
		{"another face", [2]float64{}, -0.1, 1e-10, false},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				c, _, _ := newCorners(n)
				c.PosX[1], c.PosY[1], c.PosZ[1] = test.at[0], test.at[1], 2+test.gap
				for i := range n {
					c.Gap[i], c.FaceX[i] = test.gap, test.tilt
					c.ArmBX[i], c.ArmBY[i] = -test.at[0], -test.at[1]
					if i%2 == 1 { // the square is A, the pyramid B
						c.A[i], c.B[i], c.Sign[i], c.NormalZ[i] = 1, 0, -1, -1
						c.ArmAX[i], c.ArmAY[i], c.ArmAZ[i] = c.ArmBX[i], c.ArmBY[i], -1
						c.ArmBX[i], c.ArmBY[i], c.ArmBZ[i] = 0, 0, 1
					}
				}
				LocateCorners(c, 1, n-1)
				square := test.gap * test.gap / 4 / 6 // a²/12 of a square of side a
				for i := 1; i < n-1; i++ {
					if known := c.Known[i] == 1; known != test.known {
						t.Fatalf("pair %d: known %v", i, c.Known[i])
					}
					want := [9]float64{0, 0, 1 + test.gap/2, square, square}
					if i%2 == 1 {
						want[0], want[1], want[2] = -test.at[0], -test.at[1], -1-test.gap/2
					}
					got := [9]float64{c.X[i], c.Y[i], c.Z[i], c.XX[i], c.YY[i], c.ZZ[i], c.XY[i], c.XZ[i], c.YZ[i]}
					for j := range got {
						if test.known && !(math.Abs(got[j]-want[j]) < 1e-14) {
							t.Errorf("pair %d: answer %d is %v, want %v", i, j, got[j], want[j])
						}
					}
				}
				if c.Known[0] != 0 || c.Z[n-1] != 0 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}

func checkCorners(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	from, fans, rims := newCorners(n)
	if wild := s.byte()%4 == 0; wild {
		fans, rims = s.floats(len(fans)), s.floats(len(rims))
		from.setTables(fans, rims)
	}
	for j, p := range from.numberColumns()[:cornerAnswers] {
		for i := range *p {
			if j < 2 {
				(*p)[i] += float64(s.byte())/256 - 0.5
			} else if j == 15 {
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
				(*w)[i] = uint32(s.byte() % []byte{2, 2, 2, 2, fanRow + 1, 29, 29, 29, 29}[j])
			}
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	for _, p := range want.numberColumns()[cornerAnswers:] {
		*p = slices.Clone(*p)
	}
	locateCornersGeneric(&want, lo, hi)
	for _, k := range want.Known {
		known += int(k)
	}
	bothEnds(t, func(p *pen) {
		c := &Corners{}
		source := from.numberColumns()
		for j, v := range c.numberColumns() {
			if j >= cornerAnswers {
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
		c.setTables(place(p, fans), place(p, rims))
		LocateCorners(c, lo, hi)
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

func TestCornersLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 40 {
			for seed := range uint64(4) {
				known += checkCorners(t, &source{data: noise(4*uint64(n)+seed, 8000)}, n)
			}
		}
		if known < 100 {
			t.Errorf("only %d rows of all are answered", known)
		}
	})
}

func FuzzCorners(f *testing.F) {
	addSeeds(f)
	f.Add(noise(1, 4000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkCorners(t, s, int(s.byte()%40))
		})
	})
}

func TestCornersPanic(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(c *Corners){
			"range":        func(c *Corners) { LocateCorners(c, 0, 21) },
			"turned":       func(c *Corners) { LocateCorners(c, 3, 2) },
			"short answer": func(c *Corners) { c.XZ = c.XZ[:4]; LocateCorners(c, 0, 4) },
			"short column": func(c *Corners) { c.Cot = c.Cot[:4]; LocateCorners(c, 0, 4) },
			"short sides":  func(c *Corners) { c.Sides[2] = c.Sides[2][:4]; LocateCorners(c, 0, 4) },
			"short poses":  func(c *Corners) { c.RotY = c.RotY[:1]; LocateCorners(c, 0, 4) },
			"short fans":   func(c *Corners) { c.Fans[9] = c.Fans[9][:9]; LocateCorners(c, 0, 4) },
			"short rims":   func(c *Corners) { c.Rims[1] = c.Rims[1][:9]; LocateCorners(c, 0, 4) },
			"body A":       func(c *Corners) { c.A[3] = 2; LocateCorners(c, 0, 20) },
			"body B":       func(c *Corners) { c.B[13] = 1 << 31; LocateCorners(c, 0, 20) },
			"body V":       func(c *Corners) { c.V[4] = 2; LocateCorners(c, 0, 20) },
			"body G":       func(c *Corners) { c.G[14] = math.MaxUint32; LocateCorners(c, 0, 20) },
			"fan":          func(c *Corners) { c.Fan[19] = fanRow + 1; LocateCorners(c, 0, 20) },
			"first side":   func(c *Corners) { c.Sides[0][0] = 29; LocateCorners(c, 0, 20) },
			"last side":    func(c *Corners) { c.Sides[3][9] = 1 << 31; LocateCorners(c, 0, 20) },
		} {
			c, _, _ := newCorners(20)
			if panics(func() { f(c) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
