package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

var solidKernels = []struct {
	name            string
	kernel, generic func(s *Polyhedra, lo, hi int)
}{
	{"area", solidArea, solidAreaGeneric},
	{"upright", solidUpright, solidUprightGeneric},
	{"reach", solidReach, solidReachGeneric},
	{"axes", solidAxes, solidAxesGeneric},
	{"moments", solidMoments, solidMomentsGeneric},
	{"slopes", solidSlopes, solidSlopesGeneric},
	{"gradient", solidGradient, solidGradientGeneric},
	{"shared", solidShared, solidSharedGeneric},
}

// solidBox is a box of a batch: its sides, its lower corner, and its pose in the world.
type solidBox struct {
	side, at [3]float64
	first    int // the corner from which moments are summed
	turn     [4]float64
	origin   [3]float64
	arm      float64
}

// boxFaces lists the corners of the faces of a box, counter-clockwise seen from outside. The bits
// of a corner say which end of each side it has. The first three faces are V's.
var boxFaces = [6][4]int{{1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}, {0, 4, 6, 2}, {0, 1, 5, 4}, {0, 2, 3, 1}}

// solidBoxes returns a batch with a box in each row, and so many cells of each kind: V's six
// triangles and the other six, then some without area.
func solidBoxes(boxes [SolidRows]solidBox, cells int) *Polyhedra {
	s := NewSolids(cells)
	for row, b := range boxes {
		corner := func(k int) (x [3]float64) {
			for j := range x {
				if x[j] = b.at[j]; k>>j&1 == 1 {
					x[j] += b.side[j]
				}
			}
			return x
		}
		first := corner(b.first)
		for k := range cells {
			for j := range 9 {
				at := k*SolidCell + j*SolidRows + row
				s.Chosen[at], s.Rest[at] = first[j%3], first[j%3]
			}
		}
		for f, loop := range boxFaces {
			for k := range 2 {
				to := s.Chosen[(2*f%6+k)*SolidCell:]
				if f >= 3 {
					to = s.Rest[(2*f%6+k)*SolidCell:]
				}
				for j, v := range [3]int{loop[0], loop[k+1], loop[k+2]} {
					x := corner(v)
					for i := range 3 {
						to[(3*j+i)*SolidRows+row] = x[i]
					}
				}
			}
		}
		numbers := slices.Concat(b.turn[:], b.origin[:], first[:], []float64{1, b.arm})
		for k, x := range numbers {
			s.Numbers[(ShareAnswers+k)*SolidRows+row] = x
		}
	}
	return s
}

// solidBoxRows are boxes. The first is that of sharePrismAnswers.
func solidBoxRows() (boxes [SolidRows]solidBox) {
	for row := range boxes {
		boxes[row] = solidBox{
			side: [3]float64{0.7, 0.8, 0.1}, at: [3]float64{-0.2, -0.3, 0.4}, first: row, turn: [4]float64{1, 0, 0, 0}, arm: 2,
		}
	}
	return boxes
}

// TestSolidsKnown has a box that can be computed by hand, from each of its corners.
func TestSolidsKnown(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		s := solidBoxes(solidBoxRows(), 6)
		ShareSolids(s, SolidRows, 6, 6)
		for row := range SolidRows {
			for k, want := range sharePrismAnswers {
				if got := s.Numbers[k*SolidRows+row]; !(math.Abs(got-want) <= 1e-15) {
					t.Errorf("answer %d of row %d is %v, want %v", k, row, got, want)
				}
			}
		}
	})
}

// TestSolidsTurned turns a box in the world by a quarter about x, and moves it. The other faces
// move with A.
func TestSolidsTurned(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		boxes := solidBoxRows()
		for row := range boxes {
			boxes[row].turn = [4]float64{math.Sqrt(0.5), math.Sqrt(0.5), 0, 0}
			boxes[row].origin = [3]float64{10, 20, 30}
		}
		s := solidBoxes(boxes, 6)
		for row := range SolidRows {
			s.Numbers[(ShareAnswers+10)*SolidRows+row] = -1
		}
		ShareSolids(s, SolidRows, 6, 6)
		flat := sharePrismAnswers
		want := flat
		want[1], want[2], want[3] = 10+flat[1], 20-flat[3], 30+flat[2] // y to z, z to -y
		want[5], want[6] = flat[6], flat[5]
		for _, k := range []int{11, 17} {
			want[k], want[k+1], want[k+2] = -flat[k], flat[k+2], -flat[k+1]
		}
		for row := range SolidRows {
			for k, want := range want {
				if got := s.Numbers[k*SolidRows+row]; !(math.Abs(got-want) <= 1e-14) {
					t.Errorf("answer %d of row %d is %v, want %v", k, row, got, want)
				}
			}
		}
	})
}

// TestSolidsAlone: neither the solids in other rows nor cells without area change a bit of a
// result.
func TestSolidsAlone(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		src := &source{data: noise(7, 4000)}
		boxes := solidBoxRows()
		for row := range boxes {
			for j := range 3 {
				boxes[row].side[j] += float64(src.byte()) / 256
				boxes[row].at[j] -= float64(src.byte()) / 256
			}
		}
		s := solidBoxes(boxes, 6)
		ShareSolids(s, SolidRows, 6, 6)
		for row := range SolidRows {
			alone := boxes
			for k := range alone {
				if k != row {
					alone[k] = solidBox{side: [3]float64{math.NaN(), 1e300, -1}, turn: [4]float64{0, 0, 0, math.Inf(1)}}
				}
			}
			few := solidBoxes(alone, 12)
			ShareSolids(few, row+1, 10, 12)
			for k := range ShareAnswers {
				if got, want := few.Numbers[k*SolidRows+row], s.Numbers[k*SolidRows+row]; math.Float64bits(got) != math.Float64bits(want) {
					t.Errorf("answer %d of row %d is %v alone, %v among others", k, row, got, want)
				}
			}
		}
	})
}

