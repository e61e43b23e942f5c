package engine

import (
	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// stepContext is what the parallel stages of a step share. Each stage is a named type over it, so
// that passing a stage to the pool allocates nothing.
type stepContext struct {
	w        *World
	dt       float64 // s
	relieved float64 // share of the initially forgiven overlaps that is still not felt
}

// workspace holds the buffers of one worker. Nothing in it outlives a tile, except what the step
// reads after all tiles.
type workspace struct {
	tile    int       // the present tile
	expired []uint32  // storage of list
	list    []uint32  // the tile's pairs that are not proven apart
	active  []uint32  // the tile's active contacts
	sum     ledgerSum // of the tile

	axes        narrow.AxisBatch
	overlapWork // data of overlapStage
	proven      narrow.ProvenBatch
	wallWork    // data of wallStage
	forces      force.Batch
	search      *narrow.Search
	cutter      *section.Cutter
	pool        []keptSkeleton // skeletons of a tile while packSkeletons runs
	moves       []moved        // runs of rows of a tile while alterTile runs

	// The present pair. Views and poses are valid only if loaded is set.
	loaded       bool
	va, vb       *soa.View
	pa, pb       vec.Pose
	needs        *force.Needs
	found        overlapResult
	history      [force.MaxMemory]float64 // of one contact
	ended        endedContacts            // of the tile, or of a rebuild
	carried      []carriedHistory         // of the tile
	thick        []thickOverlap           // of the tile
	worst        float64                  // m, the smallest gap of the tile, at most 0
	wallOverlaps []wallOverlap            // of the tile
	points       []narrow.TouchPoint      // of one contact
	answer       narrow.Answer
	contact      force.LawContact
	memory       narrow.Memory   // of methods that keep a list; reset before every pair
	facets       []soa.Piece     // that one contact is with, for Config.Location Full
	bounds       []overlap.Bound // of the wall behind one facet

	// The whole step.
	late   []soa.Body // bodies that have used up their skin
	counts AnswerCounts
	faulty uint32   // lowest body whose motion is not finite
	far    uint32   // lowest body that had flown too far at the last rebuild
	tight  uint32   // lowest body with too many contacts for the step
	sunk   uint64   // first pair (keyOf) of a block as deep under a facet as the facet can feel; afterAll if there is none
	lost   lostPair // first pair without an answer
	broken lostPair // first pair whose law has stored a number that is not finite
	deep   deepPair // first pair that is too deep inside each other
	// through: first pair whose overlap hardly changes as the bodies move.
	through deepPair
	_       [64]byte // keeps neighbours off this worker's cache lines
}

// wallWork holds the data for walls of facets.
type wallWork struct {
	walls     *coplanar.WallFinder
	press     *surface.Press
	held      []history // histories of contacts, while they pass to the facets that have the contacts now
	values    []float64 // values of held and pressHeld, one history after the other
	pressHeld []history // like held, for laws that act by overlaps
}

// init prepares a workspace for worlds with the given configuration.
func (ws *workspace) init(cfg *Config) {
	ws.search, ws.cutter = narrow.NewSearch(), section.NewCutter()
	ws.clipper, ws.overlaps, ws.solids = overlap.NewClipper(), overlap.NewTypedBatches(), overlap.NewUntypedBatch()
	ws.walls = coplanar.NewFinder(ws.search, ws.cutter, cfg.Location != Witness)
	ws.press = surface.NewPress()
	ws.faulty, ws.tight, ws.lost.pair, ws.broken.pair = noFault, noFault, afterAll, afterAll
}

// load copies the shapes, poses and law's needs of pair i to the workspace.
func (ws *workspace) load(w *World, i int) {
	ws.loadAs(w, i, &w.described[i])
}

// loadAs is load for a pair described by p.
func (ws *workspace) loadAs(w *World, i int, p *tilePair) {
	ws.va, ws.vb = w.shapes.View(p.ShapeA), w.shapes.View(p.ShapeB)
	if ws.pa, ws.pb = w.bodies.Pose(p.BodyA), w.bodies.Pose(p.BodyB); p.offset {
		ws.pa, ws.pb = w.pieces.Pose(&w.bodies, w.pairs.A[i]), w.pieces.Pose(&w.bodies, w.pairs.B[i])
	}
	ws.needs = w.law.NeedsAt(p.law)
	ws.loaded = true
}
