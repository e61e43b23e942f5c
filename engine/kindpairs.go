package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
)

// undefinedFor returns which parameter of a law is undefined between two kinds of pieces: the
// parameter's key in scene files, and the reason. Both are empty if the law is defined for them.
func undefinedFor(n *force.Needs, a, b soa.Kind) (key, why string) {
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

// words maps the keys of scene files to the terms of the Go API.
var words = map[string]string{"modulus": "an area exponent", "reference_gap": "a reference gap", "interaction": "an interaction distance"}

// KindError reports a body or a wall that could meet another one under a law that is undefined
// between their kinds. It wraps ErrBody.
type KindError struct {
	Key       string          // parameter of the law that is undefined, as in scene files
	Why       string          // reason
	Names     [2]string       // names of the body that was there and of the new one
	Kinds     [2]soa.Kind     // kinds of their pieces
	Materials [2]soa.Material // materials of these pieces

	text string
}

// Error returns what was found and what was expected.
func (e *KindError) Error() string { return "engine: " + e.text }

// Unwrap returns ErrBody.
func (e *KindError) Unwrap() error { return ErrBody }

// kindOf is what laws may restrict: the kind and the material of a piece, and whether it moves.
type kindOf struct {
	kind     soa.Kind
	material soa.Material
	moves    bool
}

// compare orders combinations by kind, then walls last, then by material.
func (a kindOf) compare(b kindOf) int {
	switch {
	case a.moves == b.moves || a.kind != b.kind:
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.material, b.material))
	case a.moves:
		return -1
	}
	return 1
}

// kindPairs records which pieces the bodies have. It is kept for laws that are undefined between
// some kinds.
type kindPairs map[kindOf]kindNoted

// kindNoted holds the name of the first body with such a piece, and the number of bodies.
type kindNoted struct {
	name   string
	bodies int
}

// checkKinds rejects a body that could meet another one under a law that is undefined between
// their kinds. Pieces of a moving body do not meet each other, but may meet those of a second body.
// So a combination of kind and material is compared with all others when the first body has it, and
// when a second one does.
func (w bodyAdder) checkKinds(id soa.ID, b *BodySpec, moves bool) error {
	if !w.law.RestrictsKinds() {
		return nil
	}
	for i := range b.Parts {
		m, kind := b.Parts[i].Material, w.space.Shapes.Kind[b.Parts[i].Shape]
		if was, known := w.kinds[kindOf{kind, m, moves}]; known && (was.bodies > 1 || !moves) {
			continue
		}
		for _, o := range slices.SortedFunc(maps.Keys(w.kinds), kindOf.compare) {
			key, why := undefinedFor(w.law.NeedsOf(m, o.material), kind, o.kind)
			if key == "" || !moves && !o.moves { // Walls do not meet.
				continue
			}
			return &KindError{
				key, why, [2]string{w.kinds[o].name, b.Name}, [2]soa.Kind{o.kind, kind}, [2]soa.Material{o.material, m},
				fmt.Sprintf("body %d %q part %d is a %v of material %d, and there is a %v of material %d: their law has %s, expected none, as %s",
					id, b.Name, i, kind, m, o.kind, o.material, words[key], why),
			}
		}
	}
	return nil
}

// forgetKinds removes a body, which is still there, from what noteKinds has recorded.
func (w bodyAdder) forgetKinds(row soa.Body) {
	if !w.law.RestrictsKinds() {
		return
	}
	var parts []Part
	for p := w.bodies.FirstPiece[row]; p < w.bodies.FirstPiece[row+1]; p++ {
		parts = append(parts, Part{Shape: w.space.Pieces.Shape[p], Material: w.space.Pieces.Material[p]})
	}
	w.noteKinds("", parts, w.bodies.InvMass[row] != 0, -1)
}

// noteKinds records the kinds and materials of a body that comes, with by = 1, or goes, with by = -1.
func (w bodyAdder) noteKinds(name string, parts []Part, moves bool, by int) {
	if !w.law.RestrictsKinds() {
		return
	}
	if w.kinds == nil {
		w.kinds = kindPairs{}
	}
	mine := map[kindOf]bool{}
	for i := range parts {
		mine[kindOf{w.space.Shapes.Kind[parts[i].Shape], parts[i].Material, moves}] = true
	}
	for k := range mine {
		was := w.kinds[k]
		if w.kinds[k] = (kindNoted{cmp.Or(was.name, name), was.bodies + by}); was.bodies+by == 0 {
			delete(w.kinds, k)
		}
	}
}
