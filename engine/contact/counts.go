package contact

import "github.com/scree-dem/scree/narrow"

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

// CountFrom lets the counts go on from those of another space.
func (sp *Space) CountFrom(other *Space) { sp.counts = other.counts }

// sumCounts adds the workers' counts to the space's and resets them.
func (sp *Space) sumCounts() {
	l := &sp.counts
	for i := range sp.work {
		c := &sp.work[i].counts
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
