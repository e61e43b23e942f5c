package scene

import (
	"fmt"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
)

// piece is a kind of pieces of one material. A law may have parameters without meaning for it.
type piece struct {
	kind     soa.Kind
	material int
	name     string
	alone    bool // only one body has such a piece, and it cannot touch itself
}

// pieces holds one piece of each kind and material.
type pieces struct {
	all []piece
	of  map[piece]int // index in all, by kind and material
}

// add appends a piece. If the kind and material are already known, add clears alone instead.
func (p *pieces) add(one piece) {
	key := piece{kind: one.kind, material: one.material}
	if k, known := p.of[key]; known {
		p.all[k].alone = false
		return
	}
	if p.of == nil {
		p.of = map[piece]int{}
	}
	p.of[key] = len(p.all)
	p.all = append(p.all, one)
}

// checkKinds rejects a modulus, a reference gap or an interaction distance between pieces for which
// it has no meaning (engine.UndefinedFor).
func (s *checks) checkKinds(d *document) {
	if !s.law.AnyAreaExponent() && !s.law.AnyReferenceGap() && !(s.law.Overlaps() && s.law.Reach() > 0) {
		return
	}
	var moving, walls pieces
	for i := range s.groups {
		g := &s.groups[i]
		for _, k := range g.shapes {
			h := &s.shapes[k]
			of := "the " + h.template.Kind.String() + "s"
			moving.add(piece{h.template.Kind, h.material, of + " of shapes." + h.name, g.kind == "" && len(g.shapes) == 1})
		}
	}
	for i := range s.walls {
		w := &s.walls[i]
		p := piece{soa.Facet, w.material, "the facets of " + w.key, false}
		if w.plane {
			p = piece{soa.Plane, w.material, "the plane of " + w.key, false}
		}
		walls.add(p)
	}
	for i := range moving.all {
		a := &moving.all[i]
		for _, others := range [][]piece{moving.all[i:], walls.all} {
			for k := range others {
				b := &others[k]
				if b == a && a.alone {
					continue
				}
				needs := s.law.NeedsOf(soa.Material(a.material), soa.Material(b.material))
				if what, why := engine.UndefinedFor(needs, a.kind, b.kind); what != "" {
					s.undefined(d, a, b, what, why)
				}
			}
		}
	}
}

// lawKey returns the key of a parameter of the law between materials a and b: the key of their
// [[law.pair]] if it gives the parameter, otherwise the key of [law].
func (s *Scene) lawKey(a, b int, name string) string {
	row := int(s.law.Row(soa.Material(a), soa.Material(b)))
	if of := fmt.Sprintf("law.pair[%d].%s", row-1, name); row > 0 && s.at.has(of) {
		return of
	}
	return "law." + name
}

// undefined reports a key of the law between two pieces that has no meaning for them.
func (s *checks) undefined(d *document, a, b *piece, what, why string) {
	key, keys := s.lawKey(a.material, b.material, what), d.Law.Keys
	if !strings.HasPrefix(key, "law."+what) {
		keys = d.Law.Pair[s.law.Row(soa.Material(a.material), soa.Material(b.material))-1].Keys
	}
	value := map[string]*float64{"modulus": keys.number("modulus"), "reference_gap": keys.number("reference_gap"), "interaction": &d.Contact.Interaction}[what]
	instead := map[string]string{"modulus": "a stiffness", "reference_gap": "reference_gap = 0", "interaction": `normal = "linear"`}[what]
	if what == "interaction" {
		key = "contact.interaction"
	}
	s.fault(key, fmt.Sprintf("found %g, which has no meaning between %s (material %q) and %s (material %q), expected [[law.pair]] with %s for these materials: %s",
		*value, a.name, s.materials[a.material], b.name, s.materials[b.material], instead, why))
}
