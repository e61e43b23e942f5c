package engine

import (
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Hash returns the state hash: XXH64 over all bits of the state. The bodies contribute pose,
// velocity, angular momentum and spin, and with PositionVerlet the position one step ago, in the
// order of the bodies, from the first removal on with their ids and the next one. The active contacts contribute the numbers of the
// pieces, witness and history, in the order of the pairs. The hash is the same on any number of workers, on any backend, and after a restart.
// Unlike State, Hash computes no forces: after poses or velocities have been set, it sees the contacts
// of the last forces until State, Measure, ActiveContacts or a step computes them anew.
func (w *World) Hash() uint64 {
	h := hasher{d: xxhash.New()}
	b := &w.bodies
	h.u64(uint64(w.step))
	count := soa.ID(0)
	for i := range b.Len() {
		if b.Gone[i] {
			continue
		}
		if b.ID[i] != count {
			h.u64(uint64(b.ID[i]))
		}
		count++
		h.vec(b.Pos.At(i))
		q := b.Rot.At(i)
		h.f64(q.W, q.X, q.Y, q.Z)
		h.vec(b.Vel.At(i))
		h.vec(b.AngMom.At(i))
		h.vec(b.Spin.At(i))
	}
	if b.NextID() != count {
		h.u64(uint64(b.NextID()))
	}
	if w.cfg.translates() {
		h.f64(w.moves.stride)
		for i := range b.Len() {
			if b.Gone[i] {
				continue
			}
			h.vec(w.moves.previous.At(i))
		}
	}
	c := &w.space.Contacts
	for i := range w.space.ActiveRows {
		a, b := w.space.PiecesOf(i)
		f := w.space.Witness(i)
		h.pair(w.space.Pieces.Number[a], w.space.Pieces.Number[b])
		h.u64(uint64(f.Kind)<<32 | uint64(f.A)<<16 | uint64(f.B))
		for _, column := range w.forces.History {
			h.f64(column[i])
		}
		h.vec(c.Normal.At(i))
		h.f64(w.forces.Relief[i])
	}
	if w.cellChanged() {
		h.f64(w.cell.Length[:]...)
	}
	h.flush()
	return h.d.Sum64()
}

// hasher collects words and passes them to the digest in blocks.
type hasher struct {
	d   *xxhash.Digest
	n   int
	buf [1024]byte
}

func (h *hasher) u64(x uint64) {
	if h.n == len(h.buf) {
		h.flush()
	}
	binary.LittleEndian.PutUint64(h.buf[h.n:], x)
	h.n += 8
}

// pair packs two piece numbers into one word, as long as both fit into 32 bits.
func (h *hasher) pair(a, b soa.Number) {
	if (a|b)>>32 == 0 {
		h.u64(uint64(a)<<32 | uint64(b))
		return
	}
	h.u64(uint64(a))
	h.u64(uint64(b))
}

func (h *hasher) f64(xs ...float64) {
	for _, x := range xs {
		h.u64(math.Float64bits(x))
	}
}

func (h *hasher) vec(v vec.Vec3) { h.f64(v.X, v.Y, v.Z) }

func (h *hasher) flush() {
	_, _ = h.d.Write(h.buf[:h.n]) // a Digest's Write never fails
	h.n = 0
}
