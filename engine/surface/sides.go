package surface

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// sinkShare times the inscribed radius of a block is the largest depth under a facet that the
	// block feels.
	// Smaller: hard impacts fall through facets. Larger: more candidate pairs.
	sinkShare = 0.5
	// leastSink times the radius of a block is the least value of that depth. It serves blocks with
	// a tiny inscribed radius.
	// Smaller: flat blocks fall through.
	leastSink = 0x1p-6
)

// WallBackings is the material behind the facets of all walls, for blocks and laws that act by overlaps
// (docs/decisions/0019-walls-under-overlap-laws).
type WallBackings struct {
	of     []uint32 // by piece: its facet plus one, 0 for none; up to the last piece with a facet
	Facets []BackedFacet
	parts  int // numbers of connected parts of walls, of bins and of groups, over all walls
	Bins   int
	groups int
	Shares []BinWeights // the shares of each direction of facets

	Sink []float64 // by shape: m, the largest depth that a block feels
	Area []float64 // by shape: m², area of a block's largest face
}

// BackedFacet is a facet of a wall, in the wall's frame. Blocks may touch either side.
type BackedFacet struct {
	Part    int // the part of the wall that the facet belongs to
	Corners []vec.Vec3
	Normal  vec.Vec3        // on side 0 of the part
	Flip    bool            // the corners go around Normal clockwise
	rate    float64         // m/m, the largest rate at which the material widens
	Around  vec.Box         // box around the facet and its material
	Side    [2]FacetBacking // the material behind the side that Normal points to, and behind the other side
}

// FacetBacking is the material behind one side of a facet.
type FacetBacking struct {
	Prisms     []overlap.Backing
	Own        []overlap.Backing // the narrower prisms for the facet's own shares, one by prism; nil if there are none
	ShareIndex int               // the facet's shares, an index in WallBackings.Shares
	// The shares in common with the neighbours beyond ridges, and the facet's own shares. Both
	// equal ShareIndex if there are no own shares.
	CommonShareIndex, OwnShareIndex int
	Group                           int     // contact that the side belongs to
	DepthLimit                      float64 // m, the largest depth that blocks feel here: see limitDepths
}

// Outward returns the normal of a side of the facet, away from the material.
func (f *BackedFacet) Outward(side int) vec.Vec3 {
	if side == 1 {
		return f.Normal.Neg()
	}
	return f.Normal
}

// Nearest returns the point of the facet nearest to x.
func (f *BackedFacet) Nearest(x vec.Vec3) (nearest vec.Vec3) {
	inside, least := true, math.Inf(1)
	around := f.Outward(sideIf(!f.Flip))
	for k, a := range f.Corners {
		b := f.Corners[(k+1)%len(f.Corners)]
		e, d := b.Sub(a), x.Sub(a)
		if around.Dot(e.Cross(d)) < 0 {
			inside = false
		}
		at := a.AddScaled(min(max(e.Dot(d)/e.Norm2(), 0), 1), e)
		if d2 := x.Sub(at).Norm2(); d2 < least {
			least, nearest = d2, at
		}
	}
	if inside {
		return x.AddScaled(-f.Normal.Dot(x.Sub(f.Corners[0])), f.Normal)
	}
	return nearest
}

// Of returns the sides of piece p, which must be a facet of a wall that was added.
func (s *WallBackings) Of(p soa.Piece) *BackedFacet { return &s.Facets[s.of[p]-1] }

// AddShape registers a shape of blocks. It returns the largest depth under a facet that such a block
// feels, m.
func (s *WallBackings) AddShape(shape soa.Shape, view *soa.View) float64 {
	n := max(len(s.Sink), int(shape)+1)
	s.Sink, s.Area = soa.Resize(s.Sink, n), soa.Resize(s.Area, n)
	if s.Sink[shape] == 0 {
		s.Sink[shape], s.Area[shape] = max(sinkShare*view.Inner, leastSink*view.Radius), largestFace(view)
	}
	return s.Sink[shape]
}

