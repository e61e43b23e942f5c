package soa

import (
	"reflect"
	"testing"
)

// TestTemplateMakesTheSameShape checks that a shape made from the template of another has the same rows.
func TestTemplateMakesTheSameShape(t *testing.T) {
	var from, to Shapes
	for _, tmpl := range []*Template{tetra(1), fan(7), {Kind: Ball, Name: "ball", Radius: 2, Inner: 2, Volume: 1}} {
		h := add(t, &from, tmpl)
		add(t, &to, from.Template(h))
	}
	from.views, to.views = nil, nil // they point into the arenas
	if !reflect.DeepEqual(from, to) {
		t.Errorf("shapes\n%+v\nexpected\n%+v", to, from)
	}
}
