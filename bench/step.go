package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

func init() {
	register[StepOptions, StepRow](About{
		Command: "step", Name: "step", Unit: "steps",
		Short: "Time the whole step on a settled pile",
		Long: `Time the whole step on a settled pile. The bodies start at rest at the poses of
the file, with density 2600, friction 0.5, gravity 9.81 and restitution 0.1. After
20 steps to warm up, 1000 steps are timed, on one worker unless --workers is given.
The output has one row for each file and law, with the settings and, as a checksum,
the state hash. Several laws alternate in one run. With --copies, copies of each pile
lie beside each other. The rows of bodies follow --order.`,
		Example: "  scree bench step --settled bench/testdata/hulls200.txt.gz --workers 1\n" +
			"  scree bench step --settled bench/testdata/hulls200.txt.gz --law thickness,linear --repeat 5",
		Names: map[string][]string{"law": {ThicknessLaw, LinearLaw}, "search": engine.Searches(), "order": curve.Names},
	})
}

// StepOptions are the options of the study of the step.
type StepOptions struct {
	Settled   []string `flag:"settled" file:"txt,gz" need:"FILE" help:"scene <FILE> in the plain text format, gzip or not; may be repeated"`
	Copies    int      `flag:"copies" default:"1" bounds:"1 to 10000000" help:"put <N> copies of each scene beside each other, each in its box"`
	Order     string   `flag:"order" default:"hilbert" help:"<ORDER> of the bodies: as in the file, random, or along a space-filling curve"`
	Steps     int64    `flag:"steps" default:"1000" bounds:"≥ 1" help:"number <N> of timed steps"`
	Dt        float64  `flag:"dt" default:"1e-4" bounds:"> 0" unit:"s" help:"time step, <s>"`
	Laws      []string `flag:"law" default:"thickness" help:"contact laws <NAMES>, separated by commas"`                                                   // a row for each, measured in turns
	Stiffness float64  `flag:"stiffness" bounds:"> 0" unit:"N/m" help:"normal stiffness <K>, N/m (default: computed so that the pile carries its weight)"` // see carrying
	Search    string   `flag:"search" help:"neighbour search <NAME>"`
	Skin      float64  `flag:"skin" bounds:"> 0" unit:"m" help:"distance that bodies may move between two searches for pairs, <m> (default: leads to a few searches in the run)"` // see skinFor
	Horizon   float64  `flag:"horizon" bounds:"> 0" unit:"s" help:"time, <s>: the skin is at least the distance that bodies move in it (default: 32 steps)"`                      // see engine.Config
	Repeat    int      `flag:"repeat" default:"1" bounds:"≥ 1" help:"measure <R> new worlds and show the median"`
	Tables    bool     `flag:"tables" help:"also list the memory of each table of the world after the last step"`
	Check     bool     `flag:"check" help:"compare the last step with a search over all pairs"`
	Workers   int      `flag:"workers" default:"1"` // 0: one for each processor
	Pin       bool     `flag:"pin"`                 // tie each worker to a logical processor, as in engine.Config

	recorder *sched.Recorder // of a world with one worker; each reading of its clock then marks a stage

	tile   int     // as engine.Config.TilePairs
	warmUp int64   // untimed steps before the timed ones; 0 stands for stepWarmUp
	cap    float64 // m, overlap that acts at once, the rest is forgiven; default: see carrying
}

// stepWarmUp is the number of untimed steps before the timed ones.
const stepWarmUp = 20

// defaultRelief is the time, s, in which overlaps forgiven at the start come back. The deepest
// overlaps are a quarter of a body. They then move bodies at a few centimetres a second, slower
// than all other motion in a pile that is nearly at rest.
const defaultRelief = 10.0

