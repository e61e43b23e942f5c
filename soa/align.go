package soa

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

const (
	// Lanes is the number of float64 in the widest vector register of any backend (AVX-512). The
	// vertices and planes of each shape start at a multiple of Lanes and are padded to one.
	Lanes = 8
	// Alignment is the alignment of float columns in bytes: a cache line, and a full register.
	Alignment = 64
)

// Pad returns n rounded up to a multiple of Lanes.
func Pad(n int) int { return (n + Lanes - 1) &^ (Lanes - 1) }

// Float64s returns a zeroed column of n values that starts on an Alignment boundary.
func Float64s(n int) []float64 {
	if n == 0 {
		return nil
	}
	const size = unsafe.Sizeof(float64(0))
	lines := staggerOf(n)
	c := make([]float64, n+Lanes-1+lines*Lanes)[lines*Lanes:]
	off := 0
	if r := uintptr(unsafe.Pointer(unsafe.SliceData(c))) % Alignment; r != 0 {
		off = int((Alignment - r) / size)
	}
	return c[off : off+n : len(c)]
}

// staggerPeriod is the distance in bytes at which two addresses compete for the same place of a
// first-level cache. At this distance a processor also mistakes a load for one of a store in
// progress.
const staggerPeriod = 4096

// columns counts the long columns made so far. It affects addresses only.
var columns atomic.Uint32

// staggerOf returns the number of cache lines by which a new column of n values is shifted. Long
// allocations start at pages. Without the shift, row i of every column would compete with row i of
// all other columns.
func staggerOf(n int) int {
	if n < staggerPeriod/8 {
		return 0
	}
	return int(columns.Add(1) % (staggerPeriod / Alignment))
}

// Resize returns the column with length n. It keeps the first values; added values are zero. If the
// capacity is exceeded, it doubles, and from 1024 values on it grows by a quarter at least. A new column of float64 is aligned; kernels do not
// rely on the alignment of other types.
func Resize[T any](c []T, n int) []T {
	if n <= cap(c) {
		old := len(c)
		c = c[:n]
		if n > old {
			clear(c[old:])
		}
		return c
	}
	room := max(n, cap(c)+max(cap(c)/4, min(cap(c), 1024)))
	var grown []T
	if floats, ok := any(&grown).(*[]float64); ok {
		*floats = Float64s(room)[:n]
	} else {
		grown = make([]T, n, room)
	}
	copy(grown, c)
	return grown
}

// Keep keeps the rows kept of a column, in rising order, and drops the others. The column may end before the last
// rows.
func Keep[T any](c []T, kept []uint32) []T {
	n, _ := slices.BinarySearch(kept, uint32(len(c)))
	for k, i := range kept[:n] {
		c[k] = c[i]
	}
	clear(c[n:])
	return c[:n]
}
