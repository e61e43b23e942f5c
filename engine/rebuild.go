package engine

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
)

// prepare allocates and computes what does not change during a run.
func (w *World) prepare() {
	if w.tiles.most = w.cfg.TilePairs; w.tiles.most == 0 {
		w.tiles.most = tilePairs()
	}
	w.pieceOdometer = soa.Float64s(w.pieces.Len())
	w.contacts.History = make([][]float64, w.law.History())
	w.old.contacts.History = make([][]float64, w.law.History())
	w.setDatum()
	w.findSides()
	w.knownOverlaps = w.cfg.Method == narrow.Auto && w.law.Overlaps()
	w.maxPairs = w.mostPairs()
	w.broad.SetMaxPairs(w.maxPairs)
	w.altered.ready = false
}

// rebuild finds the candidate pairs anew and updates rows, tiles and incidence lists. Most pairs
// remain, so only tiles in which pairs came or went are altered. If one of these tiles has too few
// rows, all tiles are laid anew. rebuild runs only once the skin is used up.
func (w *World) rebuild() {
	w.findFar()
	w.broad.Rebuild(&w.bodies, &w.pieces, &w.shapes, w.pool, &w.fresh)
	w.tooManyPairs = w.broad.Stats().Crowded
	w.addPlanePairs()
	w.keepActivePairs()
	if w.tooManyPairs {
		w.fresh.Resize(0)
	}
	if !w.alterTiles() {
		w.renewTiles()
	}
	w.bookDropped()
	for i := range w.work {
		w.work[i].expired = grow(w.work[i].expired, w.tiles.size)
		w.work[i].axes.Resize(w.tiles.size)
		w.work[i].proven.Resize(w.tiles.size)
		w.work[i].overlapWork.grow(w.tiles.size)
		w.work[i].ended.reserve(w.tiles.size, len(w.contacts.History))
		w.work[i].forces.Reserve(w.law, w.tiles.size+overlap.UntypedRows) // kernels may write beyond the last contact
	}
	w.counts.Rebuilds++
}

// isKept reports whether the active contact of pieces a and b stays a candidate pair although the
// two pieces are too far apart to be one. Contacts with facets stay, for the loop that ends them:
// another facet of the wall may inherit the history there (see inherit). If such a pair were dropped,
// the inheritance would depend on the skins.
func (w *World) isKept(a, b soa.Piece) bool {
	if w.pieces.Kind[b] != soa.Facet {
		return false
	}
	of, by := w.broad.CellExtent(a), w.broad.CellExtent(b)
	return !broad.Overlap(&of, &by)
}

// keepActivePairs adds the pairs for which isKept holds to the candidate pairs of a rebuild.
func (w *World) keepActivePairs() {
	p := &w.patches
	p.a, p.b = p.a[:0], p.b[:0]
	for tile := range w.tiles.costs {
		for _, i := range w.tiles.list(tile) {
			if a, b := w.pairs.A[i], w.pairs.B[i]; w.isKept(a, b) {
				p.a, p.b = append(p.a, a), append(p.b, b)
			}
		}
	}
	if len(p.a) == 0 || w.tooManyPairs {
		return
	}
	if w.tooManyPairs = w.fresh.Len()+len(p.a) > w.maxPairs; !w.tooManyPairs {
		w.mergePairs(p.a, p.b)
	}
}

// renewTiles lays all tiles anew and copies the rows of pairs that remain.
func (w *World) renewTiles() {
	w.carryOver()
	w.described = grow(w.described, w.tiles.rows())
	w.pool.For(len(w.tiles.costs), 1, (*describeStage)(&w.ctx))
	if w.law.Overlaps() {
		w.moveSkeletons()
	}
	w.connect()
	w.altered.ready = true
}

// farStage finds bodies that have flown so far from the origin that their positions have too few
// digits. It runs at rebuilds only: no body flies that far without using up its skin.
type farStage stepContext

// Range records the first such body of lo to hi.
func (c *farStage) Range(lo, hi, worker int) {
	far := &c.w.work[worker].far
	for i := lo; i < hi && uint32(i) < *far; i++ {
		if c.w.isFar(i) {
			*far = uint32(i)
		}
	}
}

// findFar records the first body that has flown too far.
func (w *World) findFar() {
	for i := range w.work {
		w.work[i].far = noFault
	}
	w.pool.For(w.bodies.Len(), minFar, (*farStage)(&w.ctx))
	w.far = min(w.far, w.lowest(func(ws *workspace) uint32 { return ws.far }))
}

// minFar is the number of bodies that a worker checks at a time: some microseconds of work.
const minFar = 4096

// isFar reports whether body i has flown too far.
func (w *World) isFar(i int) bool {
	return w.bodies.InvMass[i] != 0 && isFar(w.bodies.Pos.At(i), w.bodies.Radius[i])
}
