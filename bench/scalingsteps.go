package bench

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/sched"
)

// stepCost is the cost of one step, or of a mean step. Times are in s.
type stepCost struct {
	skip         bool // with a search for pairs
	time         float64
	bytes, floor float64 // beyond the third-level cache; the time that the memory needs for them
	stages       [engine.NStages]float64
	shared, idle float64 // time of shared loops, and the sum of what cores had no work in them
	serial       float64
	steals, far  float64
	loops        []sched.Loop // of a recorded step
}

// stepCosts are the timed steps of a world.
type stepCosts []stepCost

// keepLeast keeps the lesser time of each step and of each recorded chunk, of two worlds that have done the same.
func (s *stepCosts) keepLeast(now stepCosts) {
	if *s == nil {
		*s = now
		return
	}
	for i := range now {
		was := &(*s)[i]
		for k := range was.loops {
			for c, t := range now[i].loops[k].Times {
				was.loops[k].Times[c] = min(was.loops[k].Times[c], t)
			}
		}
		if now[i].time < was.time {
			now[i].loops, now[i].bytes = was.loops, was.bytes
			*was = now[i]
		}
	}
}

// mean returns the mean of the steps without a search for pairs. Without such steps it ends the part.
func (s stepCosts) mean(e *Env) (m stepCost) {
	n := 0.0
	for i := range s {
		n += float64(b2i(!s[i].skip))
	}
	if n == 0 {
		e.check(fmt.Errorf("each of the %d timed steps has a search for pairs, expected some without, as with --dt smaller or --steps larger", len(s)))
	}
	for i := range s {
		if s[i].skip {
			continue
		}
		for to, x := range map[*float64]float64{
			&m.time: s[i].time, &m.bytes: s[i].bytes, &m.shared: s[i].shared, &m.idle: s[i].idle, &m.serial: s[i].serial, &m.steals: s[i].steals, &m.far: s[i].far,
		} {
			*to += x / n
		}
		for k := range m.stages {
			m.stages[k] += s[i].stages[k] / n
		}
	}
	return m
}

// run makes the timed steps of a new world. With a recorder, the world has one worker and divides its loops as for
// r.Workers; walk asks for the bytes of a step.
func (o *ScalingOptions) run(e *Env, s *fileio.Settled, with StepOptions, workers int, r *sched.Recorder, walk bool) (all stepCosts) {
	if workers == 1 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	with.Workers, with.Pin, with.recorder = workers, o.Pin && r == nil, r
	w, err := with.world(s, o.Law, with.Skin)
	e.check(err)
	defer w.Close()
	unpin, err := w.PinCaller()
	e.check(err)
	defer unpin()
	e.steps(w, stepWarmUp, o.Dt)
	clock := clockFor(workers)
	for range o.Steps {
		profile, load, rebuilds := w.Profile(), w.Scheduling(), w.AnsweredBy().Rebuilds
		if r != nil {
			r.Begin()
		}
		began := clock()
		e.steps(w, 1, o.Dt)
		now := stepCost{time: (clock() - began).Seconds(), skip: w.AnsweredBy().Rebuilds > rebuilds}
		if r != nil {
			now.loops = r.End()
		}
		for k, t := range w.Profile().Seconds {
			now.stages[k] = t - profile.Seconds[k]
		}
		did := w.Scheduling()
		now.shared, now.idle, now.steals = (did.Wall - load.Wall).Seconds(), (did.Idle - load.Idle).Seconds(), float64(did.Steals-load.Steals)
		all = append(all, now)
	}
	if r != nil && walk {
		caches := o.caches()
		bytes := float64(simulate(w.Stages(), r.Workers, caches).bytes)
		for i := range all {
			all[i].bytes = bytes
		}
	}
	e.done++
	e.tell(fmt.Sprintf("%d workers", workers))
	return all
}

// copiesFor returns the number of copies of a pile in a row.
func copiesFor(kind string, cores int) int {
	if kind == weakScaling {
		return cores
	}
	return 1
}

