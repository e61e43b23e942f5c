package geometry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// Builtin is a shape built from a short text: a ball if Ball is not 0, a disc if Disc is not 0,
// otherwise a polyhedron.
type Builtin struct {
	Ball float64     // m, radius; 0 for other shapes
	Disc float64     // m, radius; 0 for other shapes
	Poly *Polyhedron // nil for a ball and a disc
}

// Template returns the shape as the arena stores it.
func (b Builtin) Template() (*soa.Template, error) {
	if b.Poly != nil {
		return b.Poly.Template(), nil
	}
	if b.Disc != 0 {
		return DiscTemplate(b.Disc)
	}
	return BallTemplate(b.Ball)
}

// builtinForm is a kind of shape and the form of its parameters, which follow the colon.
type builtinForm struct {
	kind, form, sep string
	make            func(v []float64, s []string) (Builtin, error)
}

var builtins = []builtinForm{
	{"box", "AxBxC", "x", func(v []float64, _ []string) (Builtin, error) { return block(Box(v[0], v[1], v[2])) }},
	{"tetra", "EDGE", "", func(v []float64, _ []string) (Builtin, error) { return block(Tetra(v[0])) }},
	{"octa", "EDGE", "", func(v []float64, _ []string) (Builtin, error) { return block(Octa(v[0])) }},
	{"dodeca", "EDGE", "", func(v []float64, _ []string) (Builtin, error) { return block(Dodeca(v[0])) }},
	{"icosa", "EDGE", "", func(v []float64, _ []string) (Builtin, error) { return block(Icosa(v[0])) }},
	{"ball", "R", "", func(v []float64, _ []string) (Builtin, error) {
		_, err := BallTemplate(v[0])
		return Builtin{Ball: v[0]}, err
	}},
	{"disc", "R", "", func(v []float64, _ []string) (Builtin, error) {
		_, err := DiscTemplate(v[0])
		return Builtin{Disc: v[0]}, err
	}},
	{"rock", "SEED,NVERTS,RADIUS", ",", parseRock},
	{"prism", "N,R,H", ",", parsePrism},
}

func block(p *Polyhedron, err error) (Builtin, error) { return Builtin{Poly: p}, err }

// ParseBuiltin returns the shape that spec describes: box:AxBxC, tetra:EDGE, octa:EDGE,
// dodeca:EDGE, icosa:EDGE, ball:R, disc:R, rock:SEED,NVERTS,RADIUS or prism:N,R,H. The name of a
// polyhedron is spec. Errors wrap ErrValue or the error of the shape's constructor.
func ParseBuiltin(spec string) (Builtin, error) {
	kind, rest, colon := strings.Cut(spec, ":")
	shown := shortened(spec)
	if at := strings.IndexFunc(spec, unicode.IsControl); at >= 0 {
		return Builtin{}, mark.Errorf(ErrValue, "geometry: shape %q: byte %d is a control character, expected none", shown, at)
	}
	for _, b := range builtins {
		if b.kind != kind {
			continue
		}
		want := b.kind + ":" + b.form
		fields := []string{rest}
		if b.sep != "" {
			fields = strings.Split(rest, b.sep)
		}
		if n := strings.Count(b.form, b.sep) + 1; !colon || (b.sep != "" && len(fields) != n) {
			return Builtin{}, mark.Errorf(ErrValue, "geometry: shape %q: expected %s", shown, want)
		}
		values := make([]float64, len(fields))
		for i, field := range fields {
			fields[i] = strings.TrimSpace(field)
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil || v-v != 0 || strings.ContainsAny(fields[i], "_xX") { // 1_0 and 0x1p3
				return Builtin{}, mark.Errorf(ErrValue, "geometry: shape %q: %q is not a finite number, expected %s",
					shown, shortened(field), want)
			}
			values[i] = v
		}
		made, err := b.make(values, fields)
		if err != nil {
			return Builtin{}, fmt.Errorf("geometry: shape %q: %w", shown, inner{err})
		}
		if made.Poly != nil {
			made.Poly.Name = spec
		}
		return made, nil
	}
	var forms []string
	for _, b := range builtins {
		forms = append(forms, b.kind+":"+b.form)
	}
	return Builtin{}, mark.Errorf(ErrValue, "geometry: shape %q: expected one of %s", shown, strings.Join(forms, ", "))
}

func shortened(text string) string { return mark.Shorten(text, mark.Shown) }

// IsBuiltin reports whether spec begins with a kind of builtin and a colon.
func IsBuiltin(spec string) bool {
	kind, _, colon := strings.Cut(spec, ":")
	return colon && slices.ContainsFunc(builtins, func(b builtinForm) bool { return b.kind == kind })
}

func parseRock(v []float64, s []string) (Builtin, error) {
	seed, err := strconv.ParseUint(s[0], 10, 64)
	if err != nil {
		return Builtin{}, mark.Errorf(ErrValue, "seed %q is not an integer, expected one from 0 to 2^64-1", shortened(s[0]))
	}
	n, err := strconv.Atoi(s[1])
	if err != nil {
		return Builtin{}, mark.Errorf(ErrValue, "number of vertices %q is not an integer, expected one such as 12", shortened(s[1]))
	}
	return block(Rock(seed, n, v[2]))
}

func parsePrism(v []float64, s []string) (Builtin, error) {
	n, err := strconv.Atoi(s[0])
	if err != nil {
		return Builtin{}, mark.Errorf(ErrValue, "number of corners %q is not an integer, expected one such as 6", shortened(s[0]))
	}
	return block(Prism(n, v[1], v[2]))
}

// inner is an error of this package within another one. It omits the package prefix.
type inner struct{ error }

func (e inner) Error() string { return strings.TrimPrefix(e.error.Error(), "geometry: ") }

func (e inner) Unwrap() error { return e.error }
