package contact

import (
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
)

// skeletons stores, for pairs with an overlap of no known type, which features made the corners of
// the overlap in the last step. It does not affect any result, so it is not part of the state.
type skeletons struct {
	on    bool            // a law reads overlaps
	place []skeletonPlace // by row of contacts; empty if no law reads overlaps
	pools []skeletonPool  // by tile
}

// keptSkeleton is a skeleton and the sum of both odometers, m, up to which it is proven. holds is 0
// if the skeleton must be proven.
type keptSkeleton struct {
	overlap.Skeleton
	holds float64
}

// skeletonPool holds the skeletons of a tile, in chunks that pass from tile to tile when tiles are laid anew.
type skeletonPool struct {
	chunks []*[skeletonChunk]keptSkeleton
	n      int
}

// skeletonChunk is the number of skeletons in a chunk. Tiles of a heap have some sixty.
const skeletonChunk = 16

func (p *skeletonPool) at(k int) *keptSkeleton { return &p.chunks[k/skeletonChunk][k%skeletonChunk] }

// isFull reports whether add makes a chunk.
func (p *skeletonPool) isFull() bool { return p.n == len(p.chunks)*skeletonChunk }

func (p *skeletonPool) add(k *keptSkeleton) {
	if p.isFull() {
		p.chunks = append(p.chunks, new([skeletonChunk]keptSkeleton))
	}
	p.n++
	*p.at(p.n - 1) = *k
}

// skeletonPlace locates a pair's skeleton: number is one more than its index in the pool of a tile.
// 0 means none.
type skeletonPlace struct{ tile, number uint32 }

// at returns the skeleton of a row, or nil.
func (s *skeletons) at(i int) *keptSkeleton {
	p := s.place[i]
	if p.number == 0 {
		return nil
	}
	return s.pools[p.tile].at(int(p.number - 1))
}

// keep stores a skeleton for row i of a tile.
func (s *skeletons) keep(i, tile int, k *overlap.Skeleton) {
	if had := s.at(i); had == nil {
		s.add(i, tile, &keptSkeleton{Skeleton: *k})
	} else if had.Skeleton != *k { // The proof belongs to the former skeleton.
		*had = keptSkeleton{Skeleton: *k}
	}
}

// add stores a skeleton for row i of a tile, which must have none.
func (s *skeletons) add(i, tile int, k *keptSkeleton) {
	s.pools[tile].add(k)
	s.place[i] = skeletonPlace{uint32(tile), uint32(s.pools[tile].n)}
}

// resize sets the number of rows to n.
func (s *skeletons) resize(n int) {
	if s.on {
		s.place = soa.Resize(s.place, n)
	}
}

// forget clears the place of a row.
func (s *skeletons) forget(row int) {
	if s.on {
		s.place[row] = skeletonPlace{}
	}
}

// packSkeletons drops from the pool of a tile the skeletons that no active contact uses.
func (sp *Space) packSkeletons(tile int, ws *workspace) {
	s := &sp.skeletons
	if !s.on {
		return
	}
	ws.pool = ws.pool[:0]
	for k := range s.pools[tile].n {
		ws.pool = append(ws.pool, *s.pools[tile].at(k))
	}
	s.pools[tile].n = 0
	sp.keepSkeletons(tile, func(p skeletonPlace) *keptSkeleton { return &ws.pool[p.number-1] })
}

// keepSkeletons fills the empty pool of a tile with the skeletons of its active contacts. from returns the skeleton that
// was at a place.
func (sp *Space) keepSkeletons(tile int, from func(skeletonPlace) *keptSkeleton) {
	s := &sp.skeletons
	lo, hi := sp.tiles.bounds(tile)
	for _, row := range sp.Pairs.Row[lo:hi] {
		if row == soa.NoRow {
			continue
		}
		p := s.place[row]
		if s.place[row] = (skeletonPlace{}); p.number != 0 && sp.Contacts.Active[row] {
			s.add(int(row), tile, from(p))
		}
	}
}

// moveSkeletons moves the skeletons of active contacts to the pools of the new tiles. Both the former and the new tiles are
// in the order of pairs, so the chunks of a former pool are free once a later one is read.
func (sp *Space) moveSkeletons() {
	s := &sp.skeletons
	old, read := s.pools, 0
	s.pools = make([]skeletonPool, len(sp.tiles.costs))
	var free []*[skeletonChunk]keptSkeleton
	for tile := range s.pools {
		to := &s.pools[tile]
		sp.keepSkeletons(tile, func(p skeletonPlace) *keptSkeleton {
			for ; read < int(p.tile); read++ {
				free = append(free, old[read].chunks...)
				old[read] = skeletonPool{}
			}
			if n := len(free); n > 0 && to.isFull() {
				to.chunks, free = append(to.chunks, free[n-1]), free[:n-1]
			}
			return old[p.tile].at(int(p.number - 1))
		})
	}
}
