package sched

import "math"

// prefixCosts returns the sums of the costs before each task, and of all, in dst if it is large enough.
// The result has len(costs)+1 values, is finite and never falls. Costs that are not above 0 count
// as 0; each is cut at a bound that keeps the sum, and twice the sum, finite.
func prefixCosts(dst, costs []float64) []float64 {
	n := len(costs)
	if cap(dst) <= n {
		dst = make([]float64, n+1, n+n/4+1)
	}
	dst = dst[:n+1]
	// A quarter: half for the rounding of n sums, and half again so that two prefixes can be added.
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

// runEnd returns where the first run of worker i of n ends if it begins at lo: at the task boundary
// nearest to (i+1)/n of the whole cost. The runs of all workers cover all tasks. Without any cost the
// tasks are dealt by number.
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

// splitTasks returns where to cut the tasks [lo, hi), two or more, so that both parts cost about the
// same. The near part keeps at most three quarters of the tasks, which bounds the number of cuts
// on the way down to one task and so the depth of a deque.
func splitTasks(prefix []float64, lo, hi uint32) uint32 {
	a, b := prefix[lo], prefix[hi]
	if a == b {
		return lo + (hi-lo)/2
	}
	last := hi - max(1, (hi-lo)/4)
	return uint32(nearest(prefix, int(lo)+1, int(last), float64((a+b)/2)))
}

// nearest returns the i in lo <= i <= hi whose prefix is nearest to target, the lowest of equals that
// a bisection finds first. Callers write float64(target): once inlined, their product would
// otherwise meet a difference and be fused on some processors.
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
