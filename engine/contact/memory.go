package contact

import (
	"unsafe"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

const (
	// PairMemory is the memory of a candidate pair, in bytes, with the columns of a world. It counts a
	// row of the pairs and a tilePair, of which a ninth is vacant; rows of contacts, of the client and a
	// skeleton for five of eight pairs, of which a fifth is free; and entries in the lists of pairs.
	PairMemory = (soa.PairBytes+tilePairBytes)*9/8 + (soa.ContactBytes+soa.ForceBytes+skeletonMemory)*5/8 + 64
	// skeletonMemory is the memory of a skeletonPlace and a quarter of a skeleton. In a heap, half
	// of the candidate pairs touch, and at most half of these have an overlap of no known type.
	skeletonMemory = 8 + skeletonBytes/4
	skeletonBytes  = 288
	tilePairBytes  = 32
)

// The sizes above must not be too small.
var (
	_ [skeletonBytes - unsafe.Sizeof(keptSkeleton{})]struct{}
	_ [tilePairBytes - unsafe.Sizeof(tilePair{})]struct{}
)

// mostPairs returns the largest number of candidate pairs: Config.MaxPairs, or as many as fit into
// the free memory.
func (sp *Space) mostPairs() int {
	if sp.cfg.MaxPairs > 0 {
		return sp.cfg.MaxPairs
	}
	return cpu.MostThatFit(PairMemory, broad.MaxPairs)
}