// StepRow is the cost of the whole step on one scene. Every step evaluates every candidate pair and
// all forces. The ledger of energies is left out, because other engines have none.
type StepRow struct {
	Scene         string  `json:"scene" show:"%s"`
	Bodies        int     `json:"bodies" show:"%d"` // moving bodies in all copies
	Walls         int     `json:"walls" show:"%d"`
	Copies        int     `json:"copies" show:"%d"`
	Order         string  `json:"order" show:"%s"`
	Steps         int64   `json:"steps" show:"%d"`
	Dt            float64 `json:"dt_s" show:"%.4g"`
	Law           string  `json:"law" show:"%s"`
	Method        string  `json:"method" show:"%s"`
	Workers       int     `json:"workers" show:"%d"`
	Pinned        string  `json:"pinned" show:"%s"` // "yes" or "no"
	Backend       string  `json:"backend" show:"%s"`
	Pairs         int     `json:"pairs" show:"%d"`          // candidate pairs at the last step
	TouchingFirst int     `json:"touching_first" show:"%d"` // pairs with gap ≤ 0, at the poses of the file
	TouchingLast  int     `json:"touching_last" show:"%d"`
	NsPair        float64 `json:"ns_pair" show:"%.1f"` // time of the whole step over the candidate pairs
	NsTouching    float64 `json:"ns_touching" show:"%.1f"`
	BodySteps     float64 `json:"Mbody_steps_s" show:"%.4f"` // 10⁶ moving bodies × steps / s
	StepSeconds   float64 `json:"step_s" show:"%.3g"`
	Spread        float64 `json:"spread" show:"%.3f"` // (slowest − fastest) / median repetition
	// Share of the candidate pairs that each method answered; see engine.AnswerCounts.
	Odometer  float64 `json:"odometer" show:"%.4f"`
	Axis      float64 `json:"axis" show:"%.4f"`
	Overlap   float64 `json:"overlap" show:"%.4f"`
	Feature   float64 `json:"feature" show:"%.4f"`
	Walk      float64 `json:"walk" show:"%.4f"`
	Search    float64 `json:"search" show:"%.4f"`
	Fallbacks int64   `json:"fallbacks" show:"%d"`    // searches that did not converge and were repeated exhaustively
	Rebuilds  int64   `json:"rebuilds" show:"%d"`     // within the timed steps
	NsRebuild float64 `json:"ns_rebuild" show:"%.1f"` // a rebuild's search for pairs, carry-over and tiles, over the moving bodies; for one worker processor time
	// Share of the time of each stage; for one worker processor time.
	DriftTime    float64 `json:"t_drift" show:"%.3f"`
	PairsTime    float64 `json:"t_pairs" show:"%.3f"`
	ContactsTime float64 `json:"t_contacts" show:"%.3f"`
	GatherTime   float64 `json:"t_gather" show:"%.3f"`
	// How the workers shared the loops; zero for one worker.
	Steals      float64 `json:"steals" show:"%.2f"`    // per step
	Parks       float64 `json:"parks" show:"%.2f"`     // per step
	Idle        float64 `json:"idle" show:"%.4f"`      // share of the workers' time within loops
	Imbalance   float64 `json:"imbalance" show:"%.4f"` // time of the slowest worker over the mean, minus 1
	Stiffness   float64 `json:"stiffness" show:"%.3g"` // N/m
	Cap         float64 `json:"cap_m" show:"%.3g"`
	Skin        float64 `json:"skin_m" show:"%.3g"`
	Motion      float64 `json:"motion_m" show:"%.3g"`      // mean path of a body's centre in a step
	Penetration float64 `json:"penetration_m" show:"%.3g"` // the largest at the end
	Kinetic     float64 `json:"kinetic_J" show:"%.3g"`     // at the end
	BytesPair   int     `json:"bytes_pair" show:"%d"`
	BytesBody   int     `json:"bytes_body" show:"%d"`
	// HeapBody and HeapTouching are the bytes of the heap that the world occupies after the last step, spare rows
	// included, over the moving bodies and over the touching pairs.
	HeapBody     float64 `json:"heap_body" show:"%.0f"`
	HeapTouching float64 `json:"heap_touching" show:"%.0f"`
	// SetUp is the time, µs a moving body, to copy and order the scene, to fill the world and to find its first forces;
	// for one worker processor time.
	SetUp    float64 `json:"us_setup" show:"%.2f"`
	Checked  string  `json:"checked" show:"%s"`  // "yes", or "no" without StepOptions.Check
	Checksum string  `json:"checksum" show:"%s"` // state hash after the last step
}

