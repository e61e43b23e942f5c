package contact

import (
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
)

// skeletons stores, for pairs with an overlap of no known type, which features made the corners of
// the overlap in the last step. It does not affect any result, so it is not part of the state.
type skeletons struct {
	on    bool             // a law reads overlaps
	place []skeletonPlace  // by row of contacts; empty if no law reads overlaps
	pools [][]keptSkeleton // by tile
}

// keptSkeleton is a skeleton and the sum of both odometers, m, up to which it is proven. holds is 0
// if the skeleton must be proven.
type keptSkeleton struct {
	overlap.Skeleton
	holds float64
}

// skeletonPlace locates a pair's skeleton: number is one more than its index in the pool of a tile.
// 0 means none.
type skeletonPlace struct{ tile, number uint32 }

// at returns the skeleton of a row, or nil. The pointer is valid until another pair of the tile
// stores a skeleton.
func (s *skeletons) at(i int) *keptSkeleton {
	p := s.place[i]
	if p.number == 0 {
		return nil
	}
	return &s.pools[p.tile][p.number-1]
}

// keep stores a skeleton for row i of a tile.
func (s *skeletons) keep(i, tile int, k *overlap.Skeleton) {
	if had := s.at(i); had == nil {
		s.add(i, tile, keptSkeleton{Skeleton: *k})
	} else if had.Skeleton != *k { // The proof belongs to the former skeleton.
		*had = keptSkeleton{Skeleton: *k}
	}
}

// add stores a skeleton for row i of a tile, which must have none.
func (s *skeletons) add(i, tile int, k keptSkeleton) {
	s.pools[tile] = append(s.pools[tile], k)
	s.place[i] = skeletonPlace{uint32(tile), uint32(len(s.pools[tile]))}
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
	ws.pool = append(ws.pool[:0], s.pools[tile]...)
	sp.keepSkeletons(tile, func(skeletonPlace) []keptSkeleton { return ws.pool })
}

// keepSkeletons fills the pool of a tile with the skeletons of its active contacts. from
// returns the pool that has the skeleton of a place.
func (sp *Space) keepSkeletons(tile int, from func(skeletonPlace) []keptSkeleton) {
	s := &sp.skeletons
	s.pools[tile] = s.pools[tile][:0]
	lo, hi := sp.tiles.bounds(tile)
	for _, row := range sp.Pairs.Row[lo:hi] {
		if row == soa.NoRow {
			continue
		}
		p := s.place[row]
		if s.place[row] = (skeletonPlace{}); p.number != 0 && sp.Contacts.Active[row] {
			s.add(int(row), tile, from(p)[p.number-1])
		}
	}
}

// moveSkeletons moves the skeletons of active contacts to the pools of the new tiles. Both the former and the new tiles are
// in the order of pairs, so a former pool is free once a later one is read, and becomes that of a new tile.
func (sp *Space) moveSkeletons() {
	s, tiles := &sp.skeletons, len(sp.tiles.costs)
	old, read := s.pools, 0
	s.pools = make([][]keptSkeleton, tiles)
	var free [][]keptSkeleton
	for tile := range tiles {
		if n := len(free); n > 0 {
			s.pools[tile], free = free[n-1], free[:n-1]
		}
		sp.keepSkeletons(tile, func(p skeletonPlace) []keptSkeleton {
			if at := int(p.tile); at > read {
				free = append(free, old[read:at]...)
				clear(old[read:at])
				read = at
			}
			return old[p.tile]
		})
	}
}
