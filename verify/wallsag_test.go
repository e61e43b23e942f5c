package verify

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

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

// TestWallSags compares the stored depths of V32 with the springs, under the friction that a run ends with.
func TestWallSags(t *testing.T) {
	require.Numbers(t)
	c := caseOf(t, "V32")
	dir := t.TempDir()
	if list, err := Run(t.Context(), []*Case{c}, Options{Dir: dir}); err != nil || list[0].Error != "" {
		t.Fatal(err, list[0].Error)
	}
	j := &judge{dirs: []string{dir + "/V32/run-1"}}
	const rows = 5
	s := newWallSag(rows)
	steps := j.texts(0, "contacts.csv", "", "", "step")[0]
	b := j.numbers(0, "contacts.csv", "step", steps[len(steps)-1], "a", "b", "fx", "fz")
	row := map[[2]int]int{}
	for i := range b[0] {
		lower, upper := int(b[0][i]), int(b[1][i])
		row[[2]int{min(lower, upper), max(lower, upper)}] = i
	}
	pull, push := make([]float64, len(s.joints)), make([]float64, len(s.joints))
	for i, joint := range s.joints {
		pair := [2]int{joint.under, joint.brick}
		if joint.under < 0 {
			pair = [2]int{joint.brick, s.bricks} // Walls have their numbers after the bodies.
		}
		n, ok := row[pair]
		if !ok {
			t.Fatalf("brick %d does not lie on %d", joint.brick, joint.under)
		}
		pull[i], push[i] = math.Copysign(1, b[3][n])*b[2][n], math.Abs(b[3][n]) // on the upper brick
	}
	if len(row) != len(s.joints) {
		t.Errorf("%d contacts, expected %d", len(row), len(s.joints))
	}
	u := s.at(pull)
	for i, joint := range s.joints {
		d := 0.0
		at, closer := joint.closes()
		for p := range at {
			d += closer[p] * u[at[p]]
		}
		// Forces tilt by up to 1e-3, as the bricks do, which the springs leave out.
		if off := math.Abs(s.stiffness*d - push[i]); !(off < 1e-3*rows*s.weight) {
			t.Errorf("brick %d on %d: %g N, by the springs %g N", joint.brick, joint.under, push[i], s.stiffness*d)
		}
	}
	if want := -u[2*(s.bricks-1)]; !(math.Abs(sags[rows]/want-1) < 1e-6) {
		t.Errorf("the case has a sag of %.9g m, the springs %.9g m", sags[rows], want)
	}
}
