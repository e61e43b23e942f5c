package engine

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

var soakStiff = flag.Bool("soak.stiff", false, "with -soak.physics: stiff towers too, which takes hours")

// tower is a tower of unit cubes of density 1 on a plane, with the thickness law and friction 0.5.
type tower struct {
	n      int
	k, e   float64 // N/m, restitution
	offset float64 // m, random offset of each cube; if 0, the top cube spins at 1e-7 rad/s
}

func (c tower) String() string {
	return fmt.Sprintf("%d cubes, k=%g, e=%g, set off by %g", c.n, c.k, c.e, c.offset)
}

// world returns the tower, with each cube touching the one below, and a fiftieth of the contact
// time.
func (c tower) world(t testing.TB) (w *World, dt float64) {
	r := rand.New(rand.NewPCG(1, 1))
	w = newWorld(t, Config{Gravity: down, NoLedger: true}, force.Thickness{Stiffness: c.k, Tangential: 0.8 * c.k, Friction: 0.5, Restitution: c.e})
	addFloor(t, w)
	cube := addShape(t, w, box(t, 1, 1, 1))
	for i := range c.n {
		spin := vec.Vec3{}
		if i == c.n-1 && c.offset == 0 {
			spin = vec.V(1e-7, 1e-7, 0)
		}
		at := vec.V(c.offset*(2*r.Float64()-1), c.offset*(2*r.Float64()-1), 0.5+float64(i))
		addMoving(t, w, cube, vec.Pose{Pos: at, Rot: vec.Identity}, vec.Vec3{}, spin)
	}
	return w, ofContact(c.k, 1.0/50)
}

// moves runs for some seconds and returns the largest kinetic energy, in units of the tower's
// weight times its height.
func (c tower) moves(t testing.TB, w *World, dt, seconds float64) (most float64) {
	t.Helper()
	for k := range int(seconds / dt) {
		if steps(t, w, 1, dt); k%20 == 0 {
			most = max(most, w.Measure().Kinetic())
		}
	}
	return most / (float64(c.n*c.n) * 9.81)
}

// towerRounding is the kinetic energy, in units of weight times height, below which kinetic
// energies are not compared.
const towerRounding = 1e-15

// leans returns the tilt of the top cube, rad. The floor is body 0.
func (c tower) leans(w *World) float64 {
	up := w.Bodies().Rot.At(c.n).Rotate(vec.V(0, 0, 1))
	return math.Hypot(up.X, up.Y)
}

// carries checks that each joint of a resting tower carries the cubes above it, and is compressed
// by that force divided by the stiffness (case V30). Cubes are numbered from the floor, which is
// body 0.
//
// A cube stops moving once its path per step is below half the last digit of its height, because
// the sum then rounds to the old height. It may therefore keep a velocity of up to that digit per
// two steps. The joint's dashpot then permanently carries its share of the load, and the spring the
// rest.
// dashpot then carries its share of the load for good, and the spring the rest.
func (c tower) carries(t *testing.T, w *World, dt float64) {
	t.Helper()
	const weight = 9.81
	digit := func(body int) float64 {
		z := w.Bodies().Pos.Z[body]
		return math.Nextafter(z, math.Inf(1)) - z
	}
	found, byDashpots := 0, 0.0
	for i := range w.space.ActiveRows {
		found++
		a, b := int(w.space.Pieces.Body[w.space.Pairs.A[w.space.Contacts.Pair[i]]]), int(w.space.Pieces.Body[w.space.Pairs.B[w.space.Contacts.Pair[i]]])
		load := weight * float64(c.n-min(a, b))
		if f := math.Abs(w.forces.Force.Z[i]); math.Abs(f-load) > 1e-9*load {
			t.Errorf("below cube %d: force %.12g, expected %.12g", min(a, b)+1, f, load)
		}
		mass, v := 0.5, w.Bodies().Vel.Z
		if min(a, b) == 0 {
			mass = 1
		}
		closing := v[min(a, b)] - v[max(a, b)]
		if most := 0.5 * (digit(a) + digit(b)) / dt; math.Abs(closing) > most {
			t.Errorf("below cube %d: the joint closes at %g m/s, expected %g at most", min(a, b)+1, closing, most)
		}
		give := load/c.k - 2*c.zeta()*math.Sqrt(mass/c.k)*closing
		gap := w.space.Contacts.Gap[i]
		byDashpots = max(byDashpots, math.Abs(load/c.k-give))
		if c.offset == 0 && math.Abs(gap+give) > 1e-9*load/c.k+digit(a)+digit(b) {
			t.Errorf("below cube %d: gap %.12g, expected %.12g; without dashpots %.12g", min(a, b)+1, gap, -give, -load/c.k)
		}
	}
	t.Logf("dashpots carry up to %.2g m times the stiffness", byDashpots)
	if found != c.n {
		t.Errorf("%d contacts, expected %d", found, c.n)
	}
}

