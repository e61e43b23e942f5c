package sched

// FirstRuns returns the indices or tasks with which each worker starts a loop, [lo, hi), and the number of them in a chunk:
// what For and ForTasks do on a pool of so many workers, for simulations. costs has the costs of tasks; it is nil for a
// loop over n indices without a given grain.
func FirstRuns(n int, costs []float64, workers int) (runs [][2]int, grain int) {
	if costs != nil {
		prefix, lo := prefixCosts(nil, costs), 0
		for i := range workers {
			hi := runEnd(prefix, lo, i, workers)
			runs, lo = append(runs, [2]int{lo, hi}), hi
		}
		return runs, 1
	}
	grain = max(ceilDiv(n, chunksPerWorker*workers), 1)
	for i := range workers {
		lo, hi := rangeRun(uint64(ceilDiv(n, grain)), i, workers)
		runs = append(runs, [2]int{min(int(lo)*grain, n), min(int(hi)*grain, n)})
	}
	return runs, grain
}
