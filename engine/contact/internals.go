package contact

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// Internals shows tests of the client what a space keeps between steps, and lets them take a way that no
// configuration selects. Nothing else uses it.
type Internals struct{ sp *Space }

// Internals returns the internals of a space.
func (sp *Space) Internals() Internals { return Internals{sp} }

// LayAnew makes the next search lay all tiles anew.
func (p Internals) LayAnew() { p.sp.rebuild.altered.ready = false }

// Search finds the candidate pairs anew.
func (p Internals) Search() { p.sp.searchPairs() }

// SetBroad replaces the search for candidate pairs.
func (p Internals) SetBroad(cfg broad.Config) { p.sp.broad = broad.New(cfg) }

// AskAllGaps makes the space find the gap of each pair even if its overlap is known.
func (p Internals) AskAllGaps() { p.sp.knownOverlaps = false }

// SetUnproven replaces the test of whether a method has ended without a proof.
func (p Internals) SetUnproven(f func(*narrow.Answer) bool) { p.sp.unproven = f }

// Rows returns the number of rows, vacant ones included.
func (p Internals) Rows() int { return p.sp.tiles.rows() }

// PoseRows returns the rows of poses that the kernels of overlaps read.
func (p Internals) PoseRows() []float64 { return p.sp.poseRows }

// Odometers returns the odometer of each piece, after gathering them anew if gather is set.
func (p Internals) Odometers(gather bool) []float64 {
	if gather {
		p.sp.gatherOdometers()
	}
	return p.sp.pieceOdometer
}

// Skeleton returns the skeleton of row i, or nil, and whether it is held.
func (p Internals) Skeleton(i int) (s any, held bool) {
	sp := p.sp
	k := sp.skeletons.at(i)
	if k == nil {
		return nil, false
	}
	return *k, sp.pieceOdometer[sp.Pairs.A[i]]+sp.pieceOdometer[sp.Pairs.B[i]] < k.holds
}

// ForgetSkeletons removes all skeletons.
func (p Internals) ForgetSkeletons() { clear(p.sp.skeletons.place) }

// UnproveSkeletons makes the next step prove all skeletons anew.
func (p Internals) UnproveSkeletons() {
	for i := range p.sp.skeletons.pools {
		pool := &p.sp.skeletons.pools[i]
		for k := range pool.n {
			pool.at(k).holds = 0
		}
	}
}

// PackSkeletons packs the skeletons of all tiles, as if pairs had come and gone.
func (p Internals) PackSkeletons() {
	for tile := range p.sp.tiles.costs {
		p.sp.packSkeletons(tile, &p.sp.work[0])
	}
}

// Grazes reports whether row i touches although the narrow phase finds it apart by a gap, m.
func (p Internals) Grazes(i int, answer narrow.Answer) bool {
	ws := &p.sp.work[0]
	ws.load(p.sp, i)
	ws.found, ws.answer = overlapResult{}, answer
	return (*overlapStage)(&p.sp.stage).grazes(i, ws)
}

// Keys returns the keys of all candidate pairs in the order of their rows, and of how many of them the
// force follows from an overlap. The error describes rows that are out of order, not described as they
// are, vacant with a contact, or missing in the lists of their bodies.
func (p Internals) Keys() (keys []uint64, overlaps int, err error) {
	sp, t := p.sp, &p.sp.tiles
	places := make([][]uint32, sp.Bodies.Len())
	for tile := range t.costs {
		lo, hi := t.bounds(tile)
		for i := lo; i < hi; i++ {
			var d tilePair
			if sp.describe(i, &d); d != sp.described[i] {
				return nil, 0, fmt.Errorf("row %d is described as %+v, expected %+v", i, sp.described[i], d)
			}
			if d.byOverlap {
				overlaps++
			}
			places[d.BodyA], places[d.BodyB] = append(places[d.BodyA], uint32(i)<<1), append(places[d.BodyB], uint32(i)<<1|1)
			key := KeyOf(sp.Pairs.A[i], sp.Pairs.B[i])
			if key < t.firstKey[tile] || key >= t.firstKey[tile+1] || len(keys) > 0 && key <= keys[len(keys)-1] {
				return nil, 0, fmt.Errorf("row %d is not of tile %d, or not in order", i, tile)
			}
			keys = append(keys, key)
		}
		for i := hi; i < t.first[tile+1]; i++ {
			if !sp.Pairs.Vacant(i) || sp.Pairs.Row[i] != soa.NoRow {
				return nil, 0, fmt.Errorf("row %d is not vacant", i)
			}
		}
	}
	for body, want := range places {
		if got := sp.PairsOf(body); !slices.Equal(got, want) {
			return nil, 0, fmt.Errorf("body %d is in %v, expected %v", body, got, want)
		}
	}
	if len(keys) != sp.Candidates() {
		return nil, 0, fmt.Errorf("%d pairs, expected %d", len(keys), sp.Candidates())
	}
	return keys, overlaps, nil
}

// PosedAllowance returns the bound, m, of the rounding of a piece's pose: see posedRounding.
func (p Internals) PosedAllowance(piece soa.Piece) float64 { return p.sp.posedAllowance(piece) }
