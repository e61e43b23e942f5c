package inside

import (
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/vec"
)

// orderedJob is one call of Locate on the pool for a method by clusters. Its points are first
// sorted along a curve, so that the points of a chunk share clusters whatever order the caller
// used.
type orderedJob struct {
	*job
	order   clusters.Order
	rows    []clusters.Row[uint32]
	scratch []orderedScratch // by worker
}

// orderedScratch has the points of a chunk in sorted order, and their results.
type orderedScratch struct {
	points [chunkMany]vec.Vec3
	places [chunkMany]Place
	values [chunkMany]float64
}

// locateOrdered locates the points of s.job.
func (s *Solid) locateOrdered() {
	o := &s.ordered
	if o.scratch == nil {
		o.job, o.scratch = &s.job, make([]orderedScratch, s.pool.Workers())
	}
	rows, finite := o.order.Sort(o.points)
	o.rows = rows
	s.pool.For(finite, chunkMany, o)
	for _, r := range rows[finite:] {
		o.refuse(int(r.At))
	}
	o.rows = nil
}

// Range locates a chunk.
func (o *orderedJob) Range(lo, hi, worker int) {
	rows, scratch := o.rows[lo:hi], &o.scratch[worker]
	points, places, values := scratch.points[:len(rows)], scratch.places[:len(rows)], scratch.values[:len(rows)]
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
