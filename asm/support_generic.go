package asm

import "math"

// supportGeneric is the Go loop of Support. It computes four heights side by side, then compares
// them in the order of their indices, so the lowest index still wins a tie. Among n points the
// maximum changes about ln n times, so most branches are predicted. For the form i < len-3 with
// i+1, i+2, i+3, the compiler removes every bounds check in the loop.
func supportGeneric(x, y, z []float64, dx, dy, dz float64) (int, float64) {
	k, best := 0, math.Inf(-1)
	y, z = y[:len(x)], z[:len(x)]
	i := 0
	for ; i < len(x)-3; i += 4 {
		v0 := float64(x[i]*dx) + float64(y[i]*dy) + float64(z[i]*dz)
		v1 := float64(x[i+1]*dx) + float64(y[i+1]*dy) + float64(z[i+1]*dz)
		v2 := float64(x[i+2]*dx) + float64(y[i+2]*dy) + float64(z[i+2]*dz)
		v3 := float64(x[i+3]*dx) + float64(y[i+3]*dy) + float64(z[i+3]*dz)
		if v0 > best {
			k, best = i, v0
		}
		if v1 > best {
			k, best = i+1, v1
		}
		if v2 > best {
			k, best = i+2, v2
		}
		if v3 > best {
			k, best = i+3, v3
		}
	}
	for ; i < len(x); i++ {
		if v := float64(x[i]*dx) + float64(y[i]*dy) + float64(z[i]*dz); v > best {
			k, best = i, v
		}
	}
	return k, best
}

func supportPairsGeneric(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) {
	dy, dz, index, value = dy[:len(dx)], dz[:len(dx)], index[:len(dx)], value[:len(dx)]
	first, count = first[:len(dx)], count[:len(dx)]
	for q := range dx {
		lo, hi := int(first[q]), int(first[q])+int(count[q])
		k, v := supportGeneric(x[lo:hi], y[lo:hi], z[lo:hi], dx[q], dy[q], dz[q])
		index[q], value[q] = uint32(k), v
	}
}
