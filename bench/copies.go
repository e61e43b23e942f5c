package bench

import (
	"math"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/vec"
)

// copies returns n copies of a pile beside each other, on a square lattice along x and y. Each copy has its own fixed
// boxes and shares the shapes. The bodies of a copy follow each other. Between the bounding balls of two copies is room
// for the largest body. The first copy has the poses of s. Others are translated by exact multiples of the spacing, so a
// coordinate is off by half a unit in its last place at most: 6e-14 m at 1000 m.
func copies(s *fileio.Settled, n int) *fileio.Settled {
	if n == 1 {
		return s
	}
	room := 0.0 // the largest radius about the centroid
	radius := make([]float64, len(s.Shapes))
	for i := range s.Shapes {
		for _, v := range s.Shapes[i].Verts {
			radius[i] = max(radius[i], v.Norm())
		}
		room = max(room, radius[i])
	}
	lo, hi := vec.V(math.Inf(1), math.Inf(1), math.Inf(1)), vec.V(math.Inf(-1), math.Inf(-1), math.Inf(-1))
	grow := func(at, half vec.Vec3) { lo, hi = lo.Min(at.Sub(half)), hi.Max(at.Add(half)) }
	for _, b := range s.Bodies {
		r := radius[b.Shape]
		grow(b.Pose.Pos, vec.V(r, r, r))
	}
	for _, b := range s.Static {
		grow(b.Center, b.Half)
	}
	along := int(math.Ceil(math.Sqrt(float64(n))))
	size := hi.Sub(lo)
	dx, dy := spacing(size.X+2*room), spacing(size.Y+2*room)
	c := &fileio.Settled{
		Shapes: s.Shapes, Static: make([]fileio.SettledBox, 0, n*len(s.Static)), Bodies: make([]fileio.SettledBody, 0, n*len(s.Bodies)),
		Lines: fileio.SettledLines{Shapes: s.Lines.Shapes},
	}
	for k := range n {
		by := vec.V(float64(float64(k%along)*dx), float64(float64(k/along)*dy), 0)
		for _, b := range s.Bodies {
			b.Pose.Pos = b.Pose.Pos.Add(by)
			c.Bodies = append(c.Bodies, b)
		}
		for _, b := range s.Static {
			b.Center = b.Center.Add(by)
			c.Static = append(c.Static, b)
		}
		c.Lines.Bodies, c.Lines.Static = append(c.Lines.Bodies, s.Lines.Bodies...), append(c.Lines.Static, s.Lines.Static...)
	}
	return c
}

// spacing returns the least number of eight bits that is not below size, so that its multiples are exact.
func spacing(size float64) float64 {
	share, exp := math.Frexp(size)
	return math.Ldexp(math.Ceil(math.Ldexp(share, 8)), exp-8)
}

// ordered returns a pile with its bodies in an order of package curve.
func ordered(s *fileio.Settled, order string) *fileio.Settled {
	if order == curve.None {
		return s
	}
	n := len(s.Bodies)
	at := [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, b := range s.Bodies {
		at[0][i], at[1][i], at[2][i] = b.Pose.Pos.X, b.Pose.Pos.Y, b.Pose.Pos.Z
	}
	to := *s
	to.Bodies, to.Lines.Bodies = make([]fileio.SettledBody, 0, n), make([]int32, 0, len(s.Lines.Bodies))
	for _, i := range curve.Order(order, at[0], at[1], at[2]) {
		to.Bodies = append(to.Bodies, s.Bodies[i])
		if int(i) < len(s.Lines.Bodies) {
			to.Lines.Bodies = append(to.Lines.Bodies, s.Lines.Bodies[i])
		}
	}
	return &to
}
