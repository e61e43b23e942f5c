package contact

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Location selects the point where the force of a contact that involves a block acts.
type Location uint8

const (
	// Reduced is the centroid of the common section of both bodies. The section lies half-way
	// between the deepest points, as in PFC.
	Reduced Location = iota
	// Witness is the midpoint of the two deepest points.
	Witness
	// Full is the centroid of the overlap of both bodies. A facet of a wall counts as extruded along
	// its normal, away from the block. Contacts without a common volume are located as by Reduced.
	Full
)

// Config is the configuration of a Space. The client has checked it.
type Config struct {
	Laws     *force.Table // which law a pair of materials has, and what each law needs
	Location Location
	// Method answers the pairs whose certificates have expired. Methods other than narrow.Auto search
	// from scratch and do without certificates of features. With narrow.FDSPaper call SetTolerance before
	// each Find.
	Method narrow.Method
	// Broad configures the search for candidate pairs. Its Reach follows from Laws.
	Broad broad.Config
	// SearchAlways searches for all candidate pairs once a body has used up its skin. Otherwise the
	// pairs of few bodies are updated alone.
	SearchAlways bool
	TilePairs    int // the largest number of candidate pairs in a tile; 0 fits tiles to the cache
	MaxPairs     int // the largest number of candidate pairs; 0 allows as many as fit into the machine's memory
	// CloseUp, if not nil, is called when the rows of bodies that have gone are dropped from Bodies: with the rows
	// that remain, which rise, and by old row the new row of the body that is there or that follows.
	CloseUp func(kept, row []uint32)
}

// Space holds the pieces of some bodies and finds their contacts. The client owns the bodies: it moves
// them, and their odometers, between two calls. All calls must come from one goroutine; the space itself
// uses the workers of a pool.
type Space struct {
	// Bodies is the client's. The space reads Pos, Rot, Odometer, InvMass (0 for a wall), Radius, which bounds
	// the body about Pos, and FirstPiece, to which the client adds the pieces of each body. Vel and Spin only
	// size the skins: wrong ones cost searches. Move bodies by kernels.Move, which advances odometers.
	Bodies   *soa.Bodies
	Shapes   soa.Shapes
	Pieces   soa.Pieces
	Pairs    soa.Pairs            // rows of candidate pairs; some are vacant
	Contacts soa.Contacts         // rows of pairs that touch or nearly touch; some are free
	Groups   coplanar.WallGroups  // coplanar facets of walls
	Sides    surface.WallBackings // the material behind facets, for laws that read overlaps

	cfg                 Config
	reader              Reader
	remembered, results []*[]float64 // columns of the client: see Register

	walls     []*wall
	walled    bool // a wall has facets
	planes    planes
	broad     *broad.CandidateSearch
	pool      *sched.Pool
	tiles     tiles
	spare     spare
	order     []uint32 // memory of layTables
	waiting   []int    // tiles that found too few rows
	skeletons skeletons
	incidence incidence
	described []tilePair // by row of Pairs
	rebuild   rebuild

	pieceOdometer []float64        // m, odometer of each piece's body, gathered before the sweep
	poses         *soa.PoseColumns // that kernels read: those of the bodies, or ownPoses if a piece has a pose of its own
	ownPoses      ownPoses
	poseRows      []float64 // poses, gathered before the contacts; see soa.PoseColumns.GatherPoses
	work          []workspace

	stage         stage
	knownOverlaps bool                      // overlaps may be known from the last step; tests turn it off
	unproven      func(*narrow.Answer) bool // reports whether a method has ended without a proof; tests replace it
	published     publishedSearch
	counts        AnswerCounts
	far           uint32 // lowest body that has flown too far
	comings       comings
	cell          cell
	maxPairs      int  // the largest number of candidate pairs allowed
	tooManyPairs  bool // there are more pairs than allowed, and the list is empty
}

// rebuild is the state of a change of the candidate pairs, from their search to their rows.
type rebuild struct {
	fresh   soa.Pairs // the pairs that a search finds; only A and B are used
	altered altered
	patches patches
	facets  []soa.Piece // facets that are to be made
	old     carried     // the rows before tiles were last laid anew
}

// stage is what the parallel stages share. Each stage is a named type over it, so that passing a stage
// to the pool allocates nothing.
type stage struct{ sp *Space }

// New returns a space without pieces for the bodies of a client. Each worker of the pool gets a
// workspace.
func New(cfg Config, bodies *soa.Bodies, pool *sched.Pool, reader Reader) *Space {
	cfg.Broad.Reach = cfg.Laws.Reach()
	sp := &Space{Bodies: bodies, cfg: cfg, reader: reader, pool: pool, broad: broad.New(cfg.Broad), far: NoBody, poses: &bodies.PoseColumns}
	sp.work = make([]workspace, pool.Workers())
	for i := range sp.work {
		sp.work[i].init(&sp.cfg)
	}
	sp.stage.sp, sp.unproven = sp, func(ans *narrow.Answer) bool { return ans.Status == narrow.NotConverged }
	sp.published.on = cfg.Method == narrow.FDSPaper
	return sp
}

