package engine

import (
	"testing"
	"time"

	"github.com/scree-dem/scree/sched"
)

// TestRecordedStep: a world with a recorder divides its loops as for the recorder's workers, and its states have the same
// bits. A mark at each reading of the clock separates the stages.
func TestRecordedStep(t *testing.T) {
	const workers = 24
	plain := heap(t, Config{Workers: 1}, 300)
	var clock time.Duration
	r := &sched.Recorder{Workers: workers, Clock: func() time.Duration { clock++; return clock }}
	recorded := heap(t, Config{Workers: 1, Recorder: r, Clock: func() time.Time { r.Mark(); return time.Time{} }}, 300)
	for range 3 {
		steps(t, plain, 1, 1e-4)
		steps(t, recorded, 1, 1e-4)
	}
	if plain.Hash() != recorded.Hash() {
		t.Errorf("state hash %016x with a recorder, %016x without", recorded.Hash(), plain.Hash())
	}
	r.Begin()
	steps(t, recorded, 1, 1e-4)
	tasks, most, last := 0, 0, 0
	for _, l := range r.End() {
		if l.Costs != nil && l.Stage == int(StageContacts)+1 {
			tasks = max(tasks, len(l.Times))
		}
		if l.Stage < last || len(l.Times) == 0 {
			t.Errorf("a loop of %d chunks in stage %d after stage %d", len(l.Times), l.Stage, last)
		}
		most, last = max(most, len(l.Times)), l.Stage
	}
	if want := (recorded.Candidates() + 127) / 128; tasks != want {
		t.Errorf("%d tiles, expected %d of 128 pairs at most", tasks, want)
	}
	bodies := recorded.Bodies().Len()
	grain := (bodies + 8*workers - 1) / (8 * workers)
	if want := (bodies + grain - 1) / grain; most != want || last < int(NStages) {
		t.Errorf("at most %d chunks of %d bodies in a loop, %d stages; expected %d chunks, %d stages", most, bodies, last, want, NStages)
	}
}
