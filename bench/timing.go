package bench

import (
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/scree-dem/scree/bench/peers"
)

// This file has what all studies share beside their frame: clocks, repeated measurements, groups of rows, and checksums.

// clockFor returns a clock for the given number of workers. For one worker it is the processor time
// of the thread, otherwise the elapsed time.
func clockFor(workers int) func() time.Duration {
	if workers <= 1 {
		return threadTime
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// processors returns how many workers can run at the same time.
func processors() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// timePasses repeats a pass until all passes together have taken at least the given time and have
// computed at least one answer. It returns the time of an answer, ns. A pass returns its duration
// and its number of answers.
func timePasses(least time.Duration, pass func() (time.Duration, int)) float64 {
	var spent time.Duration
	answered := 0
	for spent < least || answered == 0 {
		took, n := pass()
		spent += took
		answered += n
	}
	return per(float64(spent.Nanoseconds()), float64(answered))
}

// budget returns the time of one of several measurements that together take the given time, s.
func budget(seconds float64, times int) time.Duration {
	return time.Duration(seconds*float64(time.Second)) / time.Duration(times)
}

// timed returns the duration of work, in processor time of the thread.
func timed(work func()) time.Duration {
	began := threadTime()
	work()
	return threadTime() - began
}

// alternate measures contenders in turns, so that a machine that becomes slower does so for all of them. It returns the
// results of each, by round. Nothing is measured of a contender that is nil.
func alternate(rounds int, contenders []func() float64) []peers.Times {
	all := make([]peers.Times, len(contenders))
	for range rounds {
		for i, measure := range contenders {
			if measure != nil {
				all[i] = append(all[i], measure())
			}
		}
	}
	return all
}

// per returns x/unit, or 0 if unit is 0, because JSON has no infinities and no NaN.
func per(x, unit float64) float64 {
	if unit == 0 {
		return 0
	}
	return x / unit
}

// slope returns the slope of log y over log x by least squares.
func slope[R any](rows []R, x, y func(r *R) float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := range rows {
		a, b := math.Log(x(&rows[i])), math.Log(max(y(&rows[i]), 1e-9))
		n, sx, sy, sxx, sxy = n+1, sx+a, sy+b, sxx+float64(a*a), sxy+float64(a*b)
	}
	return (float64(n*sxy) - float64(sx*sy)) / (float64(n*sxx) - float64(sx*sx))
}

// hash is FNV-1a over 64-bit words. The stored value is the hash XOR fnvOffset, so the zero value
// is the hash of no words.
type hash uint64

func (h *hash) word(w uint64) {
	x := uint64(*h) ^ fnvOffset
	for range 8 {
		x = (x ^ w&0xff) * fnvPrime
		w >>= 8
	}
	*h = hash(x ^ fnvOffset)
}

func (h *hash) floats(all ...float64) {
	for _, f := range all {
		h.word(math.Float64bits(f))
	}
}

// hashOf returns a seed made from names, so that different pools have different seeds.
func hashOf(names ...string) uint64 {
	var h hash
	for _, name := range names {
		for _, c := range []byte(name) {
			h.word(uint64(c))
		}
	}
	return uint64(h)
}

const fnvOffset, fnvPrime = 0xcbf29ce484222325, 0x100000001b3

// checksum adds a whole word to a checksum. The first sum is fnvOffset.
func checksum(sum, word uint64) uint64 { return (sum ^ word) * fnvPrime }

// distinct returns the distinct values of the rows, in order of their first occurrence.
func distinct[R any, T comparable](rows []R, of func(r *R) T) (values []T) {
	for i := range rows {
		if v := of(&rows[i]); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// rowsWith returns the rows for which holds returns true, in order.
func rowsWith[R any](rows []R, holds func(r *R) bool) (some []R) {
	for i := range rows {
		if holds(&rows[i]) {
			some = append(some, rows[i])
		}
	}
	return some
}

// groups returns the rows by the value that of returns, in order of its first occurrence.
func groups[R any, T comparable](rows []R, of func(r *R) T) (all [][]R) {
	for _, value := range distinct(rows, of) {
		all = append(all, rowsWith(rows, func(r *R) bool { return of(r) == value }))
	}
	return all
}
