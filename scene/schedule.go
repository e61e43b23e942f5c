package scene

import "math"

// schedule is the set of steps at which an uninterrupted run writes rows or frames: the first step,
// and then all multiples of every. With every = 0 only the last step of the run follows. A run may
// also end at a step off the schedule; a restart removes the rows of that step. Stages may change the interval.
type schedule struct {
	first, every int64
	later        []interval // in order
}

// interval is the interval from the step after a stage has begun.
type interval struct{ from, every int64 }

// never is a step beyond all runs.
const never = math.MaxInt64

// next returns the first step of the schedule after step.
func (s schedule) next(step int64) int64 {
	if step < s.first {
		return s.first
	}
	every := s.every
	for i := 0; ; i++ {
		end := int64(never)
		if i < len(s.later) {
			end = s.later[i].from
		}
		if every > 0 && every <= never-step && step-step%every+every <= end {
			return step - step%every + every
		}
		if i == len(s.later) {
			return never
		}
		every, step = s.later[i].every, max(step, end)
	}
}

// onInterval reports whether step is the start of the run, or on the interval of its time.
func (s schedule) onInterval(step int64) bool {
	every := s.every
	for _, l := range s.later {
		if l.from < step {
			every = l.every
		}
	}
	return step == 0 || every > 0 && step%every == 0
}

// has reports whether the schedule contains step.
func (s schedule) has(step int64) bool {
	return step == s.first || step > s.first && s.onInterval(step)
}
