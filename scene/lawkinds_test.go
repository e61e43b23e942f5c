package scene

import (
	"context"
	"strings"
	"testing"
)

// TestGapsOfOneBlock: one block cannot touch itself, but two blocks can touch each other.
func TestGapsOfOneBlock(t *testing.T) {
	const text = `[time]
dt = 1e-4
steps = 3
[materials.m]
density = 1000
[materials.n]
density = 1000
[shapes.cube]
builtin = "box:1x1x1"
material = "m"
[shapes.ball]
builtin = "ball:0.5"
material = "n"
[[bodies]]
shape = "cube"
position = [0, 0, 0]
[[bodies]]
shape = "ball"
position = [2, 0, 0]
[law]
stiffness = 1e6
restitution = 0.5
reference_gap = 0.01
`
	if _, err := Load(write(t, text, nil)); err != nil {
		t.Error(err)
	}
	const more = "[[bodies]]\nshape = \"cube\"\nposition = [0, 0, 3]\n"
	if _, err := Load(write(t, text+more, nil)); err == nil || !strings.Contains(err.Error(), "law.reference_gap") {
		t.Errorf("two blocks: %v", err)
	}
}

// TestGapsOfThickness reads interaction distances and reference gaps under the thickness law. A
// value without meaning between two shapes is rejected with its key and the reason.
func TestGapsOfThickness(t *testing.T) {
	const plane, mesh = "plane = {point = [0, 0, 0], normal = [0, 0, 1]}", `file = "square.obj"`
	of := "restitution = 0.5"
	pair := of + "\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\n"
	for _, c := range []struct {
		what, law, contact string
		mesh, balls        bool
		want, warning      string
	}{
		{"inside", of + "\nreference_gap = -0.001", "", false, false, "", ""},
		{"inside, with a modulus", pair + "modulus = 1e6\narea_exponent = 1\nreference_gap = -0.001", "", false, false, "", ""},
		{"inside facets", of + "\nreference_gap = -0.001", "", true, false,
			`scene.toml:39: law.reference_gap: found -0.001, which has no meaning between the blocks of shapes.cube (material "rock") and the facets of walls[0] (material "steel"), ` +
				"expected [[law.pair]] with reference_gap = 0 for these materials: a block shares one overlap", ""},
		{"not inside facets", of + "\nreference_gap = -0.001\n[[law.pair]]\nmaterials = [\"rock\", \"steel\"]\nreference_gap = 0", "", true, false, "", ""},
		{"outside", of + "\nreference_gap = 0.001", "", false, false,
			`scene.toml:39: law.reference_gap: found 0.001, which has no meaning between the blocks of shapes.cube (material "rock") and the blocks of shapes.cube (material "rock"), ` +
				"expected [[law.pair]] with reference_gap = 0 for these materials: bodies that are apart", ""},
		{"outside, of a pair", pair + "reference_gap = 0.001", "", false, false, `law.pair[0].reference_gap: found 0.001, which has no meaning between the blocks of shapes.cube (material "rock") and `, ""},
		{"outside balls", of + "\nreference_gap = 0.001", "", true, true, "", ""},
		{"outside, with a modulus", pair + "modulus = 1e6\narea_exponent = 1\nreference_gap = 0.001", "", false, true,
			"law.pair[0].reference_gap: found 0.001, expected at most 0 m beside a modulus", ""},
		{"interaction", of, "\ninteraction = 0.01", false, false, "", ""},
		{"interaction of balls and facets", of, "\ninteraction = 0.01", true, true, "", ""},
		{"interaction with facets", of, "\ninteraction = 0.01", true, false,
			`contact.interaction: found 0.01, which has no meaning between the blocks of shapes.cube (material "rock") and the facets of walls[0] (material "steel"), ` +
				`expected [[law.pair]] with normal = "linear" for these materials: a block and facets are active where they overlap alone`, ""},
		{"interaction with facets under another law", pair + "normal = \"linear\"\nstiffness = 1e6", "\ninteraction = 0.01", true, false, "", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			text := strings.Replace(replaced(t, of, c.law), `method = "auto"`, `method = "auto"`+c.contact, 1)
			if c.mesh {
				text = strings.Replace(text, plane, mesh, 1)
			}
			if c.balls {
				text = strings.NewReplacer(`["cube", "ball"]`, `["ball"]`, `shape = "cube"`, `shape = "ball"`).Replace(text)
			}
			s, err := Load(write(t, text, map[string]string{"square.obj": square}))
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, expected %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if told := strings.Join(s.warnings, "; "); !strings.Contains(told, c.warning) || c.warning == "" && told != "" {
				t.Errorf("warnings %q, expected %q", told, c.warning)
			}
			if _, err := Run(context.Background(), s, Options{Dir: t.TempDir(), Steps: 3, Workers: 1}); err != nil {
				t.Error(err)
			}
		})
	}
}