// AddPiece appends a piece of the newest body and returns its number. local is the pose of the shape in
// the body's frame.
func (sp *Space) AddPiece(body soa.Body, shape soa.Shape, material soa.Material, local vec.Pose) soa.Piece {
	piece := sp.Pieces.Add(body, sp.Shapes.Kind[shape], shape, material, local)
	if sp.IsPlane(piece) {
		sp.planes.pieces = append(sp.planes.pieces, piece)
	}
	return piece
}

// Prepare allocates and computes what does not change during a run, once all bodies have been added. An
// error is of the wall in the order of AddWall whose facets have no material that can be found.
func (sp *Space) Prepare() (wall int, err error) {
	sp.pieceOdometer = soa.Float64s(sp.Pieces.Len())
	for i := range sp.work {
		sp.work[i].out.Ended.each = len(sp.remembered)
	}
	sp.skeletons.on = sp.cfg.Laws.Overlaps()
	sp.knownOverlaps = sp.cfg.Method == narrow.Auto && sp.cfg.Laws.Overlaps()
	if sp.tiles.most = sp.cfg.TilePairs; sp.tiles.most == 0 {
		sp.tiles.most = sp.tilePairs()
	}
	sp.maxPairs = sp.mostPairs()
	sp.broad.SetMaxPairs(sp.maxPairs)
	sp.rebuild.altered.ready, sp.comings.prepared = false, true
	sp.CloseUp()
	sp.choosePoses(0)
	return sp.findSides()
}

// Broad returns the search for candidate pairs, for reading and for its horizon.
func (sp *Space) Broad() *broad.CandidateSearch { return sp.broad }

// PairsOf returns the pairs of a body in the order of the pairs: the pair's row shifted left by one,
// plus 1 if the body is B.
func (sp *Space) PairsOf(body int) []uint32 { return sp.incidence.of(body) }

// PairsIn returns the rows first to end-1 of the pairs of a tile, in order.
func (sp *Space) PairsIn(tile int) (first, end int) { return sp.tiles.bounds(tile) }

// Candidates returns the number of candidate pairs.
func (sp *Space) Candidates() int { return sp.tiles.pairs }

// Costs returns the number of pairs of each tile, as costs for the scheduler.
func (sp *Space) Costs() []float64 { return sp.tiles.costs }

// ActiveIn returns the rows of the active contacts of a tile.
func (sp *Space) ActiveIn(tile int) []uint32 { return sp.tiles.list(tile) }

// Deepest returns the number of active contacts and the smallest gap, at most 0, m.
func (sp *Space) Deepest() (active int, gap float64) {
	for tile, count := range sp.tiles.count {
		active += count
		gap = min(gap, sp.tiles.worst[tile])
	}
	return active, gap
}

// LawOf returns the row of the law of a contact row in Config.Laws.
func (sp *Space) LawOf(row int) uint32 { return sp.described[sp.Contacts.Pair[row]].law }

// PiecesOf returns the two pieces of a contact row.
func (sp *Space) PiecesOf(row int) (a, b soa.Piece) {
	i := sp.Contacts.Pair[row]
	return sp.Pairs.A[i], sp.Pairs.B[i]
}

// ActiveRows yields the rows of the active contacts in the order of the pairs.
func (sp *Space) ActiveRows(yield func(row int) bool) {
	for _, row := range sp.Pairs.Row {
		if row != soa.NoRow && sp.Contacts.Active[row] && !yield(int(row)) {
			return
		}
	}
}

// Counts returns what has answered the candidate pairs since the start.
func (sp *Space) Counts() AnswerCounts { return sp.counts }

// Far returns the lowest body that has flown so far from the origin that its position has too few
// digits, or NoBody.
func (sp *Space) Far() uint32 { return sp.far }

// TooManyPairs reports whether there are more candidate pairs than MaxPairs; then there are no pairs.
func (sp *Space) TooManyPairs() bool { return sp.tooManyPairs }

// MaxPairs returns the largest number of candidate pairs.
func (sp *Space) MaxPairs() int { return sp.maxPairs }

// Unpaired returns the number of pieces that are in no cell although they should be: their extents with
// the motion budget are out of range.
func (sp *Space) Unpaired() int { return sp.broad.Stats().Unpaired - sp.planes.searched }

// Lost returns the first pair that no method could answer, and the reason. Its key is NoPair if there is
// none.
func (sp *Space) Lost() (key uint64, why string) {
	first := lostPair{pair: NoPair}
	for i := range sp.work {
		if l := sp.work[i].lost; l.pair < first.pair {
			first = l
		}
	}
	return first.pair, first.why
}

// Sunk returns the key of the first pair of a block that was in the last step as deep under a facet as
// the facet can feel, or NoPair.
func (sp *Space) Sunk() uint64 {
	first := uint64(NoPair)
	for i := range sp.work {
		first = min(first, sp.work[i].sunk)
	}
	return first
}

// NoBody is greater than every body, and NoPair than the key of every pair.
const (
	NoBody = ^uint32(0)
	NoPair = ^uint64(0)
)
