package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

var someOverheads = Overheads{Chunk: 2, Look: 3, StealNear: 50, StealFar: 200, Fork: 500, Enter: 30}

// equal returns a loop of n chunks of the given time.
func equal(n int, time float64, tasks bool) Loop {
	l := Loop{Times: slices.Repeat([]float64{time}, n)}
	if tasks {
		l.Costs = l.Times
	}
	return l
}

func sumOf(all []float64) (sum float64) {
	for _, x := range all {
		sum += x
	}
	return sum
}

// TestReplayOfEqualChunks: each core gets the same number of chunks, or one more, and no time is lost but the overheads.
func TestReplayOfEqualChunks(t *testing.T) {
	for _, c := range []struct{ cores, chunks int }{{1, 7}, {2, 8}, {3, 3}, {8, 64}, {64, 1024}, {1024, 1024}, {1024, 8192}} {
		for _, tasks := range []bool{false, true} {
			t.Run(fmt.Sprintf("cores=%d/chunks=%d/tasks=%t", c.cores, c.chunks, tasks), func(t *testing.T) {
				per := float64(c.chunks / c.cores)
				got := Replay([]Loop{equal(c.chunks, 100, tasks)}, Target{Cores: c.cores, L3Cores: 8})[0]
				if want := (Replayed{Shared: c.cores > 1, Time: 100 * per, Busy: 100 * float64(c.chunks)}); got != want {
					t.Errorf("%+v, expected %+v", got, want)
				}
				got = Replay([]Loop{equal(c.chunks, 100, tasks)}, Target{Cores: c.cores, Overheads: someOverheads})[0]
				want := Replayed{Shared: true, Time: 102*per + 500 + 33*float64(c.cores-1), Busy: 102 * float64(c.chunks)}
				if c.cores == 1 {
					want = Replayed{Time: 100 * per, Busy: 100 * per}
				}
				if got != want {
					t.Errorf("with overheads %+v, expected %+v", got, want)
				}
			})
		}
	}
	// One chunk too many: somebody runs it last, and nobody can help.
	if got := Replay([]Loop{equal(9, 100, false)}, Target{Cores: 4})[0]; got.Time != 300 || got.Busy != 900 {
		t.Errorf("9 chunks on 4 cores: %+v", got)
	}
	// The costs mislead: all runs but the last are empty, and the other cores steal from the far end.
	l := equal(64, 100, true)
	l.Costs = make([]float64, 64)
	l.Costs[63] = 1
	if got := Replay([]Loop{l}, Target{Cores: 4})[0]; got.Time < 1600 || got.Time > 1700 || got.Near == 0 {
		t.Errorf("misleading costs: %+v", got)
	}
}

// TestReplayOfFewChunks: a loop of one chunk, and one without any, run on the caller alone, as serial stretches do.
func TestReplayOfFewChunks(t *testing.T) {
	got := Replay([]Loop{{}, equal(1, 70, false), equal(1, 30, true)}, Target{Cores: 64, Overheads: someOverheads})
	if want := []Replayed{{}, {Time: 70, Busy: 70}, {Time: 30, Busy: 30}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for _, cores := range []int{0, -1, MaxCores + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %d cores", cores)
				}
			}()
			Replay(nil, Target{Cores: cores})
		}()
	}
}

// TestReplayStealsNearAndFar: core 0 has the first three tasks, core 3 the last. The two others steal one task each: near
// if they share a third-level cache with core 0, otherwise far.
func TestReplayStealsNearAndFar(t *testing.T) {
	l := equal(4, 1e6, true)
	l.Costs = []float64{0, 0, 0, 1}
	for _, c := range []struct {
		l3        int
		near, far int64
	}{{0, 2, 0}, {4, 2, 0}, {1, 0, 2}, {2, 1, 1}} {
		got := Replay([]Loop{l}, Target{Cores: 4, L3Cores: c.l3, Overheads: someOverheads})[0]
		if got.Near != c.near || got.Far != c.far {
			t.Errorf("%d cores for each cache: %+v, expected %d and %d steals", c.l3, got, c.near, c.far)
		}
	}
}

// checkReplay compares a replay with what holds for every schedule.
func checkReplay(t *testing.T, l Loop, target Target) {
	t.Helper()
	got := Replay([]Loop{l, l}, target)
	if got[0] != got[1] || !reflect.DeepEqual(got, Replay([]Loop{l, l}, target)) {
		t.Fatalf("%+v and %+v: two replays differ", got[0], got[1])
	}
	r, total, longest := got[0], sumOf(l.Times), 0.0
	if len(l.Times) > 0 {
		longest = slices.Max(l.Times)
	}
	slack, cores := 1e-12*total, float64(target.Cores)
	switch {
	case r.Busy < total-slack || r.Time < longest || r.Time < total/cores-slack:
		t.Fatalf("%+v: busy for %g of %g ns, or faster than %d cores or the longest chunk of %g ns", r, r.Busy, total, target.Cores, longest)
	case target.Cores == 1 && (r.Time != total || r.Shared || r.Near+r.Far != 0):
		t.Fatalf("%+v on one core, expected the sum %g ns", r, total)
	case r.Busy > cores*r.Time+slack:
		t.Fatalf("%+v: busier than %d cores can be", r, target.Cores)
	}
	if target.Overheads == (Overheads{}) {
		if bound := total/cores + (1-1/cores)*longest; r.Time > bound+slack || math.Abs(r.Busy-total) > slack {
			t.Fatalf("%+v: longer than Graham's bound %g ns, or busy for more than %g ns", r, bound, total)
		}
	}
}

