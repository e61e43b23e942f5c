package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// axisBatch is the pairs of a tile whose stored axis is tried again, a row a pair.
type axisBatch struct {
	pair  []uint32 // its place in the list of candidate pairs
	at    []uint32 // its place in the tile's list of expired pairs
	gaps  kernels.AxisGaps
	round []float64 // m, the allowance for the rounding of its gap
	reach []float64 // m
}

// grow makes room for a tile of n pairs.
func (b *axisBatch) grow(n int) {
	b.pair, b.at = grow(b.pair, n), grow(b.at, n)
	b.gaps.Resize(n)
	b.round, b.reach = soa.Resize(b.round, n), soa.Resize(b.reach, n)
}

// axes tries the stored axes of a tile's expired pairs again, all in one batch (certificate C2): those that
// still separate renew the odometer's certificate and leave the list. It returns the rest, in order.
func (c *contactStage) axes(expired []uint32, ws *workspace) []uint32 {
	w, con, b := c.w, &c.w.contacts, &ws.axes
	b.pair, b.at = b.pair[:0], b.at[:0]
	for k, i := range expired {
		if con.Axis.At(int(i)) != (vec.Vec3{}) {
			b.pair, b.at = append(b.pair, i), append(b.at, uint32(k))
		}
	}
	n := len(b.pair)
	if n == 0 {
		return expired
	}
	for k, i := range b.pair {
		c.askAxis(k, int(i), b)
	}
	b.gaps.Solve(&w.shapes, 0, n)

	apart := 0
	for k, i := range b.pair {
		gap := b.gaps.Gap[k] - b.round[k]
		if !(gap > b.reach[k]) {
			continue
		}
		w.pairs.Expiry[i] = w.expiry(int(i), gap, b.reach[k])
		apart++
		expired[b.at[k]] = answered
		if invariants.Enabled {
			w.reprove(int(i), &narrow.Answer{Level: narrow.LevelAxis}, b.reach[k], ws)
		}
	}
	ws.counts.By[narrow.LevelAxis] += int64(apart)
	rest := expired[:0]
	for _, i := range expired {
		if i != answered {
			rest = append(rest, i)
		}
	}
	return rest
}

// answered marks a pair in the list of a tile that needs nothing more.
const answered = math.MaxUint32

// askAxis writes the question of pair i to row k; see narrow.AxisGap, whose bits the answer has.
func (c *contactStage) askAxis(k, i int, b *axisBatch) {
	w := c.w
	pa, pb := w.pieces.Pose(&w.bodies, w.pairs.A[i]), w.pieces.Pose(&w.bodies, w.pairs.B[i])
	shape := w.pieces.Shape[w.pairs.B[i]]
	view := w.shapes.View(shape)
	n := pa.Rot.Rotate(w.contacts.Axis.At(i))
	dx := pb.Pos.Sub(pa.Pos)
	support := w.contacts.AxisSupport[i] + view.Round
	b.round[k] = narrow.AxisRounding(dx, view.Radius, support)
	b.reach[k] = w.law.At(w.pieces.Material[w.pairs.A[i]], w.pieces.Material[w.pairs.B[i]]).Reach()
	if view.Kind == soa.Ball {
		support += view.Radius
	}
	b.gaps.Set(k, &w.shapes, shape, pb.Rot.RotateInv(n), dx.Dot(n), support)
}
