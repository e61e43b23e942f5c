package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// drum returns the inside of a drum of radius 2 about y, with n facets.
func drum(n int) (wall triangles) {
	for k := range n {
		at := func(k int, y float64) vec.Vec3 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			return vec.V(2*cos, y, 2*sin)
		}
		wall = append(wall, []vec.Vec3{at(k, -1), at(k+1, -1), at(k+1, 1), at(k, 1)})
	}
	return wall
}

// seat is a block that lies in a drum under a load along down: its displacements along and across
// this direction, and its rotation about y.
type seat struct {
	w           *World
	id          int
	angle       float64 // rad, rotation of down about y
	at          vec.Vec3
	down, aside vec.Vec3
}

// push returns the sideways and downward force and the moment about y on the block.
func (s *seat) push(at vec.Vec3) vec.Vec3 {
	f, m := s.w.pressAt(s.id, vec.Pose{Pos: s.down.Scale(at.Y).AddScaled(at.X, s.aside), Rot: vec.FromRotationVector(vec.V(0, s.angle+at.Z, 0))})
	return vec.V(f.Dot(s.aside), f.Dot(s.down), m.Y)
}

// under moves the block to its equilibrium under a load, and reports whether it found one. It uses
// Newton's method on the potential. Additional springs to the present position are stiffened until
// a step lowers the potential.
func (s *seat) under(load float64) bool {
	const h = 1e-7
	stored := func(at vec.Vec3) (float64, vec.Vec3) {
		left := s.push(at).Add(vec.V(0, load, 0))
		return storedIn(s.w) - load*at.Y, left
	}
	hold := 1e-3
	for range 200 {
		potential, left := stored(s.at)
		if left.MaxAbs() < 1e-7*load {
			return true
		}
		var column [3]vec.Vec3
		for k, axis := range []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
			column[k] = s.push(s.at.AddScaled(h, axis)).Sub(s.push(s.at.AddScaled(-h, axis))).Scale(0.5 / h)
		}
		for ; ; hold *= 4 {
			if hold > 1e3 {
				return false
			}
			a, b, c := column[0].AddScaled(-hold, vec.V(1, 0, 0)), column[1].AddScaled(-hold, vec.V(0, 1, 0)), column[2].AddScaled(-hold, vec.V(0, 0, 1))
			det := func(a, b, c vec.Vec3) float64 { return a.Dot(b.Cross(c)) }
			step := vec.V(det(left, b, c), det(a, left, c), det(a, b, left)).Scale(-1 / det(a, b, c))
			if next, _ := stored(s.at.Add(step)); step.MaxAbs() < 2e-3 && next <= potential {
				s.at = s.at.Add(step)
				hold = max(hold/16, 1e-9)
				break
			}
		}
	}
	return false
}

// TestPressInADrum lays blocks that span at least three facets into drums of at least 24 facets,
// with loads in various directions. For each block and load, the stiffness in every seat must be
// within a tenth of the mean.
func TestPressInADrum(t *testing.T) {
	for _, side := range []float64{1, 1.4, 1.8} {
		for _, load := range []float64{3e-4, 3e-3} {
			var seen []float64
			for _, n := range []int{24, 37, 64, 96} {
				seen = append(seen, stiffnessInDrum(t, n, side, load)...)
			}
			mean := 0.0
			for _, k := range seen {
				mean += k / float64(len(seen))
			}
			low, high := slices.Min(seen), slices.Max(seen)
			t.Logf("side %g, load %g: %d seats, stiffness %.3f to %.3f of a face's, mean %.3f", side, load, len(seen), low, high, mean)
			if len(seen) < 20 || high > 1.1*mean || low < 0.9*mean {
				t.Errorf("side %g, load %g: in %d seats the stiffness is %g to %g of a face's, expected within a tenth of %g", side, load, len(seen), low, high, mean)
			}
		}
	}
}

// stiffnessInDrum returns the stiffness of a block in six seats; side is the side of its square
// section. It omits seats that Newton's method does not reach because of a kink of the force.
func stiffnessInDrum(t *testing.T, n int, side, load float64) (of []float64) {
	w, id := pressWorld(t, drum(n), box(t, side, 1, side))
	for k := range 6 {
		angle := 0.02 + 2*math.Pi/24*float64(k)/6
		rot := vec.FromRotationVector(vec.V(0, angle, 0))
		resting := math.Sqrt(4-side*side/4) - side/2 // two edges of the block lie on the circle
		s := seat{w: w, id: id, angle: angle, at: vec.V(0, resting+0.0035, 0), down: rot.Rotate(vec.V(0, 0, -1)), aside: rot.Rotate(vec.V(-1, 0, 0))}
		// A block may have two seats; starting at slightly less than the load, it stays in one of
		// them.
		if !s.under(0.98*load) || !s.under(0.995*load) {
			continue
		}
		from := s.at.Y
		if s.under(1.005 * load) {
			of = append(of, 0.01*load/(s.at.Y-from))
		}
	}
	return of
}