// someLoop draws a loop. Some chunks take no time, some much more than others; costs are good, bad or none.
func someLoop(r *rand.Rand, chunks int) Loop {
	l := Loop{Times: make([]float64, chunks)}
	way, tasks := r.IntN(4), r.IntN(3)
	for i := range l.Times {
		switch way {
		case 0:
			l.Times[i] = r.Float64()
		case 1:
			l.Times[i] = math.Ldexp(1, r.IntN(20))
		case 2:
			l.Times[i] = float64(i)
		case 3:
			l.Times[i] = float64(r.IntN(2))
		}
	}
	if tasks > 0 {
		l.Costs = slices.Clone(l.Times)
	}
	if tasks > 1 {
		r.Shuffle(chunks, func(i, j int) { l.Costs[i], l.Costs[j] = l.Costs[j], l.Costs[i] })
	}
	return l
}

func TestReplayKeepsItsBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for range 500 {
		target := Target{Cores: 1 + r.IntN(1<<r.IntN(7)), L3Cores: r.IntN(9)}
		if r.IntN(2) == 0 {
			target.Overheads = someOverheads
		}
		checkReplay(t, someLoop(r, r.IntN(1<<r.IntN(10))), target)
	}
	checkReplay(t, someLoop(r, 3000), Target{Cores: MaxCores, L3Cores: 8})
}

func FuzzReplay(f *testing.F) {
	f.Add([]byte{3, 1, 1, 9, 4, 0, 0, 255, 7}, true, 4, 2)
	f.Add([]byte{0, 0, 0}, false, 2, 0)
	f.Fuzz(func(t *testing.T, times []byte, tasks bool, cores, l3 int) {
		if cores < 1 || cores > 64 || l3 < 0 || l3 > 64 {
			return
		}
		var l Loop
		for _, x := range times {
			l.Times = append(l.Times, float64(x))
		}
		if tasks {
			l.Costs = slices.Clone(l.Times)
			slices.Reverse(l.Costs)
		}
		checkReplay(t, l, Target{Cores: cores, L3Cores: l3})
	})
}

// ticking is a body that lets a clock advance by the square of the index.
type ticking struct{ clock *time.Duration }

func (b ticking) Range(lo, hi, _ int) {
	for i := lo; i < hi; i++ {
		*b.clock += time.Duration(i * i)
	}
}
func (b ticking) Task(task, _ int) { b.Range(task, task+1, 0) }

// TestRecorder: loops are divided as for the workers that the recorder has, and the time between them is a stretch of its
// stage.
func TestRecorder(t *testing.T) {
	var clock time.Duration
	r := &Recorder{Workers: 3, Clock: func() time.Duration { return clock }}
	p := NewRecording(r)
	defer p.Close()
	body := ticking{&clock}
	p.For(5, 1, body) // not recorded
	r.Begin()
	clock += 5
	p.For(48, 0, body)
	clock += 7
	r.Mark()
	clock += 11
	costs := []float64{1, 2, 3}
	p.ForTasks(costs, body)
	costs[0] = 9 // the recorder has copied them
	loops := r.End()
	p.For(5, 1, body) // not recorded
	var squares []float64
	for i := 0; i < 48; i += 2 {
		squares = append(squares, float64(i*i+(i+1)*(i+1)))
	}
	want := []Loop{
		{Times: []float64{5}}, {Times: squares}, {Times: []float64{7}},
		{Stage: 1, Times: []float64{11}}, {Stage: 1, Costs: []float64{1, 2, 3}, Times: []float64{0, 1, 4}}, {Stage: 1, Times: []float64{0}},
	}
	if !reflect.DeepEqual(loops, want) {
		t.Errorf("%v, expected %v", loops, want)
	}
	if p.DividedFor() != 3 || p.Workers() != 1 {
		t.Errorf("divided for %d of %d workers", p.DividedFor(), p.Workers())
	}
	q := New(2)
	defer q.Close()
	if q.DividedFor() != 2 {
		t.Errorf("divided for %d of 2 workers", q.DividedFor())
	}
}

func TestOverheadsAreMeasured(t *testing.T) {
	o := MeasureOverheads()
	for i := range reflect.TypeOf(o).NumField() {
		if v := reflect.ValueOf(o).Field(i).Float(); !(v >= 0) || v > 1e7 {
			t.Errorf("%s is %g ns", reflect.TypeOf(o).Field(i).Name, v)
		}
	}
	if o.Chunk == 0 || o.Chunk > 1000 {
		t.Errorf("a chunk costs %g ns", o.Chunk)
	}
}
