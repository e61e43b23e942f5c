package pairs

import (
	"errors"
	"fmt"
	"time"

	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/narrow"
)

// ErrRows reports that some rows have no answer. The rows state the reasons.
var ErrRows = errors.New("rows without an answer")

// Stats are the statistics of a table of pairs.
type Stats struct {
	Pairs      int64            `json:"pairs"`       // rows, including those without an answer
	Status     map[string]int64 `json:"status"`      // rows by status: apart, touching, error
	AnsweredBy map[string]int64 `json:"levels"`      // rows by the certificate or search that answered them
	Types      map[string]int64 `json:"types"`       // rows by contact type; touching pairs, and pairs apart by at most DTol
	Tracks     int              `json:"tracks"`      // number of tracks
	Exhaustive int64            `json:"exhaustive"`  // rows answered by the exhaustive search because the method proved no answer
	NoSection  int64            `json:"no_section"`  // contacts without a common section, located midway between the witness points
	NoOverlap  int64            `json:"no_overlap"`  // touching blocks whose overlap full or dual did not find: the reduced location
	Reused     int64            `json:"reused"`      // rows of dual for which the dual hull of the row before holds
	Seconds    float64          `json:"wall_s"`      // s, total wall time
	Answering  float64          `json:"answering_s"` // s, wall time of answering, without reading and writing
	NsPerPair  float64          `json:"ns_per_pair"` // answering time per answered pair, all workers together
	Workers    int              `json:"workers"`     // number of workers

	// Gaps and Depths, m, describe the gaps of pairs apart and the depths (−gap) of touching pairs. They
	// are nil unless Options.Distributions asks for them. Their last digits depend on the processor
	// (docs/pairs.md).
	Gaps   *distribution.Distribution `json:"gaps,omitempty"`
	Depths *distribution.Distribution `json:"depths,omitempty"`

	answered time.Duration
	levels   [narrow.NAnsweredBy]int64
	types    [narrow.NTypes]int64
	apart    int64
	touching int64
	faults   int64
	first    error // error of the first row without an answer

	gaps, depths *distribution.Sample // nil unless asked for
}

// count adds a row.
func (s *Stats) count(row int, q *question, r *result) {
	s.Pairs++
	if r.fault != nil {
		if s.faults++; s.first == nil {
			s.first = fmt.Errorf("row %d, line %d: %s", row, q.line, r.message())
		}
		return
	}
	column, length := s.gaps, r.gap
	if r.touching {
		s.touching++
		column, length = s.depths, -r.gap
	} else {
		s.apart++
	}
	column.Add(length)
	s.types[r.kind]++
	s.levels[r.level]++
	if r.exhaustive {
		s.Exhaustive++
	}
	if r.noSection {
		s.NoSection++
	}
	if r.noOverlap {
		s.NoOverlap++
	}
	if r.reused {
		s.Reused++
	}
}

// finish computes the fields that follow from the counts.
func (s *Stats) finish(began time.Time) {
	s.Status = map[string]int64{apart: s.apart, touching: s.touching, failed: s.faults}
	s.AnsweredBy, s.Types = map[string]int64{}, map[string]int64{}
	for l, n := range s.levels {
		s.AnsweredBy[narrow.AnsweredBy(l).String()] = n
	}
	for t := narrow.Type(1); t < narrow.NTypes; t++ {
		s.Types[t.String()] = s.types[t]
	}
	s.Gaps, s.Depths = s.gaps.Describe(), s.depths.Describe()
	s.Seconds, s.Answering = time.Since(began).Seconds(), s.answered.Seconds()
	if n := s.apart + s.touching; n > 0 {
		s.NsPerPair = float64(s.answered.Nanoseconds()) / float64(n)
	}
}

// fault returns an error if any row has no answer, otherwise nil.
func (s *Stats) fault(name string) error {
	if s.faults == 0 {
		return nil
	}
	return fmt.Errorf("pairs: %s: %d of %d %w, the first is %w", name, s.faults, s.Pairs, ErrRows, s.first)
}