// TestThicknessTowers leaves towers of cubes alone. Their motion must die out, their tilt must not
// grow after half time, and they must not gain energy.
func TestThicknessTowers(t *testing.T) {
	require.Numbers(t)
	for _, c := range []struct {
		tower
		seconds float64
		left    float64 // largest motion in the last quarter
	}{
		{tower{5, 1e6, 0.2, 0}, 2, 1e-12}, {tower{3, 1e8, 0.8, 0}, 0.2, 1e-9}, {tower{5, 1e6, 0.2, 0.02}, 3, 1e-10},
	} {
		t.Run(c.String(), func(t *testing.T) {
			w, dt := c.world(t)
			last, lean := math.Inf(1), [4]float64{}
			for q := range 4 {
				most := c.moves(t, w, dt, c.seconds/4)
				if q > 0 && most > max(last, towerRounding) {
					t.Errorf("in quarter %d of %g s the tower moves more than before: %g of its weight times its height, after %g", q+1, c.seconds, most, last)
				}
				last, lean[q] = most, c.leans(w)
			}
			if t.Logf("the top cube leans by %.3g rad", lean); lean[3] > lean[1]+1e-12 {
				t.Errorf("the top cube leans by %.3g rad at the ends of the quarters", lean)
			}
			if last > c.left {
				t.Errorf("in the last quarter of %g s the tower has %g of its weight times its height, expected %g at most", c.seconds, last, c.left)
			}
		})
	}
}

// TestThicknessColumnStands is case V30 for a column of ten whose top cube spins. The higher a cube
// lies, the coarser are the last digits of its height.
func TestThicknessColumnStands(t *testing.T) {
	require.Numbers(t)
	c := tower{10, 1e6, 0.1, 0}
	w, dt := c.world(t)
	c.moves(t, w, dt, 0.6)
	c.carries(t, w, dt)
}

// TestSoakTowers leaves towers of 5, 10 and 20 cubes alone for a minute (case V32b). The tower of
// 20 with offsets keeps its first sway mode, which decays through the dashpots. All others must
// come to rest. Then their tilt must not grow, and each joint must carry the cubes above it.
func TestSoakTowers(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	type row struct {
		cubes []int
		k, e  float64
	}
	rows := []row{{[]int{5, 20}, 1e6, 0.2}, {[]int{10}, 1e6, 0.1}}
	if *soakStiff {
		rows = append(rows, row{[]int{5, 20}, 1e8, 0.2}, row{[]int{5, 20}, 1e8, 0.8})
	}
	for _, r := range rows {
		for _, n := range r.cubes {
			for _, offset := range []float64{0, 0.02} {
				c := tower{n, r.k, r.e, offset}
				t.Run(c.String(), func(t *testing.T) {
					t.Parallel()
					w, dt := c.world(t)
					c.moves(t, w, dt, 30)
					lean := c.leans(w)
					middle := c.moves(t, w, dt, 5)
					c.moves(t, w, dt, 20)
					last := c.moves(t, w, dt, 5)
					if last < towerRounding {
						c.carries(t, w, dt)
					}
					t.Logf("from 30 to 35 s %.3g, from 55 to 60 s %.3g of weight times height; the top cube leans by %.3g rad, then %.3g",
						middle, last, lean, c.leans(w))
					// A sway of energy E turns n joints of rocking stiffness k/4, and their sum by up to √(n·2E/(k/4)).
					sway := math.Sqrt(8 * float64(n) * middle * float64(n*n) * 9.81 / r.k)
					if rise := c.leans(w) - lean; (offset == 0 || middle < towerRounding) && rise > sway+1e-12 {
						t.Errorf("from 30 s on the top cube leans by %.3g rad more, its sway is %.3g rad", rise, sway)
					}
					if last > max(middle, towerRounding) || last > 1e-9 && (n < 20 || offset == 0) {
						t.Errorf("%g of weight times height in the last 5 s, %g from 30 to 35 s", last, middle)
					}
					if n < 20 || offset == 0 || last < towerRounding {
						return
					}
					rate := math.Log(middle/last) / 25 // of the energy, 1/s
					want := 2 * c.swayDecay()
					t.Logf("the sway loses %.4g of its energy a second, expected %.4g", rate, want)
					if math.Abs(rate-want) > 0.2*want {
						t.Errorf("the sway loses %g of its energy a second, expected %g", rate, want)
					}
				})
			}
		}
	}
}