// TableRow is the memory of a table of a world, as engine.World.Held returns it.
type TableRow struct {
	Scene     string  `json:"scene" show:"%s"`
	Law       string  `json:"law" show:"%s"`
	Table     string  `json:"table" show:"%s"`
	Bytes     uint64  `json:"bytes" show:"%d"`
	BytesBody float64 `json:"bytes_body" show:"%.1f"`
}

// plan measures the whole step on settled scenes, with a row for each scene and law.
func (o *StepOptions) plan(e *Env) (*plan[StepRow], error) {
	o.warmUp = cmp.Or(o.warmUp, stepWarmUp)
	var tables []TableRow
	p := &plan[StepRow]{unlocked: o.Workers != 1, finish: func(r *Report, _ []StepRow) error {
		if o.Tables {
			r.add("tables", "tables", tables)
		}
		return nil
	}}
	piles, err := e.piles(o.Settled)
	if err != nil {
		return nil, err
	}
	for i := range piles {
		pile := &piles[i]
		if err := pile.fits(e, o.Copies, 1); err != nil {
			return nil, err
		}
		name := pile.name
		work := o.Repeat * len(o.Laws) * int(o.Steps+o.warmUp)
		p.parts = append(p.parts, part[StepRow]{name, work, func() []StepRow {
			s, from := pile.settled(e)
			rows, held := o.scene(e, name, s, *from)
			e.keep(func() { tables = append(tables, held...) })
			for _, row := range rows {
				if row.Rebuilds == 0 {
					e.keep(func() {
						e.Warn(fmt.Sprintf("%s: the %d timed steps under the %s law include no search for pairs, because no body moved by more than the skin of %.3g m",
							name, row.Steps, row.Law, row.Skin))
					})
				}
			}
			return rows
		}})
	}
	return p, nil
}

// mostBodies is the largest number of bodies of a pile, as in SettleOptions.
const mostBodies = 1 << 24

// scene returns a row for each law on a settled scene. The repetitions of the laws take turns, with the same stiffness
// and skin. It returns an error if a run fails, if repetitions end in different states, or if Check is set and a
// result differs from the exhaustive test of all pairs.
func (o StepOptions) scene(e *Env, name string, s *fileio.Settled, from start) (middle []StepRow, held []TableRow) {
	o.Stiffness = cmp.Or(o.Stiffness, from.stiffness)
	o.cap = cmp.Or(o.cap, from.cap)
	if o.Skin == 0 {
		o.Skin = skinFor(e, s, &o, from.radius)
	}
	rows, runs := make([][]StepRow, len(o.Laws)), make([]func() float64, len(o.Laws))
	for k, law := range o.Laws {
		runs[k] = func() float64 {
			row, tables := stepOnce(e, s, &o, law)
			row.Scene = name
			if len(rows[k]) == 0 {
				for _, t := range tables {
					held = append(held, TableRow{name, law, t.Table, t.Bytes, per(float64(t.Bytes), float64(row.Bodies))})
				}
			}
			if i := len(rows[k]); i > 0 && row.Checksum != rows[k][0].Checksum {
				e.check(fmt.Errorf("state hash %s in repetition %d, %s in the first", row.Checksum, i, rows[k][0].Checksum))
			}
			rows[k] = append(rows[k], row)
			return row.StepSeconds
		}
	}
	for k, t := range alternate(o.Repeat, runs) {
		row := rows[k][slices.Index(t, t.Median())]
		row.Spread = t.Spread()
		middle = append(middle, row)
	}
	return middle, held
}

