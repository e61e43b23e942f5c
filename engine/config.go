package engine

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Errors a world is refused with.
var (
	ErrConfig   = errors.New("world not usable")
	ErrBody     = errors.New("body not usable")
	ErrTimeStep = errors.New("time step not stable")
	ErrState    = errors.New("state does not fit the world")
	ErrFault    = errors.New("run failed")
	ErrClosed   = errors.New("world closed")
)

// Location says where the force of a contact that involves a block acts.
type Location uint8

const (
	// Reduced is the centroid of the common section of both bodies half-way between the deepest
	// points, as in PFC.
	Reduced Location = iota
	// Witness is the middle of the two deepest points.
	Witness
)

// Relief forgives overlaps that a scene starts with, so that it does not fly apart: what exceeds Cap
// is not felt at first, and felt in full after Time, linearly in between. The zero value forgives none.
// With a Time a Cap of 0 forgives all of an overlap; a Cap needs a Time.
type Relief struct {
	Cap  float64 // m
	Time float64 // s
}

// Config is what a World needs to know before its first body.
type Config struct {
	Gravity  vec.Vec3     // m/s²
	Law      *force.Table // by pair of materials
	Location Location     // where the force of a contact acts; the zero value is the default
	// Method answers the pairs whose certificates have expired. Methods other than narrow.Auto do so from nothing each
	// time, and leave out the certificate of the last facet; those that do not Deepen may give a pair that is deep in another
	// more than its depth.
	Method  narrow.Method
	Workers int // 0: one for each processor
	// Pin ties each worker to a logical processor of its own, which only Linux has: see World.PinCaller.
	Pin bool

	// Integrator advances the bodies. With PositionVerlet a world takes single balls and laws without friction only.
	Integrator Integrator

	// Planar keeps bodies in the plane z = 0 and lets them turn about z alone; they have to begin so.
	Planar bool

	// Search is the method that finds the candidate pairs, one of Searches; "" is "auto", which chooses at each rebuild: the
	// multilevel grid, or the cell spaces where kinds are mixed, bodies have several pieces or walls move. The pairs are the same with
	// any.
	Search string
	// SearchRadius, m, and SearchEvery are the Verlet lists of "vl": how far from a centre they reach, and how many searches
	// they serve. 0 is as vl.Options says. A list that comes too late for the motion of the bodies ends the run.
	SearchRadius float64
	SearchEvery  int

	// Skin and Horizon say how far bodies may move between two searches for candidate pairs: Skin, m, or
	// the way they go in Horizon, s, whichever is longer. Zero lets the engine choose: a share of the bodies'
	// radius, and horizonSteps steps.
	Skin, Horizon float64

	Relief Relief // of overlaps at the start; the zero value forgives none
	// NoLedger leaves out the account of energies: Measure then knows none but kinetic and potential.
	NoLedger bool
	// Clock is that of the Profile; nil is wall time. Studies on one worker take the processor time of its thread.
	Clock func() time.Time
	// TilePairs is the largest number of candidate pairs in a tile; 0 fits it to the cache.
	TilePairs int
	// MaxPairs is how many candidate pairs the world may have, up to 2³¹−1: with more it stops
	// with ErrPairs. 0 is as many as fit into the memory of the machine.
	MaxPairs int
}

func (c *Config) validate() error {
	switch {
	case c.Law == nil:
		return mark.Errorf(ErrConfig, "engine: Config.Law is nil, expected the contact laws, as force.NewTable makes them")
	case !c.Method.Available():
		return mark.Errorf(ErrConfig, "engine: %v is no method of the narrow phase, expected one of narrow.Methods", c.Method)
	case c.Location > Witness:
		return mark.Errorf(ErrConfig, "engine: location %d, expected %d (Reduced) or %d (Witness)", c.Location, Reduced, Witness)
	case c.Search != "" && !slices.Contains(Searches(), c.Search):
		return mark.Errorf(ErrConfig, "engine: neighbour search %q, expected one of %s", c.Search, strings.Join(Searches(), ", "))
	case !c.Gravity.Finite():
		return mark.Errorf(ErrConfig, "engine: gravity %v is not finite", c.Gravity)
	case c.Workers < 0 || c.Workers > maxWorkers:
		return mark.Errorf(ErrConfig, "engine: %d workers, expected 0 to %d", c.Workers, maxWorkers)
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
	return cmp.Or(c.checkLists(), c.checkPlanar(), c.checkIntegrator())
}

// horizonSteps is how many steps a body's motion budget lasts at its speed, if Config.Horizon does not say.
// More steps mean fewer searches for pairs and more pairs of fast bodies.
const horizonSteps = 32

// maxWorkers bounds the memory that workspaces take.
const maxWorkers = 1024
