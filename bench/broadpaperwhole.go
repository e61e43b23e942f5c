package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
)

// The blocks of rows.
const (
	searchBlock = "search"
	wholeBlock  = "whole"
)

const (
	// wholeSteps is the number of timed steps of a whole run that is not long. Verlet lists are made
	// twice in them.
	wholeSteps = 200
	// wholeSearches is the least number of searches in them.
	wholeSearches = 20
	// looks is the number of times in a contact time that collide looks for contacts. It misses
	// only a ball that touches another for less than a fifth of the time of a full collision.
	looks = 5
	// longestWait times the paper's run is how long collide waits. Balls that have not met by then
	// never will.
	longestWait = 10
	// wholeSkin, in radii, lets a ball that moves at all use up its skin in a step.
	wholeSkin = 1e-9
)

// row returns a row of the system without figures. collided is the time of its state, s.
func (s *paperSystem) row(block, method string, collided float64) BroadPaperRow {
	none := notMeasured()
	return BroadPaperRow{
		Series: s.series, Block: block, Bodies: len(s.at), Ratio: s.ratio, Method: method, Start: collided,
		Listing: none, Contacts: none, NsPair: none, Energy: none,
	}
}

// collide runs the world until each ball has touched another one.
func (o *BroadPaperOptions) collide(ctx context.Context, w *engine.World, s *paperSystem) error {
	n := len(s.at)
	dt, touched, left := o.untimed(w, s), make([]bool, n), n
	between := max(int64(w.TimeStep().Contact/(looks*dt)), 1)
	for left > 0 {
		if w.Time() > longestWait*s.long {
			return fmt.Errorf("bench: %s: %d of %d bodies have touched no other after %.3g s", s.series, left, n, w.Time())
		}
		if err := makeSteps(ctx, w, between, dt); err != nil {
			return err
		}
		for c := range w.ActiveContacts() {
			if int(c.A) >= n || int(c.B) >= n {
				continue // with a wall: walls come after the balls
			}
			for _, i := range []soa.ID{c.A, c.B} {
				if !touched[i] {
					touched[i] = true
					left--
				}
			}
		}
	}
	return nil
}

// wholeRows times whole runs by each method, all from the same state.
func (o *BroadPaperOptions) wholeRows(ctx context.Context, s *paperSystem, methods []paperMethod, state []engine.Column, collided float64) ([]BroadPaperRow, error) {
	steps := max(wholeSteps, wholeSearches*s.every)
	if o.Long {
		steps = int(math.Ceil(s.long / s.dt))
	}
	rows := make([]BroadPaperRow, len(methods))
	for i, m := range methods {
		least := time.Duration(math.MaxInt64)
		_, err := shortest(func(int) (time.Duration, error) {
			fresh := s.row(wholeBlock, m.name, collided)
			took, err := fresh.whole(ctx, s, &m, state, steps)
			if took < least {
				least, rows[i] = took, fresh
			}
			return took, err
		})
		if err != nil {
			return nil, fmt.Errorf("bench: whole run, %s, %d bodies, %s: %w", s.series, len(s.at), m.name, err)
		}
	}
	return rows, nil
}

// whole times a whole run by one method: search, forces and motion, as Muth et al. 2007 timed their
// runs. Each step has a search, or each s.every-th step: a ball's skin lasts for half a step less
// than that. The first step is not timed, because all lists are made from nothing there. whole
// returns the processor time of the run.
func (r *BroadPaperRow) whole(ctx context.Context, s *paperSystem, m *paperMethod, state []engine.Column, steps int) (time.Duration, error) {
	method := m.make(s, slices.Max(s.radius))
	w, err := s.world(engine.Config{
		Workers: 1, Searcher: method, Skin: wholeSkin * slices.Min(s.radius), Horizon: (float64(s.every) - 0.5) * s.dt, NoLedger: true, Clock: threadClock,
		// Verlet lists have up to 500 entries a ball. Lists beyond the bound of a world are not
		// stored, and each search would then compare all balls.
		MaxPairs: broad.MaxPairs,
	})
	if err != nil {
		return 0, err
	}
	defer w.Close()
	if err := w.Restore(state); err != nil {
		return 0, err
	}
	if err := makeSteps(ctx, w, 1, s.dt); err != nil {
		return 0, err
	}
	n := len(s.at)
	before, listed, took := w.AnsweredBy(), w.Profile().Seconds[engine.StagePairs], time.Duration(0)
	for range steps {
		searched, began := w.AnsweredBy().Rebuilds, threadTime()
		if err := makeSteps(ctx, w, 1, s.dt); err != nil {
			return 0, err
		}
		if took += threadTime() - began; w.AnsweredBy().Rebuilds > searched {
			r.count(method, n, 1)
		}
	}
	each := float64(steps * n)
	after := w.AnsweredBy()
	r.Steps, r.Searches = steps, after.Rebuilds-before.Rebuilds
	r.Ops, r.Swaps = r.Ops/Measured(r.Searches), r.Swaps/Measured(r.Searches)
	r.NsStep = float64(took.Nanoseconds()) / each
	r.Listing = Measured((w.Profile().Seconds[engine.StagePairs] - listed) * 1e9 / each)
	r.Pairs, r.Contacts = float64(w.Candidates())/float64(n), Measured(float64(after.Active-before.Active)/each)
	r.Checksum = fmt.Sprintf("%016x", w.Hash())
	return took, nil
}
