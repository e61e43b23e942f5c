package scree_test

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine"
)

// wallSag models the wall of examples/wall.toml as springs. Its bricks of 1 × 0.5 × 0.5 m move
// along z and rotate by θ; the forces of friction are given. Consider a joint whose overlap is a
// slab of thickness h = d + α·x over a length L. Under the thickness law it stores the energy
// ½·k·(d² + α²·L²/4), because 12·λ = ∫h³dx/∫h dx. The joint is therefore a spring k at its centre,
// and a rotational spring k·L²/4.
type wallSag struct {
	stiffness, weight float64 // N/m; N, of a brick
	joints            []wallJoint
	bricks            int
}

// wallJoint is the contact of a brick with the brick below it, or with the ground (under < 0).
type wallJoint struct {
	brick, under int
	off, length  float64 // m, along x: offset of its centre from that of the brick; length of the overlap
}

func newWallSag(rows int, stiffness, weight float64) *wallSag {
	const length, pitch = 1.0, 1.001
	s := &wallSag{stiffness: stiffness, weight: weight}
	for row := range rows {
		for i := range rows - row {
			b, under := s.bricks+i, s.bricks-(rows-row+1)+i
			if row == 0 {
				s.joints = append(s.joints, wallJoint{b, -1, 0, length})
				continue
			}
			s.joints = append(s.joints, wallJoint{b, under, -pitch / 4, length - pitch/2}, wallJoint{b, under + 1, pitch / 4, length - pitch/2})
		}
		s.bricks += rows - row
	}
	return s
}

// relativeMotion returns, per unit motion of the bricks, how much the centre of a joint closes, its bricks
// rotate against each other, and the joint slips. The entries are: upper brick along z and by θ,
// then lower brick.
func (j wallJoint) relativeMotion() (closer, turn, slip [4]float64) {
	const half = 0.25 // m, half the height of a brick
	return [4]float64{-1, -j.off, 1, -j.off}, [4]float64{0, 1, 0, -1}, [4]float64{0, half, 0, half}
}

// at returns the displacements: 2·b is brick b along z, and 2·b + 1 is its rotation. pull is the
// friction force along x on the upper brick of each joint.
func (s *wallSag) at(pull []float64) []float64 {
	n := 2 * s.bricks
	a, u := make([][]float64, n), make([]float64, n)
	for i := range a {
		if a[i] = make([]float64, n); i%2 == 0 {
			u[i] = -s.weight
		}
	}
	for k, j := range s.joints {
		closer, turn, slip := j.relativeMotion()
		for p := range 4 {
			row, ok := j.place(p)
			if !ok {
				continue
			}
			u[row] += slip[p] * pull[k]
			for q := range 4 {
				if column, ok := j.place(q); ok {
					a[row][column] += s.stiffness * (closer[p]*closer[q] + turn[p]*turn[q]*j.length*j.length/4)
				}
			}
		}
	}
	for i := range n { // elimination; the matrix is positive definite
		for r := i + 1; r < n; r++ {
			if f := a[r][i] / a[i][i]; f != 0 {
				for c := i; c < n; c++ {
					a[r][c] -= f * a[i][c]
				}
				u[r] -= f * u[i]
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for c := i + 1; c < n; c++ {
			u[i] -= a[i][c] * u[c]
		}
		u[i] /= a[i][i]
	}
	return u
}

// place returns the index of entry p of relativeMotion among all displacements. The ground does not move.
func (j wallJoint) place(p int) (at int, moves bool) {
	if p < 2 {
		return 2*j.brick + p, true
	}
	return 2*j.under + p - 2, j.under >= 0
}

// checkSag checks the second part of case V32. The bricks of the wall start just touching. The top
// brick must have sunk by the compressions that the law yields for the weight and the friction
// forces, and each joint must carry its share. Contact forces tilt by up to 1e-3, as the bricks do;
// the spring model neglects this.
func checkSag(t *testing.T, w *engine.World, rows int) {
	t.Helper()
	const stiffness, weight, tilt = 4e7, 650 * 9.81, 1e-3
	s, c := newWallSag(rows, stiffness, weight), w.Contacts()
	found := map[[2]int]int{}
	for i, active := range c.Active {
		if active {
			k := c.Pair[i]
			a, b := int(w.Pieces().Body[w.Pairs().A[k]]), int(w.Pieces().Body[w.Pairs().B[k]])
			found[[2]int{min(a, b), max(a, b)}] = i
		}
	}
	ground, pull, push := int(w.Walls()[0]), make([]float64, len(s.joints)), make([]float64, len(s.joints))
	for k, j := range s.joints {
		pair := [2]int{j.under, j.brick}
		if j.under < 0 {
			pair = [2]int{j.brick, ground}
		}
		i, ok := found[pair]
		if !ok {
			t.Fatalf("brick %d does not lie on %d", j.brick, j.under)
		}
		f := w.Forces().Force.At(i)
		if f.Z < 0 {
			f = f.Neg()
		}
		pull[k], push[k] = f.X, f.Z
	}
	if len(found) != len(s.joints) {
		t.Fatalf("%d contacts, expected %d", len(found), len(s.joints))
	}
	u := s.at(pull)
	carried := 0.0
	for k, j := range s.joints {
		closer, _, _ := j.relativeMotion()
		d := 0.0
		for p := range 4 {
			if at, ok := j.place(p); ok {
				d += closer[p] * u[at]
			}
		}
		carried = max(carried, math.Abs(stiffness*d-push[k])/weight)
	}
	want := -u[2*(s.bricks-1)]
	got := (float64(rows)-0.5)*0.5 - w.Bodies().Pos.Z[s.bricks-1]
	t.Logf("the top brick has sunk by %.9g m, by the springs %.9g m; joints carry up to %.3g of a brick's weight more or less than by these", got, want, carried)
	if math.Abs(got-want) > tilt*want || carried > tilt*float64(rows) {
		t.Errorf("the top brick has sunk by %g m, expected %g m; joints are off by %g of a brick's weight, expected %g at most", got, want, carried, tilt*float64(rows))
	}
}
