package bench

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/cachesim"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
)

func init() {
	register[ScalingOptions, ScalingRow](About{
		Command: "scaling", Name: "scaling", Unit: "worlds",
		Short: "Measure how steps scale with workers, and simulate up to 1024 cores",
		Long: `Measure steps of a settled pile on 1, 2, 4 … workers, and simulate them on up to 1024
cores. Strong scaling is one pile on all cores, weak scaling a copy of it on each core. The
simulation replays the times of all chunks of a step with the rules of the scheduler. No
simulated step is shorter than its bytes beyond the third-level caches, as bench cache
simulates them, over the bandwidth of the memory. The laws of Amdahl and of Gunther are fitted to each series.`,
		Example: "  scree bench scaling --settled bench/testdata/hulls200.txt.gz --cores 1,8,64 --workers 2",
		Names:   map[string][]string{"law": {ThicknessLaw, LinearLaw}, "order": curve.Names},
	})
}

// ScalingOptions are the options of the study of scaling.
type ScalingOptions struct {
	Settled   []string `flag:"settled" file:"txt,gz" help:"scene <FILE> in the plain text format, gzip or not; may be repeated (default: 8000 cubes, settled on the spot)"`
	Copies    int      `flag:"copies" default:"1" bounds:"1 to 10000000" help:"put <N> copies of each pile beside each other, each in its box"`
	Order     string   `flag:"order" default:"hilbert" help:"<ORDER> of the bodies: as in the file, random, or along a space-filling curve"`
	Law       string   `flag:"law" default:"thickness" help:"contact law <NAME>"`
	Steps     int64    `flag:"steps" default:"20" bounds:"≥ 1" help:"number <N> of timed steps"`
	Dt        float64  `flag:"dt" default:"1e-4" bounds:"> 0" unit:"s" help:"time step, <s>"`
	Repeat    int      `flag:"repeat" default:"3" bounds:"≥ 1" help:"measure <R> new worlds; of each step and chunk the least time counts"`
	Cores     []int    `flag:"cores" default:"[1,2,4,8,16,32,64,128,256,512,1024]" bounds:"1 to 1024" help:"numbers <N> of simulated cores, separated by commas"`
	L3Cores   int      `flag:"l3-cores" default:"8" bounds:"1 to 1024" help:"number <N> of simulated cores that share a third-level cache"`
	Chunk     float64  `flag:"chunk-cost" default:"-1" bounds:"≥ -1" unit:"ns" help:"time, <ns>, to take a chunk; -1: measured here"`
	Look      float64  `flag:"look" default:"-1" bounds:"≥ -1" unit:"ns" help:"time, <ns>, to see that another worker has no work; -1: measured here"`
	StealNear float64  `flag:"steal-near" default:"-1" bounds:"≥ -1" unit:"ns" help:"time, <ns>, to steal from a core with the same third-level cache; -1: measured here"`
	StealFar  float64  `flag:"steal-far" default:"-1" bounds:"≥ -1" unit:"ns" help:"time, <ns>, to steal from another core; -1: measured here"`
	Fork      float64  `flag:"fork" default:"-1" bounds:"≥ -1" unit:"ns" help:"time, <ns>, to start and end a loop; -1: measured here"`
	Enter     float64  `flag:"enter" default:"-1" bounds:"≥ -1" unit:"ns" help:"time, <ns>, that each further worker adds to a loop; -1: measured here"`
	Bandwidth float64  `flag:"bandwidth" bounds:"> 0" unit:"GB/s" help:"memory bandwidth of the simulated machine, <GB/s> (default: measured here, on all processors)"`
	Bytes     float64  `flag:"bytes" bounds:"> 0" unit:"bytes" help:"number <B> of bytes that a step of the pile moves beyond the third-level caches (default: simulated, as by bench cache)"`
	Workers   int      `flag:"workers"` // measure 1, 2, 4 … up to so many; 0: the number of processors
	Pin       bool     `flag:"pin"`     // tie each worker to a logical processor, as in engine.Config
}

// Kinds and sources of rows.
const (
	strongScaling = "strong"
	weakScaling   = "weak"
	measuredRow   = "measured"
	simulatedRow  = "simulated"
)

