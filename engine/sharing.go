package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sharing is the overlaps of a tile's touching pairs that are proven to be made by the features of the last step. Such a
// pair touches, and its law reads the overlap alone: no gap is asked for.
type sharing struct {
	of    []uint32 // by pair of the list: 1 + its number in known; 0 where nothing is proven
	known []knownOverlap
	tried []overlap.Features // by pair of the list: what was tried without success
	left  []uint32           // the pairs of the list that nothing is proven of, in order
}

// knownOverlap is where an overlap is: its centroid relative to piece A, and the positions of both pieces.
type knownOverlap struct {
	at, posA, posB vec.Vec3
	as             thickness
	number         uint32 // in the law's batch
}

// thickness is what an overlap is to those who ask for a gap: a gap of minus its thickness √(12λ), and a normal, the direction
// in which that grows fastest; zero for none.
type thickness struct {
	gap    float64
	normal vec.Vec3
}

func thicknessOf(o *force.Overlap) thickness {
	t := thickness{gap: 0 - math.Sqrt(12*o.Variance)}
	if slope := o.VariancePush.Norm(); slope > 0 {
		t.normal = o.VariancePush.Scale(1 / slope)
	}
	return t
}

// grow makes room for a list of n pairs.
func (s *sharing) grow(n int) {
	s.of, s.left, s.tried = grow(s.of, n), grow(s.left, n)[:0], grow(s.tried, n)
}

// sharedAlone says whether the force of pair i follows from the overlap of two blocks, or of a block and a plane. What
// else the narrow phase finds of such a pair is no part of its state: it may not be asked.
func (w *World) sharedAlone(i int) bool {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return w.pieces.Kind[a] == soa.Block && (w.pieces.Kind[b] == soa.Block || w.pieces.Kind[b] == soa.Plane) &&
		w.needsOf(i).Overlap && !w.sheets.several(w.pieces.Body[b])
}

// at returns 1 + the number of the known overlap of pair k of the list, or 0, and what was tried without success.
func (s *sharing) at(k int) (of uint32, tried overlap.Features) {
	if k >= len(s.of) {
		return 0, overlap.Features{}
	}
	return s.of[k], s.tried[k]
}

// needsOf returns what the law of pair i needs.
func (w *World) needsOf(i int) *force.Needs {
	return w.law.NeedsOf(w.pieces.Material[w.pairs.A[i]], w.pieces.Material[w.pairs.B[i]])
}

// share finds the overlaps of pairs that touched in the last step, by type and in lanes, where the features of that step
// still make them. It returns the pairs that are left.
func (c *contactStage) share(pairs []uint32, ws *workspace) []uint32 {
	w, s := c.w, &ws.sharing
	if s.known, s.left, s.of = s.known[:0], s.left[:0], s.of[:0]; !w.shares {
		return pairs
	}
	s.of = s.of[:len(pairs)]
	clear(s.of)
	for k, i := range pairs {
		s.tried[k] = overlap.Features{}
		if i := int(i); w.contacts.Active[i] && w.sharedAlone(i) {
			c.load(i, ws)
			guess := c.supposed(i)
			if b := ws.overlaps.Add(uint32(k), ws.va, ws.pa, ws.vb, ws.pb, &guess); b != nil && b.Full() {
				c.settle(b, pairs, ws)
			}
		}
	}
	for k := range ws.overlaps.All() {
		c.settle(&ws.overlaps.All()[k], pairs, ws)
	}
	for k, i := range pairs {
		if s.of[k] == 0 {
			s.left = append(s.left, i)
		}
	}
	ws.counts.Overlap += int64(len(s.known))
	return s.left
}

// settle answers a batch of pairs of a list.
func (c *contactStage) settle(b *overlap.Batch, pairs []uint32, ws *workspace) {
	s := &ws.sharing
	b.Solve()
	var shared overlap.Shared
	for row := range b.Len() {
		k := b.Of(row)
		posA, posB, known := b.At(row, &shared)
		if !known {
			guess := c.supposed(int(pairs[k]))
			s.tried[k] = b.Tried(&guess)
			continue
		}
		if invariants.Enabled {
			c.reproveOverlap(int(pairs[k]), &shared, ws)
		}
		o := overlapOf(&shared)
		s.known = append(s.known, knownOverlap{shared.Centroid, posA, posB, thicknessOf(&o), ws.push.AddOverlap(&o)})
		s.of[k] = uint32(len(s.known))
	}
	b.Clear()
}

// touchKnown makes pair i, whose overlap is number of of the known ones, row k of the tile's touching pairs.
func (c *contactStage) touchKnown(k, i int, of uint32, ws *workspace) {
	w, o := c.w, &ws.sharing.known[of-1]
	ws.needs = w.needsOf(i)
	ws.answer = narrow.Answer{Level: narrow.LevelFeature}
	ws.pa.Pos, ws.pb.Pos = o.posA, o.posB
	t := c.note(k, i, ws)
	t.Overlap = o.number
	c.thicken(i, t, o.as, ws)
	c.act(i, t, o.at, vec.Sym3{}, ws)
}

// thicken gives pair i the gap and the normal of its overlap. They are functions of the poses, whether the narrow phase was
// asked or not.
func (c *contactStage) thicken(i int, t *force.Touch, as thickness, ws *workspace) {
	w := c.w
	t.Gap, w.contacts.Gap[i] = as.gap, as.gap
	if as.normal != (vec.Vec3{}) {
		t.Normal = as.normal
	}
	if !w.began {
		w.contacts.Relief[i] = w.forgive(ws.needs.Unloaded - as.gap)
	}
}

// kissShare, relative to both bodies' radii, bounds the gap that the narrow phase may find between two bodies whose
// overlap is proven to be of a type: by what it errs (ProofTol) and what rounding of poses adds.
const kissShare = 0x1p-36

// kisses says whether pair i, apart by the answer in the workspace, has an overlap that is proven all the same: both may
// err where it is as thin as rounding. So the pair touches, whether the features are remembered or not.
func (c *contactStage) kisses(i int, ws *workspace) bool {
	w := c.w
	if !w.sharedAlone(i) {
		return false
	}
	if !ws.loaded {
		c.load(i, ws)
	}
	size := ws.va.Radius
	if ws.vb.Kind == soa.Plane {
		size += ws.pa.Pos.Sub(ws.pb.Pos).MaxAbs()
	} else {
		size += ws.vb.Radius
	}
	if !(ws.answer.Gap <= float64(kissShare*size)) {
		return false
	}
	guess, s := c.supposed(i), overlap.Shared{}
	return ws.clipper.ShareNear(ws.va, ws.pa, ws.vb, ws.pb, ws.answer.Normal, &guess, &s) && ws.clipper.Typed()
}
