package surface

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
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
// (docs/decisions/0019-walls-under-overlap-laws). The material behind a facet is made when a block comes near it: Make.
type WallBackings struct {
	of     []uint32 // by piece: its facet plus one, 0 for none; up to the last piece whose facet is made
	Facets []BackedFacet
	walls  []*backingMaker // by body; nil for bodies without facets
	parts  int             // numbers of connected parts of walls, of bins and of groups, over all walls
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

// Of returns the sides of piece p, whose facet must be made.
func (s *WallBackings) Of(p soa.Piece) *BackedFacet { return &s.Facets[s.of[p]-1] }

// IsMade reports whether the material behind the facet of piece p is made.
func (s *WallBackings) IsMade(p soa.Piece) bool { return int(p) < len(s.of) && s.of[p] > 0 }

// IsEmpty reports whether there is no wall.
func (s *WallBackings) IsEmpty() bool { return len(s.walls) == 0 }

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

// Renumber gives walls and facets the new rows of their bodies and pieces.
func (s *WallBackings) Renumber(bodies, pieces []uint32) {
	s.of, s.walls = soa.Keep(s.of, pieces), soa.Keep(s.walls, bodies)
}

// largestFace returns the area of a block's largest face, m².
func largestFace(v *soa.View) (most float64) {
	for f := range v.NFaces {
		most = max(most, v.FaceArea(soa.Face(f)))
	}
	return most
}

// Add adds a wall, whose mesh has its coplanar groups. depth, m, is the largest depth that any block
// feels. piece returns the piece of facet k. Add returns the largest distance of the material from a facet, m. It
// returns an error if so many facets meet at one corner that their material takes too many looks.
func (s *WallBackings) Add(wall soa.Body, m *mesh.WallMesh, piece func(k int) soa.Piece, depth float64) (most float64, err error) {
	m.Connect()
	p := newBackingMaker(m, piece, depth, s.parts)
	s.parts += m.Parts()
	s.walls = soa.Resize(s.walls, max(len(s.walls), int(wall)+1))
	s.walls[wall] = p
	rate, odd := p.survey()
	p.groups = s.centres(p)
	first := len(s.Facets)
	for _, k := range append(odd, p.crowded()...) {
		if s.makePiece(p, m.Flat(k)); p.looks.spent() {
			return 0, p.refusal()
		}
	}
	for i := range s.Facets[first:] {
		rate = max(rate, s.Facets[first+i].rate)
	}
	p.forget()
	p.looks.most = math.MaxInt64 // No other piece takes many.
	return p.reachAt(rate), nil
}

// Make makes the material behind some facets of a wall that has been added, given by their number in
// its mesh, and behind the other facets of their flat pieces.
func (s *WallBackings) Make(wall soa.Body, facets []int) {
	p := s.walls[wall]
	for _, k := range facets {
		if !s.IsMade(p.piece(k)) {
			s.makePiece(p, p.Flat(k))
		}
	}
	p.forget()
}

// reachAt returns how far material that widens at a rate, m/m, extends from its facet, m. At a corner
// it may extend farther, by √2.
func (p *backingMaker) reachAt(rate float64) float64 {
	return float64(p.depth * math.Sqrt(1+float64(2*float64(rate*rate))))
}

// makePiece makes the material behind the facets of the flat piece that begins with facet first.
func (s *WallBackings) makePiece(p *backingMaker, first int) {
	flat := p.pieceOf(first)
	if s.IsMade(p.piece(first)) {
		return
	}
	at := len(s.Facets)
	for _, i := range flat.facets {
		s.Facets = append(s.Facets, BackedFacet{Part: p.firstPart + p.Part(i), Corners: p.facet(i).corners, Normal: p.Outward(i, 0), Flip: p.IsFlipped(i)})
		piece := p.piece(i)
		s.of = soa.Resize(s.of, max(len(s.of), int(piece)+1))
		s.of[piece] = uint32(len(s.Facets))
	}
	all := s.Facets[at:]
	p.findEnds(flat)
	s.addBins(p, flat, all)
	s.addOwn(p, flat, all)
	p.addPrisms(flat, all)
	p.limitDepths(flat, all)
	for i := range all {
		all[i].Around = vec.BoxAround(all[i].Corners).Enlarged(p.reachAt(all[i].rate))
	}
}

// FacetMemory is the additional memory, bytes, of a facet whose material is made, if a law acts by
// overlaps: prisms behind both sides, for all shares and for own shares, with one plane for each edge
// of a triangle and one more.
const FacetMemory = int(unsafe.Sizeof(BackedFacet{})) + 24*3 + 2*(2*int(unsafe.Sizeof(overlap.Backing{}))+4*2*int(unsafe.Sizeof(overlap.HalfSpace{}))+
	3*int(unsafe.Sizeof(BinWeights{}))+nBins*8)
