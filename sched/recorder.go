package sched

import (
	"slices"
	"time"
)

// Loop is a recorded loop, or a serial stretch between two loops, which is a Loop of one chunk.
type Loop struct {
	Stage int       // number of calls of Recorder.Mark before it
	Costs []float64 // those that ForTasks was given, by task, any unit; nil for other loops
	Times []float64 // ns, by chunk; finite, not negative
}

// Recorder notes how long each chunk takes on one worker. Its loops are divided as on a pool of
// Workers workers, so that Replay can tell how long they would take there. Make it a pool with
// NewRecording. All calls come from the goroutine that calls the pool.
type Recorder struct {
	Workers int                  // loops are divided as for so many workers
	Clock   func() time.Duration // best the processor time of the thread

	on    bool
	cost  time.Duration // of a call of Clock, which is subtracted from every time
	last  time.Duration // the present chunk or serial stretch began then
	stage int
	loops []Loop
}

// NewRecording returns a pool of one worker whose loops r notes.
func NewRecording(r *Recorder) *Pool {
	c := newTeam(1, 1, nil)
	c.recorder = r
	return start(c)
}

// Begin starts a recording, and with it a serial stretch.
func (r *Recorder) Begin() {
	if r.cost == 0 {
		r.cost = time.Hour
		for range 100 {
			began := r.Clock()
			r.cost = min(r.cost, r.Clock()-began)
		}
	}
	r.on, r.stage, r.loops = true, 0, nil
	r.last = r.Clock()
}

// Mark ends a stage of what is recorded, and begins the next one.
func (r *Recorder) Mark() {
	if r.on {
		r.serial()
		r.stage++
	}
}

// End ends the recording, and returns the loops and serial stretches in their order.
func (r *Recorder) End() []Loop {
	r.serial()
	r.on = false
	return r.loops
}

// serial notes a serial stretch, which ends now.
func (r *Recorder) serial() {
	r.loops = append(r.loops, Loop{Stage: r.stage})
	r.lap()
}

// open begins a loop.
func (r *Recorder) open(chunks int, costs []float64) {
	if r.on {
		r.serial()
		r.loops = append(r.loops, Loop{Stage: r.stage, Costs: slices.Clone(costs), Times: make([]float64, 0, chunks)})
		r.last = r.Clock() // What the recorder did itself does not count.
	}
}

// lap notes that a chunk of the last loop ends now. So each chunk costs one call of Clock.
func (r *Recorder) lap() {
	if r.on {
		now, loop := r.Clock(), &r.loops[len(r.loops)-1]
		loop.Times = append(loop.Times, float64(max(now-r.last-r.cost, 0)))
		r.last = now
	}
}
