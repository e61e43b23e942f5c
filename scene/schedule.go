package scene

import "math"

// schedule is at which steps a run that nobody interrupts writes rows or frames: at its first step,
// then at the multiples of every. Where every is 0, only the last step of the run follows. Rows of
// a last step off the schedule are removed by the run that goes on.
type schedule struct{ first, every int64 }

// never is a step that no run makes.
const never = math.MaxInt64

// next returns the first step of the schedule after the one given.
func (s schedule) next(step int64) int64 {
	switch {
	case step < s.first:
		return s.first
	case s.every == 0 || s.every > never-step:
		return never
	}
	return step - step%s.every + s.every
}

// has reports whether a step is of the schedule.
func (s schedule) has(step int64) bool {
	return step == s.first || step > s.first && s.every > 0 && step%s.every == 0
}
