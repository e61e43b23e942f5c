package verify

import "math"

// wallSag is the wall of wall.toml as springs. Its bricks of 1 × 0.5 × 0.5 m move along z and turn by θ; the
// forces of friction are given. The overlap of a joint is a slab of thickness h = d + α·x over a length L, in
// which the default law stores ½·k·(d² + α²·L²/4), because 12·λ = ∫h³dx/∫h dx. So a joint is a spring k at its
// centre, and a spring k·L²/4 against its turn.
type wallSag struct {
	stiffness, weight float64 // N/m; N, of a brick
	joints            []wallJoint
	bricks            int
}

// wallJoint is the contact of a brick with the brick below it, or with the ground (under < 0).
type wallJoint struct {
	brick, under int
	off, length  float64 // m, along x: its centre from that of the brick; length of the overlap
}

func newWallSag(rows int) *wallSag {
	const length, pitch = 1.0, 1.001
	s := &wallSag{stiffness: 4e7, weight: 650 * g}
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

// at returns the displacements: 2·b is brick b along z, 2·b + 1 its turn. pull is the friction along x on the
// upper brick of each joint.
func (s *wallSag) at(pull []float64) []float64 {
	n := 2 * s.bricks
	a, u := make([][]float64, n), make([]float64, n)
	for i := range a {
		if a[i] = make([]float64, n); i%2 == 0 {
			u[i] = -s.weight
		}
	}
	for k, j := range s.joints {
		// What a unit of the upper brick along z, of its turn, and of the lower brick does: it closes the centre of
		// the joint, and turns one brick against the other.
		closer, turn := [4]float64{-1, -j.off, 1, -j.off}, [4]float64{0, 1, 0, -1}
		at, moving := []int{2 * j.brick, 2*j.brick + 1, 2 * j.under, 2*j.under + 1}, 4
		if j.under < 0 {
			moving = 2
		}
		for p := range moving {
			u[at[p]] += float64(float64(p%2) * 0.25 * pull[k]) // half the height of a brick
			for q := range moving {
				a[at[p]][at[q]] += s.stiffness * (float64(closer[p]*closer[q]) + float64(turn[p]*turn[q]*j.length*j.length)/4)
			}
		}
	}
	for i := range n { // elimination; the matrix is positive definite
		for r := i + 1; r < n; r++ {
			if f := a[r][i] / a[i][i]; f != 0 {
				for c := i; c < n; c++ {
					a[r][c] -= float64(f * a[i][c])
				}
				u[r] -= float64(f * u[i])
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for c := i + 1; c < n; c++ {
			u[i] -= float64(a[i][c] * u[c])
		}
		u[i] /= a[i][i]
	}
	return u
}

// sag compares the wall at the end of run k with the springs: how far its top brick has sunk.
func (j *judge) sag(k, rows int) (got, want float64, found bool) {
	s := newWallSag(rows)
	steps := j.texts(k, "contacts.csv", "", "", "step")[0]
	c := j.numbers(k, "contacts.csv", "step", steps[len(steps)-1], "a", "b", "fx", "fz")
	pull := map[[2]int]float64{}
	for i := range c[0] {
		a, b := int(c[0][i]), int(c[1][i])
		f := math.Copysign(1, c[3][i]) * c[2][i] // on the body that is pushed up
		pull[[2]int{min(a, b), max(a, b)}] = f
	}
	pulls := make([]float64, len(s.joints))
	for i, joint := range s.joints {
		pair := [2]int{joint.under, joint.brick}
		if joint.under < 0 {
			pair = [2]int{joint.brick, s.bricks} // Walls have their numbers after the bodies.
		}
		f, ok := pull[pair]
		if pulls[i] = f; !ok {
			return 0, 0, false
		}
	}
	z := j.bodies(k, "cz")[0]
	return (float64(rows)-0.5)*0.5 - last(z), -s.at(pulls)[2*(s.bricks-1)], len(pull) == len(s.joints)
}
