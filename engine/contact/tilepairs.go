package contact

import (
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// tilePair is what the stages of a tile read about a pair. It is computed once for each list of
// pairs.
type tilePair struct {
	narrow.ProvenPair        // the bodies, poses and shapes of the pair
	law               uint32 // the row of its law
	offset            bool   // a piece has a pose of its own in its body
	byOverlap         bool   // the force follows from the common volume alone: overlapStage evaluates the pair
	walled            bool   // B is a facet, evaluated together with the other facets of its wall
}

type describeStage stage

// Range fills the tilePairs of the tiles lo to hi.
func (c *describeStage) Range(lo, hi, _ int) {
	for tile := lo; tile < hi; tile++ {
		first, last := c.sp.tiles.bounds(tile)
		for i := first; i < last; i++ {
			c.sp.describe(i, &c.sp.described[i])
		}
	}
}

// describe fills p for pair i. The content is valid until the list of pairs changes.
func (sp *Space) describe(i int, p *tilePair) {
	a, b, of := sp.Pairs.A[i], sp.Pairs.B[i], &sp.Pieces
	p.BodyA, p.BodyB, p.ShapeA, p.ShapeB = of.Body[a], of.Body[b], of.Shape[a], of.Shape[b]
	p.law = sp.cfg.Laws.Row(of.Material[a], of.Material[b])
	p.PoseA, p.PoseB = sp.poseRowOf(a), sp.poseRowOf(b)
	p.offset = of.Offset[a] || of.Offset[b]
	read := sp.overlapOf(i)
	p.byOverlap = read == soa.CommonVolume
	p.walled = of.Kind[b].IsFlat() && sp.Groups.IsFacetWall(p.BodyB) || read == soa.WallOverlap
}

// overlapOf returns which overlap the law of pair i reads, or NoOverlap if it reads gaps.
func (sp *Space) overlapOf(i int) soa.OverlapWay {
	if a, b := sp.Pairs.A[i], sp.Pairs.B[i]; sp.NeedsOf(i).Overlap {
		return soa.KindPairOf(sp.Pieces.Kind[a], sp.Pieces.Kind[b]).Overlap
	}
	return soa.NoOverlap
}
