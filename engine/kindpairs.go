package engine

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// UndefinedFor returns which parameter of a law is undefined between two kinds of pieces: the
// parameter's key in scene files, and the reason. Both are empty if the law is defined for them.
func UndefinedFor(n *force.Needs, a, b soa.Kind) (key, why string) {
	of := soa.KindPairOf(min(a, b), max(a, b)).Overlap
	switch {
	case of == soa.NoOverlap || of == soa.RoundOverlap:
	case of == soa.WallOverlap && n.Growth > 0:
		return "modulus", "the patch of a block and a facet is not known"
	case of == soa.WallOverlap && n.Overlap && n.Unloaded != 0:
		return "reference_gap", "a block shares one overlap with all facets it touches, so a single contact has no thickness"
	case of == soa.WallOverlap && n.Overlap && n.Reach > 0:
		return "interaction", "a block and facets are active where they overlap alone"
	case n.Overlap && n.Unloaded > 0:
		return "reference_gap", "bodies that are apart have no overlap, and so no thickness that a spring could go by"
	}
	return "", ""
}

// kindPairs records the materials, in rising order, of the pieces added so far: by kind, separately
// for moving bodies and walls. It is kept for laws that are undefined between some kinds.
type kindPairs struct {
	moving, resting [soa.NKinds][]soa.Material
	several         [soa.NKinds][]soa.Material // those of moving that at least two bodies have
	stale           bool                       // a body has gone
}

// of returns the materials of moving bodies, or of walls.
func (k *kindPairs) of(moves bool) *[soa.NKinds][]soa.Material {
	if moves {
		return &k.moving
	}
	return &k.resting
}

// restrictsKinds reports whether some law is undefined between some kinds of pieces.
func (w bodyAdder) restrictsKinds() bool {
	return w.law.AnyAreaExponent() || w.law.AnyReferenceGap() || w.law.Overlaps() && w.law.Reach() > 0
}

// checkKinds rejects a body that could meet another one under a law that is undefined between
// their kinds. Each combination of kind and material is compared with the others when its first
// piece is added. Combinations of a moving body do not meet within the body, but may meet if a
// second body has one of them. So such a combination is compared once more with that body.
func (w bodyAdder) checkKinds(id soa.ID, b *BodySpec, moves bool) error {
	if !w.restrictsKinds() {
		return nil
	}
	if w.kinds.stale {
		w.renoteKinds()
	}
	for i := range b.Parts {
		m, kind := b.Parts[i].Material, w.space.Shapes.Kind[b.Parts[i].Shape]
		undefined := func(other soa.Kind, materials ...soa.Material) error {
			for _, n := range materials {
				if key, why := UndefinedFor(w.law.NeedsOf(m, n), kind, other); key != "" {
					return mark.Errorf(ErrBody, "engine: body %d %q part %d is a %v of material %d, and there is a %v of material %d: their law has %s, "+
						"expected none, as %s", id, b.Name, i, kind, m, other, n, words[key], why)
				}
			}
			return nil
		}
		compared := w.kinds.resting
		if moves {
			compared = w.kinds.several
		}
		if _, known := slices.BinarySearch(compared[kind], m); known {
			continue
		}
		for other := range soa.NKinds {
			err := undefined(other, w.kinds.moving[other]...)
			if moves { // Walls do not meet.
				err = cmp.Or(err, undefined(other, w.kinds.resting[other]...))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// words maps the keys of scene files to the terms of the Go API.
var words = map[string]string{"modulus": "an area exponent", "reference_gap": "a reference gap", "interaction": "an interaction distance"}

// renoteKinds records the kinds and materials of the bodies that there are.
func (w bodyAdder) renoteKinds() {
	w.kinds = kindPairs{}
	of, b := &w.space.Pieces, &w.bodies
	var parts []Part
	for i := range b.Len() {
		if b.Gone[i] {
			continue
		}
		parts = parts[:0]
		for p := b.FirstPiece[i]; p < b.FirstPiece[i+1]; p++ {
			parts = append(parts, Part{Shape: of.Shape[p], Material: of.Material[p]})
		}
		w.noteKinds(parts, b.InvMass[i] != 0)
	}
}

// noteKinds records the kinds and materials of a body for the checks of later bodies.
func (w bodyAdder) noteKinds(parts []Part, moves bool) {
	if !w.restrictsKinds() {
		return
	}
	note := func(all *[]soa.Material, m soa.Material) {
		if at, ok := slices.BinarySearch(*all, m); !ok {
			*all = slices.Insert(*all, at, m)
		}
	}
	for i := range parts {
		kind, m := w.space.Shapes.Kind[parts[i].Shape], parts[i].Material
		if _, known := slices.BinarySearch(w.kinds.moving[kind], m); known && moves {
			note(&w.kinds.several[kind], m)
		}
	}
	for i := range parts {
		note(&w.kinds.of(moves)[w.space.Shapes.Kind[parts[i].Shape]], parts[i].Material)
	}
}
