package cpu

import "runtime/metrics"

// Memory returns how many bytes of memory this process may have: the machine's, or less where a limit of its group or its own
// says so; 0 where that is not known.
func Memory() uint64 { return memory() }

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
