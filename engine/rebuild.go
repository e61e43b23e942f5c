package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
)

// prepare sizes what does not change once the world has begun.
func (w *World) prepare() {
	if w.tiles.most = w.cfg.TilePairs; w.tiles.most == 0 {
		w.tiles.most = tilePairs()
	}
	w.pieceOdometer = soa.Float64s(w.pieces.Len())
	w.contacts.History = make([][]float64, w.law.History())
	w.old.contacts.History = make([][]float64, w.law.History())
	w.setDatum()
	w.findSides()
	w.thinForAll = thinFor(&w.shapes)
	w.shares = w.cfg.Method == narrow.Auto && w.law.Overlaps()
	w.most = w.mostPairs()
	w.broad.SetMaxPairs(w.most)
	w.altered.ready = false
}

// rebuild finds the candidate pairs anew, and brings rows, tiles and the lists of bodies in line with them. Most pairs stay. So
// their rows stay, too, but for those of tiles in which pairs came or went. Only where a tile has no
// room are all tiles laid anew. It runs only when the motion budget is used up.
func (w *World) rebuild() {
	w.findFar()
	w.broad.Rebuild(&w.bodies, &w.pieces, &w.shapes, w.pool, &w.fresh)
	w.crowded = w.broad.Stats().Crowded
	w.addPlanePairs()
	if w.crowded {
		w.fresh.Resize(0)
	}
	if !w.alterTiles() {
		w.renewTiles()
	}
	for i := range w.work {
		w.work[i].expired = grow(w.work[i].expired, w.tiles.size)
		w.work[i].axes.Resize(w.tiles.size)
		w.work[i].proven.Resize(w.tiles.size)
		w.work[i].sharing.grow(w.tiles.size)
		w.work[i].forces.Reserve(w.law, w.tiles.size+overlap.SolidRows) // which kernels may write beyond the last contact
	}
	w.levels.Rebuilds++
}

// renewTiles lays the tiles anew, and copies what stays to their rows.
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

// farStage looks among bodies for one that has flown so far from the origin that its position has too few digits. None flies far
// without using up its motion budget.
type farStage stepContext

// Range notes the first such body of lo to hi.
func (c *farStage) Range(lo, hi, worker int) {
	far := &c.w.work[worker].far
	for i := lo; i < hi && uint32(i) < *far; i++ {
		if c.w.isFar(i) {
			*far = uint32(i)
		}
	}
}

// findFar notes the first body that has flown too far.
func (w *World) findFar() {
	for i := range w.work {
		w.work[i].far = noFault
	}
	w.pool.For(w.bodies.Len(), minFar, (*farStage)(&w.ctx))
	w.far = min(w.far, w.lowest(func(ws *workspace) uint32 { return ws.far }))
}

// minFar bodies are looked at together: some microseconds of work.
const minFar = 4096

// isFar reports whether body i has flown too far.
func (w *World) isFar(i int) bool {
	return w.bodies.InvMass[i] != 0 && isFar(w.bodies.Pos.At(i), w.bodies.Radius[i])
}
