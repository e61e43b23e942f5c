package tri

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// weld returns the distinct points among the used points, in the order of the mesh, and for each
// point of the mesh its index among the distinct points. Points are equal if their coordinates are
// equal; -0 equals 0. Points that are not used get index 0. Cost: one look-up in a hash table for
// each point.
func weld(points []vec.Vec3, used []bool) (distinct []vec.Vec3, row []uint32) {
	size := 16
	for size < 2*len(points) {
		size *= 2
	}
	mask := uint64(size - 1)
	table := make([]uint32, size) // 1 + index in distinct; 0 for an empty entry
	row = make([]uint32, len(points))
	distinct = make([]vec.Vec3, 0, len(points))
	for i, p := range points {
		if !used[i] {
			continue
		}
		at := Hash(p) & mask
		for table[at] != 0 && distinct[table[at]-1] != p {
			at = (at + 1) & mask
		}
		if table[at] == 0 {
			distinct = append(distinct, p)
			table[at] = uint32(len(distinct))
		}
		row[i] = table[at] - 1
	}
	return distinct, row
}

// Hash mixes the bits of three coordinates. Adding 0 turns -0 into 0.
func Hash(p vec.Vec3) uint64 {
	h := math.Float64bits(p.X + 0)
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	h ^= math.Float64bits(p.Y + 0)
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	h ^= math.Float64bits(p.Z + 0)
	h = (h ^ h>>32) * 0x94d049bb133111eb
	return h ^ h>>29
}
