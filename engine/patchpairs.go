package engine

import (
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// patchPairs is the materials of what may have a patch that nothing here finds: that of a block
// that moves and a facet.
type patchPairs struct {
	blocks, facets []soa.Material
}

// withoutPatch refuses a body that can meet another with a law that gets stiffer with the patch of
// the two, where one has a block and the other a facet.
func (w *World) withoutPatch(id int, b *Body) error {
	if !w.law.Grows() {
		return nil
	}
	for i := range b.Parts {
		p := &b.Parts[i]
		others, what, other := w.patches.blocks, "facet", "block"
		switch w.shapes.Kind[p.Shape] {
		case soa.Block:
			others, what, other = w.patches.facets, other, what
		case soa.Facet:
		default:
			continue
		}
		for _, m := range others {
			if w.law.NeedsOf(p.Material, m).Growth > 0 {
				return mark.Errorf(ErrBody, "engine: body %d %q part %d is a %s of material %d, and there is a %s of material %d: their law has an "+
					"area exponent, expected one without, as the patch of a block and a facet is not known", id, b.Name, i, what, p.Material, other, m)
			}
		}
	}
	return nil
}

// notePatches notes the materials of a body for those that come after it. A block of a wall meets no
// facet.
func (w *World) notePatches(parts []Part, moves bool) {
	if !w.law.Grows() {
		return
	}
	note := func(all *[]soa.Material, m soa.Material) {
		if at, ok := slices.BinarySearch(*all, m); !ok {
			*all = slices.Insert(*all, at, m)
		}
	}
	for i := range parts {
		switch kind := w.shapes.Kind[parts[i].Shape]; {
		case kind == soa.Block && moves:
			note(&w.patches.blocks, parts[i].Material)
		case kind == soa.Facet:
			note(&w.patches.facets, parts[i].Material)
		}
	}
}
