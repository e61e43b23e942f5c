package engine

import (
	"fmt"
	"unsafe"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

const (
	// bodyMemory is the memory of a body, in bytes: its columns, the spare capacity of growing
	// columns, and its place in a scene. Measured with /usr/bin/time -v: a million separate boxes
	// on a grid take 1260 bytes each.
	bodyMemory = 5 * soa.BodyBytes
	// pairMemory is the memory of a candidate pair, in bytes. It counts a row of the pairs and of
	// the contacts and a skeleton, each twice because the previous tiles are kept; a tilePair; and
	// entries in the lists of pairs. A ninth of the rows is vacant.
	pairMemory = (2*(soa.PairBytes+soa.ContactBytes+skeletonMemory)+tilePairBytes)*9/8 + 64
	// skeletonMemory is the memory of a skeletonPlace and a quarter of a skeleton. In a heap, half
	// of the candidate pairs touch, and at most half of these have an overlap of no known type.
	skeletonMemory = 8 + skeletonBytes/4
	skeletonBytes  = 288
	tilePairBytes  = 24
	// heapPairs is the number of candidate pairs per body of a heap: twelve neighbours, and two
	// bodies share a pair.
	heapPairs = 6
)

// The sizes above must not be too small.
var (
	_ [skeletonBytes - unsafe.Sizeof(keptSkeleton{})]struct{}
	_ [tilePairBytes - unsafe.Sizeof(tilePair{})]struct{}
)

// Memory returns roughly how many bytes some bodies take: first while no two are near each other,
// then as a heap with its candidate pairs. Shapes are not counted.
func Memory(bodies uint64) (apart, heap uint64) {
	return bodies * bodyMemory, bodies * (bodyMemory + heapPairs*pairMemory)
}

// ErrPairs marks the fault of a world that has more candidate pairs than Config.MaxPairs.
var ErrPairs = mark.Errorf(ErrFault, "too many candidate pairs")

// mostPairs returns the largest number of candidate pairs: Config.MaxPairs, or as many as fit into
// the free memory.
func (w *World) mostPairs() int {
	if w.cfg.MaxPairs > 0 {
		return w.cfg.MaxPairs
	}
	return cpu.MostThatFit(pairMemory, broad.MaxPairs)
}

// pairsFault returns the fault of a world with more candidate pairs than allowed. The broad phase
// counts pairs before it allocates memory for them, and stops counting at the bound.
func (w *World) pairsFault() error {
	take, fit := "", "the world may have"
	if w.cfg.MaxPairs == 0 {
		take = fmt.Sprintf(", which take %.3g GB at %d bytes each", 1e-9*pairMemory*float64(w.maxPairs), pairMemory)
		fit = fmt.Sprintf("fit into the %.3g GB of memory that there are, with a fifth to spare", 1e-9*float64(cpu.Memory()))
	}
	return mark.Errorf(ErrPairs, "engine: step %d: %d pieces have more than %d candidate pairs%s, expected as many as %s; the skin (%.3g m), the "+
		"interaction distance (%.3g m) or a velocity is too large, or bodies lie in each other",
		w.step, w.pieces.Len(), w.maxPairs, take, fit, w.broad.Stats().Skin, w.law.Reach())
}
