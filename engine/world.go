package engine

import (
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// World holds bodies, walls and the contacts between them. All calls must come from one goroutine;
// the step itself uses the workers. Call Close when the world is no longer needed.
type World struct {
	cfg     Config
	law     *force.Table
	gravity vec.Vec3

	shapes   soa.Shapes
	bodies   soa.Bodies
	pieces   soa.Pieces
	pairs    soa.Pairs
	contacts soa.Contacts
	walls    []wallState
	planes   planes
	groups   coplanar.WallGroups // coplanar facets of walls
	sides    surface.WallBackings
	kinds    kindPairs

	now       func() time.Time // clock of the profile; it never affects the state
	moves     integration
	broad     *broad.CandidateSearch
	pool      *sched.Pool
	work      []workspace
	tiles     tiles
	skeletons skeletons
	incidence incidence
	fresh     soa.Pairs // the pairs that a rebuild finds; only A and B are used
	altered   altered
	patches   patches
	old       carried // the rows before tiles were last laid anew

	pieceOdometer []float64 // m, odometer of each piece's body, gathered before the sweep
	poseRows      []float64 // poses of the bodies, gathered before the contacts; see soa.Bodies.GatherPoses

	ctx           stepContext
	step          int64
	time          float64
	timeError     float64 // s, rounding error of time (Kahan)
	ready         bool    // forces have been computed or restored
	knownOverlaps bool    // share is on: overlaps may be known from the last step; tests turn it off
	began         bool    // the first forces have been computed
	changed       bool    // a program has set poses or velocities since the forces were computed
	loads         loads
	ledger        Ledger
	instant       instant
	dropped       twofold // J, in the friction springs of contacts that ended in a rebuild, until the ledger books it
	published     publishedSearch
	datum         float64 // J/kg: g·x at the lowest point, the zero of the potential
	start         float64 // J, Balance at the start
	// leftOver is Measure.LeftOver, J, before the last change by a program; see change.
	leftOver     float64
	potential0   float64 // J, potential energy at the start
	counts       AnswerCounts
	profile      Profile
	limits       stepLimits
	warned       uint32     // the warnings given once per run that were given, as in a state
	described    []tilePair // by pair
	thin         float64    // m², see thinFor
	thick        float64    // m², variance above which the contact loop lists an overlap: see listThick
	warnings     []string
	far          uint32 // lowest body that has flown too far
	maxPairs     int    // the largest number of candidate pairs allowed
	tooManyPairs bool   // there are more pairs than allowed, and the list is empty
	closed       bool
	fault        error
}

// New returns an empty world. An error wraps ErrConfig.
func New(cfg Config) (*World, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	switch {
	case cfg.Searcher != nil:
		cfg.Search = searchOwn
	case cfg.Search == "":
		cfg.Search = searchAuto
	}
	cfg.Law = cfg.Law.Clone() // A later Set would leave what is derived from the table stale.
	w := &World{cfg: cfg, law: cfg.Law, gravity: cfg.Gravity, far: noFault, now: cfg.Clock}
	if w.now == nil {
		w.now = time.Now
	}
	var err error
	if w.pool, err = newPool(&cfg); err != nil {
		return nil, err
	}
	w.broad = broad.New(broad.Config{Reach: cfg.Law.Reach(), Skin: cfg.Skin, Horizon: cfg.Horizon, Search: cfg.search(), SearchIfUnmixed: cfg.Search == searchAuto})
	w.work = make([]workspace, w.pool.Workers())
	for i := range w.work {
		w.work[i].init(&cfg)
	}
	w.ctx.w = w
	w.chooseIntegrator()
	w.published.on = cfg.Method == narrow.FDSPaper
	w.bodies.FirstPiece = []soa.Piece{0}
	return w, nil
}

// Close ends the workers. Afterwards the world can be read but makes no more steps.
func (w *World) Close() {
	w.closed = true
	w.pool.Close()
}
