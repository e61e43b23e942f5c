package engine

import (
	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// checkContacts rejects contacts of pieces that do not exist or are not in order, and features of no
// kind.
func (w stateCheck) checkContacts() error {
	features := w.by["contact.features"].U16
	last := uint64(0)
	for k := range len(features) / 3 {
		of := piecesOf(w.by, k)
		a, isA := w.space.Pieces.Row(of[0])
		b, isB := w.space.Pieces.Row(of[1])
		if !isA || !isB {
			return mark.Errorf(ErrState, "engine: contact %d of the state is of pieces %d and %d, expected two of the %d that there are", k, of[0], of[1], w.space.Pieces.Len())
		}
		if !w.mayTouch(a, b) {
			return mark.Errorf(ErrState, "engine: contact %d of the state is of pieces %d and %d, expected those of two bodies of which one moves, "+
				"in the order of pairs", k, of[0], of[1])
		}
		key := contact.KeyOf(a, b)
		if k > 0 && key <= last {
			return mark.Errorf(ErrState, "engine: contact %d of the state is not in order", k)
		}
		last = key
		if kind := features[3*k]; kind > uint16(soa.EdgeVertex) {
			return mark.Errorf(ErrState, "engine: contact %d of the state has features of kind %d, expected at most %d", k, kind, soa.EdgeVertex)
		}
	}
	return nil
}

// piecesOf returns the two pieces of contact k of a state.
func piecesOf(by map[string]*Column, k int) (of [2]soa.Number) {
	for side := range of {
		of[side] = soa.Number(by["contact.pieces"].U32[2*k+side])
		if high := by["contact.high"]; high != nil {
			of[side] |= soa.Number(high.U32[2*k+side]) << 32
		}
	}
	return of
}

// mayTouch reports whether two pieces can be a pair, in the order that soa.Pairs requires.
func (w stateCheck) mayTouch(a, b soa.Piece) bool {
	p, kindA, kindB := &w.space.Pieces, w.space.Pieces.Kind[a], w.space.Pieces.Kind[b]
	return p.Body[a] != p.Body[b] && (w.bodies.InvMass[p.Body[a]] != 0 || w.bodies.InvMass[p.Body[b]] != 0) &&
		(kindA < kindB || kindA == kindB && a < b)
}
