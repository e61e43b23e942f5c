package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scree-dem/scree/internal/mark"
)

// What all studies share: names on the command line, progress, clocks and repeated measurements.

// ErrOption marks options of a study that cannot be used.
var ErrOption = errors.New("option not usable")

// placeOf returns the place of a name among those of a kind, or an error that wraps ErrOption.
func placeOf(kind, name string, known []string) (int, error) {
	k := slices.Index(known, name)
	if k < 0 {
		return k, mark.Errorf(ErrOption, "bench: %s %q, expected one of %s", kind, name, strings.Join(known, ", "))
	}
	return k, nil
}

// distinct returns the different values that rows have, in order.
func distinct[R any, T comparable](rows []R, of func(r *R) T) (values []T) {
	for i := range rows {
		if v := of(&rows[i]); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// rowsWith returns the rows that a test holds for, in order.
func rowsWith[R any](rows []R, holds func(r *R) bool) (some []R) {
	for i := range rows {
		if holds(&rows[i]) {
			some = append(some, rows[i])
		}
	}
	return some
}

// Progress hears how much of a study is done, and what comes next. It may be nil.
type Progress func(done, all int64, note string)

// course is how far a study has come.
type course struct {
	done, all int64
	hear      Progress
}

// tell says what comes next, and counts it as done from the next call on.
func (c *course) tell(note string) { c.tellOf(1, note) }

// tellOf is tell of several rows together.
func (c *course) tellOf(rows int, note string) {
	if c.hear != nil {
		c.hear(c.done, c.all, note)
	}
	c.done += int64(rows)
}

// watchOf returns the clock of so many workers: processor time of the thread for one, else the time that passes.
func watchOf(workers int) func() time.Duration {
	if workers <= 1 {
		return threadTime
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// passes repeats a pass until all have taken the time given, one that answered something at least, and returns the time of an answer, ns.
// A pass returns how long it took and how much it answered. Where the context ends, the time is worthless.
func passes(ctx context.Context, least time.Duration, pass func() (time.Duration, int)) float64 {
	var spent time.Duration
	answered := 0
	for (spent < least || answered == 0) && ctx.Err() == nil {
		took, n := pass()
		spent += took
		answered += n
	}
	return per(float64(spent.Nanoseconds()), float64(answered))
}

// timed returns how long work takes, in processor time of the thread.
func timed(work func()) time.Duration {
	began := threadTime()
	work()
	return threadTime() - began
}

// timing is what repeated measurements come to, ns.
type timing struct {
	median, least float64
	spread        float64 // (slowest − fastest) / median
}

// repeated measures several times. The error is that of the context.
func repeated(ctx context.Context, times int, measure func() float64) (timing, error) {
	var ns []float64
	for range times {
		ns = append(ns, measure())
		if err := ctx.Err(); err != nil {
			return timing{}, err
		}
	}
	slices.Sort(ns)
	median := ns[(len(ns)-1)/2] // the lower of two
	return timing{median, ns[0], per(ns[len(ns)-1]-ns[0], median)}, nil
}

// per is a quotient, 0 where there is nothing to divide by: JSON has no other numbers.
func per(x, unit float64) float64 {
	if unit == 0 {
		return 0
	}
	return x / unit
}

// slope is that of log y over log x by least squares.
func slope[R any](rows []R, x, y func(r *R) float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := range rows {
		a, b := math.Log(x(&rows[i])), math.Log(max(y(&rows[i]), 1e-9))
		n, sx, sy, sxx, sxy = n+1, sx+a, sy+b, sxx+float64(a*a), sxy+float64(a*b)
	}
	return (float64(n*sxy) - float64(sx*sy)) / (float64(n*sxx) - float64(sx*sx))
}

// hash is FNV-1a over 64-bit words; the zero value is that of no words less its offset.
type hash uint64

func (h *hash) word(w uint64) {
	x := uint64(*h) ^ fnvOffset
	for range 8 {
		x = (x ^ w&0xff) * fnvPrime
		w >>= 8
	}
	*h = hash(x ^ fnvOffset)
}

func (h *hash) float(f float64) { h.word(math.Float64bits(f)) }

// hashOf makes a seed of names, so that pools differ.
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

// fold goes on with a checksum by whole words; it begins with fnvOffset.
func fold(sum, word uint64) uint64 { return (sum ^ word) * fnvPrime }
