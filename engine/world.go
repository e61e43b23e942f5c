package engine

import (
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine/contact"
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

	bodies   soa.Bodies
	walls    []wallState
	setWalls bool       // a pose or motion of a wall was set, so the state has all of them
	forces   soa.Forces // columns of the space's contacts: histories, and results of laws
	space    *contact.Space
	kinds    kindPairs

	watch stopwatch
	moves integration
	pool  *sched.Pool
	work  []workspace
	sums  []ledgerSum // by tile of the space

	ctx        stepContext
	step       int64
	time       float64
	timeError  float64     // s, rounding error of time (Kahan)
	ready      bool        // forces have been computed or restored
	began      bool        // the first forces have been computed
	changed    bool        // a program has changed bodies since the forces were computed
	cameOrWent bool        // bodies or walls came or went among these changes
	firsts     nextNumbers // at the first forces, or at Restore
	lastStep   float64     // s, dt of the last step; 0 before it
	loads      loads
	local      localDamping
	held       []heldBody // by row
	// constrained has the inverse masses of held bodies and of walls with a load.
	constrained  map[soa.Body]*force.Constraint
	cell         cell
	fall         *TimeTable[vec.Vec3] // m/s², gravity that varies, or nil
	setGravity   bool                 // a program has set gravity, so the state has it
	steered      bool                 // walls that follow a load have their speed for the next step
	underNewLaws bool                 // the forces to come are the first ones of other laws
	solid        solidWork
	ledger       Ledger
	instant      instant
	dropped      twofold // J, in the friction springs of contacts that ended in a rebuild, until the ledger books it
	published    publishedSearch
	datum        float64 // J/kg: g·x at the lowest point, the zero of the potential
	start        float64 // J, Balance at the start
	before       float64 // J, Balance before the changes of a program since the forces were computed
	potential0   float64 // J, potential energy at the start
	limits       stepLimits
	warned       uint32  // the warnings given once per run that were given, as in a state
	thin         float64 // m², see thinFor
	warnings     []string
	inside       error // see StartsInside
	closed       bool
	fault        error
}

// New returns an empty world. An error wraps ErrConfig.
func New(cfg Config) (*World, error) {
	w, err := newWorldFor(cfg, func(w *World) contact.Reader {
		return (*contactReader)(&w.ctx)
	})
	if err != nil {
		return nil, err
	}
	w.forces.History = make([][]float64, w.law.History())
	w.space.Register(w.forces.Remembered(), w.forces.Results())
	return w, nil
}

// newWorldFor returns an empty world whose contacts a reader receives.
func newWorldFor(cfg Config, reader func(*World) contact.Reader) (*World, error) {
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
	w := &World{cfg: cfg, law: cfg.Law, gravity: cfg.Gravity}
	if w.watch.now = cfg.Clock; w.watch.now == nil {
		w.watch.now = time.Now
	}
	var err error
	if w.pool, err = newPool(&cfg); err != nil {
		return nil, err
	}
	w.work = make([]workspace, w.pool.Workers())
	for i := range w.work {
		ws := &w.work[i]
		ws.faulty, ws.tight, ws.broken.pair = contact.NoBody, contact.NoBody, contact.NoPair
	}
	w.ctx.w = w
	w.chooseIntegrator()
	w.published.on = cfg.Method == narrow.FDSPaper
	w.bodies.FirstPiece = []soa.Piece{0}
	w.space = contact.New(contact.Config{
		Laws: cfg.Law, Location: cfg.Location, Method: cfg.Method,
		Broad:        broad.Config{Skin: cfg.Skin, Horizon: cfg.Horizon, Search: cfg.search(), SearchIfUnmixed: cfg.Search == searchAuto},
		SearchAlways: cfg.SearchEvery > 0, TilePairs: cfg.TilePairs, MaxPairs: cfg.MaxPairs, CloseUp: w.closeUp,
	}, &w.bodies, w.pool, reader(w))
	w.openCell()
	return w, nil
}

// Close ends the workers. Afterwards the world can be read but makes no more steps.
func (w *World) Close() {
	w.closed = true
	w.pool.Close()
}
