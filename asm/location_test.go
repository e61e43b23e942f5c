package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// numberColumns lists the columns of numbers but for the table of crowns: seven of poses, then those of pairs.
func (l *Locations) numberColumns() []*[]float64 {
	return []*[]float64{
		&l.PosX, &l.PosY, &l.PosZ, &l.RotW, &l.RotX, &l.RotY, &l.RotZ,
		&l.Gap, &l.NormalX, &l.NormalY, &l.NormalZ, &l.ArmAX, &l.ArmAY, &l.ArmAZ, &l.ArmBX, &l.ArmBY, &l.ArmBZ,
		&l.X, &l.Y, &l.Z, &l.XX, &l.YY, &l.ZZ, &l.XY, &l.XZ, &l.YZ, &l.Known,
	}
}

const locationAnswers = 17 // numberColumns from here on

func (l *Locations) wordColumns() []*[]uint32 { return []*[]uint32{&l.A, &l.B, &l.CrownA, &l.CrownB} }

func (l *Locations) setTable(table []float64) {
	for j := range l.Crowns {
		l.Crowns[j] = table[j:]
	}
}

// newLocations is n pairs over a number of poses and a table of crowns.
func newLocations(poses int, table []float64, n int) *Locations {
	l := &Locations{}
	for j, c := range l.numberColumns() {
		if *c = make([]float64, n); j < 7 {
			*c = make([]float64, poses)
		}
	}
	for _, c := range l.wordColumns() {
		*c = make([]uint32, n)
	}
	l.setTable(table)
	return l
}

// Rows of cubeCrowns.
const (
	noCrown = CrownNumbers * iota
	topCrown
	bottomCrown
	cornerCrown
	edgeCrown
	crownRows
)

// cubeCrowns is a table of crowns: none, the top and the bottom of a cube of side 2, the top corner of one and an
// edge along x of one, in frames in which these are highest.
func cubeCrowns() []float64 {
	table := make([]float64, crownRows)
	set := func(row int, radius float64, legs ...[6]float64) {
		for k, l := range legs {
			copy(table[row+6*k:], l[:])
		}
		table[row+24] = radius
	}
	set(topCrown, 1.75, [6]float64{-1, -1, 1, 0, 0, -2}, [6]float64{1, -1, 1, 0, 0, -2}, [6]float64{1, 1, 1, 0, 0, -2}, [6]float64{-1, 1, 1, 0, 0, -2})
	set(bottomCrown, 1.75, [6]float64{-1, -1, -1, 0, 0, 2}, [6]float64{-1, 1, -1, 0, 0, 2}, [6]float64{1, 1, -1, 0, 0, 2}, [6]float64{1, -1, -1, 0, 0, 2})
	// Legs that lead down by as much as out; the third is half-way between its neighbours.
	set(cornerCrown, 1.75, [6]float64{0, 0, 1, 1, 0, -1}, [6]float64{0, 0, 1, 0, 1, -1}, [6]float64{0, 0, 1, -0.5, 0, -1}, [6]float64{0, 0, 1, -1, -1, -1})
	set(edgeCrown, 1.75, [6]float64{-1, 0, 1, 0, 1, -1}, [6]float64{-1, 0, 1, 0, -1, -1}, [6]float64{1, 0, 1, 0, -1, -1}, [6]float64{1, 0, 1, 0, 1, -1})
	return table
}

