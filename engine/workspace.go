package engine

import (
	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// stepContext is what the parallel stages of one step share. Each stage is a named type over it,
// so that handing it to the pool allocates nothing.
type stepContext struct {
	w        *World
	dt       float64 // s
	relieved float64 // share of the overlaps forgiven at the start that is still not felt
}

// workspace is what one worker needs: nothing in it outlives a tile, but for what the step asks
// after all tiles.
type workspace struct {
	tile    int       // that is worked on
	expired []uint32  // room for list
	list    []uint32  // the tile's pairs that are not proven apart
	active  []uint32  // the tile's active contacts
	sum     ledgerSum // of the tile

	axes     narrow.AxisBatch
	sharing  // of overlapStage
	proven   narrow.ProvenBatch
	wallWork // of wallStage
	forces   force.Batch
	search   *narrow.Search
	cutter   *overlap.Cutter
	pool     []keptSkeleton // of a tile, while it is packed
	moves    []moved        // of a tile, while it is altered

	// The pair at hand; shapes and poses only where loaded says so.
	loaded  bool
	va, vb  *soa.View
	pa, pb  vec.Pose
	needs   *force.Needs
	found   found
	history [force.MaxMemory]float64 // of one contact
	points  []narrow.Point           // of one contact
	answer  narrow.Answer
	touch   force.ActiveContact
	memory  narrow.Memory // of methods that keep a list; forgotten before every pair

	// For all of the step.
	late   []soa.Body // whose motion budgets are used up
	counts AnswerCounts
	faulty uint32   // lowest body whose motion is not finite
	far    uint32   // lowest body that has flown too far, at the last rebuild
	tight  uint32   // lowest body that has too many contacts for the step
	sunk   uint32   // lowest body that is as deep under a facet as it is felt
	lost   lostPair // first pair without an answer
	deep   deepPair // first pair too deep inside each other
	_      [64]byte // keeps neighbours off this worker's cache lines
}

// wallWork is what walls of facets need.
type wallWork struct {
	walls     *coplanar.Finder
	press     *surface.Press
	held      []history // of contacts, on their way to the facets that have them now
	values    []float64 // of held and pressHeld, one behind the other
	pressHeld []history // likewise of those that act by overlaps
}

// init makes a workspace for worlds of a configuration.
func (ws *workspace) init(cfg *Config) {
	ws.search, ws.cutter = narrow.NewSearch(), overlap.NewCutter()
	ws.clipper, ws.overlaps, ws.solids = overlap.NewClipper(), overlap.NewBatches(), overlap.NewSolids()
	ws.walls = coplanar.NewFinder(ws.search, ws.cutter, cfg.Location == Reduced)
	ws.press = surface.NewPress()
	ws.faulty, ws.tight, ws.sunk, ws.lost.pair, ws.deep.pair = noFault, noFault, noFault, afterAll, afterAll
}

// load brings shapes, poses and the needs of the law of pair i into the workspace.
func (ws *workspace) load(w *World, i int) {
	ws.loadAs(w, i, &w.described[i])
}

// loadAs is load of a pair that is described.
func (ws *workspace) loadAs(w *World, i int, p *tilePair) {
	ws.va, ws.vb = w.shapes.View(p.ShapeA), w.shapes.View(p.ShapeB)
	if ws.pa, ws.pb = w.bodies.Pose(p.BodyA), w.bodies.Pose(p.BodyB); p.offset {
		ws.pa, ws.pb = w.pieces.Pose(&w.bodies, w.pairs.A[i]), w.pieces.Pose(&w.bodies, w.pairs.B[i])
	}
	ws.needs = w.law.NeedsAt(p.law)
	ws.loaded = true
}
