package scene

import "math"

// schedule is the set of steps at which an uninterrupted run writes rows or frames: the first step,
// and then all multiples of every. With every = 0 only the last step of the run follows. A run may
// also end at a step off the schedule; a restart removes the rows of that step.
type schedule struct{ first, every int64 }

// never is a step beyond all runs.
const never = math.MaxInt64

// next returns the first step of the schedule after step.
func (s schedule) next(step int64) int64 {
	switch {
	case step < s.first:
		return s.first
	case s.every == 0 || s.every > never-step:
		return never
	}
	return step - step%s.every + s.every
}

// has reports whether the schedule contains step.
func (s schedule) has(step int64) bool {
	return step == s.first || step > s.first && s.every > 0 && step%s.every == 0
}
