package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/chart"
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
func (o *BroadPaperOptions) collide(e *Env, w *engine.World, s *paperSystem) {
	n := len(s.at)
	dt, touched, left := o.untimed(w, s), make([]bool, n), n
	between := max(int64(w.TimeStep().Contact/(looks*dt)), 1)
	for left > 0 {
		if w.Time() > longestWait*s.long {
			e.check(fmt.Errorf("%d of %d bodies have touched no other after %.3g s", left, n, w.Time()))
		}
		e.steps(w, between, dt)
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
}

// wholeRows times whole runs by each method, all from the same state.
func (o *BroadPaperOptions) wholeRows(e *Env, s *paperSystem, methods []paperMethod, state []engine.Column, collided float64) []BroadPaperRow {
	steps := max(wholeSteps, wholeSearches*s.every)
	if o.Long {
		steps = int(math.Ceil(s.long / s.dt))
	}
	rows, turns := make([]BroadPaperRow, len(methods)), make([]func() float64, len(methods))
	for i, m := range methods {
		turns[i] = func() float64 {
			fresh := s.row(wholeBlock, m.name, collided)
			took := fresh.whole(e, s, &m, state, steps)
			if rows[i].NsStep == 0 || fresh.NsStep < rows[i].NsStep {
				rows[i] = fresh
			}
			return took.Seconds()
		}
	}
	shortest(turns)
	return rows
}

// whole times a whole run by one method: search, forces and motion, as Muth et al. 2007 timed their
// runs. Each step has a search, or each s.every-th step: a ball's skin lasts for half a step less
// than that. The first step is not timed, because all lists are made from nothing there. whole
// returns the processor time of the run.
func (r *BroadPaperRow) whole(e *Env, s *paperSystem, m *paperMethod, state []engine.Column, steps int) time.Duration {
	method := m.make(s, slices.Max(s.radius))
	w, err := s.world(engine.Config{
		Workers: 1, Searcher: method, Skin: wholeSkin * slices.Min(s.radius), Horizon: (float64(s.every) - 0.5) * s.dt, NoLedger: true, Clock: threadClock,
		// Verlet lists have up to 500 entries a ball. Lists beyond the bound of a world are not
		// stored, and each search would then compare all balls.
		MaxPairs: broad.MaxPairs,
	})
	e.check(err)
	defer w.Close()
	e.check(w.Restore(state))
	e.steps(w, 1, s.dt)
	n := len(s.at)
	before, listed, took := w.AnsweredBy(), w.Profile().Seconds[engine.StagePairs], time.Duration(0)
	for range steps {
		searched, began := w.AnsweredBy().Rebuilds, threadTime()
		e.steps(w, 1, s.dt)
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
	return took
}

// broadPaperRows are the rows of the series, with their fits and figures.
type broadPaperRows []BroadPaperRow

// paperExponents are the exponents of the time of a run in Muth et al. 2007, Fig. 12.
var paperExponents = map[string]string{"vl": "1.8", "lc": "1.15", wideCells: "1.15", "lll": "1.36"}

// fits computes, for each block, the exponent of a step's time as a power of the number of balls. For
// balls of one size it also computes the exponent for the number of pairs. For the fractured series
// it computes the cost of a particle at the largest R/r relative to R/r = 1, and the R/r at which
// linked cells and lll cost the same.
func (r broadPaperRows) fits() (fits []BroadPaperFit) {
	for _, block := range groups(r, blockOf) {
		for _, series := range groups(block, seriesOf) {
			for _, rows := range groups(series, methodOf) {
				if len(rows) < 2 {
					continue
				}
				first, last := &rows[0], &rows[len(rows)-1]
				add := func(what string, found float64, paper string) {
					fits = append(fits, BroadPaperFit{first.Series, first.Block, first.Method, what, Measured(found), paper, "-"})
				}
				paper := ""
				if first.Series == equalSeries {
					paper = paperExponents[first.Method]
				}
				add("exponent", exponent(rows, func(*BroadPaperRow) float64 { return 1 }), cmp.Or(paper, "-"))
				switch first.Series {
				case equalSeries:
					add("exponent by pairs", exponent(rows, func(r *BroadPaperRow) float64 { return r.Pairs }), "-")
				case fracturedSeries:
					add(fmt.Sprintf("ns at R/r %g over R/r 1", last.Ratio), last.NsStep/first.NsStep, "-")
				}
			}
		}
		fits = slices.Concat(fits, r.crossings(block[0].Block, "lc", "lll"), r.crossings(block[0].Block, wideCells, "lll"))
	}
	return fits
}

func blockOf(r *BroadPaperRow) string  { return r.Block }
func seriesOf(r *BroadPaperRow) string { return r.Series }
func methodOf(r *BroadPaperRow) string { return r.Method }

// crossings returns the R/r at which two methods cost the same in a block. Between two systems the
// logarithm of the ratio of times is taken as linear in R/r. If the ratio stays on one side of 1,
// the fit has no value, and its note names the faster method.
func (r broadPaperRows) crossings(block, one, other string) (fits []BroadPaperFit) {
	of := func(method string) []BroadPaperRow {
		return rowsWith(r, func(r *BroadPaperRow) bool {
			return r.Series == fracturedSeries && r.Block == block && r.Method == method
		})
	}
	a, b := of(one), of(other)
	if len(a) < 2 || len(a) != len(b) {
		return nil
	}
	fit := BroadPaperFit{fracturedSeries, block, one + ", " + other, "crossing R/r", notMeasured(), "2.5", "-"}
	for k := 1; k < len(a); k++ {
		was, now := math.Log(a[k-1].NsStep/b[k-1].NsStep), math.Log(a[k].NsStep/b[k].NsStep)
		if was*now <= 0 && was != now {
			fit.Found = Measured(a[k-1].Ratio + float64(was/(was-now)*(a[k].Ratio-a[k-1].Ratio)))
			fits = append(fits, fit)
		}
	}
	if fit.Found.missing() {
		faster := one
		if a[0].NsStep > b[0].NsStep {
			faster = other
		}
		fit.Note = fmt.Sprintf("none: %s is faster from R/r %g to %g", faster, a[0].Ratio, a[len(a)-1].Ratio)
		fits = append(fits, fit)
	}
	return fits
}

// exponent returns the exponent of a step's time as a power of a quantity. of returns this quantity
// per ball.
func exponent(rows []BroadPaperRow, of func(*BroadPaperRow) float64) float64 {
	return slope(rows,
		func(r *BroadPaperRow) float64 { return of(r) * float64(r.Bodies) },
		func(r *BroadPaperRow) float64 { return r.NsStep * float64(r.Bodies) })
}

// figures returns, for each block, the time of a step by number of balls (Figs 11 and 12 of Muth et
// al. 2007) and the time per particle by R/r (Fig. 14). It also returns the 300 discs with their pairs (Figs 8 and 9).
func (r broadPaperRows) figures(snapshots []snapshot) (figures []Figure) {
	titles := map[string]string{searchBlock: "neighbour searches", wholeBlock: "whole steps"}
	names := map[string]string{searchBlock: "broad-", wholeBlock: "broad-whole-"}
	for _, block := range groups(r, blockOf) {
		for _, rows := range groups(block, seriesOf) {
			series, block := rows[0].Series, rows[0].Block
			p := newChart(titles[block]+", "+series, "particles", true, "µs a step", true)
			at := func(r *BroadPaperRow) (x, y float64) {
				return float64(r.Bodies), max(r.NsStep*float64(r.Bodies)/1e3, 1e-3)
			}
			if series == fracturedSeries {
				p.X.Title, p.X.Log, p.Y.Title = "R/r", false, "ns a particle and step"
				at = func(r *BroadPaperRow) (x, y float64) { return r.Ratio, max(r.NsStep, 1e-3) }
			}
			addLines(p, rows, func(r *BroadPaperRow) look {
				return look{name: r.Method, hue: slices.Index(paperMethodNames(), r.Method)}
			}, at)
			figures = append(figures, Figure{names[block] + series, p})
		}
	}
	for i := range snapshots {
		s := &snapshots[i]
		discs := make([]chart.Disc, len(s.at))
		for k, at := range s.at {
			discs[k] = chart.Disc{X: millimetres * at.X, Y: millimetres * at.Y, R: millimetres * s.radius[k]}
		}
		picture := &chart.Chart{Title: fmt.Sprintf("%d discs after %.3g s", len(s.at), s.time), Equal: true}
		picture.X.Title, picture.Y.Title = "x, mm", "y, mm"
		picture.Discs = []chart.Discs{{Fill: pale(hue(0)), Border: hue(0), All: discs}}
		figures = append(figures, Figure{"broad-discs-" + s.name, picture})

		n := float64(len(s.at))
		dots := make([]chart.Disc, len(s.pairs.A))
		for k, a := range s.pairs.A {
			dots[k] = chart.Disc{X: float64(s.pairs.B[k] + 1), Y: float64(a + 1), R: matrixDot * n}
		}
		matrix := &chart.Chart{Title: fmt.Sprintf("pairs of boxes after %.3g s", s.time), Equal: true}
		matrix.X = chart.Axis{Title: "j", Min: 0, Max: n}
		matrix.Y = chart.Axis{Title: "i", Min: 0, Max: n, Down: true} // the first row is on top
		matrix.Discs = []chart.Discs{{Fill: hue(0), Border: hue(0), All: dots}}
		figures = append(figures, Figure{"broad-matrix-" + s.name, matrix})
	}
	return figures
}

// millimetres is the number of millimetres in a metre.
const millimetres = 1e3

// matrixDot is the radius of a pair's dot in the picture of a matrix, over the number of rows.
const matrixDot = 0.003
