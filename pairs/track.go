package pairs

import (
	"slices"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/vec"
)

// track is one moving pair: the rows with the same track number.
type track struct {
	memory narrow.Memory
	bodies trackBodies // of its last row
	last   int         // number of its last row
	place  int         // index in tracks.order; -1 if the current batch has no row of it
	rows   int         // rows in the current batch

	posed  bool // pa and pb are the poses of the last row
	pa, pb vec.Pose
	more   *trackMore // nil unless an option asks for it
}

// trackMore is what only some options keep of a track.
type trackMore struct {
	dual     section.DualKept             // with Options.Location Dual
	contacts map[contactKey]closedContact // of the last row, with Options.Contacts
	numbered int                          // the last number of a contact
}

// kept returns what some options keep of the track.
func (k *track) kept() *trackMore {
	if k.more == nil {
		k.more = &trackMore{}
	}
	return k.more
}

// trackBodies identifies the two bodies of a track. A certificate holds for shapes with their
// rounding only, because a rounded body reaches farther than its core.
type trackBodies struct {
	a, b           uint64  // ids of the shapes
	roundA, roundB float64 // m
}

// maxTracks limits the number of stored tracks. If there are more, the half with the oldest rows is
// removed. The next row of a removed track starts from nothing, which costs time and changes only
// its level.
const maxTracks = 1 << 18

// tracks holds the tracks by number.
type tracks struct {
	by    map[int64]*track
	limit int
	seen  int // number of tracks started
	order []*track
}

func newTracks(limit int) tracks { return tracks{by: map[int64]*track{}, limit: limit} }

// of returns the track of question q in the given row.
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

// trim removes tracks if there are too many. It must be called between batches. The result depends
// only on the rows so far.
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

// span is the rows of a task: batch.order[from:to].
type span struct {
	from, to int
	track    *track // nil for rows without a track
}

// spanRows is the number of rows without a track in a task: a tenth of a millisecond of work.
const spanRows = 128

// plan assigns the rows of a batch to tasks. Each track is one task, because its rows must be
// answered in order. Rows without a track form tasks of spanRows. Rows with a fault belong to no
// task.
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
	// First reserve space for the rows of each track, then insert the rows.
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
