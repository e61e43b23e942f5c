package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/broad/lll"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/vec"
)

func init() {
	register[BroadPaperOptions, BroadPaperRow](About{
		Command: "broad", With: "paper", Name: "broad-paper",
		Long: `--paper runs the published series for Verlet lists, linked cells and linked linear
lists: balls that fall and spread without damping, until each has touched another one.
Then each method finds the pairs of a hundred steps (block search), and makes 200 whole
steps of search, forces and motion (block whole), on one worker. All whole runs must end
in the same state. This takes 10 to 16 minutes. With --long the runs are as long as in
the paper, and take days. lc-wide uses cells of the size in the paper.`,
		Names: map[string][]string{"method": paperMethodNames(), "series": broadSeries},
	})
}

// BroadPaperOptions are the options for the series of Muth et al. 2007.
type BroadPaperOptions struct {
	Paper   bool     `flag:"paper" help:"run the series of Muth et al. 2007: time by number and by sizes of particles"`
	Series  []string `flag:"series" help:"<NAMES>, separated by commas, of series"`
	Methods []string `flag:"method" help:"<NAMES>, separated by commas, of methods"`
	Seed    uint64   `flag:"seed" default:"1" help:"<S>eed of places and sizes"`
	Every   int      `flag:"every" default:"1" bounds:"1 to 1000000" help:"search in every <K>-th step"` // steps of the paper's length
	// Long makes all steps as short as in the paper, too. Otherwise untimed steps may be longer: see
	// paperSystem.contactSteps.
	Long    bool `flag:"long" help:"as many steps and as long runs as in the paper"`
	Workers int  `flag:"workers"` // for the motion until all have collided; all else is timed on one
}

// BroadPaperRow is a point in the figures: a method on a system, in one of two blocks. The block
// search times the searches alone. The block whole times whole steps: search, forces and motion.
type BroadPaperRow struct {
	Series   string   `json:"series" show:"%s"`
	Block    string   `json:"block" show:"%s"`
	Bodies   int      `json:"bodies" show:"%d"`
	Ratio    float64  `json:"ratio" show:"%g"` // R/r
	Method   string   `json:"method" show:"%s"`
	Start    float64  `json:"start_s" show:"%.3g"`  // s, when the last ball had touched another; the timed steps follow
	Steps    int      `json:"steps" show:"%d"`      // timed searches, or timed whole steps
	Searches int64    `json:"searches" show:"%d"`   // in these steps
	NsStep   float64  `json:"ns_step" show:"%.1f"`  // time of the search, or of the whole step, per particle
	Listing  Measured `json:"ns_pairs" show:"%.1f"` // part of a whole step, per particle: the search, and the rows and tiles of its pairs
	Pairs    float64  `json:"pairs_body" show:"%.3f"`
	Contacts Measured `json:"contacts_body" show:"%.3f"` // contacts with force, walls included, per particle and whole step
	NsPair   Measured `json:"ns_pair" show:"%.1f"`       // ns_step of a search per pair; missing if there are no pairs
	Ops      Measured `json:"ops_body" show:"%.2f"`      // operations that the paper counts for lc and lll, per particle and search; missing for other methods
	Swaps    Measured `json:"swaps_body" show:"%.3f"`    // those of ops_body that swap two marks; missing except for lll
	Energy   Measured `json:"energy_off" show:"%.1e"`    // relative energy error of the run before and during the timed searches
	Checksum string   `json:"checksum" show:"%s"`        // of the pairs of all timed searches, or of the state after the whole steps
}

// BroadPaperFit is a fit to the rows of a block, beside the result of the paper.
type BroadPaperFit struct {
	Series string   `json:"series" show:"%s"`
	Block  string   `json:"block" show:"%s"`
	Method string   `json:"method" show:"%s"`
	What   string   `json:"what" show:"%s"`
	Found  Measured `json:"found" show:"%.3f"` // missing if there is no crossing
	Paper  string   `json:"paper" show:"%s"`
	Note   string   `json:"note" show:"%s" empty:"hide"` // why nothing was found, else "-"
}

// snapshot is the discs of the picture at one time, and the pairs of their boxes.
type snapshot struct {
	name   string
	time   float64
	at     []vec.Vec3
	radius []float64
	pairs  broad.Found
}

const (
	// paperSteps is the number of searches timed together. A Verlet list serves as many steps.
	paperSteps = 100
	// paperLong is the number of times that the searches of a long run are timed.
	paperLong = 5
	// paperMargin is the margin of the multilevel grid, and the skin of the world before the timed
	// steps, in units of the mean radius. Few balls touch, so a large skin adds few candidates.
	paperMargin = 0.2
	// shortSearch is the time, s, of a block of a method up to which it is run three times. The least
	// time counts, because other processes on the machine would show in short times.
	shortSearch = 0.5
)