// swayDecay returns the decay rate, 1/s, of the amplitude of the tower's first sway mode. Cubes of
// mass 1, inertia 1/6 and side 1 move sideways by x and turn by θ. Each joint has the rocking
// stiffness k/4 of a square face (3·k·κ², κ² = 1/12), the tangential stiffness, and dashpots: that of
// tilt, 1.5·c·κ², and that of friction. Gravity increases any tilt.
func (c tower) swayDecay() float64 {
	zeta, kt, size := c.zeta(), 0.8*c.k, 2*c.n
	stiff, damping := make([][]float64, size), make([][]float64, size)
	for i := range stiff {
		stiff[i], damping[i] = make([]float64, size), make([]float64, size)
	}
	// add adds a spring of stiffness s and its dashpot d between the coordinates at, with the given
	// weights.
	add := func(s, d float64, at []int, weight []float64) {
		for i, a := range at {
			for j, b := range at {
				stiff[a][b] += s * weight[i] * weight[j]
				damping[a][b] += d * weight[i] * weight[j]
			}
		}
	}
	for i := range c.n {
		mass := 0.5
		slip, slipBy := []int{2 * i, 2*i + 1}, []float64{1, -0.5}
		rock, rockBy := []int{2*i + 1}, []float64{1}
		if i == 0 {
			mass = 1
		} else {
			slip, slipBy = append(slip, 2*i-2, 2*i-1), append(slipBy, -1, -0.5)
			rock, rockBy = append(rock, 2*i-1), append(rockBy, -1)
		}
		add(kt, 2*zeta*math.Sqrt(mass*kt), slip, slipBy)
		add(c.k/4, 1.5*2*zeta*math.Sqrt(mass*c.k)/12, rock, rockBy)
		stiff[2*i+1][2*i+1] -= 9.81 * (float64(c.n-i) - 0.5)
	}
	mode := make([]float64, size)
	for i := range mode {
		mode[i] = float64(i%2*20+i*i) / 100
	}
	inertia := func(i int) float64 {
		if i%2 == 1 {
			return 1.0 / 6
		}
		return 1
	}
	for range 30 { // inverse iteration
		for i := range mode {
			mode[i] *= inertia(i)
		}
		mode = solved(stiff, mode)
		largest := 0.0
		for _, x := range mode {
			largest = max(largest, math.Abs(x))
		}
		for i := range mode {
			mode[i] /= largest
		}
	}
	lost, held := 0.0, 0.0
	for i, row := range damping {
		held += inertia(i) * mode[i] * mode[i]
		for j, d := range row {
			lost += d * mode[i] * mode[j]
		}
	}
	return lost / (2 * held)
}

// zeta returns the damping ratio of the tower's restitution, by bisection.
func (c tower) zeta() float64 {
	lo, hi := 0.0, 10.0
	for range 60 {
		if mid := (lo + hi) / 2; force.RestitutionWithinForce(mid) > c.e {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// solved returns the solution x of a·x = b, by elimination; a is positive definite.
func solved(a [][]float64, b []float64) []float64 {
	n := len(b)
	m, x := make([][]float64, n), make([]float64, n)
	for i := range a {
		m[i] = append(append([]float64{}, a[i]...), b[i])
	}
	for i := range n {
		for r := i + 1; r < n; r++ {
			f := m[r][i] / m[i][i]
			for c := i; c <= n; c++ {
				m[r][c] -= f * m[i][c]
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		x[i] = m[i][n]
		for c := i + 1; c < n; c++ {
			x[i] -= m[i][c] * x[c]
		}
		x[i] /= m[i][i]
	}
	return x
}
