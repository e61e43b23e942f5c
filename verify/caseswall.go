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

// closes returns the displacements that move a joint, and by how much a unit of each closes it at its centre. The
// ground does not move.
func (j wallJoint) closes() (at []int, closer [4]float64) {
	at = []int{2 * j.brick, 2*j.brick + 1, 2 * j.under, 2*j.under + 1}
	if j.under < 0 {
		at = at[:2]
	}
	return at, [4]float64{-1, -j.off, 1, -j.off}
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
		at, closer := j.closes()
		turn := [4]float64{0, 1, 0, -1} // of one brick against the other
		for p := range at {
			u[at[p]] += float64(float64(p%2) * 0.25 * pull[k]) // half the height of a brick
			for q := range at {
				a[at[p]][at[q]] += float64(s.stiffness * (float64(closer[p]*closer[q]) + float64(turn[p]*turn[q]*j.length*j.length/4)))
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

// springs returns how far the top brick of the wall of run k sinks by the springs, under the friction at the end, and
// the farthest that the load of a joint is from its spring's, N.
func (j *judge) springs(k int, s *wallSag) (sag, off float64) {
	steps := j.texts(k, "contacts.csv", "", "", "step")[0]
	c := j.numbers(k, "contacts.csv", "step", steps[len(steps)-1], "a", "b", "fx", "fz")
	row := map[[2]int]int{}
	for i := range c[0] {
		row[[2]int{int(min(c[0][i], c[1][i])), int(max(c[0][i], c[1][i]))}] = i
	}
	pull, push := make([]float64, len(s.joints)), make([]float64, len(s.joints))
	for i, joint := range s.joints {
		pair := [2]int{joint.under, joint.brick}
		if joint.under < 0 {
			pair = [2]int{joint.brick, s.bricks} // Walls have their numbers after the bodies.
		}
		if n, ok := row[pair]; ok { // A joint that is open bears nothing.
			pull[i], push[i] = math.Copysign(1, c[3][n])*c[2][n], math.Abs(c[3][n]) // on the upper brick
		}
	}
	u := s.at(pull)
	for i, joint := range s.joints {
		d := 0.0
		at, closer := joint.closes()
		for p := range at {
			d += float64(closer[p] * u[at[p]])
		}
		off = max(off, math.Abs(float64(s.stiffness*d)-push[i]))
	}
	return -u[2*(s.bricks-1)], off
}
