package engine

import (
	"time"

	"github.com/scree-dem/scree/engine/narrow"
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

// Profile is the time spent in each stage by Config.Clock, s.
type Profile struct {
	Seconds [NStages]float64 // s, of each stage since the world was made
	Rebuild float64          // s, of StagePairs: searches for candidate pairs, with all that follows from new ones
}

// lap takes the time of a stage that began then, and returns now.
func (w *World) lap(s Stage, since time.Time) time.Time {
	t := w.now()
	w.profile.Seconds[s] += t.Sub(since).Seconds()
	return t
}

// rebuilt takes the time of a search for candidate pairs that began then.
func (w *World) rebuilt(began time.Time) { w.profile.Rebuild += w.now().Sub(began).Seconds() }

// AnswerCounts counts what answered the candidate pairs, over all steps: the share of each certificate.
type AnswerCounts struct {
	Pairs      int64                     // candidate pairs looked at, summed over the steps
	By         [narrow.NAnsweredBy]int64 // by what answered them
	Overlap    int64                     // answered by overlaps known from the step before, without a gap
	Active     int64                     // active contacts, summed over the steps
	Fallbacks  int64                     // searches that did not converge and were done exhaustively
	NoSection  int64                     // contacts without a common section, located at the witness points
	Degenerate int64                     // pairs that no method could answer; one is a fault
	Rebuilds   int64                     // searches for candidate pairs
	Updates    int64                     // times that the candidate pairs were brought in line for a few bodies alone
}

// Profile returns the time of each stage since the start.
func (w *World) Profile() Profile { return w.profile }

// AnsweredBy returns the counts since the start.
func (w *World) AnsweredBy() AnswerCounts { return w.levels }

// sumLevels moves the workers' counts into the world's.
func (w *World) sumLevels() {
	l := &w.levels
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
		l.Degenerate += c.Degenerate
		*c = AnswerCounts{}
	}
}