// simulate returns a row for each number of cores and kind. The weak series replays the steps of two copies, divided as for
// two workers, with as many times the chunks: tiles have as many pairs as in all copies on all cores.
func (o *ScalingOptions) simulate(e *Env, p *scalingPile, costs sched.Overheads, bandwidth float64) (rows []ScalingRow) {
	record := func(s *fileio.Settled, cores int) (least stepCosts) {
		for i := range o.Repeat {
			least.keepLeast(o.run(e, s, p.step, 1, &sched.Recorder{Workers: cores, Clock: threadTime}, i == 0 && o.Bytes == 0))
		}
		return least
	}
	var alone stepCosts
	two := record(copies(p.settled, 2), 2)
	var first [2]ScalingRow
	for _, n := range o.Cores {
		strong := record(p.settled, n)
		if n == 1 {
			alone = strong
		}
		for k, kind := range []string{strongScaling, weakScaling} {
			did, times := strong, copiesFor(kind, n)
			if kind == weakScaling {
				did = weaken(alone, two, n)
			}
			row := ScalingRow{Pile: p.name, Kind: kind, Source: simulatedRow, Cores: n, Bodies: times * len(p.settled.Bodies), Bandwidth: Measured(bandwidth), Spread: notMeasured(), Ratio: notMeasured()}
			mean := did.replay(sched.Target{Cores: n, L3Cores: o.L3Cores, Overheads: costs}).mean(e)
			if o.Bytes > 0 {
				mean.bytes = o.Bytes * float64(times)
			}
			mean.floor = mean.bytes / (1e9 * bandwidth)
			if n == 1 {
				first[k] = row
				first[k].fill(mean, &ScalingRow{})
			}
			row.fill(mean, &first[k])
			for i := range p.rows {
				if m := &p.rows[i]; m.Kind == kind && m.Cores == n && m.Limit != "processors" {
					row.Ratio = Measured(row.Step / m.Step)
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// replay returns the steps as the target makes them.
func (s stepCosts) replay(t sched.Target) (all stepCosts) {
	var loops []sched.Loop
	for i := range s {
		loops = append(loops, s[i].loops...)
	}
	ran := sched.Replay(loops, t)
	for i := range s {
		now := stepCost{skip: s[i].skip, bytes: s[i].bytes}
		for k := range s[i].loops {
			r := &ran[0]
			ran = ran[1:]
			time := float64(1e-9 * r.Time)
			if now.time += time; r.Shared {
				now.shared += time
				now.idle += float64(time*float64(t.Cores)) - float64(1e-9*r.Busy)
			} else {
				now.serial += time
			}
			if stage := s[i].loops[k].Stage - 1; stage >= 0 && stage < int(engine.NStages) {
				now.stages[stage] += time
			}
			now.steals, now.far = now.steals+float64(r.Near+r.Far), now.far+float64(r.Far)
		}
		all = append(all, now)
	}
	return all
}

// weaken returns the steps of n copies, from those of one and of two copies: the chunks of two copies n/2 times, and serial
// parts that grow by the same time with each copy.
func weaken(one, two stepCosts, n int) (all stepCosts) {
	if n == 1 {
		return one
	}
	for i := range two {
		now := stepCost{skip: one[i].skip || two[i].skip || len(one[i].loops) != len(two[i].loops), bytes: two[i].bytes * float64(n) / 2}
		for k, l := range two[i].loops {
			many := sched.Loop{Stage: l.Stage}
			switch chunks := len(l.Times) * n / 2; {
			case now.skip:
			case len(l.Times) == 1 && l.Costs == nil:
				grows := max(l.Times[0]-one[i].loops[k].Times[0], 0)
				many.Times = []float64{l.Times[0] + float64(grows*float64(n-2))}
			default:
				many.Times = slices.Repeat(l.Times, (n+1)/2)[:chunks]
				if l.Costs != nil {
					many.Costs = slices.Repeat(l.Costs, (n+1)/2)[:chunks]
				}
			}
			now.loops = append(now.loops, many)
		}
		all = append(all, now)
	}
	return all
}
