package clusters

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Order is points along a Morton curve through their box, so that those that follow each other
// lie close together. It keeps its room from one call to the next.
type Order struct {
	rows [2][]OrderRow
}

// OrderRow is a point's cell along the curve, and the point's row.
type OrderRow struct {
	key uint32
	At  uint32
}

// orderBits is the bits of a coordinate that an order takes; digitBits is those of one pass of the
// sort. Three passes hold three coordinates and lastKey.
const (
	orderBits = 10
	digitBits = 11
	lastKey   = 1 << (3 * orderBits)
)

// Sort returns the rows of points in their order, and how many points are finite: the others come
// last. Points of one cell keep their order. Cost: four passes over the points.
func (o *Order) Sort(points []vec.Vec3) (rows []OrderRow, finite int) {
	if cap(o.rows[0]) < len(points) {
		o.rows[0], o.rows[1] = make([]OrderRow, len(points)), make([]OrderRow, len(points))
	}
	from, to := o.rows[0][:len(points)], o.rows[1][:len(points)]
	box := vec.EmptyBox()
	for _, x := range points {
		if x.Finite() {
			box = box.With(x)
			finite++
		}
	}
	const top = 1<<orderBits - 1
	per := 0.0
	if finite > 0 {
		if half := box.Max.Scale(0.5).Sub(box.Min.Scale(0.5)).MaxAbs(); half > 0 {
			per = min(top/2/half, math.MaxFloat64)
		}
	}
	var count [3][1 << digitBits]uint32
	for i, x := range points {
		key := uint32(lastKey)
		if x.Finite() {
			key = 0
			for k, v := range [3]float64{x.X - box.Min.X, x.Y - box.Min.Y, x.Z - box.Min.Z} {
				key |= uint32(Spread(uint64(min(max(v*per, 0), top)))) << k
			}
		}
		from[i] = OrderRow{key, uint32(i)}
		for pass := range count {
			count[pass][key>>(pass*digitBits)&(1<<digitBits-1)]++
		}
	}
	for pass := range count {
		at, sum := &count[pass], uint32(0)
		for k, n := range at {
			at[k], sum = sum, sum+n
		}
		for _, r := range from {
			k := r.key >> (pass * digitBits) & (1<<digitBits - 1)
			to[at[k]] = r
			at[k]++
		}
		from, to = to, from
	}
	return from, finite
}
