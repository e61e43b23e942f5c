package bench

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/sched"
)

// TestScaling: rows of both kinds and sources, their figures agree with each other, and more workers than processors are
// marked.
func TestScaling(t *testing.T) {
	const bytes, rate = 3e6, 20.0 // a floor of 150 µs, longer than a step on 16 cores
	o := ScalingOptions{
		Settled: []string{"hulls200.txt.gz"}, Cores: []int{16, 2}, Steps: 3, Repeat: 1, Workers: runtime.GOMAXPROCS(0) + 1, Bytes: bytes, Bandwidth: rate,
		Chunk: 20, Look: 5, StealNear: 50, StealFar: 100, Fork: 500, Enter: 40,
	}
	rows, report, err := measure(context.Background(), &o, files(hulls(t), nil))
	if err != nil {
		t.Fatal(err)
	}
	find := func(kind, source string, cores int) (row ScalingRow) {
		i := slices.IndexFunc(rows, func(r ScalingRow) bool { return r.Kind == kind && r.Source == source && r.Cores == cores })
		if i < 0 {
			t.Fatalf("no row of %s scaling, %s, on %d cores", kind, source, cores)
		}
		return rows[i]
	}
	if want := 2 * (len(o.counts()) + 3); len(rows) != want || len(report.Figures) != 1 {
		t.Errorf("%d rows and %d figures, expected %d and 1", len(rows), len(report.Figures), want)
	}
	for _, r := range rows {
		copies := 1.0
		if r.Kind == weakScaling {
			copies = float64(r.Cores)
		}
		alone := find(r.Kind, r.Source, 1)
		stages := r.Drift + r.Pairs + r.Contacts + r.Gather
		if r.Bodies != 200*int(copies) || math.Abs(r.SpeedUp-copies*alone.Step/r.Step) > 1e-9*r.SpeedUp || r.Efficiency != r.SpeedUp/float64(r.Cores) ||
			!(r.Idle >= 0 && r.Idle < 1) || !(stages > 0 && stages <= r.Step*1.001 || r.Limit == "bandwidth") || (r.Limit == "processors") != (r.Cores > processors() && r.Source == measuredRow) {
			t.Errorf("%+v", r)
		}
		if r.Source == simulatedRow && (r.Step < 1e3*copies*bytes/(rate*1e9) || r.Unbounded < r.Efficiency || r.Cores <= 8 && r.Far > 0) {
			t.Errorf("%+v", r)
		}
	}
	if r := find(strongScaling, simulatedRow, 16); (r.Limit == "bandwidth") != (r.Step == 1e3*bytes/(rate*1e9)) || r.Steals == 0 {
		t.Errorf("%+v, expected the floor or more", r)
	}
	if r := find(strongScaling, simulatedRow, 1); !(r.Ratio > 0) || math.Abs(float64(r.Serial)-r.Step) > 1e-9*r.Step {
		t.Errorf("%+v, expected about the measured time, all of it serial", r)
	}
	costs := report.Tables[slices.IndexFunc(report.Tables, func(t table) bool { return t.Key == "costs" })].Rows.([]ScalingCosts)
	if want := (ScalingCosts{20, 5, 50, 100, 500, 40}); costs[0] != want {
		t.Errorf("costs %+v, expected those given", costs[0])
	}
}

// TestScalingLimits: a row is not shorter than its floor, and the largest loss is named.
func TestScalingLimits(t *testing.T) {
	alone := &ScalingRow{Kind: strongScaling, Step: 8}
	for _, want := range []struct {
		cost  stepCost
		step  float64
		limit string
	}{
		{stepCost{time: 3e-3, floor: 4e-3}, 4, "bandwidth"},
		{stepCost{time: 3e-3, floor: 2e-3, serial: 1e-3}, 3, "serial"},
		{stepCost{time: 3e-3, floor: 2e-3, serial: 0.1e-3}, 3, "schedule"},
		{stepCost{time: 2e-3}, 2, "-"},
	} {
		r := ScalingRow{Kind: strongScaling, Source: simulatedRow, Cores: 4}
		if r.fill(want.cost, alone); r.Step != want.step || r.Limit != want.limit || r.Efficiency != 2/want.step || math.Abs(r.Unbounded-2/(1e3*want.cost.time)) > 1e-12 {
			t.Errorf("%+v: %+v", want, r)
		}
	}
}