// ScalingRow is the mean of the timed steps without a search for pairs, on one number of cores.
type ScalingRow struct {
	Pile       string   `json:"pile" show:"%s"`
	Kind       string   `json:"kind" show:"%s"`
	Source     string   `json:"source" show:"%s"`
	Cores      int      `json:"cores" show:"%d"`
	Bodies     int      `json:"bodies" show:"%d"`
	Step       float64  `json:"step_ms" show:"%.4g"`
	SpeedUp    float64  `json:"speed_up" show:"%.4g"` // over one core; weak: cores × the time of one copy on one core / time
	Efficiency float64  `json:"efficiency" show:"%.3f"`
	Unbounded  float64  `json:"efficiency_unbounded" show:"%.3f"` // without the floor
	Limit      string   `json:"limited_by" show:"%s"`             // the largest loss of a simulated row; processors: more workers than processors
	Steals     float64  `json:"steals" show:"%.4g"`               // a step
	Far        float64  `json:"far" show:"%.4g"`                  // those between third-level caches
	Idle       float64  `json:"idle" show:"%.3f"`                 // share of the cores' time within shared loops
	Imbalance  float64  `json:"imbalance" show:"%.3f"`            // idle over busy
	Serial     Measured `json:"serial_ms" show:"%.3g"`            // one core works, the others have nothing to do
	Floor      Measured `json:"floor_ms" show:"%.3g"`             // bytes over bandwidth
	Drift      float64  `json:"drift_ms" show:"%.3g"`
	Pairs      float64  `json:"pairs_ms" show:"%.3g"`
	Contacts   float64  `json:"contacts_ms" show:"%.3g"`
	Gather     float64  `json:"gather_ms" show:"%.3g"`
	Bandwidth  Measured `json:"bandwidth_GB_s" show:"%.3g"`
	Spread     Measured `json:"spread" show:"%.3f"`        // (slowest − fastest) / median repetition
	Ratio      Measured `json:"over_measured" show:"%.3f"` // simulated over measured time
}

// ScalingCosts are the costs that the simulation has used: sched.Overheads with the tags of a table.
type ScalingCosts struct {
	Chunk     float64 `json:"chunk_ns" show:"%.3g"`
	Look      float64 `json:"look_ns" show:"%.3g"`
	StealNear float64 `json:"steal_near_ns" show:"%.3g"`
	StealFar  float64 `json:"steal_far_ns" show:"%.3g"`
	Fork      float64 `json:"fork_ns" show:"%.3g"`
	Enter     float64 `json:"enter_ns" show:"%.3g"`
}

// scalingPile is a pile with the options of its worlds.
type scalingPile struct {
	name    string
	settled *fileio.Settled
	step    StepOptions
	rows    []ScalingRow // the measured ones
}

const (
	// skinSteps is the number of steps for which the skin is chosen, as for the default of the study of the
	// step. It is so large that most of the timed steps have no search for pairs.
	skinSteps = 1000
)

// plan prepares each pile, measures it, and simulates it.
func (o *ScalingOptions) plan(e *Env) (*plan[ScalingRow], error) {
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Cores = slices.Compact(slices.Sorted(slices.Values(append(o.Cores, 1)))) // Speed-ups need one core.
	var costs sched.Overheads
	var bandwidth float64
	p := &plan[ScalingRow]{unlocked: true}
	add := func(note string, worlds int, measure func() []ScalingRow) {
		p.parts = append(p.parts, part[ScalingRow]{note, worlds, measure})
	}
	add("overheads and bandwidth", 1, func() []ScalingRow {
		c, b := o.costs()
		e.keep(func() { costs, bandwidth = c, b })
		return nil
	})
	piles, err := e.piles(o.Settled)
	if err != nil {
		return nil, err
	}
	for i := range piles[:max(len(o.Settled), 1)] {
		if err := piles[i].fits(e, o.Copies, o.Workers); err != nil {
			return nil, err
		}
		pile := &scalingPile{name: piles[i].name}
		add(pile.name+": preparing", 1, func() []ScalingRow {
			made := o.pile(e, &piles[i])
			e.keep(func() { pile.settled, pile.step = made.settled, made.step })
			return nil
		})
		add(pile.name+": measuring", 2*o.Repeat*len(o.counts()), func() []ScalingRow { return o.measure(e, pile) })
		add(pile.name+": simulating", o.Repeat*(len(o.Cores)+1), func() []ScalingRow { return o.simulate(e, pile, costs, bandwidth) })
	}
	p.finish = func(r *Report, rows []ScalingRow) error { o.finish(r, rows, costs); return nil }
	return p, nil
}

