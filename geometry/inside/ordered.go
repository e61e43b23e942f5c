package inside

import (
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/vec"
)

// orderedJob is one call of Locate on the pool for a method by clusters: its points are sorted
// along a curve first, so that those of a chunk share clusters whatever the order they came in.
type orderedJob struct {
	*job
	order clusters.Order
	rows  []clusters.Row[uint32]
	room  []orderedRoom // by worker
}

// orderedRoom is the points of a chunk in their order, and the answers.
type orderedRoom struct {
	points [chunkMany]vec.Vec3
	places [chunkMany]Place
	values [chunkMany]float64
}

// locateOrdered answers the points of s.job.
func (s *Solid) locateOrdered() {
	o := &s.ordered
	if o.room == nil {
		o.job, o.room = &s.job, make([]orderedRoom, s.pool.Workers())
	}
	rows, finite := o.order.Sort(o.points)
	o.rows = rows
	s.pool.For(finite, chunkMany, o)
	for _, r := range rows[finite:] {
		o.refuse(int(r.At))
	}
	o.rows = nil
}

// Range answers a chunk.
func (o *orderedJob) Range(lo, hi, worker int) {
	rows, room := o.rows[lo:hi], &o.room[worker]
	points, places, values := room.points[:len(rows)], room.places[:len(rows)], room.values[:len(rows)]
	for i, r := range rows {
		points[i] = o.points[r.At]
	}
	o.with.Range(points, places, values)
	for i, r := range rows {
		o.places[r.At] = places[i]
	}
	if o.values != nil {
		for i, r := range rows {
			o.values[r.At] = values[i]
		}
	}
}
