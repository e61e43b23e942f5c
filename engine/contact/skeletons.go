package contact

import "github.com/scree-dem/scree/overlap"

// skeletons stores, for pairs with an overlap of no known type, which features made the corners of
// the overlap in the last step. It does not affect any result, so it is not part of the state.
type skeletons struct {
	place []skeletonPlace  // by pair
	pools [][]keptSkeleton // by tile

	// The same before the last rebuild.
	oldPlace []skeletonPlace
	oldPools [][]keptSkeleton
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

// at returns the skeleton of pair i, or nil. The pointer is valid until another pair of the tile
// stores a skeleton.
func (s *skeletons) at(i int) *keptSkeleton {
	p := s.place[i]
	if p.number == 0 {
		return nil
	}
	return &s.pools[p.tile][p.number-1]
}

// keep stores a skeleton for pair i of a tile.
func (s *skeletons) keep(i, tile int, k *overlap.Skeleton) {
	if had := s.at(i); had == nil {
		s.add(i, tile, keptSkeleton{Skeleton: *k})
	} else if had.Skeleton != *k { // The proof belongs to the former skeleton.
		*had = keptSkeleton{Skeleton: *k}
	}
}

// add stores a skeleton for pair i of a tile, which must have none.
func (s *skeletons) add(i, tile int, k keptSkeleton) {
	s.pools[tile] = append(s.pools[tile], k)
	s.place[i] = skeletonPlace{uint32(tile), uint32(len(s.pools[tile]))}
}

// renew allocates places for a new list of pairs, which carryOver fills in.
func (s *skeletons) renew(pairs int) {
	s.place, s.oldPlace = grow(s.oldPlace, pairs), s.place
	s.pools, s.oldPools = s.oldPools, s.pools
}

// carry copies n places of the old list, from j on, to the new pairs from i on.
func (s *skeletons) carry(i, j, n int) {
	if len(s.place) > 0 {
		copy(s.place[i:i+n], s.oldPlace[j:j+n])
	}
}

// move copies the places of n rows from j on to the rows from i on, of the same tile.
func (s *skeletons) move(i, j, n int) {
	if len(s.place) > 0 {
		copy(s.place[i:i+n], s.place[j:j+n])
	}
}

// packSkeletons drops from the pool of a tile the skeletons that no active pair uses.
func (sp *Space) packSkeletons(tile int, ws *workspace) {
	s := &sp.skeletons
	if len(s.place) == 0 {
		return
	}
	ws.pool = append(ws.pool[:0], s.pools[tile]...)
	sp.keepSkeletons(tile, func(skeletonPlace) []keptSkeleton { return ws.pool })
}

// keepSkeletons fills the pool of a tile with the skeletons of its active pairs. from
// returns the pool that has the skeleton of a place.
func (sp *Space) keepSkeletons(tile int, from func(skeletonPlace) []keptSkeleton) {
	s := &sp.skeletons
	s.pools[tile] = s.pools[tile][:0]
	first, end := sp.tiles.bounds(tile)
	for i := first; i < end; i++ {
		p := s.place[i]
		if s.place[i] = (skeletonPlace{}); p.number != 0 && sp.Contacts.Active[i] {
			s.add(i, tile, from(p)[p.number-1])
		}
	}
}

// forget clears the places of rows lo to hi.
func (s *skeletons) forget(lo, hi int) {
	if len(s.place) > 0 {
		clear(s.place[lo:hi])
	}
}

// moveSkeletons moves the skeletons of active pairs to the pools of the new tiles.
func (sp *Space) moveSkeletons() {
	s, tiles := &sp.skeletons, len(sp.tiles.costs)
	for len(s.pools) < tiles {
		s.pools = append(s.pools, nil)
	}
	sp.pool.For(tiles, 1, (*skeletonStage)(&sp.stage))
}

type skeletonStage stage

// Range moves skeletons to the tiles lo to hi.
func (c *skeletonStage) Range(lo, hi, _ int) {
	for tile := lo; tile < hi; tile++ {
		c.sp.keepSkeletons(tile, func(p skeletonPlace) []keptSkeleton { return c.sp.skeletons.oldPools[p.tile] })
	}
}