// paperMethod is a method for the balls of a system. largest is the largest radius, m.
type paperMethod struct {
	name string
	make func(s *paperSystem, largest float64) broad.Method
}

// paperMethods are the methods of the paper and ours. vl has the paper's radius of five times the
// largest and no other search inside.
var paperMethods = []paperMethod{
	{"vl", func(s *paperSystem, largest float64) broad.Method {
		return vl.New(vl.Options{Radius: 5 * largest, Every: max(paperSteps/s.every, 1)})
	}},
	{"lc", func(*paperSystem, float64) broad.Method { return lc.New(lc.Options{}) }},
	{wideCells, func(s *paperSystem, largest float64) broad.Method {
		return lc.New(lc.Options{Cell: s.cell / (2 * largest)})
	}},
	{"lll", func(*paperSystem, float64) broad.Method { return lll.New(multilevel.New()) }},
	{"multilevel", func(*paperSystem, float64) broad.Method { return multilevel.New() }},
}

// count adds the operations that the paper counts for the last search of n balls, as a share of a
// particle and of the given number of searches. For linked cells they are compared pairs. For linked
// linear lists they are comparisons of a mark with the previous mark: one for each mark, and one for
// each swap. For other methods the results are missing.
func (r *BroadPaperRow) count(method broad.Method, n int, searches float64) {
	ops, swaps, of := notMeasured(), notMeasured(), Measured(n)*Measured(searches)
	switch m := method.(type) {
	case *lc.Method:
		ops = Measured(m.Checked)
	case *lll.Method:
		swaps = Measured(m.Swaps[0] + m.Swaps[1] + m.Swaps[2] + m.Swaps[3])
		ops = Measured(6*n) + swaps
	}
	r.Ops, r.Swaps = r.Ops+ops/of, r.Swaps+swaps/of
}

// wideCells is linked cells with the length of the paper's cells, 1.7 to 2.3 times the largest
// diameter.
const wideCells = "lc-wide"

// paperMethodNames returns the names of the methods that the series compare.
func paperMethodNames() []string {
	return distinct(paperMethods, func(m *paperMethod) string { return m.name })
}

// plan runs the series with which Muth et al. 2007 compare neighbour searches. The balls move
// as in the paper, by position Verlet without damping, until each has touched another one. Every
// method then finds the pairs of the same hundred steps of the paper's length. The first search is
// not timed, so the timed steps make a Verlet list once. In a second block, every method serves
// whole steps of the paper's length from the same state; see whole.
func (o *BroadPaperOptions) plan(e *Env) (*plan[BroadPaperRow], error) {
	var snapshots []snapshot
	p := &plan[BroadPaperRow]{same: samePaper, finish: func(r *Report, rows []BroadPaperRow) error {
		var fits []BroadPaperFit
		if r.Complete {
			fits = broadPaperRows(rows).fits()
		}
		r.add("fits", "fits", fits)
		r.Figures = broadPaperRows(rows).figures(snapshots)
		return nil
	}}
	for _, name := range o.Series {
		systems, err := systemsOf(name, o.Seed)
		if err != nil {
			return nil, err
		}
		for _, s := range systems {
			s.every = o.Every
			p.parts = append(p.parts, part[BroadPaperRow]{note: fmt.Sprintf("%s, %d bodies", s.series, len(s.at)), measure: func() []BroadPaperRow {
				if s.series != pictureSeries {
					return o.measure(e, s)
				}
				both := o.picture(e, s)
				e.keep(func() { snapshots = both })
				return nil
			}})
		}
	}
	return p, nil
}

// samePaper returns what must be the same for all methods: the pairs of a system, or the state after the whole steps.
func samePaper(r *BroadPaperRow) (of, by, checksum string) {
	return fmt.Sprintf("%s, %d bodies, %s", r.Series, r.Bodies, r.Block), r.Method, r.Checksum
}

// untimed returns the length of the untimed steps, s.
func (o *BroadPaperOptions) untimed(w *engine.World, s *paperSystem) float64 {
	if o.Long {
		return s.dt
	}
	return max(s.dt, w.TimeStep().Contact/s.contactSteps)
}

// move runs the world for the given duration, s, in steps of dt, s.
func (e *Env) move(w *engine.World, duration, dt float64) {
	e.steps(w, int64(math.Ceil(duration/dt)), dt)
}

