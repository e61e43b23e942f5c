package engine

import (
	"fmt"
	"unsafe"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

const (
	// bodyMemory is what a body takes, in bytes: its columns, what columns that grow have to
	// spare, and its place in a scene. Measured with /usr/bin/time -v: a million boxes apart on a
	// grid take 1260 bytes each.
	bodyMemory = 5 * soa.BodyBytes
	// pairMemory is what a candidate pair takes, in bytes: a row of the list and of the contacts,
	// and what it remembers of an overlap, all once more for the rows before tiles were laid anew; what is looked up of
	// it; and its places in the lists that are made of them. A ninth of the rows is vacant.
	pairMemory = (2*(soa.PairBytes+soa.ContactBytes+skeletonMemory)+tilePairBytes)*9/8 + 64
	// skeletonMemory is the place of a skeleton, and a quarter of one: of the candidate pairs of a
	// heap half touch, and of these half at most have an overlap of no type.
	skeletonMemory = 8 + skeletonBytes/4
	skeletonBytes  = 288
	tilePairBytes  = 24
	// heapPairs is how many candidate pairs a body of a heap has: twelve neighbours, and a pair is
	// of two.
	heapPairs = 6
)

// They are not larger.
var (
	_ [skeletonBytes - unsafe.Sizeof(keptSkeleton{})]struct{}
	_ [tilePairBytes - unsafe.Sizeof(tilePair{})]struct{}
)

// Memory returns about how many bytes some bodies take: before any two are near each other, and as
// a heap with their candidate pairs. Shapes are not counted.
func Memory(bodies uint64) (apart, heap uint64) {
	return bodies * bodyMemory, bodies * (bodyMemory + heapPairs*pairMemory)
}

// ErrPairs marks the fault of a world that has more candidate pairs than Config.MaxPairs.
var ErrPairs = mark.Errorf(ErrFault, "too many candidate pairs")

// mostPairs returns how many candidate pairs the world may have: Config.MaxPairs, or what fits
// into the memory that is left.
func (w *World) mostPairs() int {
	if w.cfg.MaxPairs > 0 {
		return w.cfg.MaxPairs
	}
	return cpu.MostThatFit(pairMemory, broad.MaxPairs)
}

// tooManyPairs is the fault of a world that has more candidate pairs than it may have. They are
// counted before memory is taken for them, and the count ends at the bound.
func (w *World) tooManyPairs() error {
	fit := "the world may have"
	if w.cfg.MaxPairs == 0 {
		fit = fmt.Sprintf("fit, with %d bytes each, into the %.3g GB of memory that there are", pairMemory, 1e-9*float64(cpu.Memory()))
	}
	return mark.Errorf(ErrPairs, "engine: step %d: %d pieces have more than %d candidate pairs, expected as many as %s; the skin (%.3g m), the "+
		"interaction distance (%.3g m) or a velocity is too large, or bodies lie in each other",
		w.step, w.pieces.Len(), w.most, fit, w.broad.Stats().Skin, w.law.Reach())
}
