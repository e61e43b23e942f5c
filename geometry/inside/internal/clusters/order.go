package clusters

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Row is the index of a point or a triangle, with its sorting key.
type Row[K uint32 | uint64] struct {
	Key K
	At  uint32
}

// SortRows sorts rows by their keys, of which only the lowest keyBits bits may be set. The sort is
// stable. The result is rows or spare; both have the same length.
func SortRows[K uint32 | uint64](rows, spare []Row[K], keyBits int) []Row[K] {
	const digitBits = 11
	for shift := 0; shift < keyBits; shift += digitBits {
		var count [1 << digitBits]uint32
		for _, r := range rows {
			count[r.Key>>shift&(1<<digitBits-1)]++
		}
		sum := uint32(0)
		for k, n := range &count {
			count[k], sum = sum, sum+n
		}
		for _, r := range rows {
			at := &count[r.Key>>shift&(1<<digitBits-1)]
			spare[*at] = r
			*at++
		}
		rows, spare = spare, rows
	}
	return rows
}

// Order sorts points along a Morton curve through their box, so that consecutive points lie close
// together. It reuses its memory between calls.
type Order struct {
	rows [2][]Row[uint32]
}

// orderBits is the number of bits of a coordinate in a key. The key 1<<(3·orderBits) marks points
// that are not finite.
const orderBits = 10

// Sort returns the indices of points in sorted order, and the number of finite points. Points that
// are not finite come last. Points of one cell keep their order. Cost: eight passes over the
// points.
func (o *Order) Sort(points []vec.Vec3) (rows []Row[uint32], finite int) {
	if cap(o.rows[0]) < len(points) {
		o.rows[0], o.rows[1] = make([]Row[uint32], len(points)), make([]Row[uint32], len(points))
	}
	rows = o.rows[0][:len(points)]
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
	for i, x := range points {
		key := uint32(1 << (3 * orderBits))
		if x.Finite() {
			key = 0
			for k, v := range [3]float64{x.X - box.Min.X, x.Y - box.Min.Y, x.Z - box.Min.Z} {
				key |= uint32(Spread(uint64(min(max(v*per, 0), top)))) << k
			}
		}
		rows[i] = Row[uint32]{key, uint32(i)}
	}
	return SortRows(rows, o.rows[1][:len(points)], 3*orderBits+1), finite
}
