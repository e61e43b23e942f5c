package contact

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

// workspace holds the buffers of one worker. Nothing in it outlives a tile, except what the step
// reads after all tiles.
type workspace struct {
	lent     Lent         // by the reader, for the present tile
	out      TileContacts // in the present tile; out.Ended also in a change of the candidate pairs
	expired  []uint32     // storage of list
	list     []uint32     // the tile's pairs that are not proven apart
	gaps     []uint32     // those of list that are not in overlaps
	overlaps []uint32     // those of list whose force follows from their overlap

	axes   narrow.AxisBatch
	known  overlapWork // of overlapStage
	proven narrow.ProvenBatch
	wall   wallWork // of wallStage
	search *narrow.Search
	cutter *section.Cutter
	pool   []keptSkeleton // skeletons of a tile while packSkeletons runs
	moves  []moved        // runs of rows of a tile while alterTile runs

	// The present pair. Views and poses are valid only if loaded is set.
	loaded  bool
	va, vb  *soa.View
	pa, pb  vec.Pose
	needs   *force.Needs
	found   overlapResult
	worst   float64             // m, the smallest gap of the tile, at most 0
	points  []narrow.TouchPoint // of one contact
	answer  narrow.Answer
	contact force.LawContact
	memory  narrow.Memory   // of methods that keep a list; reset before every pair
	facets  []soa.Piece     // that one contact is with, for Config.Location Full
	bounds  []overlap.Bound // of the wall behind one facet

	reserved int // spare rows that the present tile has reserved

	// The whole step.
	waiting []int      // tiles that found too few rows
	late    []soa.Body // bodies that have used up their skin
	counts  AnswerCounts
	far     uint32   // lowest body that had flown too far at the last search
	sunk    uint64   // key of the first pair of a block as deep under a facet as the facet can feel, or NoPair
	lost    lostPair // first pair without an answer
	_       [64]byte // keeps neighbours off this worker's cache lines
}

// wallWork holds the data for walls of facets.
type wallWork struct {
	walls     *coplanar.WallFinder
	press     *surface.Press
	held      []formerContact // histories of contacts, while they pass to the facets that have the contacts now
	values    []float64       // the client's columns of held and pressHeld, one contact after the other
	pressHeld []formerContact // like held, for laws that act by overlaps
}

// init prepares a workspace for spaces with the given configuration.
func (ws *workspace) init(cfg *Config) {
	ws.search, ws.cutter = narrow.NewSearch(), section.NewCutter()
	ws.known.clipper, ws.known.typed, ws.known.untyped = overlap.NewClipper(), overlap.NewTypedBatches(), overlap.NewUntypedBatch()
	ws.wall.walls = coplanar.NewFinder(ws.search, ws.cutter, cfg.Location != Witness)
	ws.wall.press = surface.NewPress()
	ws.lent.Needs = cfg.Laws.AllNeeds() // for questions between two steps
	ws.lost.pair = NoPair
}

// load copies the shapes, poses and law's needs of pair i to the workspace.
func (ws *workspace) load(sp *Space, i int) {
	ws.loadAs(sp, i, &sp.described[i])
}

// loadAs is load for a pair described by p.
func (ws *workspace) loadAs(sp *Space, i int, p *tilePair) {
	ws.va, ws.vb = sp.Shapes.View(p.ShapeA), sp.Shapes.View(p.ShapeB)
	ws.pa, ws.pb = sp.poses.At(p.PoseA), sp.poses.At(p.PoseB)
	ws.needs = &ws.lent.Needs[p.law]
	ws.loaded = true
}

// loadBetween is load between two steps: bodies may have moved since poses were gathered, and after Restore no pair is
// described yet.
func (ws *workspace) loadBetween(sp *Space, i int) {
	p := &tilePair{}
	sp.describe(i, p)
	ws.va, ws.vb = sp.Shapes.View(p.ShapeA), sp.Shapes.View(p.ShapeB)
	ws.pa, ws.pb = sp.poseA(i), sp.poseB(i)
	ws.needs = &ws.lent.Needs[p.law]
}

// load declares the accesses of workspace.loadAs for pair i.
func (t *tileWalk) load(i int) {
	p := &t.sp.described[i]
	t.described.Read(i)
	for _, row := range [2]soa.PoseRow{p.PoseA, p.PoseB} {
		t.poses["Pos"].Read(int(row))
		t.poses["Rot"].Read(int(row))
	}
	t.sp.Shapes.WalkView(t.w, p.ShapeA)
	t.sp.Shapes.WalkView(t.w, p.ShapeB)
}
