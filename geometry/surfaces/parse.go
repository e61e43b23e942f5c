package surfaces

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/geometry"
)

// kind is a kind of surface with the form of its values, which follow the colon. A value in lower
// case is a whole number.
type kind struct {
	name, form string
	make       func(x []float64, n []uint64) (*geometry.Mesh, error)
}

// kinds lists the kinds that Parse accepts.
var kinds = []kind{
	{"sphere", "R,k", func(x []float64, n []uint64) (*geometry.Mesh, error) { return Sphere(x[0], whole(n[1])) }},
	{"torus", "R,R,m,n", func(x []float64, n []uint64) (*geometry.Mesh, error) {
		return Torus(x[0], x[1], whole(n[2]), whole(n[3]))
	}},
	{"foam", "seed,n", func(_ []float64, n []uint64) (*geometry.Mesh, error) {
		return Foam(FoamOptions{Seed: n[0], Cubes: whole(n[1])})
	}},
	{"dyadic-foam", "seed,n", func(_ []float64, n []uint64) (*geometry.Mesh, error) {
		return Foam(FoamOptions{Seed: n[0], Cubes: whole(n[1]), Dyadic: true})
	}},
	{"terrain", "seed,n,SIZE", func(x []float64, n []uint64) (*geometry.Mesh, error) { return Terrain(n[0], whole(n[1]), x[2]) }},
	{"tube", "n,R,H", func(x []float64, n []uint64) (*geometry.Mesh, error) { return Tube(whole(n[0]), x[1], x[2]) }},
}

// whole converts n to an int. It limits n to 2³⁰, which no surface accepts.
func whole(n uint64) int { return int(min(n, 1<<30)) }

// Forms lists the forms that Parse accepts, for example sphere:R,k.
func Forms() (forms []string) {
	for _, k := range kinds {
		forms = append(forms, k.name+":"+k.form)
	}
	return forms
}

// Is reports whether spec begins with a kind of surface and a colon.
func Is(spec string) bool {
	name, _, colon := strings.Cut(spec, ":")
	return colon && slices.ContainsFunc(kinds, func(k kind) bool { return k.name == name })
}

// Parse returns the surface that spec describes: sphere:R,k, torus:R,R,m,n (the larger radius
// first), foam:seed,n, dyadic-foam:seed,n, terrain:seed,n,SIZE or tube:n,R,H. The name of the mesh is spec. Errors wrap
// geometry.ErrValue.
func Parse(spec string) (*geometry.Mesh, error) {
	name, rest, _ := strings.Cut(spec, ":")
	shown := spec[:min(len(spec), shownBytes)]
	for _, k := range kinds {
		if k.name != name {
			continue
		}
		want, fields, letters := k.name+":"+k.form, strings.Split(rest, ","), strings.Split(k.form, ",")
		if len(fields) != len(letters) {
			return nil, wrong("surface %q has %d values, expected %s", shown, len(fields), want)
		}
		x, n := make([]float64, len(fields)), make([]uint64, len(fields))
		for i, field := range fields {
			var err error
			kindOf := "a number"
			if field = strings.TrimSpace(field); letters[i] == strings.ToLower(letters[i]) {
				kindOf = "a whole number ≥ 0"
				n[i], err = strconv.ParseUint(field, 10, 64)
			} else {
				x[i], err = strconv.ParseFloat(field, 64)
			}
			if err != nil {
				return nil, wrong("surface %q: %s is %q, expected %s as in %s", shown, letters[i], field[:min(len(field), shownBytes)], kindOf, want)
			}
		}
		m, err := k.make(x, n)
		if err != nil {
			return nil, fmt.Errorf("%w, in %q", err, shown)
		}
		m.Name = spec
		return m, nil
	}
	return nil, wrong("surface is %q, expected one of %s", shown, strings.Join(Forms(), ", "))
}

// shownBytes is how many bytes of a description a message repeats.
const shownBytes = 120