// measure runs a system and times the methods on it.
func (o *BroadPaperOptions) measure(e *Env, s *paperSystem) []BroadPaperRow {
	w, err := s.world(engine.Config{Workers: o.Workers, Search: "multilevel", Skin: paperMargin * s.meanRadius()})
	e.check(err)
	defer w.Close()
	start := w.Measure().Balance()
	o.collide(e, w, s)
	collided, state := w.Time(), w.State()
	times, duration := 1, 0.0
	if o.Long {
		times, duration = paperLong, s.long
	}
	methods := rowsWith(paperMethods, func(m *paperMethod) bool { return slices.Contains(o.Methods, m.name) })
	rows, sums := make([]BroadPaperRow, len(methods)), make([]uint64, len(methods))
	for i, m := range methods {
		rows[i], sums[i] = s.row(searchBlock, m.name, collided), fnvOffset
	}
	for range times {
		e.move(w, duration/float64(times), s.dt)
		frames, turns := record(e, w, s), make([]func() float64, len(rows))
		for i := range rows {
			sum := &sums[i]
			turns[i] = func() float64 {
				counted := sum
				sum = nil // The first turn counts, and all are timed.
				return rows[i].searchAll(e, s, &methods[i], frames, float64(times), counted)
			}
		}
		for i, t := range shortest(turns) {
			rows[i].NsStep += t.Least() * 1e9 / float64(paperSteps*len(s.at)*times)
		}
	}
	off := Measured(math.Abs(w.Measure().Balance()/start - 1))
	for i := range rows {
		r := &rows[i]
		if r.Pairs > 0 {
			r.NsPair = Measured(r.NsStep / r.Pairs)
		}
		r.Searches, r.Energy, r.Checksum = int64(r.Steps), off, fmt.Sprintf("%016x", sums[i])
	}
	return append(rows, o.wholeRows(e, s, methods, state, collided)...)
}

// record moves the world by the steps of the searches to be timed, of the paper's length. It returns
// the positions at the start and at each search.
func record(e *Env, w *engine.World, s *paperSystem) [][]vec.Vec3 {
	frames := make([][]vec.Vec3, paperSteps+1)
	for k := range frames {
		if k > 0 {
			e.steps(w, int64(s.every), s.dt)
		}
		for i := range s.at {
			frames[k] = append(frames[k], w.Bodies().Pos.At(i))
		}
	}
	return frames
}

// shortest measures contenders in turns, s: three times, or once if that takes longer than shortSearch.
func shortest(turns []func() float64) []peers.Times {
	for i, turn := range turns {
		last := 0.0
		turns[i] = func() float64 {
			if last <= shortSearch {
				last = turn()
			}
			return last
		}
	}
	return alternate(3, turns)
}

// searchAll returns the time of a method's searches on frames, s. If sum is not nil, it adds the pairs to the checksum
// and the counts to the row, as one of the given number of times.
func (r *BroadPaperRow) searchAll(e *Env, s *paperSystem, m *paperMethod, frames [][]vec.Vec3, times float64, sum *uint64) float64 {
	found, now, took, margin := &broad.Found{}, []vec.Vec3{}, time.Duration(0), paperMargin*s.meanRadius()
	method := m.make(s, slices.Max(s.radius))
	f := broad.NewFinder(method)
	for k, at := range frames {
		// Copy the positions to the same memory, as a step of motion would.
		now = append(now[:0], at...)
		set, began := &broad.Input{Centre: now, Radius: s.radius, Margin: margin}, threadTime()
		e.check(f.Find(set, found))
		if k > 0 {
			took += threadTime() - began
		}
		if sum == nil {
			continue
		}
		if *sum = foldPairs(*sum, found); k > 0 {
			r.count(method, len(at), paperSteps*times)
		}
	}
	if sum != nil {
		r.Steps += paperSteps
		r.Pairs += float64(len(found.A)) / float64(len(s.at)) / times
	}
	return took.Seconds()
}

// picture runs the 300 discs and returns both snapshots.
func (o *BroadPaperOptions) picture(e *Env, s *paperSystem) (snapshots []snapshot) {
	w, err := s.world(engine.Config{Workers: 1, Search: "multilevel"})
	e.check(err)
	defer w.Close()
	for _, name := range []string{"start", "end"} {
		if name == "end" {
			e.move(w, s.long, o.untimed(w, s))
		}
		v := snapshot{name: name, time: w.Measure().Time, radius: s.radius}
		set := &broad.Input{}
		for i, r := range s.radius {
			at := w.Bodies().Pos.At(i)
			v.at = append(v.at, at)
			set.Box = append(set.Box, vec.Box{Min: at.Sub(vec.V(r, r, 0)), Max: at.Add(vec.V(r, r, 0))})
		}
		e.check(broad.NewFinder(lll.New(brute.New())).Find(set, &v.pairs))
		snapshots = append(snapshots, v)
	}
	return snapshots
}