// TestSolidsRefuse changes one thing, so that there is no volume, or a derivative exceeds that of
// every overlap.
func TestSolidsRefuse(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		boxes := solidBoxRows()
		boxes[1].side[2] = 0
		boxes[2].side[0] = -boxes[2].side[0] // inside out
		boxes[3].side[1] = math.NaN()
		boxes[5].side = [3]float64{}
		boxes[6].first, boxes[6].arm = 4, 1e-3
		s := solidBoxes(boxes, 6)
		for _, row := range []int{4, 6} { // their corners lie in the face of which half is no longer V's, which turns the box
			for j := range 6 {
				s.Chosen[5*SolidCell+(j+3)*SolidRows+row] = s.Chosen[5*SolidCell+j%3*SolidRows+row]
			}
		}
		ShareSolids(s, SolidRows, 6, 6)
		for row, want := range [SolidRows]float64{1, 0, 0, 0, 1, 0, 0, 1} {
			if got := s.Numbers[ShareKnown*SolidRows+row]; got != want {
				t.Errorf("row %d: known is %v, want %v", row, got, want)
			}
		}
	})
}

// checkSolids compares each kernel with its Go loop on arbitrary numbers.
func checkSolids(t *testing.T, src *source) {
	t.Helper()
	k := &solidKernels[int(src.byte())%len(solidKernels)]
	state, cells := make([]float64, len(NewSolids(0).state)), src.floats(SolidCells*SolidCell)
	for i := range state {
		if state[i] = float64(src.byte())/64 - 2; src.byte() < 4 {
			state[i] = src.float()
		}
	}
	want := &Polyhedra{state: slices.Clone(state), part: cells}
	hi := int(src.byte()) % (SolidRows + 1)
	k.generic(want, 0, hi)
	bothEnds(t, func(p *pen) {
		got := &Polyhedra{state: output[float64](p, len(state)), part: place(p, cells)}
		copy(got.state, state)
		k.kernel(got, 0, hi)
		for i, x := range got.state {
			if !sameBits(x, want.state[i]) {
				t.Errorf("%s: number %d of row %d: got %v, want %v", k.name, i/SolidRows, i%SolidRows, x, want.state[i])
			}
		}
	})
}

func TestSolidKernels(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for k := range solidKernels {
			for seed := range uint64(20) {
				checkSolids(t, &source{data: append([]byte{byte(k)}, noise(seed, 6000)...)})
			}
		}
	})
}

func FuzzSolids(f *testing.F) {
	addSeeds(f)
	for k := range solidKernels {
		f.Add(append([]byte{byte(k)}, noise(1, 4000)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) { checkSolids(t, &source{data: data}) })
	})
}

func TestSolidsPanic(t *testing.T) {
	for name, f := range map[string]func(s *Polyhedra){
		"rows":     func(s *Polyhedra) { ShareSolids(s, SolidRows+1, 12, 12) },
		"no rows":  func(s *Polyhedra) { ShareSolids(s, -1, 12, 12) },
		"chosen":   func(s *Polyhedra) { ShareSolids(s, SolidRows, 1, 12) },
		"rest":     func(s *Polyhedra) { ShareSolids(s, SolidRows, 6, 11) },
		"too many": func(s *Polyhedra) { ShareSolids(s, SolidRows, 14, 12) },
	} {
		if panics(func() { f(NewSolids(12)) }) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}

// TestSolidsRod has a rod that lies oblique to all axes. V has two of its faces, which point in
// opposite directions. The moments keep the digits of the corners.
func TestSolidsRod(t *testing.T) {
	side := [3]float64{1, 1e-4, 2e-4}
	axis := [3][3]float64{{2. / 3, 2. / 3, 1. / 3}, {-2. / 3, 1. / 3, 2. / 3}, {1. / 3, -2. / 3, 2. / 3}}
	corner := func(k int) (x [3]float64) {
		for j, length := range side {
			for i := range x {
				x[i] += float64(k>>j&1) * length * axis[j][i]
			}
		}
		return x
	}
	backends.Run(t, func(t *testing.T) {
		s := NewSolids(8)
		for row := range SolidRows {
			chosen, rest := 0, 0
			for f, loop := range boxFaces {
				to, n := s.Rest, &rest
				if f == 1 || f == 4 { // the two faces across y
					to, n = s.Chosen, &chosen
				}
				for k := range 2 {
					for j, v := range [3]int{loop[0], loop[k+1], loop[k+2]} {
						for i, x := range corner(v) {
							to[*n*SolidCell+(3*j+i)*SolidRows+row] = x
						}
					}
					*n++
				}
			}
			for k, x := range []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2} {
				s.Numbers[(ShareAnswers+k)*SolidRows+row] = x
			}
		}
		ShareSolids(s, SolidRows, 4, 8)
		sum := 0.0
		for _, a := range side {
			sum += 144 / (a * a * a * a)
		}
		for k, want := range map[int]float64{0: side[0] * side[1] * side[2], 10: 1 / math.Sqrt(sum), ShareKnown: 1} {
			for row := range SolidRows {
				if got := s.Numbers[k*SolidRows+row]; !(math.Abs(got-want) <= 1e-11*want) {
					t.Errorf("answer %d of row %d is %v, want %v", k, row, got, want)
				}
			}
		}
	})
}