// world makes the pile and checks the time step, before the first step can fail because of it.
func (o *StepOptions) world(s *fileio.Settled, law string, skin float64) (*engine.World, error) {
	var clock func() time.Time
	if o.Workers == 1 {
		clock = threadClock
	}
	if o.recorder != nil {
		clock = func() time.Time { o.recorder.Mark(); return time.Time{} }
	}
	w, err := newPile(s, pileLaw(law, o.Stiffness), engine.Config{
		Clock: clock, Recorder: o.recorder, Workers: o.Workers, Pin: o.Pin, TilePairs: o.tile, NoLedger: true, Search: o.Search, Skin: skin, Horizon: o.Horizon, Relief: engine.Relief{Cap: o.cap, Time: defaultRelief},
	})
	if err != nil {
		return nil, err
	}
	// CheckTimeStep never returns a warning without an error here. At such a low restitution, the
	// limit set by damping is below a tenth of the contact time.
	if _, err := w.CheckTimeStep(o.Dt); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

const (
	// wantedRebuilds is the number of rebuilds that the timed steps should contain, so that the
	// figures include their cost. A pile completely at rest would need none.
	wantedRebuilds = 5
	// leastSkin and mostSkin, shares of the mean radius, limit the skin to practical values.
	leastSkin = 1e-4
	mostSkin  = 0.1
)

// skinFor measures how far the fastest body of one copy moves in a twentieth of the steps. It returns the skin
// that would be used up about wantedRebuilds times in all steps.
func skinFor(e *Env, s *fileio.Settled, o *StepOptions, radius float64) float64 {
	w, err := o.world(s, o.Laws[0], 0)
	e.check(err)
	defer w.Close()
	b := w.Bodies()
	probe := max(o.Steps/20, 1)
	e.steps(w, o.warmUp, o.Dt)
	before := slices.Clone(b.Odometer)
	e.steps(w, probe, o.Dt)
	most := 0.0
	for i := range before {
		most = max(most, b.Odometer[i]-before[i])
	}
	skin := most * float64(o.Steps) / float64(probe*wantedRebuilds)
	return min(max(skin, leastSkin*radius), mostSkin*radius)
}

// steps makes n steps of dt, s.
func (e *Env) steps(w *engine.World, n int64, dt float64) { e.check(makeSteps(e.ctx, w, n, dt)) }

func makeSteps(ctx context.Context, w *engine.World, n int64, dt float64) error {
	for range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.Step(dt); err != nil {
			return err
		}
	}
	return nil
}

// motionEvery is the number of steps between two untimed measurements of the velocities.
const motionEvery = 20

// stepOnce measures one fresh world under one law.
func stepOnce(e *Env, s *fileio.Settled, o *StepOptions, law string) (StepRow, []engine.TableBytes) {
	before, clock := liveHeap(), clockFor(o.Workers)
	began := clock()
	w, err := o.world(ordered(copies(s, o.Copies), o.Order), law, o.Skin)
	e.check(err)
	defer w.Close()
	w.Measure()
	took := clock() - began
	row := StepRow{
		Copies: o.Copies, Order: o.Order, Bodies: o.Copies * len(s.Bodies), Walls: o.Copies * len(s.Static), Steps: o.Steps, Dt: o.Dt, Law: law, Method: "auto",
		Workers: w.Workers(), Backend: cpu.Selected(), Stiffness: o.Stiffness, Cap: o.cap, Skin: o.Skin,
		BytesPair: soa.PairBytes + soa.ContactBytes + soa.ForceBytes, BytesBody: soa.BodyBytes, Checked: "no", Pinned: "no",
		TouchingFirst: touching(w),
	}
	if w.CPUs() != nil {
		row.Pinned = "yes"
	}
	unpin, err := w.PinCaller()
	e.check(err)
	defer unpin()
	e.steps(w, o.warmUp, o.Dt)
	e.done += o.warmUp
	levels, profile, load := w.AnsweredBy(), w.Profile(), w.Scheduling()
	var spent time.Duration
	checks, way := 0, 0.0
	for n := int64(0); n < o.Steps; {
		k := min(motionEvery, o.Steps-n)
		at := time.Now()
		e.steps(w, k, o.Dt)
		spent += time.Since(at)
		n += k
		way += float64(meanSpeed(w) * o.Dt)
		checks++
		e.done += k
		e.tell(law)
	}
	row.Motion = way / float64(checks)
	row.fill(w, spent.Seconds(), levels, profile, load)
	held := float64(liveHeap() - before)
	row.HeapBody, row.HeapTouching = per(held, float64(row.Bodies)), per(held, float64(row.TouchingLast))
	row.SetUp = per(1e6*took.Seconds(), float64(row.Bodies))
	if o.Check {
		e.check(Check(w))
		row.Checked = "yes"
	}
	if !o.Tables {
		return row, nil
	}
	return row, w.Held()
}

