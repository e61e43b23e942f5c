package engine

import "github.com/scree-dem/scree/engine/overlap"

// skeletons is what pairs remember of overlaps that are of no type: by which features their corners were made in the last
// step. It changes no bit, so it is in no state.
type skeletons struct {
	place []skeletonPlace  // by pair
	pools [][]keptSkeleton // by tile

	// Likewise before the last rebuild.
	oldPlace []skeletonPlace
	oldPools [][]keptSkeleton
}

// keptSkeleton is a skeleton, and the sum of both odometers, m, up to which it is proven; 0 where it is to be proven.
type keptSkeleton struct {
	overlap.Skeleton
	holds float64
}

// skeletonPlace is where a pair's skeleton is: one more than its number in the pool of a tile. 0 is none.
type skeletonPlace struct{ tile, number uint32 }

// at returns what pair i remembers, valid until another pair of its tile remembers something; nil for nothing.
func (s *skeletons) at(i int) *keptSkeleton {
	p := s.place[i]
	if p.number == 0 {
		return nil
	}
	return &s.pools[p.tile][p.number-1]
}

// keep makes pair i of a tile remember a skeleton.
func (s *skeletons) keep(i, tile int, k *overlap.Skeleton) {
	if had := s.at(i); had == nil {
		s.add(i, tile, keptSkeleton{Skeleton: *k})
	} else if had.Skeleton != *k { // A proof is of poses and a skeleton.
		*had = keptSkeleton{Skeleton: *k}
	}
}

// add gives pair i of a tile, which remembers nothing, a skeleton.
func (s *skeletons) add(i, tile int, k keptSkeleton) {
	s.pools[tile] = append(s.pools[tile], k)
	s.place[i] = skeletonPlace{uint32(tile), uint32(len(s.pools[tile]))}
}

// renew makes room for a new list of pairs, whose places carryOver fills in.
func (s *skeletons) renew(pairs int) {
	s.place, s.oldPlace = grow(s.oldPlace, pairs), s.place
	s.pools, s.oldPools = s.oldPools, s.pools
}

// carry gives n new pairs from i on the places of old ones from j on, if any pair has one.
func (s *skeletons) carry(i, j, n int) {
	if len(s.place) > 0 {
		copy(s.place[i:i+n], s.oldPlace[j:j+n])
	}
}

// move gives rows from i on the places of the n rows from j on, of the same tile.
func (s *skeletons) move(i, j, n int) {
	if len(s.place) > 0 {
		copy(s.place[i:i+n], s.place[j:j+n])
	}
}

// packSkeletons drops from the pool of a tile what no active pair remembers.
func (w *World) packSkeletons(tile int, ws *workspace) {
	s := &w.skeletons
	if len(s.place) == 0 {
		return
	}
	ws.pool = append(ws.pool[:0], s.pools[tile]...)
	s.pools[tile] = s.pools[tile][:0]
	first, end := w.tiles.bounds(tile)
	for i := first; i < end; i++ {
		p := s.place[i]
		if s.place[i] = (skeletonPlace{}); p.number != 0 && w.contacts.Active[i] {
			s.add(i, tile, ws.pool[p.number-1])
		}
	}
}

// forget takes theirs from rows lo to hi.
func (s *skeletons) forget(lo, hi int) {
	if len(s.place) > 0 {
		clear(s.place[lo:hi])
	}
}

// moveSkeletons moves what active pairs remember to the pools of the new tiles.
func (w *World) moveSkeletons() {
	s, tiles := &w.skeletons, len(w.tiles.costs)
	for len(s.pools) < tiles {
		s.pools = append(s.pools, nil)
	}
	w.pool.For(tiles, 1, (*skeletonStage)(&w.ctx))
}

type skeletonStage stepContext

// Range moves to the tiles lo to hi.
func (c *skeletonStage) Range(lo, hi, _ int) {
	w, s := c.w, &c.w.skeletons
	for tile := lo; tile < hi; tile++ {
		s.pools[tile] = s.pools[tile][:0]
		first, end := w.tiles.bounds(tile)
		for i := first; i < end; i++ {
			p := s.place[i]
			if s.place[i] = (skeletonPlace{}); p.number != 0 && w.contacts.Active[i] {
				s.add(i, tile, s.oldPools[p.tile][p.number-1])
			}
		}
	}
}
