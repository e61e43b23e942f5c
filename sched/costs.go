package sched

import "math"

// prefixCosts returns the sum of the costs before each task, and the sum of all costs. It uses the
// memory of dst if it suffices. The result has len(costs)+1 values, which are finite and do not
// decrease. Costs that are not above 0 count as 0. Each cost is limited to a bound that keeps the
// sum, and twice the sum, finite.
func prefixCosts(dst, costs []float64) []float64 {
	n := len(costs)
	if cap(dst) <= n {
		dst = make([]float64, n+1, n+n/4+1)
	}
	dst = dst[:n+1]
	// A quarter: one half for the rounding of n sums, and one half so that two prefixes can be
	// added.
	most := math.MaxFloat64 / 4 / float64(n)
	sum := 0.0
	dst[0] = 0
	for t, cost := range costs {
		if cost > 0 {
			sum += min(cost, most)
		}
		dst[t+1] = sum
	}
	return dst
}

// rangeRun returns the first run of worker i of n in a loop over ranges: the same number of chunks
// for each worker, or one more.
func rangeRun(chunks uint64, i, n int) (lo, hi uint32) {
	return uint32(chunks * uint64(i) / uint64(n)), uint32(chunks * uint64(i+1) / uint64(n))
}

// halve returns where to cut the chunks [lo, hi), two or more: tasks by their cost, ranges, whose
// prefix is nil, in the middle.
func halve(prefix []float64, lo, hi uint32) uint32 {
	if prefix == nil {
		return lo + (hi-lo)/2
	}
	return splitTasks(prefix, lo, hi)
}

// runEnd returns the end of the first run of worker i of n, which begins at task lo. The end is the
// task boundary nearest to (i+1)/n of the total cost. The runs of all workers cover all tasks. If
// the total cost is 0, each worker gets the same number of tasks.
func runEnd(prefix []float64, lo, i, n int) int {
	tasks := len(prefix) - 1
	if i == n-1 {
		return tasks
	}
	total := prefix[tasks]
	if total == 0 {
		return int(uint64(tasks) * uint64(i+1) / uint64(n))
	}
	return nearest(prefix, lo, tasks, float64(total/float64(n)*float64(i+1)))
}

// splitTasks returns where to cut the tasks [lo, hi), two or more, so that both parts cost about
// the same. The near part gets at most three quarters of the tasks. This bounds the number of cuts
// down to one task, and thereby the depth of a deque.
func splitTasks(prefix []float64, lo, hi uint32) uint32 {
	a, b := prefix[lo], prefix[hi]
	if a == b {
		return lo + (hi-lo)/2
	}
	last := hi - max(1, (hi-lo)/4)
	return uint32(nearest(prefix, int(lo)+1, int(last), float64((a+b)/2)))
}

// nearest returns the i in lo <= i <= hi whose prefix is nearest to target. Ties go to the lower of
// the two candidates that a bisection finds. Callers must write float64(target): when nearest is
// inlined, the compiler might otherwise fuse their product with a subtraction on some processors.
func nearest(prefix []float64, lo, hi int, target float64) int {
	first, end := lo, hi
	for lo < end {
		mid := lo + (end-lo)/2
		if prefix[mid] < target {
			lo = mid + 1
		} else {
			end = mid
		}
	}
	if lo > first && target-prefix[lo-1] <= prefix[lo]-target {
		return lo - 1
	}
	return lo
}