// liveHeap returns the bytes of the heap that are in use.
func liveHeap() int64 {
	runtime.GC()
	return int64(cpu.LiveHeap())
}

// fill computes the columns that follow from the state at the end of the run and the counts before
// it.
func (r *StepRow) fill(w *engine.World, seconds float64, levels engine.AnswerCounts, profile engine.Profile, load sched.Stats) {
	now, stages, shared := w.AnsweredBy(), w.Profile(), w.Scheduling()
	pairs := float64(now.Pairs - levels.Pairs)
	r.Pairs, r.TouchingLast = w.Candidates(), touching(w)
	r.NsPair = per(seconds*1e9, pairs)
	r.NsTouching = per(seconds*1e9, float64(now.Active-levels.Active))
	r.BodySteps = per(float64(r.Bodies)*float64(r.Steps)*1e-6, seconds)
	r.StepSeconds = per(seconds, float64(r.Steps))
	for level, share := range [narrow.NAnsweredBy]*float64{&r.Odometer, &r.Axis, &r.Feature, &r.Walk, &r.Search} {
		*share = per(float64(now.By[level]-levels.By[level]), pairs)
	}
	r.Overlap = per(float64(now.Overlap-levels.Overlap), pairs)
	r.Fallbacks, r.Rebuilds = now.Fallbacks-levels.Fallbacks, now.Rebuilds-levels.Rebuilds
	r.NsRebuild = per(float64((stages.Rebuild-profile.Rebuild)*1e9), float64(r.Rebuilds)*float64(r.Bodies))
	sum := 0.0
	for i := range stages.Seconds {
		stages.Seconds[i] -= profile.Seconds[i]
		sum += stages.Seconds[i]
	}
	share := func(s engine.Stage) float64 { return per(stages.Seconds[s], sum) }
	r.DriftTime, r.PairsTime = share(engine.StageDrift), share(engine.StagePairs)
	r.ContactsTime, r.GatherTime = share(engine.StageContacts), share(engine.StageGather)
	r.Steals = per(float64(shared.Steals-load.Steals), float64(r.Steps))
	r.Parks = per(float64(shared.Parks-load.Parks), float64(r.Steps))
	all, idle := float64(float64(len(shared.Workers))*(shared.Wall-load.Wall).Seconds()), (shared.Idle - load.Idle).Seconds()
	r.Idle, r.Imbalance = per(idle, all), per(idle, all-idle)
	m := w.Measure()
	r.Penetration, r.Kinetic = m.Penetration, m.Kinetic()
	r.Checksum = fmt.Sprintf("%016x", w.Hash())
}

// touching returns the number of touching contacts. Before the first step it uses the poses of the
// scene.
func touching(w *engine.World) int {
	w.Measure()
	n := 0
	for c := range w.ActiveContacts() {
		n += b2i(c.Gap <= 0)
	}
	return n
}

// meanSpeed returns the mean speed of the centres of moving bodies, m/s.
func meanSpeed(w *engine.World) float64 {
	b := w.Bodies()
	sum, n := 0.0, 0
	for i, inv := range b.InvMass {
		if inv > 0 {
			sum += b.Vel.At(i).Norm()
			n++
		}
	}
	return per(sum, float64(n))
}
