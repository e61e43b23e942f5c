package engine

import (
	"time"

	"github.com/scree-dem/scree/narrow"
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

// lap adds the time since the start of a stage to the profile, and returns the present time.
func (w *World) lap(s Stage, since time.Time) time.Time {
	t := w.now()
	w.profile.Seconds[s] += t.Sub(since).Seconds()
	return t
}

// rebuilt adds the time since the start of a search for candidate pairs to the profile.
func (w *World) rebuilt(began time.Time) { w.profile.Rebuild += w.now().Sub(began).Seconds() }

// AnswerCounts counts over all steps which certificate or method answered the candidate pairs.
type AnswerCounts struct {
	Pairs      int64                     // candidate pairs evaluated, summed over the steps
	By         [narrow.NAnsweredBy]int64 // by certificate or method
	Overlap    int64                     // pairs answered by an overlap known from the last step, without computing a gap
	Active     int64                     // active contacts, summed over the steps
	Fallbacks  int64                     // searches that did not converge and were done exhaustively
	NoSection  int64                     // contacts without a common section, located at the witness points
	NoOverlap  int64                     // contacts of blocks without a common volume, located as by Reduced; of Config.Location Full
	Degenerate int64                     // pairs that no method could answer; any such pair is a fault
	Rebuilds   int64                     // searches for candidate pairs
	Updates    int64                     // updates of the candidate pairs for a few bodies only
}

// Profile returns the time of each stage since the start.
func (w *World) Profile() Profile { return w.profile }

// AnsweredBy returns the counts since the start.
func (w *World) AnsweredBy() AnswerCounts { return w.counts }

// sumCounts adds the workers' counts to the world's and resets them.
func (w *World) sumCounts() {
	l := &w.counts
	for i := range w.work {
		c := &w.work[i].counts
		l.Pairs += c.Pairs
		for k := range c.By {
			l.By[k] += c.By[k]
		}
		l.Overlap += c.Overlap
		l.Active += c.Active
		l.Fallbacks += c.Fallbacks
		l.NoSection += c.NoSection
		l.NoOverlap += c.NoOverlap
		l.Degenerate += c.Degenerate
		*c = AnswerCounts{}
	}
}
