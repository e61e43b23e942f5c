package surface

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// sinkShare of a block's inscribed radius is how deep under a facet the block is still felt.
	sinkShare = 0.5
	// leastSink of a block's radius is likewise the least of it, for blocks whose inscribed radius
	// is next to nothing.
	leastSink = 0x1p-6
)

// Sides is what the facets of all walls are to blocks and laws that act by overlaps: material
// behind the side that the block comes from (docs/decisions/0034).
type Sides struct {
	of     []uint32 // by piece: its facet plus one, 0 for none; as long as the last
	Facets []SidedFacet
	parts  int // connected parts of walls, bins and groups of all walls
	Bins   int
	groups int
	Ways   []Shares // of each direction

	Sink []float64 // by shape: m, how deep a block is felt
	Area []float64 // by shape: m², of a block's largest face
}

// SidedFacet is a facet of a wall, in the wall's frame. Both of its sides may be touched.
type SidedFacet struct {
	Part    int // of the wall
	Corners []vec.Vec3
	Normal  vec.Vec3 // on the part's side
	Flip    bool     // the corners go around it clockwise
	rate    float64  // m/m, that the material widens by at most
	Around  vec.Box  // of all of it
	Side    [2]Side  // what is behind it, seen from that side and from the other
}

// Side is the material behind one side of a facet.
type Side struct {
	Prisms []overlap.Prism
	Own    []overlap.Prism // narrower ones by prism, for shares of its own; nil if none
	Way    int             // direction, among all
	// What it shares with its neighbours beyond ridges, and the rest: as way if there are none.
	CommonWay, OwnWay int
	Group             int     // contact that it is part of
	Room              float64 // m, how deep it goes at most
}

// Outward returns the normal of a side of the facet: away from the material.
func (f *SidedFacet) Outward(side int) vec.Vec3 {
	if side == 1 {
		return f.Normal.Neg()
	}
	return f.Normal
}

// Nearest returns the point of a facet that is nearest to x.
func (f *SidedFacet) Nearest(x vec.Vec3) (foot vec.Vec3) {
	inside, least := true, math.Inf(1)
	around := f.turn()
	for k, a := range f.Corners {
		b := f.Corners[(k+1)%len(f.Corners)]
		e, d := b.Sub(a), x.Sub(a)
		if around.Dot(e.Cross(d)) < 0 {
			inside = false
		}
		at := a.AddScaled(min(max(e.Dot(d)/e.Norm2(), 0), 1), e)
		if d2 := x.Sub(at).Norm2(); d2 < least {
			least, foot = d2, at
		}
	}
	if inside {
		return x.AddScaled(-f.Normal.Dot(x.Sub(f.Corners[0])), f.Normal)
	}
	return foot
}

// turn returns the normal that the corners go around counter-clockwise.
func (f *SidedFacet) turn() vec.Vec3 {
	if f.Flip {
		return f.Normal.Neg()
	}
	return f.Normal
}

// Of returns the sides of a piece that has them.
func (s *Sides) Of(p soa.Piece) *SidedFacet { return &s.Facets[s.of[p]-1] }

// Feel takes notice of a shape of blocks, and returns how deep under a facet such a block is
// still felt, m.
func (s *Sides) Feel(shape soa.Shape, view *soa.View) float64 {
	for int(shape) >= len(s.Sink) {
		s.Sink, s.Area = append(s.Sink, 0), append(s.Area, 0)
	}
	if s.Sink[shape] == 0 {
		s.Sink[shape], s.Area[shape] = max(sinkShare*view.Inner, leastSink*view.Radius), largestFace(view)
	}
	return s.Sink[shape]
}

// largestFace returns the area of a block's largest face, m².
func largestFace(v *soa.View) (most float64) {
	for f := range v.NFaces {
		loop := v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]]
		at, twice := v.Vert(loop[0]), vec.Vec3{}
		for k := 2; k < len(loop); k++ {
			twice = twice.Add(v.Vert(loop[k-1]).Sub(at).Cross(v.Vert(loop[k]).Sub(at)))
		}
		most = max(most, 0.5*twice.Norm())
	}
	return most
}

// Add finds the material behind the facets of a wall, as deep as blocks are felt at most, m,
// and returns how far from a facet it reaches at most, m. The facets' normals are those of
// their planes, where coplanar, by facet, has the number of its coplanar facet group, or 0; extent is the wall's largest
// coordinate.
func (s *Sides) Add(facets []Facet, coplanar []uint32, extent, depth float64) (most float64) {
	m := newFacetMesh(facets, seamOf(facets, extent))
	first, parts := len(s.Facets), 0
	for i := range m.facets {
		f := &m.facets[i]
		s.Facets = append(s.Facets, SidedFacet{Part: s.parts + f.part, Corners: f.Corners, Normal: f.side(), Flip: f.flip})
		for int(f.Piece) >= len(s.of) {
			s.of = append(s.of, 0)
		}
		s.of[f.Piece] = uint32(len(s.Facets))
		parts = max(parts, f.part+1)
	}
	firstPart, all := s.parts, s.Facets[first:]
	s.parts += parts
	prisms := newPrismMaker(m, coplanar, depth)
	s.addBins(prisms, all)
	s.addOwn(prisms, all)
	prisms.addAll(all)
	findRooms(all, 2*depth, m.seam, m.closedSides(parts), firstPart)
	for i := range all {
		// At a corner the material may be farther off by √2.
		reach := float64(depth * math.Sqrt(1+float64(2*float64(all[i].rate*all[i].rate))))
		all[i].Around = boxAround(all[i].Corners).Enlarged(reach)
		most = max(most, reach)
	}
	return most
}

// roundedAt of a wall's largest coordinate is what rounding may do to its corners.
const roundedAt = 0x1p-46

// seamOf returns how wide a gap between facets of a wall counts as none, m: by the size of the
// wall, wherever it lies in its frame. Extent is its largest coordinate, m.
func seamOf(facets []Facet, extent float64) float64 {
	box := vec.EmptyBox()
	for i := range facets {
		box = box.Union(boxAround(facets[i].Corners))
	}
	return max(float64(float64(0.5*SeamRel)*box.Max.Sub(box.Min).MaxAbs()), float64(roundedAt*extent))
}

// Memory estimates what the facets among some shapes take, bytes, beside these, where a law
// acts by overlaps: the material behind both sides of each, all of it and that of its own shares,
// with a plane for each of its edges and one more.
func Memory(templates []*soa.Template) (bytes uint64) {
	const (
		shares = uint64(3*unsafe.Sizeof(Shares{})) + nBins*uint64(unsafe.Sizeof(float64(0)))
		prisms = 2 * uint64(unsafe.Sizeof(overlap.Prism{}))
		side   = 2 * uint64(unsafe.Sizeof(overlap.Side{}))
	)
	for _, t := range templates {
		if t.Kind == soa.Facet {
			edges := uint64(len(t.Verts))
			bytes += uint64(unsafe.Sizeof(SidedFacet{})) + 24*edges + 2*(prisms+(edges+1)*side+shares)
		}
	}
	return bytes
}