// counts returns the numbers of workers to measure: powers of two, and the largest.
func (o *ScalingOptions) counts() (all []int) {
	for n := 1; n < o.Workers; n *= 2 {
		all = append(all, n)
	}
	return append(all, o.Workers)
}

// costs returns the given costs, and measures those that are not given, and the bandwidth.
func (o *ScalingOptions) costs() (sched.Overheads, float64) {
	c := sched.MeasureOverheads()
	for to, given := range map[*float64]float64{&c.Chunk: o.Chunk, &c.Look: o.Look, &c.StealNear: o.StealNear, &c.StealFar: o.StealFar, &c.Fork: o.Fork, &c.Enter: o.Enter} {
		if given >= 0 {
			*to = given
		}
	}
	if o.Bandwidth > 0 {
		return c, o.Bandwidth
	}
	return c, bandwidth(0)
}

// pile prepares a pile: its copies, law and skin.
func (o *ScalingOptions) pile(e *Env, of *pile) scalingPile {
	s, from := of.settled(e)
	p := scalingPile{settled: ordered(copies(s, o.Copies), o.Order)}
	p.step = StepOptions{
		Steps: skinSteps, Dt: o.Dt, Laws: []string{o.Law}, Workers: 1, warmUp: stepWarmUp, Stiffness: from.stiffness, cap: from.cap,
	}
	p.step.Skin = skinFor(e, s, &p.step, from.radius)
	w, err := p.step.world(s, o.Law, p.step.Skin)
	e.check(err)
	defer w.Close()
	if touching(w) == 0 {
		e.check(mark.Errorf(ErrScene, "%s: 0 touching pairs, expected a pile at rest", cmp.Or(of.path, of.name)))
	}
	return p
}

// measure returns a row for each number of workers and kind. They take turns.
func (o *ScalingOptions) measure(e *Env, p *scalingPile) (rows []ScalingRow) {
	var runs []func() float64
	var best []*stepCosts
	for _, n := range o.counts() {
		for _, kind := range []string{strongScaling, weakScaling} {
			least, times := new(stepCosts), copiesFor(kind, n)
			rows = append(rows, ScalingRow{Pile: p.name, Kind: kind, Source: measuredRow, Cores: n, Bodies: times * len(p.settled.Bodies), Serial: notMeasured(), Floor: notMeasured(), Bandwidth: notMeasured(), Ratio: notMeasured()})
			best = append(best, least)
			runs = append(runs, func() float64 {
				now := o.run(e, copies(p.settled, times), p.step, n, nil, false)
				least.keepLeast(now)
				return now.mean(e).time
			})
		}
	}
	for i, t := range alternate(o.Repeat, runs) {
		r := &rows[i]
		r.fill(best[i].mean(e), &rows[i%2])
		if r.Spread = Measured(t.Spread()); r.Cores > processors() {
			r.Limit = "processors"
		}
	}
	e.keep(func() { p.rows = rows })
	return rows
}

