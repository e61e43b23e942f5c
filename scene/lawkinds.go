package scene

import (
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
)

// piece is what a law may mean nothing for: a kind of pieces of a material, and one that is so.
type piece struct {
	kind     soa.Kind
	material int
	name     string
}

// addPiece appends a piece unless there is one of its kind and material.
func addPiece(all []piece, known map[piece]bool, p piece) []piece {
	key := piece{kind: p.kind, material: p.material}
	if known[key] {
		return all
	}
	known[key] = true
	return append(all, p)
}

// checkKinds refuses a modulus or a reference gap between pieces for which it means nothing
// (engine.Unmeant), and warns where contact.interaction has no effect.
func (s *Scene) checkKinds(*document) error {
	if !s.law.Grows() && !s.law.Shifts() && !(s.law.Overlaps() && s.law.Reach() > 0) {
		return nil
	}
	var moving, walls []piece
	known := map[piece]bool{}
	for i := range s.groups {
		for _, k := range s.groups[i].shapes {
			h := &s.shapes[k]
			of := "the " + h.template.Kind.String() + "s"
			moving = addPiece(moving, known, piece{h.template.Kind, h.material, of + " of shapes." + h.name})
		}
	}
	clear(known)
	for i := range s.walls {
		w := &s.walls[i]
		p := piece{soa.Facet, w.material, "the facets of " + w.key}
		if w.plane {
			p = piece{soa.Plane, w.material, "the plane of " + w.key}
		}
		walls = addPiece(walls, known, p)
	}
	said := false
	for i := range moving {
		a := &moving[i]
		for _, others := range [][]piece{moving[i:], walls} {
			for k := range others {
				b := &others[k]
				needs := s.law.NeedsOf(soa.Material(a.material), soa.Material(b.material))
				if what, why := engine.Unmeant(needs, a.kind, b.kind); what != "" {
					return s.unmeant(a, b, what, why)
				}
				if !said && needs.Overlap && needs.Reach > 0 && a.kind == soa.Block && b.kind == soa.Facet {
					said = true
					s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: contact.interaction: has no effect between %s and %s: a block and facets "+
						"are active where they overlap", s.at.file, s.at.line("contact.interaction"), a.name, b.name))
				}
			}
		}
	}
	return nil
}

// unmeant returns the fault of a key of the law of two pieces.
func (s *Scene) unmeant(a, b *piece, what, why string) error {
	key := "law." + what
	row := int(s.law.Row(soa.Material(a.material), soa.Material(b.material)))
	if of := fmt.Sprintf("law.pair[%d].%s", row-1, what); row > 0 && s.at.has(of) {
		key = of
	}
	instead := map[string]string{"modulus": "a stiffness", "reference_gap": "reference_gap = 0"}[what]
	return s.at.fault(key, fmt.Sprintf("is the law of %q and %q, of which are %s and %s, expected [[law.pair]] with %s for these two: %s",
		s.materials[a.material], s.materials[b.material], a.name, b.name, instead, why))
}
