//go:build !purego && !race

package asm

// fewest is the least number of points, or planes, of a single query for which vector registers
// pay. For fewer, folding the lanes costs more than they save (docs/kernels.md). Batches pay at any
// size.
const fewest = 16

func support(x, y, z []float64, dx, dy, dz float64) (int, float64) {
	if len(x) >= fewest {
		if useAVX2 {
			return supportAVX2(&x[0], &y[0], &z[0], len(x), dx, dy, dz)
		}
		if useAVX512 {
			return supportAVX512(&x[0], &y[0], &z[0], len(x), dx, dy, dz)
		}
	}
	return supportGeneric(x, y, z, dx, dy, dz)
}

func supportPairs(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) {
	if !useAVX2 && !useAVX512 {
		supportPairsGeneric(x, y, z, first, count, dx, dy, dz, index, value)
		return
	}
	done := supportPairsAVX2(x, y, z, first, count, dx, dy, dz, index, value)
	// The remaining queries are fewer than four, or begin with a set outside of the points, for
	// which Go panics.
	for q := done; q < len(dx); q++ {
		lo, hi := int(first[q]), int(first[q])+int(count[q])
		k, v := support(x[lo:hi], y[lo:hi], z[lo:hi], dx[q], dy[q], dz[q])
		index[q], value[q] = uint32(k), v
	}
}

// supportAVX2 does the same as Support for x[:n], y[:n] and z[:n], with one point in each of four
// lanes. It takes addresses, because whole slices do not fit in the argument registers, and copying
// them costs a fifth of a call.
//
//go:noescape
func supportAVX2(x, y, z *float64, n int, dx, dy, dz float64) (k int, max float64)

// supportAVX512 does the same as supportAVX2, with eight lanes.
//
//go:noescape
func supportAVX512(x, y, z *float64, n int, dx, dy, dz float64) (k int, max float64)

// supportPairsAVX2 does the same as SupportPairs for the queries q < done. The points of a set are
// in the lanes, and the lanes of four queries are folded together. Processors with AVX-512 use it
// too (docs/decisions/0008-machine-code). done is a multiple of 4. The kernel stops if fewer than four queries
// remain, or before four queries if one has first[q] + count[q] > len(x).
//
//go:noescape
func supportPairsAVX2(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) (done int)

func interval(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	if len(x) >= fewest {
		if useAVX2 {
			return intervalAVX2(&x[0], &y[0], &z[0], len(x), dx, dy, dz)
		}
		if useAVX512 {
			return intervalAVX512(&x[0], &y[0], &z[0], len(x), dx, dy, dz)
		}
	}
	return intervalGeneric(x, y, z, dx, dy, dz)
}

// intervalAVX2 does the same as Interval for x[:n], y[:n] and z[:n], with one point in each of four
// lanes. It takes addresses, because whole slices do not fit in the argument registers, and copying
// them costs a fifth of a call.
//
//go:noescape
func intervalAVX2(x, y, z *float64, n int, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)

// intervalAVX512 does the same as intervalAVX2, with eight lanes.
//
//go:noescape
func intervalAVX512(x, y, z *float64, n int, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	if len(d) >= fewest {
		if useAVX2 {
			return planeDistanceAVX2(&nx[0], &ny[0], &nz[0], &d[0], len(d), px, py, pz)
		}
		if useAVX512 {
			return planeDistanceAVX512(&nx[0], &ny[0], &nz[0], &d[0], len(d), px, py, pz)
		}
	}
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}

// planeDistanceAVX2 does the same as PlaneDistance for nx[:n], ny[:n], nz[:n] and d[:n], with one
// plane in each of four lanes. It takes addresses, because whole slices do not fit in the argument
// registers, and copying them costs a fifth of a call.
//
//go:noescape
func planeDistanceAVX2(nx, ny, nz, d *float64, n int, px, py, pz float64) (face int, max float64)

// planeDistanceAVX512 does the same as planeDistanceAVX2, with eight lanes.
//
//go:noescape
func planeDistanceAVX512(nx, ny, nz, d *float64, n int, px, py, pz float64) (face int, max float64)

func posedBoxes(x, y, z []float64, first, count []uint32, p *BoxPoses, out *BoxColumns) {
	done := 0
	switch {
	case useAVX2:
		done = posedBoxesAVX2(x, y, z, first, count, p, out)
	case useAVX512:
		done = posedBoxesAVX512(x, y, z, first, count, p, out)
	default:
		posedBoxesGeneric(x, y, z, first, count, p, out)
		return
	}
	if done < len(first) {
		panic("asm: PosedBoxes: a set lies outside the points")
	}
}

// posedBoxesAVX2 does the same as PosedBoxes for the sets i < done, with one point in each of four
// lanes. It stops before a set with first[i] + count[i] > len(x).
//
//go:noescape
func posedBoxesAVX2(x, y, z []float64, first, count []uint32, poses *BoxPoses, out *BoxColumns) (done int)

// posedBoxesAVX512 does the same as posedBoxesAVX2, with eight lanes.
//
//go:noescape
func posedBoxesAVX512(x, y, z []float64, first, count []uint32, poses *BoxPoses, out *BoxColumns) (done int)
