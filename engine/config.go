package engine

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Errors that the engine's errors wrap.
var (
	ErrConfig   = errors.New("world not usable")
	ErrBody     = errors.New("body not usable")
	ErrTimeStep = errors.New("time step not stable")
	ErrState    = errors.New("state does not fit the world")
	ErrFault    = errors.New("run failed")
	ErrClosed   = errors.New("world closed")
	ErrRegion   = errors.New("region not usable")
)

// Location selects the point where the force of a contact that involves a block acts.
type Location = contact.Location

const (
	Reduced = contact.Reduced // the centroid of the common section: see contact.Reduced
	Witness = contact.Witness // the midpoint of the two deepest points
	Full    = contact.Full    // the centroid of the overlap: see contact.Full
)

// Relief forgives overlaps at the start of a scene, so that the bodies do not fly apart. The part
// of an overlap that exceeds Cap is not felt at first and is felt in full after Time; the share
// felt grows linearly. With Cap 0 the whole overlap is forgiven. A Cap needs a Time. The zero value
// forgives nothing.
type Relief struct {
	Cap  float64 // m
	Time float64 // s
}

// Config is the configuration of a World.
type Config struct {
	Gravity  vec.Vec3     // m/s²
	Law      *force.Table // by pair of materials; New copies the table
	Location Location     // where the force of a contact acts; the zero value is Reduced
	// Method answers the pairs whose certificates have expired. Methods other than narrow.Auto
	// search from scratch and do without certificates of features. Methods whose Deepens is false
	// may overestimate the depth of bodies deep inside each other.
	Method  narrow.Method
	Workers int // 0: one for each processor
	// Pin binds each worker to a logical processor of its own. Only Linux supports it: see
	// World.PinCaller.
	Pin bool

	// Integrator advances the bodies. PositionVerlet supports single balls and laws without
	// friction only.
	Integrator Integrator

	// Planar keeps bodies in the plane z = 0 and lets them turn about z only. Bodies must start in
	// that plane.
	Planar bool

	// Search names the method that finds the candidate pairs, one of Searches. "" means "auto",
	// which chooses at each rebuild. It chooses the cell spaces if kinds are mixed, bodies have
	// several pieces or walls move, and the multilevel grid otherwise. All methods find the same
	// pairs.
	Search string
	// Searcher, if not nil, finds the candidate pairs in place of Search, which must be "". It serves
	// studies of a method with options of its own; no two worlds may share it.
	Searcher broad.Method
	// SearchRadius, m, and SearchEvery configure the Verlet lists of "vl": how far a list reaches
	// from a centre, and for how many searches it is used. 0 selects the default of vl.Options. The
	// run ends with an error if bodies move farther than a list allows for.
	SearchRadius float64
	SearchEvery  int

	// Skin and Horizon set how far bodies may move between two searches for candidate pairs. The
	// limit is Skin, m, or the distance travelled in Horizon, s, whichever is longer. Zero values
	// let the engine choose: a share of the bodies' radius, and horizonSteps steps.
	Skin, Horizon float64

	// NumberOf returns the number that messages give to a body; nil means its id. It serves programs
	// that number their bodies in another order than they add them. It must know the next id, too.
	NumberOf func(soa.ID) soa.ID

	Domain Domain // the zero value is none
	Relief Relief // of overlaps at the start; the zero value forgives nothing
	// NoLedger turns off the energy ledger. Measure then reports only kinetic and potential energy.
	NoLedger bool
	// Clock is the clock of the Profile; nil means wall time. Studies on one worker pass the
	// processor time of its thread.
	Clock func() time.Time
	// Recorder, if not nil, notes the times of the loops of a world with one worker, which divides them
	// as for Recorder.Workers workers. For sched.Replay.
	Recorder *sched.Recorder
	// TilePairs is the largest number of candidate pairs in a tile; 0 fits tiles to the cache.
	TilePairs int
	// MaxPairs is the largest number of candidate pairs, up to 2³¹−1. With more pairs the world
	// stops with ErrPairs. 0 allows as many as fit into the machine's memory.
	MaxPairs int
}

func (c *Config) validate() error {
	switch {
	case c.Law == nil:
		return mark.Errorf(ErrConfig, "engine: Config.Law is nil, expected the contact laws, as force.NewTable makes them")
	case !c.Method.Available():
		return mark.Errorf(ErrConfig, "engine: %v is no method of the narrow phase, expected one of narrow.Methods", c.Method)
	case c.Location > Full:
		return mark.Errorf(ErrConfig, "engine: location %d, expected %d (Reduced), %d (Witness) or %d (Full)", c.Location, Reduced, Witness, Full)
	case c.Search != "" && !slices.Contains(Searches(), c.Search):
		return mark.Errorf(ErrConfig, "engine: neighbour search %q, expected one of %s", c.Search, strings.Join(Searches(), ", "))
	case c.Search != "" && c.Searcher != nil:
		return mark.Errorf(ErrConfig, "engine: neighbour search %q beside Config.Searcher, expected one of the two", c.Search)
	case !c.Gravity.Finite():
		return mark.Errorf(ErrConfig, "engine: gravity %v is not finite", c.Gravity)
	case c.Workers < 0 || c.Workers > maxWorkers:
		return mark.Errorf(ErrConfig, "engine: %d workers, expected 0 to %d", c.Workers, maxWorkers)
	case c.Recorder != nil && (c.Workers != 1 || c.Recorder.Workers < 1 || c.Recorder.Workers > maxWorkers):
		return mark.Errorf(ErrConfig, "engine: a recorder of %d workers in a world of %d, expected 1 to %d in a world of 1", c.Recorder.Workers, c.Workers, maxWorkers)
	case !(c.Skin >= 0) || !(c.Horizon >= 0) || math.IsInf(c.Skin, 0) || math.IsInf(c.Horizon, 0):
		return mark.Errorf(ErrConfig, "engine: skin %g m, horizon %g s, expected ≥ 0", c.Skin, c.Horizon)
	case !(c.Relief.Cap >= 0) || !(c.Relief.Time >= 0):
		return mark.Errorf(ErrConfig, "engine: relief of %g m in %g s, expected ≥ 0", c.Relief.Cap, c.Relief.Time)
	case c.Relief.Cap > 0 && c.Relief.Time == 0:
		return mark.Errorf(ErrConfig, "engine: relief of what exceeds %g m in 0 s, expected a time > 0 s", c.Relief.Cap)
	case c.TilePairs < 0:
		return mark.Errorf(ErrConfig, "engine: %d pairs a tile, expected ≥ 0", c.TilePairs)
	case c.MaxPairs < 0 || c.MaxPairs > broad.MaxPairs:
		return mark.Errorf(ErrConfig, "engine: %d candidate pairs at most, expected 0 to %d", c.MaxPairs, broad.MaxPairs)
	}
	return cmp.Or(c.checkLists(), c.checkPlanar(), c.checkIntegrator(), c.checkPublished(), c.checkDomain())
}

// horizonSteps is the number of steps for which the skin lasts at a body's speed if Config.Horizon
// is 0. A larger value means fewer searches, but more candidate pairs for fast bodies.
const horizonSteps = 32

// maxWorkers bounds the memory of the workspaces.
const maxWorkers = 1024
