package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// clearRounding of the places of a block and a facet, and of the block's radius, is what a
	// block has to be clear of a prism by, to be proven apart: more than rounding moves it there,
	// so that no overlap is missed which is found without the proof.
	clearRounding = 0x1p-44
	// wholly is the share of the depth that a block is felt to under a facet from which on it
	// counts as being that deep: rounding of a depth that was cut there.
	wholly = 1 - 0x1p-20
)

// Press finds what a block has in common with the material behind the facets of one wall, for
// laws that act by overlaps (docs/decisions/0034). Load gives it the block, Add the facets that
// the block may touch, Solve makes Contacts. Nothing outlives the next Load, so a worker needs
// one.
type Press struct {
	// Contacts are those of the block and the wall.
	Contacts []Contact

	sides   *Sides
	presser *overlap.Presser
	block   pressedBlock
	wall    vec.Quat // from the wall's axes to the world's
	far     float64  // m, places of the block and the wall, and the block's radius

	near    []nearFacet
	parts   []pressPart
	pressed []pressedSide
	// Sums by way and by bin; only those in used are not zero.
	ways, bins []BinSum
	usedWays   []int
	usedBins   [][2]int // from the first to before the last
	unsure     []int    // of parts
	choice     sideChoice
	ranges     [][2]int // of bins
}

// NewPress returns one that holds nothing.
func NewPress() *Press { return &Press{presser: overlap.NewPresser()} }

// nearFacet is a facet that no plane parts from the block.
type nearFacet struct {
	row   int
	facet *SidedFacet
	part  int        // of parts
	gap   [2]float64 // m, that the block is clear of the material behind this side by
	room  float64    // m, from which on that is proven
}

// clear reports whether the block is proven to be in no material behind a side.
func (f *nearFacet) clear(side int) bool { return f.gap[side] > f.room }

// pressedSide is a prism that the block is in.
type pressedSide struct {
	row   int
	part  int // of parts
	back  int // the number of its facet's side
	facet *SidedFacet
	side  *Side
	out   vec.Vec3
	way   int     // of the shares that count
	own   bool    // the prism is that of the facet's own shares, part of another
	power float64 // of the unit of its depths to that of all
	overlap.Pressed
}

// Load begins with a block of a shape and its pose, and the pose of a wall.
func (r *Press) Load(s *Sides, shape soa.Shape, view *soa.View, block, wall vec.Pose) {
	r.sides, r.wall = s, wall.Rot
	r.far = block.Pos.MaxAbs() + wall.Pos.MaxAbs() + view.Radius
	r.presser.Load(view, vec.Pose{Pos: wall.PointInv(block.Pos), Rot: wall.Rot.Conj().Mul(block.Rot)})
	r.block = pressedBlock{p: r.presser, inner: view.Inner, sink: s.Sink[shape], area: s.Area[shape], ways: s.Ways}
	if len(r.bins) < s.Bins {
		r.ways, r.bins = make([]BinSum, len(s.Ways)), make([]BinSum, s.Bins)
	}
	r.near, r.parts, r.pressed, r.Contacts = r.near[:0], r.parts[:0], r.pressed[:0], r.Contacts[:0]
}

// Add gives a facet of the wall: piece p, which the caller knows as row. It returns how far the
// block is proven to be from the material behind both sides of the facet, m. Where nothing is
// proven that is 0, and Solve looks at the facet.
func (r *Press) Add(row int, p soa.Piece) (clear float64) {
	f := r.sides.Of(p)
	near := nearFacet{row: row, facet: f, room: float64(clearRounding * (r.far + f.Corners[0].MaxAbs()))}
	gap := r.presser.BoxGap(f.Around)
	if !(gap > near.room) {
		gap = near.clearOf(r.presser, r.block.sink)
	}
	if gap > near.room {
		return gap - near.room
	}
	r.near = append(r.near, near)
	return 0
}

// clearOf finds how far the block is clear of the material behind each side of a facet, and
// returns the less, m.
func (f *nearFacet) clearOf(p *overlap.Presser, sink float64) float64 {
	for side := range f.gap {
		s, least := &f.facet.Side[side], math.Inf(1)
		for k := range s.Prisms {
			if least > f.room {
				least = min(least, p.Clear(&s.Prisms[k], min(sink, s.Room)))
			}
		}
		f.gap[side] = least
	}
	return min(f.gap[0], f.gap[1])
}

// GroupOf returns the group of contacts that a normal belongs to, which is that of a contact in
// the row of facet p: unit, in the world's axes, into the facet.
func (r *Press) GroupOf(p soa.Piece, normal vec.Vec3) int {
	f := r.sides.Of(p)
	if r.wall.RotateInv(normal).Neg().Dot(f.Normal) >= 0 {
		return f.Side[0].Group
	}
	return f.Side[1].Group
}

// Solve makes the contacts of the block and the facets that were added. One is in the row of the
// facet that gives most to it.
func (r *Press) Solve() {
	if len(r.near) == 0 {
		return
	}
	r.pressParts(&r.block)
	r.sumUp()
	r.Contacts = slices.DeleteFunc(r.Contacts, func(c Contact) bool { return !(c.variance > 0) })
}

// EachClear calls back for rows whose facets the block does not touch for as long as it moves
// less than a distance, m, though it may be near to them. There are none where the block presses
// on anything. A part stores nothing as long as the block is clear of all that is behind one of
// its sides, whatever it is in behind the other.
func (r *Press) EachClear(found func(row int, clear float64)) {
	if len(r.pressed) > 0 {
		return
	}
	for part := range r.parts {
		for side := range 2 {
			clear := true
			for k := range r.near {
				clear = clear && (r.near[k].part != part || r.near[k].clear(side))
			}
			if !clear {
				continue
			}
			for k := range r.near {
				if f := &r.near[k]; f.part == part {
					found(f.row, f.gap[side]-f.room)
				}
			}
			break
		}
	}
}

// Sunk reports whether the block is as deep under a facet as it is felt.
func (r *Press) Sunk() bool {
	return slices.ContainsFunc(r.pressed, func(p pressedSide) bool {
		return r.felt(&p) && p.Deepest >= float64(wholly*min(r.block.sink, p.side.Room))
	})
}
