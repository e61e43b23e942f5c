package bench

import (
	"sync"
	"time"

	"github.com/scree-dem/scree/internal/cpu"
)

// memoryBandwidth measures how many bytes some workers together read and write a second, when each copies one half of an
// array to the other. The arrays are larger than the caches. It returns the best of several passes.
func memoryBandwidth(workers int) (bytes float64) {
	half := max(32<<20, 2*cpu.Describe().Caches.L3)
	arrays := make([][]byte, workers)
	for i := range arrays {
		arrays[i] = make([]byte, 2*half)
		for k := 0; k < len(arrays[i]); k += 512 {
			arrays[i][k] = 1 // so that the system gives it memory
		}
	}
	for range 5 {
		began := time.Now()
		var all sync.WaitGroup
		for _, array := range arrays {
			all.Go(func() { copy(array[:half], array[half:]) })
		}
		all.Wait()
		bytes = max(bytes, float64(2*half*workers)/time.Since(began).Seconds())
	}
	return bytes
}