// TestScalingNeedsContacts: bodies far above each other are no pile.
func TestScalingNeedsContacts(t *testing.T) {
	s := hulls(t)
	for i := range s.Bodies {
		s.Bodies[i].Pose.Pos.Z += 10 * float64(i+1)
	}
	_, _, err := measure(context.Background(), &ScalingOptions{Settled: []string{"apart.txt"}, Steps: 1}, files(s, nil))
	if !errors.Is(err, ErrScene) || !strings.Contains(err.Error(), "apart.txt: 0 touching pairs, expected a pile at rest") {
		t.Errorf("error %v", err)
	}
}

// TestScalingFits: both laws are found again from speed-ups that they make. A series of three cores has no fit, and rows of
// more workers than processors do not count.
func TestScalingFits(t *testing.T) {
	series := func(sigma, kappa float64, cores ...int) (rows []ScalingRow) {
		for _, c := range cores {
			n := float64(c)
			rows = append(rows, ScalingRow{Pile: "p", Kind: strongScaling, Source: simulatedRow, Cores: c, SpeedUp: n / (1 + sigma*(n-1) + kappa*n*(n-1)), Limit: "-"})
		}
		return rows
	}
	for _, c := range []struct{ sigma, kappa float64 }{{0.1, 0}, {0.02, 1e-4}, {0, 1e-3}, {0, 0}} {
		all := scalingFits(series(c.sigma, c.kappa, 1, 2, 8, 64, 1024))
		usl := all[1]
		if usl.Law != "usl" || math.Abs(float64(usl.Sigma)-c.sigma) > 1e-9 || math.Abs(float64(usl.Kappa)-c.kappa) > 1e-12 || usl.RMS > 1e-9 || usl.WhyNot != "-" {
			t.Errorf("%+v: %+v", c, usl)
		}
		if c.kappa > 0 && math.Abs(float64(usl.Peak)-math.Sqrt((1-c.sigma)/c.kappa)) > 1e-6 {
			t.Errorf("%+v: peak at %g cores", c, usl.Peak)
		}
		if a := all[0]; a.Law != "amdahl" || c.kappa == 0 && a.RMS > 1e-9 || c.kappa > 0 && (a.RMS < usl.RMS || a.Worst == 0) || a.Kappa != 0 || !a.Peak.missing() {
			t.Errorf("%+v: %+v", c, a)
		}
	}
	// Speed-ups above the number of cores would need a negative parameter.
	for _, f := range scalingFits(series(-0.001, 0, 1, 2, 4, 8)) {
		if f.Sigma != 0 || f.Kappa < 0 || !(f.Worst > 0) {
			t.Errorf("%+v", f)
		}
	}
	few := series(0.1, 0, 1, 2, 4, 8)
	few[3].Limit = "processors"
	for _, f := range scalingFits(few) {
		if f.Points != 3 || !f.Sigma.missing() || f.WhyNot != "3 numbers of cores, expected 4 or more" {
			t.Errorf("%+v", f)
		}
	}
}

// TestWeakSteps: n copies have n/2 times the chunks of two, and serial parts on the line through those of one and two.
func TestWeakSteps(t *testing.T) {
	serial := func(ns float64) sched.Loop { return sched.Loop{Times: []float64{ns}} }
	one := stepCosts{{loops: []sched.Loop{serial(10), {Times: []float64{1, 2}}}}}
	two := stepCosts{{bytes: 6, loops: []sched.Loop{serial(13), {Costs: []float64{5, 6, 7, 8}, Times: []float64{1, 2, 3, 4}}}}}
	if got := weaken(one, two, 1); !reflect.DeepEqual(got, one) {
		t.Errorf("one copy: %+v", got)
	}
	want := stepCosts{{bytes: 15, loops: []sched.Loop{serial(22), {Costs: []float64{5, 6, 7, 8, 5, 6, 7, 8, 5, 6}, Times: []float64{1, 2, 3, 4, 1, 2, 3, 4, 1, 2}}}}}
	if got := weaken(one, two, 5); !reflect.DeepEqual(got, want) {
		t.Errorf("five copies: %+v, expected %+v", got, want)
	}
}

// TestLeastSteps: of two worlds that have done the same, each chunk and each step has the lesser time.
func TestLeastSteps(t *testing.T) {
	world := func(time float64, chunks ...float64) stepCosts {
		return stepCosts{{time: time, steals: time, loops: []sched.Loop{{Times: chunks}}}}
	}
	var least stepCosts
	for _, now := range []stepCosts{world(3, 5, 1), world(2, 4, 2), world(4, 9, 0.5)} {
		least.keepLeast(now)
	}
	if want := world(2, 4, 0.5); !reflect.DeepEqual(least, want) {
		t.Errorf("%+v, expected %+v", least, want)
	}
}
