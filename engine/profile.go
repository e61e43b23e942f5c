package engine

import (
	"time"

	"github.com/scree-dem/scree/engine/contact"
)

// Stage is a stage of the step, in the order of step.go.
type Stage int

const (
	StageDrift Stage = iota
	StagePairs
	StageContacts
	StageGather
	StageLedger
	NStages
)

// String returns the stage's name in tables and files.
func (s Stage) String() string {
	return [NStages]string{"drift", "pairs", "contacts", "gather", "ledger"}[s]
}

// Profile is the time spent in each stage, s, by Config.Clock.
type Profile struct {
	Seconds [NStages]float64 // s, by stage, since the world was made
	Rebuild float64          // s, part of StagePairs: searches for candidate pairs and the work that new pairs cause
}

// stopwatch measures the stages of the steps.
type stopwatch struct {
	now     func() time.Time // it never affects the state
	profile Profile
}

// lap adds the time since the start of a stage to the profile, and returns the present time.
func (w *stopwatch) lap(s Stage, since time.Time) time.Time {
	t := w.now()
	w.profile.Seconds[s] += t.Sub(since).Seconds()
	return t
}

// rebuilt adds the time since the start of a search for candidate pairs to the profile.
func (w *stopwatch) rebuilt(began time.Time) { w.profile.Rebuild += w.now().Sub(began).Seconds() }

// CountFrom lets the times and counts of a world go on from those of another one, whose state it goes on from.
func (w *World) CountFrom(other *World) {
	w.watch.profile = other.watch.profile
	w.space.CountFrom(other.space)
}

// Profile returns the time of each stage since the start.
func (w *World) Profile() Profile { return w.watch.profile }

// AnswerCounts counts over all steps which certificate or method answered the candidate pairs.
type AnswerCounts = contact.AnswerCounts

// AnsweredBy returns the counts since the start.
func (w *World) AnsweredBy() AnswerCounts { return w.space.Counts() }
