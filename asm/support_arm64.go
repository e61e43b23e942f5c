//go:build !purego && !race

package asm

// fewest is the number of points, or planes, from which a single question is put to vector registers:
// four turns of the loop, so that folding the two lanes is a small part.
const fewest = 8

func support(x, y, z []float64, dx, dy, dz float64) (int, float64) {
	if useNEON && len(x) >= fewest {
		return supportNEON(x, y, z, dx, dy, dz)
	}
	return supportGeneric(x, y, z, dx, dy, dz)
}

func supportPairs(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) {
	if !useNEON {
		supportPairsGeneric(x, y, z, first, count, dx, dy, dz, index, value)
		return
	}
	for q := range dx {
		lo, hi := int(first[q]), int(first[q])+int(count[q])
		k, v := support(x[lo:hi], y[lo:hi], z[lo:hi], dx[q], dy[q], dz[q])
		index[q], value[q] = uint32(k), v
	}
}

// supportNEON is Support: a point in each of two lanes.
//
//go:noescape
func supportNEON(x, y, z []float64, dx, dy, dz float64) (k int, max float64)
