package contact

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Update makes the candidate pairs those of the present poses once a body has used up its skin, and
// otherwise does nothing. It reports whether it has searched for all pairs. NoteLate must have been
// called for all bodies that have moved.
func (sp *Space) Update() (searched bool) {
	late, stale := sp.late()
	if !sp.manyGone() && !sp.cell.crossed.Load() && (!stale || sp.update(late)) {
		return false
	}
	sp.searchPairs()
	return true
}

// Renew makes the candidate pairs those of the present poses, however the bodies have moved.
func (sp *Space) Renew() {
	if sp.broad.Stale(sp.Bodies) {
		sp.searchPairs()
	}
}

// searchPairs finds the candidate pairs anew and updates rows, tiles and incidence lists. Most pairs
// remain, so only tiles in which pairs came or went are altered. If one of these tiles has too few
// rows, all tiles are laid anew. searchPairs runs only once the skin is used up.
func (sp *Space) searchPairs() {
	sp.CloseUp()
	sp.findFar()
	sp.enterCell()
	sp.planes.searched = len(sp.planes.pieces)
	sp.broad.Rebuild(sp.Bodies, &sp.Pieces, &sp.Shapes, sp.pool, &sp.rebuild.fresh)
	sp.tooManyPairs = sp.broad.Stats().TooManyPairs
	sp.addPlanePairs()
	sp.keepActivePairs()
	sp.addImagePairs()
	if sp.tooManyPairs {
		sp.rebuild.fresh.Resize(0)
	}
	sp.MakeFacets(sp.rebuild.fresh.B)
	switch s := &sp.spare; {
	case !sp.alterTiles():
		sp.renewTiles()
	case s.next-s.laid > s.laid/spareShare: // tiles have taken many rows behind their tables
		sp.layTables()
	}
	sp.layPlaces()
	sp.cell.crossed.Store(false)
	sp.dropEnded()
	for i := range sp.work {
		sp.work[i].expired = grow(sp.work[i].expired, sp.tiles.size)
		sp.work[i].gaps, sp.work[i].overlaps = grow(sp.work[i].gaps, sp.tiles.size), grow(sp.work[i].overlaps, sp.tiles.size)
		sp.work[i].axes.Resize(sp.tiles.size)
		sp.work[i].proven.Resize(sp.tiles.size)
		sp.work[i].known.grow(sp.tiles.size)
		sp.work[i].out.Ended.reserve(sp.tiles.size)
		sp.work[i].out.Begun = grow(sp.work[i].out.Begun, sp.tiles.size)[:0]
	}
	sp.counts.Rebuilds++
}

// isKept reports whether the active contact of pieces a and b stays a candidate pair although the
// two pieces are too far apart to be one. Contacts with facets stay, for the loop that ends them:
// another facet of the wall may inherit the history there (see inherit). If such a pair were dropped,
// the inheritance would depend on the skins.
func (sp *Space) isKept(a, b soa.Piece) bool {
	if !sp.Pieces.Kind[b].IsFlat() {
		return false
	}
	of, by := sp.broad.CellExtent(a), sp.broad.CellExtent(b)
	return !broad.Overlap(&of, &by)
}

// keepActivePairs adds the pairs for which isKept holds to the candidate pairs of a rebuild.
func (sp *Space) keepActivePairs() {
	p := &sp.rebuild.patches
	p.a, p.b = p.a[:0], p.b[:0]
	for tile := range sp.tiles.costs {
		for _, i := range sp.tiles.list(tile) {
			if sp.Contacts.Pair[i] == soa.NoRow {
				continue // The body was removed.
			}
			if a, b := sp.PiecesOf(int(i)); sp.isKept(a, b) {
				p.a, p.b = append(p.a, a), append(p.b, b)
			}
		}
	}
	if len(p.a) == 0 || sp.tooManyPairs {
		return
	}
	if sp.tooManyPairs = sp.rebuild.fresh.Len()+len(p.a) > sp.maxPairs; !sp.tooManyPairs {
		sp.mergePairs(p.a, p.b)
	}
}

// renewTiles lays all tiles anew and keeps what is known of the pairs that remain.
func (sp *Space) renewTiles() {
	sp.carryOver()
	sp.layTables()
	sp.layImages()
	sp.described = grow(sp.described, sp.tiles.rows())
	sp.pool.For(len(sp.tiles.costs), 1, (*describeStage)(&sp.stage))
	if sp.cfg.Laws.Overlaps() {
		sp.moveSkeletons()
	}
	sp.connect()
	sp.rebuild.altered.ready = true
}

// farStage finds bodies that have flown so far from the origin that their positions have too few
// digits. It runs at rebuilds only: no body flies that far without using up its skin.
type farStage stage

// Range records the first such body of lo to hi.
func (c *farStage) Range(lo, hi, worker int) {
	far := &c.sp.work[worker].far
	for i := lo; i < hi && uint32(i) < *far; i++ {
		if c.sp.isFar(i) {
			*far = uint32(i)
		}
	}
}

// findFar records the first body that has flown too far.
func (sp *Space) findFar() {
	for i := range sp.work {
		sp.work[i].far = NoBody
	}
	sp.pool.For(sp.Bodies.Len(), minFar, (*farStage)(&sp.stage))
	for i := range sp.work {
		sp.far = min(sp.far, sp.work[i].far)
	}
}

// minFar is the number of bodies that a worker checks at a time: some microseconds of work.
const minFar = 4096

// isFar reports whether body i has flown too far.
func (sp *Space) isFar(i int) bool {
	return sp.Bodies.InvMass[i] != 0 && IsFar(sp.Bodies.Pos.At(i), sp.Bodies.Radius[i])
}

// FarRadii is how many of its own radii a body may be away from the world's origin along an axis.
// At that distance, positions are 2⁻²⁰ of the radius apart. A resting contact overlaps by about
// 2⁻¹⁰ of the radius, so ten bits of the overlap remain.
// Larger: far contacts lose their digits.
const FarRadii = 1 << 32

// IsFar reports whether a body of the given radius, m, lies so far from the world's origin that its
// position has too few digits.
func IsFar(at vec.Vec3, radius float64) bool { return !(at.MaxAbs() <= FarRadii*radius) }

// dropEnded passes the contacts that a change of the candidate pairs has ended to the reader. An active
// contact can end so only if its bodies separate by more than the skin within one step.
func (sp *Space) dropEnded() {
	for i := range sp.work {
		sp.reader.Drop(&sp.work[i].out.Ended, i)
		sp.work[i].out.Ended.clear()
	}
}
