package pairs

import (
	"slices"

	"github.com/scree-dem/scree/engine/narrow"
)

// track is a pair in motion: rows of one number.
type track struct {
	memory narrow.Memory
	bodies trackBodies // of its last row
	last   int         // its last row
	place  int         // in the batch's list of tracks; -1 where it has no row in it
	rows   int         // in the batch
}

// trackBodies tells the bodies of a track from others. What is known of a pair holds for its
// shapes with their rounding: a rounded body reaches farther than its core.
type trackBodies struct {
	a, b           uint64  // the shapes
	roundA, roundB float64 // m
}

// maxTracks bounds the tracks that are kept. When there are more, the half whose rows lie farthest back are
// forgotten: their next row starts from nothing, which costs time and alters its level alone.
const maxTracks = 1 << 18

// tracks is what is kept of the pairs in motion.
type tracks struct {
	by    map[int64]*track
	limit int
	seen  int // how many tracks began
	order []*track
}

func newTracks(limit int) tracks { return tracks{by: map[int64]*track{}, limit: limit} }

// of returns the track of a question in a row.
func (t *tracks) of(q *question, row int) *track {
	k, ok := t.by[q.track]
	if !ok {
		k = &track{place: -1}
		t.by[q.track] = k
		t.seen++
	}
	k.last = row
	return k
}

// trim forgets tracks if there are too many. It may be called between batches; what it does depends on the rows
// before alone.
func (t *tracks) trim() {
	if len(t.by) <= t.limit {
		return
	}
	lasts := make([]int, 0, len(t.by))
	for _, k := range t.by {
		lasts = append(lasts, k.last)
	}
	slices.Sort(lasts)
	oldest := lasts[len(lasts)-t.limit/2]
	for id, k := range t.by {
		if k.last < oldest {
			delete(t.by, id)
		}
	}
}

// span is the rows of a task, a part of batch.order.
type span struct {
	from, to int
	track    *track // nil: rows without a track
}

// spanRows is how many rows without a track make a task: as many as are answered together.
const spanRows = narrow.BatchPairs

// plan deals the rows of a batch to tasks: each track is one, for its rows have to be answered in order; the
// others go by spanRows. Rows that cannot be read are left out.
func (t *tracks) plan(b *batch) {
	t.order = t.order[:0]
	b.order, b.spans, b.costs = b.order[:0], b.spans[:0], b.costs[:0]
	for i := range b.block.Len() {
		q := &b.questions[i]
		b.tracks[i] = nil
		if q.fault != nil {
			continue
		}
		if !q.tracked {
			b.order = append(b.order, int32(i))
			continue
		}
		k := t.of(q, b.block.Row+i)
		if k.place < 0 {
			k.place, k.rows = len(t.order), 0
			t.order = append(t.order, k)
		}
		k.rows++
		b.tracks[i] = k
	}
	for from := 0; from < len(b.order); from += spanRows {
		b.add(span{from, min(from+spanRows, len(b.order)), nil})
	}
	// A place for the rows of each track, then the rows.
	end := len(b.order)
	for _, k := range t.order {
		b.add(span{end, end, k})
		end += k.rows
	}
	b.order = slices.Grow(b.order, end-len(b.order))[:end]
	first := len(b.spans) - len(t.order)
	for i := range b.block.Len() {
		if k := b.tracks[i]; k != nil {
			s := &b.spans[first+k.place]
			b.order[s.to] = int32(i)
			s.to++
		}
	}
	for i, k := range t.order {
		b.costs[first+i] = float64(k.rows)
		k.place = -1
	}
}

// add appends a task.
func (b *batch) add(s span) {
	b.spans = append(b.spans, s)
	b.costs = append(b.costs, float64(s.to-s.from))
}