// TestLocate has sections whose common parts are plain: A below B, at a depth of half a tenth each.
func TestLocate(t *testing.T) {
	tests := []struct {
		name           string
		crownA, crownB uint32
		at             [3]float64 // of B
		turn           float64    // of B about z
		known          bool
		location       [3]float64
		xx, yy, xy     float64
	}{
		{"squares, one a little aside", topCrown, bottomCrown, [3]float64{0.5, 0.25, 1.9}, 0, false, [3]float64{}, 0, 0, 0}, // parallel
		{"a square within, turned by an eighth", topCrown, bottomCrown, [3]float64{0, 0, 1.9}, math.Pi / 4, true,
			[3]float64{0, 0, 0.95}, octagon(), octagon(), 0},
		{"an edge across a square", edgeCrown, bottomCrown, [3]float64{0.5, 0, 1.9}, math.Atan2(3, 4), true,
			[3]float64{}, math.NaN(), 0, 0}, // see TestLocateStrip
		{"a corner in a square", cornerCrown, bottomCrown, [3]float64{0.3, 0.2, 1.9}, 0.3, true,
			[3]float64{0, 0, 0.95}, math.NaN(), 0, 0},
		{"a face that is none", topCrown, noCrown, [3]float64{0, 0, 1.9}, 0.3, false, [3]float64{}, 0, 0, 0},
		{"nothing in common", topCrown, bottomCrown, [3]float64{5, 0, 1.9}, 0.3, false, [3]float64{}, 0, 0, 0},
		{"upside down", bottomCrown, bottomCrown, [3]float64{0, 0, 1.9}, 0.3, false, [3]float64{}, 0, 0, 0},
		{"corners on sides", topCrown, bottomCrown, [3]float64{0, 0, 1.9}, 0, false, [3]float64{}, 0, 0, 0},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				l := newLocations(2, cubeCrowns(), n)
				l.RotW[0] = 1
				l.PosX[1], l.PosY[1], l.PosZ[1] = test.at[0], test.at[1], test.at[2]
				l.RotW[1], l.RotZ[1] = math.Cos(test.turn/2), math.Sin(test.turn/2)
				for i := range n {
					l.B[i], l.CrownA[i], l.CrownB[i] = 1, test.crownA, test.crownB
					l.Gap[i], l.NormalZ[i], l.ArmAZ[i], l.ArmBZ[i] = -0.1, 1, 1, -1
					l.ArmBX[i], l.ArmBY[i] = -test.at[0], -test.at[1]
				}
				Locate(l, 1, n-1)
				for i := 1; i < n-1; i++ {
					if known := l.Known[i] == 1; known != test.known {
						t.Fatalf("pair %d: known %v", i, l.Known[i])
					}
					if !test.known || math.IsNaN(test.xx) {
						continue
					}
					for j, v := range []float64{l.X[i] - test.location[0], l.Y[i] - test.location[1], l.Z[i] - test.location[2],
						l.XX[i] - test.xx, l.YY[i] - test.yy, l.XY[i] - test.xy, l.ZZ[i], l.XZ[i], l.YZ[i]} {
						if !(math.Abs(v) < 1e-14) {
							t.Errorf("pair %d: answer %d is off by %g", i, j, v)
						}
					}
				}
				if l.Known[0] != 0 || l.Known[n-1] != 0 || l.Z[0] != 0 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}

// octagon is the second moment of a regular octagon of width 2 about an axis, over its area: of side a and area A it
// is A(6r²-a²)/24 with r² = (1+cot²(π/8))a²/4 the square of the corners' distance.
func octagon() float64 {
	a := 2 * math.Tan(math.Pi/8)
	return (6*(1+a*a/4) - a*a) / 24
}

// TestLocateStrip: an edge along x, a tenth wide at its depth, ends within a square turned against it. What is common
// is a trapezoid from the square's side, a line on which 0.8x + 0.6y is a half, to the edge's end at x = 1.
func TestLocateStrip(t *testing.T) {
	const mean, slope = 0.5 / 0.8, -0.6 / 0.8 // the side is at x = mean + slope·y
	const y2 = 0.05 * 0.05 / 3
	wantX := (1 - mean*mean - slope*slope*y2) / (2 * (1 - mean))
	wantY := -slope * y2 / (1 - mean)
	backends.Run(t, func(t *testing.T) {
		const n = 11
		l := newLocations(2, cubeCrowns(), n)
		// The cut square has the half side 1; its middle is so far behind its side, and a little along it.
		x, y := 1.5*0.8-0.35*0.6, 1.5*0.6+0.35*0.8
		turn := math.Atan2(3, 4)
		l.RotW[0], l.RotW[1], l.RotZ[1] = 1, math.Cos(turn/2), math.Sin(turn/2)
		l.PosX[1], l.PosY[1], l.PosZ[1] = x, y, 1.9
		for i := range n {
			l.B[i], l.CrownA[i], l.CrownB[i] = 1, edgeCrown, bottomCrown
			l.Gap[i], l.NormalZ[i], l.ArmAX[i], l.ArmAZ[i] = -0.1, 1, 1, 1
			l.ArmBX[i], l.ArmBY[i], l.ArmBZ[i] = 1-x, -y, -1
		}
		Locate(l, 0, n)
		for i := range n {
			if l.Known[i] != 1 || math.Abs(l.X[i]-wantX) > 1e-14 || math.Abs(l.Y[i]-wantY) > 1e-14 {
				t.Errorf("pair %d: known %v, at %v, %v, want %v, %v", i, l.Known[i], l.X[i], l.Y[i], wantX, wantY)
			}
		}
	})
}

// fuzzedLocations is n pairs made of bytes: cubes that lie on each other a little inclined, which are known as a rule, or
// anything.
func (s *source) fuzzedLocations(n int) (l *Locations, table []float64) {
	table = cubeCrowns()
	wild := s.byte()%4 == 0
	if wild {
		table = s.floats(len(table))
	}
	poses := 1 + int(s.byte())%20
	l = newLocations(poses, table, n)
	for j, c := range l.numberColumns()[:locationAnswers] {
		for i := range *c {
			share := float64(s.byte())/256 - 0.5
			switch {
			case wild:
				(*c)[i] = s.float()
			case j < 2:
				(*c)[i] = share
			case j == 2:
				(*c)[i] = 1.9 * float64(i%2)
			case j == 3:
				(*c)[i] = 1
			case j < 6:
				(*c)[i] = 0.02 * share
			case j == 6:
				(*c)[i] = share
			case j == 7:
				(*c)[i] = -0.05 - 0.3*math.Abs(share)
			case j == 10:
				(*c)[i] = 1
			case j == 13:
				(*c)[i] = 1
			case j == 16:
				(*c)[i] = -1
			}
			if s.byte() < 2 {
				(*c)[i] = s.float()
			}
		}
	}
	for i, z := range l.RotZ {
		if !wild {
			l.RotW[i] = math.Sqrt(1 - z*z)
		}
	}
	for i := range n {
		l.A[i], l.B[i] = uint32(int(s.byte())%poses&^1), uint32(min(int(s.byte())%poses|1, poses-1))
		l.CrownA[i] = []uint32{topCrown, topCrown, cornerCrown, edgeCrown, noCrown, topCrown + 1, 0, 24}[s.byte()%8]
		l.CrownB[i] = []uint32{bottomCrown, bottomCrown, bottomCrown, topCrown}[s.byte()%4]
	}
	return l, table
}

func checkLocations(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	from, table := s.fuzzedLocations(n)
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	for _, c := range want.numberColumns()[locationAnswers:] {
		*c = slices.Clone(*c)
	}
	locateGeneric(&want, lo, hi)
	for _, k := range want.Known {
		known += int(k)
	}
	bothEnds(t, func(p *pen) {
		l := &Locations{}
		source := from.numberColumns()
		for j, c := range l.numberColumns() {
			if j >= locationAnswers {
				*c = output[float64](p, n)
				clear(*c)
			} else {
				*c = place(p, *source[j])
			}
		}
		words := from.wordColumns()
		for j, c := range l.wordColumns() {
			*c = place(p, *words[j])
		}
		l.setTable(place(p, table))
		Locate(l, lo, hi)
		wanted := want.numberColumns()
		for j, c := range l.numberColumns() {
			for i, v := range *c {
				if !sameBits(v, (*wanted[j])[i]) {
					t.Errorf("%d to %d: column %d of row %d: got %v, want %v", lo, hi, j, i, v, (*wanted[j])[i])
				}
			}
		}
	})
	return known
}

func TestLocationsLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 40 {
			for seed := range uint64(4) {
				known += checkLocations(t, &source{data: noise(4*uint64(n)+seed, 8000)}, n)
			}
		}
		if known < 100 {
			t.Errorf("only %d rows of all are answered", known)
		}
	})
}

