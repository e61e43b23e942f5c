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
	for _, s := range []*Shapes{&from, &to} { // the views point into the arenas
		for _, r := range s.rows {
			r.view = View{Label: r.view.Label, Bend: r.view.Bend, Distinct: r.view.Distinct}
		}
	}
	if !reflect.DeepEqual(from, to) {
		t.Errorf("shapes\n%+v\nexpected\n%+v", to, from)
	}
}
