package scene

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
)

// checkKinds rejects a modulus, a reference gap or an interaction distance between pieces for which
// it has no meaning (engine.KindError).
func (s *checks) checkKinds(d *document) {
	if !s.law.RestrictsKinds() {
		return
	}
	w, err := s.sample(s.law, false)
	if k := (*engine.KindError)(nil); errors.As(err, &k) {
		s.undefined(d, k)
	} else if err == nil {
		w.Close()
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
func (s *checks) undefined(d *document, k *engine.KindError) {
	a, b := int(k.Materials[0]), int(k.Materials[1])
	key, keys := s.lawKey(a, b, k.Key), d.Law.Keys
	if !strings.HasPrefix(key, "law."+k.Key) {
		keys = d.Law.Pair[s.law.Row(soa.Material(a), soa.Material(b))-1].Keys
	}
	value := map[string]*float64{"modulus": keys.number("modulus"), "reference_gap": keys.number("reference_gap"), "interaction": &d.Contact.Interaction}[k.Key]
	instead := map[string]string{"modulus": "a stiffness", "reference_gap": "reference_gap = 0", "interaction": `normal = "linear"`}[k.Key]
	if k.Key == "interaction" {
		key = "contact.interaction"
	}
	s.fault(key, fmt.Sprintf("found %g, which has no meaning between the %vs of %s (material %q) and the %vs of %s (material %q), expected [[law.pair]] with %s for these materials: %s",
		*value, k.Kinds[0], k.Names[0], s.materials[a], k.Kinds[1], k.Names[1], s.materials[b], instead, k.Why))
}
