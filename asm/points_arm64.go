//go:build !purego && !race

package asm

// fewest is the least number of points, or planes, of a single query for which vector registers
// pay: at four turns of the loop, folding the two lanes is a small part of the work.
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

// supportNEON does the same as Support, with one point in each of two lanes.
//
//go:noescape
func supportNEON(x, y, z []float64, dx, dy, dz float64) (k int, max float64)

func interval(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	if useNEON && len(x) >= fewest {
		return intervalNEON(x, y, z, dx, dy, dz)
	}
	return intervalGeneric(x, y, z, dx, dy, dz)
}

// intervalNEON does the same as Interval, with one point in each of two lanes.
//
//go:noescape
func intervalNEON(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	if useNEON && len(d) >= fewest {
		return planeDistanceNEON(nx, ny, nz, d, px, py, pz)
	}
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}

// planeDistanceNEON does the same as PlaneDistance, with one plane in each of two lanes.
//
//go:noescape
func planeDistanceNEON(nx, ny, nz, d []float64, px, py, pz float64) (face int, max float64)

func posedBoxes(x, y, z []float64, first, count []uint32, p *BoxPoses, out *BoxColumns) {
	if !useNEON {
		posedBoxesGeneric(x, y, z, first, count, p, out)
		return
	}
	if done := posedBoxesNEON(x, y, z, first, count, p, out); done < len(first) {
		panic("asm: PosedBoxes: a set lies outside the points")
	}
}

// posedBoxesNEON does the same as PosedBoxes for the sets i < done, with one point in each of two
// lanes. It stops before a set with first[i] + count[i] > len(x).
//
//go:noescape
func posedBoxesNEON(x, y, z []float64, first, count []uint32, poses *BoxPoses, out *BoxColumns) (done int)
