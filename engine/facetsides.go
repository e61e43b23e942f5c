package engine

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

// facetSides is what the facets of all walls are to blocks and laws that act by overlaps: material
// behind the side that the block comes from (docs/decisions/0034).
type facetSides struct {
	of     []uint32 // by piece: its facet plus one, 0 for none; as long as the last
	facets []sidedFacet
	parts  int // connected parts of walls, bins and groups of all walls
	bins   int
	groups int
	ways   []binShares // of each direction

	sink []float64 // by shape: m, how deep a block is felt
	area []float64 // by shape: m², of a block's largest face
}

// sidedFacet is a facet of a wall, in the wall's frame. Both of its sides may be touched.
type sidedFacet struct {
	part    int // of the wall
	corners []vec.Vec3
	normal  vec.Vec3     // on the part's side
	flip    bool         // the corners go around it clockwise
	rate    float64      // m/m, that the material widens by at most
	around  vec.Box      // of all of it
	side    [2]facetSide // what is behind it, seen from that side and from the other
}

// facetSide is the material behind one side of a facet.
type facetSide struct {
	prisms []overlap.Prism
	own    []overlap.Prism // narrower ones by prism, for shares of its own; nil if none
	way    int             // direction, among all
	// What it shares with its neighbours beyond ridges, and the rest: as way if there are none.
	commonWay, ownWay int
	group             int     // contact that it is part of
	room              float64 // m, how deep it goes at most
}

// outward returns the normal of a side of the facet: away from the material.
func (f *sidedFacet) outward(side int) vec.Vec3 {
	if side == 1 {
		return f.normal.Neg()
	}
	return f.normal
}

// facetOf returns the sides of a piece that has them.
func (s *facetSides) facetOf(p soa.Piece) *sidedFacet { return &s.facets[s.of[p]-1] }

// Feel takes notice of a shape of blocks, and returns how deep under a facet such a block is still felt, m.
func (s *facetSides) Feel(shape soa.Shape, view *soa.View) float64 {
	for int(shape) >= len(s.sink) {
		s.sink, s.area = append(s.sink, 0), append(s.area, 0)
	}
	if s.sink[shape] == 0 {
		s.sink[shape], s.area[shape] = max(sinkShare*view.Inner, leastSink*view.Radius), largestFace(view)
	}
	return s.sink[shape]
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

// Add finds the material behind the facets of a wall, as deep as blocks are felt at most, m, and returns how far from a facet it
// reaches at most, m. The facets' normals are those of their planes, where sheet, by facet, has the number of one; extent is the
// wall's largest coordinate.
func (s *facetSides) Add(facets []levelFacet, sheet []uint32, extent, depth float64) (most float64) {
	m := newFacetMesh(facets, float64(seamRel*extent))
	first, parts := len(s.facets), 0
	for i := range m.facets {
		f := &m.facets[i]
		s.facets = append(s.facets, sidedFacet{part: s.parts + f.part, corners: f.corners, normal: f.side(), flip: f.flip})
		for int(f.piece) >= len(s.of) {
			s.of = append(s.of, 0)
		}
		s.of[f.piece] = uint32(len(s.facets))
		parts = max(parts, f.part+1)
	}
	s.parts += parts
	all := s.facets[first:]
	prisms := newPrismMaker(m, sheet, depth)
	s.addBins(prisms, all)
	s.addOwn(prisms, all)
	prisms.addAll(all)
	findRooms(all, 2*depth)
	for i := range all {
		// At a corner the material may be farther off by √2.
		reach := float64(depth * math.Sqrt(1+float64(2*float64(all[i].rate*all[i].rate))))
		all[i].around = boxAround(all[i].corners).Enlarged(reach)
		most = max(most, reach)
	}
	return most
}

// FacetMemory estimates what the facets among some shapes take, bytes, beside these, where a law
// acts by overlaps: the material behind both sides of each, all of it and that of its own shares,
// with a plane for each of its edges and one more.
func FacetMemory(templates []*soa.Template) (bytes uint64) {
	const (
		shares = uint64(3*unsafe.Sizeof(binShares{})) + 2*nBins*uint64(unsafe.Sizeof(float64(0)))
		prisms = 2 * uint64(unsafe.Sizeof(overlap.Prism{}))
		side   = 2 * uint64(unsafe.Sizeof(overlap.Side{}))
	)
	for _, t := range templates {
		if t.Kind == soa.Facet {
			edges := uint64(len(t.Verts))
			bytes += uint64(unsafe.Sizeof(sidedFacet{})) + 24*edges + 2*(prisms+(edges+1)*side+shares)
		}
	}
	return bytes
}
