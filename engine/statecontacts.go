package engine

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// checkContacts rejects contacts of pieces that do not exist or are not in order, and features of no
// kind.
func (w stateCheck) checkContacts() error {
	p, features := w.by["contact.pieces"].U32, w.by["contact.features"].U16
	for k := range len(p) / 2 {
		i := 2 * k
		if int(p[i]) >= w.space.Pieces.Len() || int(p[i+1]) >= w.space.Pieces.Len() {
			return mark.Errorf(ErrState, "engine: contact %d of the state is of pieces not below %d", k, w.space.Pieces.Len())
		}
		a, b := soa.Piece(p[i]), soa.Piece(p[i+1])
		if !w.mayTouch(a, b) {
			return mark.Errorf(ErrState, "engine: contact %d of the state is of pieces %d and %d, expected those of two bodies of which one moves, "+
				"in the order of pairs", k, a, b)
		}
		if i > 0 && (p[i] < p[i-2] || p[i] == p[i-2] && p[i+1] <= p[i-1]) {
			return mark.Errorf(ErrState, "engine: contact %d of the state is not in order", k)
		}
		if kind := features[3*k]; kind > uint16(soa.EdgeVertex) {
			return mark.Errorf(ErrState, "engine: contact %d of the state has features of kind %d, expected at most %d", k, kind, soa.EdgeVertex)
		}
	}
	return nil
}

// mayTouch reports whether two pieces can be a pair, in the order that soa.Pairs requires.
func (w stateCheck) mayTouch(a, b soa.Piece) bool {
	p, kindA, kindB := &w.space.Pieces, w.space.Pieces.Kind[a], w.space.Pieces.Kind[b]
	return p.Body[a] != p.Body[b] && (w.bodies.InvMass[p.Body[a]] != 0 || w.bodies.InvMass[p.Body[b]] != 0) &&
		(kindA < kindB || kindA == kindB && a < b)
}