func FuzzLocations(f *testing.F) {
	addSeeds(f)
	f.Add(noise(1, 4000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkLocations(t, s, int(s.byte()%40))
		})
	})
}

func TestLocationsPanic(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(l *Locations){
			"range":        func(l *Locations) { Locate(l, 0, 21) },
			"turned":       func(l *Locations) { Locate(l, 3, 2) },
			"short answer": func(l *Locations) { l.XZ = l.XZ[:4]; Locate(l, 0, 4) },
			"short column": func(l *Locations) { l.ArmBY = l.ArmBY[:4]; Locate(l, 0, 4) },
			"short poses":  func(l *Locations) { l.RotY = l.RotY[:1]; Locate(l, 0, 4) },
			"short table":  func(l *Locations) { l.Crowns[7] = l.Crowns[7][:9]; Locate(l, 0, 4) },
			"body A":       func(l *Locations) { l.A[3] = 2; Locate(l, 0, 20) },
			"body B":       func(l *Locations) { l.B[13] = 1 << 31; Locate(l, 0, 20) },
			"crown of A":   func(l *Locations) { l.CrownA[7] = crownRows - 24; Locate(l, 0, 20) },
			"crown of B":   func(l *Locations) { l.CrownB[19] = math.MaxUint32; Locate(l, 0, 20) },
		} {
			if panics(func() { f(newLocations(2, cubeCrowns(), 20)) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
		// The last place at which a row may start.
		l := newLocations(2, cubeCrowns(), 20)
		l.CrownA[9] = crownRows - CrownNumbers
		Locate(l, 0, 20)
	})
}
