package engine

import "github.com/scree-dem/scree/engine/overlap"

// skeletons is what pairs remember of overlaps that are of no type: by which features their corners were made in the last
// step. It changes no bit, so it is in no state, and a rebuild drops it.
type skeletons struct {
	number []uint32             // by pair: one more than its place in the pool of its tile, 0 for none
	pools  [][]overlap.Skeleton // by tile
}

// reset forgets all, for other pairs and tiles.
func (s *skeletons) reset(pairs, tiles int) {
	s.number = grow(s.number, pairs)
	clear(s.number)
	for len(s.pools) < tiles {
		s.pools = append(s.pools, nil)
	}
	for t := range s.pools {
		s.pools[t] = s.pools[t][:0]
	}
}

// at returns what pair i of a tile remembers, valid until another pair of the tile remembers something; nil for nothing.
func (s *skeletons) at(i, tile int) *overlap.Skeleton {
	if s.number[i] == 0 {
		return nil
	}
	return &s.pools[tile][s.number[i]-1]
}

// keep makes pair i of a tile remember a skeleton.
func (s *skeletons) keep(i, tile int, k *overlap.Skeleton) {
	if had := s.at(i, tile); had == nil {
		s.pools[tile] = append(s.pools[tile], *k)
		s.number[i] = uint32(len(s.pools[tile]))
	} else if had != k {
		*had = *k
	}
}
