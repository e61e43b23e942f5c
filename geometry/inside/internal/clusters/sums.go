package clusters

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// Points are summed in runs. A run consists of groups of eight points; a group as a whole lies
// outside a node or not.
const (
	MaxPoints  = 1 << 15 // the most points that a method sorts together, so that the points of a run lie close together
	RunPoints  = 256
	groupShift = 3
	groups     = RunPoints >> groupShift
)

// rimMargin is the distance from a node's box, as a fraction of its diagonal, beyond which a group
// may use the node's rim. The fans lie in the box, so no point is nearer to a fan than the rounding
// of the fan's plane. With a smaller value, rounding may reverse a sign, which changes the sum by a
// whole turn. With a larger one, more nodes are summed triangle by triangle.
const rimMargin = 0x1p-20

// Sums has the solid angles about a run of points, summed over the nodes that are added. Only one
// worker may use it at a time. Winding numbers are solid angles over 4π.
type Sums struct {
	Box   vec.Box // of the points
	n     int
	group [groups]vec.Box
	of    asm.Angles
	store [7][RunPoints]float64
}

// NewSums allocates the sums of a run.
func NewSums() *Sums {
	s := new(Sums)
	to := [...]*[]float64{&s.of.X, &s.of.Y, &s.of.Z, &s.of.Re, &s.of.Im, &s.of.Turns, &s.of.Doubt}
	for k := range to {
		*to[k] = s.store[k][:]
	}
	return s
}

// Load starts empty sums about up to RunPoints points. The points must be finite and scaled like
// the tree.
func (s *Sums) Load(points []vec.Vec3) {
	s.n = len(points)
	s.Box = vec.EmptyBox()
	for g := 0; g<<groupShift < s.n; g++ {
		box := vec.EmptyBox()
		for i := g << groupShift; i < (g+1)<<groupShift; i++ {
			// Fill the last group with the last point.
			x := points[min(i, s.n-1)]
			s.of.X[i], s.of.Y[i], s.of.Z[i] = x.X, x.Y, x.Z
			s.of.Re[i], s.of.Im[i], s.of.Turns[i], s.of.Doubt[i] = 1, 0, 0, 0
			box = box.With(x)
		}
		s.group[g] = box
		s.Box = s.Box.Union(box)
	}
}

// Groups returns the bit mask of the groups of the run.
func (s *Sums) Groups() uint32 { return uint32(1<<((s.n+1<<groupShift-1)>>groupShift) - 1) }

// Group returns the box of group g.
func (s *Sums) Group(g int) *vec.Box { return &s.group[g] }

// GroupOf returns the box of the group of point i.
func (s *Sums) GroupOf(i int) *vec.Box { return &s.group[i>>groupShift] }

// Columns returns the coordinates of the points, group after group. The last group is filled up.
func (s *Sums) Columns() (x, y, z []float64) { return s.of.X, s.of.Y, s.of.Z }

// Add adds a node of the tree to the sums of all points.
func (t *Octree) Add(s *Sums, node int32) { t.AddGroups(s, node, s.Groups()) }

// AddGroups adds a node to the sums of the groups in mask.
func (t *Octree) AddGroups(s *Sums, node int32, mask uint32) {
	n := &t.Nodes[node]
	near := n.Box.Enlarged(float64(rimMargin * n.Box.Size().Norm()))
	in := uint32(0)
	if s.Box.Overlaps(near) {
		for m := mask; m != 0; m &= m - 1 {
			if g := bits.TrailingZeros32(m); s.group[g].Overlaps(near) {
				in |= 1 << g
			}
		}
	}
	if out := mask &^ in; out != 0 && n.FanLo < n.FanHi {
		for lo, hi := range Stretches(out) {
			for f := n.FanLo; f < n.FanHi; f++ {
				asm.FanAngles(&s.of, &t.fans[f], lo, hi)
			}
		}
	}
	if in == 0 {
		return
	}
	if n.NChild == 0 {
		for lo, hi := range Stretches(in) {
			for f := n.FourLo; f < n.FourHi; f++ {
				asm.TriangleAngles(&s.of, &t.fours[f], lo, hi)
			}
		}
		return
	}
	for c := n.Child; c < n.Child+n.NChild; c++ {
		t.AddGroups(s, c, in)
	}
}

// Stretches yields the ranges of points of consecutive groups in mask.
func Stretches(mask uint32) func(yield func(lo, hi int) bool) {
	return func(yield func(lo, hi int) bool) {
		for mask != 0 {
			lo := bits.TrailingZeros32(mask)
			hi := lo + bits.TrailingZeros32(^(mask >> lo))
			if !yield(lo<<groupShift, hi<<groupShift) {
				return
			}
			mask &^= uint32(1<<hi - 1<<lo)
		}
	}
}

// Lost reports whether the sum about point i is invalid because a corner is so near that products
// underflow. The caller must then use PointWinding.
func (s *Sums) Lost(i int) bool { return s.of.Lost(i) }

// Winding returns the winding number of the added nodes about point i. If doubtful is set,
// triangles next to the point were left out of the sum; LeftOut returns their part.
func (s *Sums) Winding(i int) (w float64, doubtful bool) {
	return s.of.Turns[i] + float64(vec.Atan2(s.of.Im[i], s.of.Re[i])*(0.5/math.Pi)), s.of.Doubt[i] != 0
}