// fill computes what follows from a mean step and the row of one core, which may be r itself.
func (r *ScalingRow) fill(s stepCost, alone *ScalingRow) {
	work := float64(copiesFor(r.Kind, r.Cores))
	r.Step, r.Limit = 1e3*max(s.time, s.floor), "-"
	r.SpeedUp = per(work*alone.Step, r.Step)
	r.Efficiency = r.SpeedUp / float64(r.Cores)
	aloneTime := alone.Step // without the floor
	if !alone.Serial.missing() && alone.Source == simulatedRow {
		aloneTime = float64(alone.Serial)
	}
	r.Unbounded = per(work*aloneTime, float64(r.Cores)*1e3*s.time)
	r.Steals, r.Far = s.steals, s.far
	r.Idle, r.Imbalance = per(s.idle, float64(r.Cores)*s.shared), per(s.idle, float64(float64(r.Cores)*s.shared)-s.idle)
	r.Drift, r.Pairs = 1e3*s.stages[engine.StageDrift], 1e3*s.stages[engine.StagePairs]
	r.Contacts, r.Gather = 1e3*s.stages[engine.StageContacts], 1e3*s.stages[engine.StageGather]
	if r.Source == measuredRow {
		return
	}
	r.Serial = Measured(1e3 * s.serial)
	if r.Floor = notMeasured(); s.floor > 0 {
		r.Floor = Measured(1e3 * s.floor)
	}
	// What is lost to serial parts, against all losses: fewer pairs in a tile, starts and ends of loops, steals, waiting.
	lost := float64(1e3*s.time) - per(work*aloneTime, float64(r.Cores))
	switch serial := float64(float64(r.Serial) * (1 - 1/float64(r.Cores))); {
	case s.floor > s.time:
		r.Limit = "bandwidth"
	case r.Cores == 1 || lost <= 0:
	case serial > lost-serial:
		r.Limit = "serial"
	default:
		r.Limit = "schedule"
	}
}

// finish adds notes, the costs, the fits, and the plots.
func (o *ScalingOptions) finish(r *Report, rows []ScalingRow, costs sched.Overheads) {
	if len(rows) == 0 {
		return
	}
	note := ""
	if slices.ContainsFunc(rows, func(r ScalingRow) bool { return math.Abs(float64(r.Ratio)-1) > 0.15 }) {
		note += "Some ratios to measured times differ from 1 by more than 15 %. The simulation leaves out what cores do to each other's\n" +
			"caches, traffic below the floor, wake-ups of sleeping workers, and other processes.\n"
	}
	r.Tables[0].Note = note + "\n"
	r.add("costs", "costs", []ScalingCosts{ScalingCosts(costs)})
	r.add("fits", "fits", scalingFits(rows))
	for _, of := range groups(rows, func(r *ScalingRow) string { return r.Pile }) {
		c := newChart("scaling, "+of[0].Pile, "cores", true, "speed-up", true)
		addLines(c, of, func(r *ScalingRow) look {
			return look{r.Kind + ", " + r.Source, 2*b2i(r.Kind == weakScaling) + b2i(r.Source == measuredRow), r.Source == measuredRow}
		}, func(r *ScalingRow) (x, y float64) { return float64(r.Cores), r.SpeedUp })
		r.Figures = append(r.Figures, Figure{"scaling-" + of[0].Pile, c})
	}
}

// caches returns the caches of this machine, with an L3 for as many cores as given.
func (o *ScalingOptions) caches() cachesim.Hierarchy {
	c, err := (&CacheOptions{Group: o.L3Cores}).cachesOf(cpu.Describe().Caches)
	if err != nil { // the machine does not tell them
		c = cachesim.Hierarchy{L1: cachesim.Cache{Size: 32 << 10, Ways: 8}, L2: cachesim.Cache{Size: 1 << 20, Ways: 8}, L3: cachesim.Cache{Size: 32 << 20, Ways: 16}, Group: o.L3Cores}
	}
	return c
}

// bandwidth returns the bandwidth of the memory, GB/s: the best of ten passes of some workers, or of one for each processor, over arrays that no cache
// holds, by the triad of STREAM (McCalpin 1995).
func bandwidth(workers int) float64 {
	pool := sched.New(workers)
	defer pool.Close()
	t := make(triad, 3)
	n := max(4*thisMachine("").Caches.L3, 1<<26) / 8
	for i := range t {
		t[i] = make([]float64, n)
		for k := range t[i] {
			t[i][k] = 1 // so that the system gives it memory of its own
		}
	}
	best := math.Inf(1)
	clock := clockFor(2)
	for range 10 {
		began := clock()
		pool.For(n, 1<<14, t)
		best = min(best, (clock() - began).Seconds())
	}
	return 24e-9 * float64(n) / best
}

type triad [][]float64

func (t triad) Range(lo, hi, _ int) {
	a, b, c := t[0][lo:hi], t[1][lo:hi], t[2][lo:hi]
	for i := range a {
		a[i] = b[i] + float64(3*c[i])
	}
}