// Forget forgets all walls, but no shapes of blocks.
func (s *WallBackings) Forget() { *s = WallBackings{Sink: s.Sink, Area: s.Area} }

// Renumber gives the facets the new rows of their pieces.
func (s *WallBackings) Renumber(pieces []uint32) { s.of = soa.Keep(s.of, pieces) }

// largestFace returns the area of a block's largest face, m².
func largestFace(v *soa.View) (most float64) {
	for f := range v.NFaces {
		most = max(most, v.FaceArea(soa.Face(f)))
	}
	return most
}

// Add computes the material behind the facets of a wall. depth, m, is the largest depth that any
// block feels. Add returns the largest distance of the material from a facet, m. It returns an error
// if so many facets meet at one corner that this takes too many looks.
//
// coplanar holds, by facet, the number of its coplanar facet group, or 0. The facets of a group
// must all have the normal of their common plane, up to sign. extent is the wall's largest
// coordinate, m.
func (s *WallBackings) Add(facets []WallFacet, coplanar []uint32, extent, depth float64) (most float64, err error) {
	m := newFacetMesh(facets, seamOf(facets, extent))
	first, parts := len(s.Facets), 0
	for i := range m.facets {
		f := &m.facets[i]
		s.Facets = append(s.Facets, BackedFacet{Part: s.parts + f.part, Corners: f.Corners, Normal: f.outward(0), Flip: f.flip})
		s.of = soa.Resize(s.of, max(len(s.of), int(f.Piece)+1))
		s.of[f.Piece] = uint32(len(s.Facets))
		parts = max(parts, f.part+1)
	}
	firstPart, all := s.parts, s.Facets[first:]
	s.parts += parts
	prisms := newPrismMaker(m, coplanar, depth)
	if !prisms.looks.spent() {
		s.addBins(prisms, all)
		s.addOwn(prisms, all)
		prisms.addAll(all)
		limitDepths(all, prisms, 2*depth, m.closedSides(parts), firstPart)
	}
	if prisms.looks.spent() {
		return 0, prisms.refusal()
	}
	for i := range all {
		// At a corner the material may extend farther, by √2.
		reach := float64(depth * math.Sqrt(1+float64(2*float64(all[i].rate*all[i].rate))))
		all[i].Around = boxAround(all[i].Corners).Enlarged(reach)
		most = max(most, reach)
	}
	return most, nil
}

// roundedAt times a wall's largest coordinate bounds the rounding of its corners.
// Smaller: far neighbours do not meet. Larger: far neighbours are welded.
const roundedAt = 0x1p-46

// seamOf returns the width of a gap between facets of a wall below which the gap counts as none, m.
// It depends on the size of the wall, wherever the wall lies in its frame. extent is the largest
// coordinate, m.
func seamOf(facets []WallFacet, extent float64) float64 {
	box := vec.EmptyBox()
	for i := range facets {
		box = box.Union(boxAround(facets[i].Corners))
	}
	return max(float64(float64(0.5*SeamRel)*box.Max.Sub(box.Min).MaxAbs()), float64(roundedAt*extent))
}

// Memory estimates the additional bytes that the facets among templates take if a law acts by
// overlaps. These are the prisms behind both sides of each facet, for all shares and for own
// shares, with one plane for each edge and one more.
func Memory(templates []*soa.Template) (bytes uint64) {
	const (
		shares = uint64(3*unsafe.Sizeof(BinWeights{})) + nBins*uint64(unsafe.Sizeof(float64(0)))
		prisms = 2 * uint64(unsafe.Sizeof(overlap.Backing{}))
		side   = 2 * uint64(unsafe.Sizeof(overlap.HalfSpace{}))
	)
	for _, t := range templates {
		if t != nil && t.Kind.IsFlat() {
			edges := uint64(len(t.Verts))
			bytes += uint64(unsafe.Sizeof(BackedFacet{})) + 24*edges + 2*(prisms+(edges+1)*side+shares)
		}
	}
	return bytes
}
