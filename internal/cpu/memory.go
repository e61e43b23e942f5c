package cpu

import "runtime/metrics"

// Memory returns how many bytes of memory this process may have: the machine's, or less where a limit of its group or its own
// says so; 0 where that is not known.
func Memory() uint64 { return memory() }

// fillShare is the part of the memory that a list may fill, with all else there is by then. The
// rest is for what the collector has not freed yet and for results.
const fillShare = 0.8

// MostThatFit returns how many things of so many bytes fit into the memory that is left, and most
// where these are fewer or the memory is not known.
func MostThatFit(bytes uint64, most int) int {
	there := Memory()
	if there == 0 {
		return most
	}
	left := max(float64(fillShare*float64(there))-float64(LiveHeap()), 0)
	return int(min(left/float64(bytes), float64(most)))
}

// LiveHeap returns how many bytes of the program's heap the collector found in use when it last
// ended. It costs next to nothing, in a program of many worlds too.
func LiveHeap() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a Go that does not count it
	}
	return live[0].Value.Uint64()
}
