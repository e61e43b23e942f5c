package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// clearRounding is a margin for rounding, relative to the positions of block and facet and the
	// block's radius. A block counts as apart from a prism only if it is clear of it by more than
	// this margin. An overlap that would be found without this proof is therefore never missed.
	// Smaller: odometers may decide whether a grazing overlap is found.
	clearRounding = 0x1p-44
	// wholly is a share of the largest depth that a block feels. From it on, the block counts as
	// being at that depth; the difference allows for rounding.
	// Another value: only the warning.
	wholly = 1 - 0x1p-20
)

// Press computes the overlap of a block with the material behind the facets of one wall, for laws
// that act by overlaps (docs/decisions/0019-walls-under-overlap-laws). Load sets the block, Add adds each facet that the
// block may touch, and Solve computes Contacts. A Press keeps no results after the next Load, so
// one per worker suffices.
type Press struct {
	// Contacts of the block and the wall, set by Solve.
	Contacts []BlockContact

	sides   *WallBackings
	clipper *overlap.BackingClipper
	block   pressedBlock
	wall    vec.Quat // from the wall's axes to the world's
	far     float64  // m, magnitude of the positions of block and wall plus the block's radius

	near    []nearFacet
	parts   []pressPart
	pressed []pressedBacking
	// Sums by index of shares and by bin. Only those in usedShares and usedBins are not zero.
	shareSums, bins []BinSum
	usedShares      []int
	usedBins        [][2]int // each from the first bin to before the last
	unsure          []int    // indices in parts of those whose felt side is not proven
	choice          sideChoice
	ranges          [][2]int // of bins
}

// NewPress returns an empty Press.
func NewPress() *Press { return &Press{clipper: overlap.NewBackingClipper()} }

// nearFacet is a facet that is not proven to be clear of the block on both sides.
type nearFacet struct {
	row   int
	facet *BackedFacet
	part  int        // index in Press.parts
	gap   [2]float64 // m, distance by which the block is clear of the material behind each side
	room  float64    // m, margin that gap must exceed as a proof
}

// clear reports whether the block is proven to be outside all material behind a side.
func (f *nearFacet) clear(side int) bool { return f.gap[side] > f.room }

// pressedBacking is a prism, or a part of one, that the block overlaps.
type pressedBacking struct {
	row        int
	part       int // index in Press.parts
	back       int // side of the facet, 0 or 1
	facet      *BackedFacet
	side       *FacetBacking
	out        vec.Vec3
	shareIndex int     // index in WallBackings.Shares of the shares that count
	own        bool    // the prism is the narrower one of the facet's own shares, which lies inside another
	power      float64 // factor from the prism's unit of Power to the unit of the sums
	overlap.BackingOverlap
}

// Load starts a new block. It sets the block's shape and pose, and the pose of the wall.
func (r *Press) Load(s *WallBackings, shape soa.Shape, view *soa.View, block, wall vec.Pose) {
	r.sides, r.wall = s, wall.Rot
	r.far = block.Pos.MaxAbs() + wall.Pos.MaxAbs() + view.Radius
	r.clipper.Load(view, vec.Pose{Pos: wall.PointInv(block.Pos), Rot: wall.Rot.Conj().Mul(block.Rot)})
	r.block = pressedBlock{p: r.clipper, inner: view.Inner, sink: s.Sink[shape], area: s.Area[shape], shares: s.Shares}
	if len(r.bins) < s.Bins || len(r.shareSums) < len(s.Shares) {
		r.shareSums, r.bins = make([]BinSum, len(s.Shares)), make([]BinSum, s.Bins)
	}
	r.near, r.parts, r.pressed, r.Contacts = r.near[:0], r.parts[:0], r.pressed[:0], r.Contacts[:0]
}

// Add adds a facet of the wall: piece p, which the caller identifies by row. It returns a distance,
// m, by which the block is proven to be clear of the material behind both sides of the facet. If
// nothing is proven, Add returns 0, and Solve evaluates the facet.
func (r *Press) Add(row int, p soa.Piece) (clear float64) {
	f := r.sides.Of(p)
	near := nearFacet{row: row, facet: f, room: float64(clearRounding * (r.far + f.Corners[0].MaxAbs()))}
	gap := r.clipper.BoxGap(f.Around)
	if !(gap > near.room) {
		gap = near.clearOf(r.clipper, r.block.sink)
	}
	if gap > near.room {
		return gap - near.room
	}
	r.near = append(r.near, near)
	return 0
}

// clearOf sets the distances by which the block is clear of the material behind each side of a
// facet, and returns the smaller one, m.
func (f *nearFacet) clearOf(p *overlap.BackingClipper, sink float64) float64 {
	for side := range f.gap {
		s, least := &f.facet.Side[side], math.Inf(1)
		for k := range s.Prisms {
			if least > f.room {
				least = min(least, p.Clear(&s.Prisms[k], min(sink, s.DepthLimit)))
			}
		}
		f.gap[side] = least
	}
	return min(f.gap[0], f.gap[1])
}

// GroupOf returns the group of contacts to which a contact in the row of facet p belongs, by its
// normal: unit, in the world's axes, into the facet.
func (r *Press) GroupOf(p soa.Piece, normal vec.Vec3) int {
	f := r.sides.Of(p)
	if r.wall.RotateInv(normal).Neg().Dot(f.Normal) >= 0 {
		return f.Side[0].Group
	}
	return f.Side[1].Group
}

// Solve computes the contacts of the block and the added facets. A contact is in the row of the
// facet that contributes most to it.
func (r *Press) Solve() {
	if len(r.near) == 0 {
		return
	}
	r.pressParts(&r.block)
	r.sumUp()
	r.Contacts = slices.DeleteFunc(r.Contacts, func(c BlockContact) bool { return !(c.variance > 0) })
}

// EachClear calls found for rows whose facets cannot act on the block while the block moves less
// than clear, m, although the block may be near them. There are none if the block overlaps any
// material. A part stores nothing while the block is clear of everything behind one of its sides,
// even if the block overlaps the material behind the other side.
func (r *Press) EachClear(found func(row int, clear float64)) {
	if len(r.pressed) > 0 {
		return
	}
	for part := range r.parts {
		for side := range 2 {
			if slices.ContainsFunc(r.near, func(f nearFacet) bool { return f.part == part && !f.clear(side) }) {
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

// TooDeep reports whether the block is under a facet as deep as it can be felt.
func (r *Press) TooDeep() bool {
	return slices.ContainsFunc(r.pressed, func(p pressedBacking) bool {
		return r.felt(&p) && p.Deepest >= float64(wholly*min(r.block.sink, p.side.DepthLimit))
	})
}
