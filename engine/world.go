package engine

import (
	"time"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// World is bodies, walls and the contacts between them. Its methods are for one goroutine; the step
// uses the workers. Close it when it is no longer needed.
type World struct {
	cfg     Config
	law     *force.Table
	gravity vec.Vec3

	shapes   soa.Shapes
	bodies   soa.Bodies
	pieces   soa.Pieces
	pairs    soa.Pairs
	contacts soa.Contacts
	walls    []wall
	planes   planes
	groups   coplanar.Groups // of facets in one plane
	sides    surface.Sides
	kinds    kindPairs

	now       func() time.Time // of the profile; it never reaches state
	moves     integrator
	broad     *broad.Cells
	pool      *sched.Pool
	work      []workspace
	tiles     tiles
	skeletons skeletons
	incidence incidence
	fresh     soa.Pairs // the list that a rebuild finds; its A and B alone
	altered   altered
	patches   patches
	old       carried // the rows before tiles were laid anew

	pieceOdometer []float64 // m, of the piece's body, gathered before the sweep
	poseRows      []float64 // of the bodies, gathered before the contacts; see soa.Bodies.GatherPoses

	ctx     stepContext
	step    int64
	time    float64
	carry   float64 // s, what rounding has taken from time (Kahan)
	ready   bool    // forces belong to the poses
	shares  bool    // overlaps may be known from the last step; tests turn it off
	began   bool    // the first forces have been computed
	changed bool    // a program has set poses or velocities since the forces were computed
	loads   loads
	ledger  Ledger
	instant instant
	datum   float64 // J/kg: g·x at the lowest point, where the potential is zero
	start   float64 // J, balance at the start
	// leftOver is what the account did not explain before a change, J; see change.
	leftOver float64
	above    float64 // J, potential at the start
	levels   AnswerCounts
	profile  Profile
	limits   stepLimits
	warned   bool // of a body with too many contacts
	// warnedDeep: of two bodies deep inside each other
	warnedDeep bool
	described  []tilePair // by pair
	thinForAll float64    // m², see thinFor
	toldSunk   bool       // of a body deep under a facet
	warnings   []string
	far        uint32 // lowest body that has flown too far
	most       int    // candidate pairs that there may be
	crowded    bool   // there are more, and the list is empty
	closed     bool
	fault      error
}

// New returns an empty world.
func New(cfg Config) (*World, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if cfg.Search == "" {
		cfg.Search = searchAuto
	}
	w := &World{cfg: cfg, law: cfg.Law, gravity: cfg.Gravity, far: noFault, now: cfg.Clock}
	if w.now == nil {
		w.now = time.Now
	}
	var err error
	if w.pool, err = newPool(&cfg); err != nil {
		return nil, err
	}
	w.broad = broad.New(broad.Config{Reach: cfg.Law.Reach(), Skin: cfg.Skin, Horizon: cfg.Horizon, Search: cfg.search(), Choose: cfg.Search == searchAuto})
	w.work = make([]workspace, w.pool.Workers())
	for i := range w.work {
		w.work[i].init(&cfg)
	}
	w.ctx.w = w
	w.chooseIntegrator()
	w.bodies.FirstPiece = []soa.Piece{0}
	return w, nil
}

// Close ends the workers. The world can be read after it, but makes no more steps.
func (w *World) Close() {
	w.closed = true
	w.pool.Close()
}
