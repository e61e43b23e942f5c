package cpu

import "runtime/metrics"

// Memory returns the number of bytes of memory that this process may use: the memory of the
// machine, or a lower limit of its control group or of the process. It returns 0 if the amount is
// unknown.
func Memory() uint64 { return memory() }

// fillShare is the share of the memory that a list may fill together with the live heap. The rest
// is for results, and for memory that the garbage collector has not yet freed.
const fillShare = 0.8

// MostThatFit returns how many items of the given size fit into the remaining memory. It returns
// most if this number is smaller, or if the memory is unknown.
func MostThatFit(bytes uint64, most int) int {
	there := Memory()
	if there == 0 {
		return most
	}
	left := max(float64(fillShare*float64(there))-float64(LiveHeap()), 0)
	return int(min(left/float64(bytes), float64(most)))
}

// LiveHeap returns the number of heap bytes that the last garbage collection found in use. The call
// is cheap, also in a program with many worlds.
func LiveHeap() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a Go version without this metric
	}
	return live[0].Value.Uint64()
}
