package pairs

import (
	"errors"
	"fmt"
	"time"

	"github.com/scree-dem/scree/engine/narrow"
)

// ErrRows says that rows have no answer. They say why themselves.
var ErrRows = errors.New("rows without an answer")

// Stats is what a table of pairs came to.
type Stats struct {
	Pairs      int64            `json:"pairs"`       // rows, those without an answer too
	Status     map[string]int64 `json:"status"`      // apart, touching, error
	AnsweredBy map[string]int64 `json:"levels"`      // by which certificate or search answered
	Types      map[string]int64 `json:"types"`       // of those that have one, touching or apart within dtol
	Tracks     int              `json:"tracks"`      // pairs in motion
	Exhaustive int64            `json:"exhaustive"`  // the method did not prove them; the exhaustive search did
	NoSection  int64            `json:"no_section"`  // located midway between the witness points
	Seconds    float64          `json:"wall_s"`      // s, wall time
	Answering  float64          `json:"answering_s"` // of them: without reading and writing
	NsPerPair  float64          `json:"ns_per_pair"` // of answering, on all workers together
	Workers    int              `json:"workers"`     // that answered

	answered time.Duration
	levels   [narrow.NAnsweredBy]int64
	types    [narrow.NTypes]int64
	apart    int64
	touching int64
	faults   int64
	first    error // of the rows without an answer
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
	if r.touching {
		s.touching++
	} else {
		s.apart++
	}
	s.types[r.kind]++
	s.levels[r.level]++
	if r.exhaustive {
		s.Exhaustive++
	}
	if r.noSection {
		s.NoSection++
	}
}

// finish fills in what follows from the counts.
func (s *Stats) finish(began time.Time) {
	s.Status = map[string]int64{apart: s.apart, touching: s.touching, failed: s.faults}
	s.AnsweredBy, s.Types = map[string]int64{}, map[string]int64{}
	for l, n := range s.levels {
		s.AnsweredBy[narrow.AnsweredBy(l).String()] = n
	}
	for t := narrow.Type(1); t < narrow.NTypes; t++ {
		s.Types[t.String()] = s.types[t]
	}
	s.Seconds, s.Answering = time.Since(began).Seconds(), s.answered.Seconds()
	if n := s.apart + s.touching; n > 0 {
		s.NsPerPair = float64(s.answered.Nanoseconds()) / float64(n)
	}
}

// fault is the error of a table that has rows without an answer, nil for one that has not.
func (s *Stats) fault(name string) error {
	if s.faults == 0 {
		return nil
	}
	return fmt.Errorf("pairs: %s: %d of %d %w, the first is %w", name, s.faults, s.Pairs, ErrRows, s.first)
}
