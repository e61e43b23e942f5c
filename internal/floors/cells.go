package floors

import (
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// GridRegion is a region of the plane: the full cells of a grid with arbitrary grid lines, sheared in x
// by Shear·y.
type GridRegion struct {
	X, Y  []float64
	Full  func(i, j int) bool
	Shear float64
}

// Regions returns regions with reentrant right angles, and others, by name: an L, a notch, a slot,
// a hole, a cross, and teeth.
func Regions(wide float64) map[string]*GridRegion {
	a := 0.5 * wide
	tooth := min(a, 0.45)
	return map[string]*GridRegion{
		"L":          {X: []float64{-1, 0, 1}, Y: []float64{-1, 0, 1}, Full: func(i, j int) bool { return i+j < 2 }},
		"oblique L":  {X: []float64{-1, 0, 1}, Y: []float64{-1, 0, 1}, Full: func(i, j int) bool { return i+j < 2 }, Shear: 0.6},
		"acute L":    {X: []float64{-1, 0, 1}, Y: []float64{-1, 0, 1}, Full: func(i, j int) bool { return i+j < 2 }, Shear: -0.7},
		"notch":      {X: []float64{-1, -a, a, 1}, Y: []float64{-1, 0, 1}, Full: func(i, j int) bool { return i != 1 || j != 1 }},
		"skew notch": {X: []float64{-1, -a, a, 1}, Y: []float64{-1, 0, 1}, Full: func(i, j int) bool { return i != 1 || j != 1 }, Shear: 0.4},
		"hole":       {X: []float64{-1, -a, a, 1}, Y: []float64{-1, -0.7 * a, a, 1}, Full: func(i, j int) bool { return i != 1 || j != 1 }},
		"skew hole":  {X: []float64{-1, -a, a, 1}, Y: []float64{-1, -0.7 * a, a, 1}, Full: func(i, j int) bool { return i != 1 || j != 1 }, Shear: 0.5},
		"cross":      {X: []float64{-1, -a, a, 1}, Y: []float64{-1, -a, 0.7 * a, 1}, Full: func(i, j int) bool { return i == 1 || j == 1 }},
		"teeth": {X: []float64{-1, -2 * tooth, -tooth, 0.3 * tooth, tooth, 1}, Y: []float64{-1, 0, 1},
			Full: func(i, j int) bool { return j == 0 || i%2 == 0 }},
	}
}

func (g *GridRegion) at(x, y float64) vec.Vec3 { return vec.V(x+float64(g.Shear*y), y, 0) }

// Cuts returns the region divided into facets in many ways, by name.
func (g *GridRegion) Cuts() map[string]Facets {
	out := map[string]Facets{}
	r := geometry.NewRand(uint64(len(g.X)))
	add := func(name string, corners ...vec.Vec3) {
		if r.Float64() < 0.5 && name != "diagonal" { // reversed
			slices.Reverse(corners)
		}
		out[name] = append(out[name], corners)
	}
	box := func(name string, x0, y0, x1, y1 float64) {
		a, b, c, d := g.at(x0, y0), g.at(x1, y0), g.at(x1, y1), g.at(x0, y1)
		switch name {
		case "rows":
			add(name, a, b, c, d)
		case "other diagonal":
			add(name, a, b, d)
			add(name, b, c, d)
		default:
			add(name, a, b, c)
			add(name, a, c, d)
		}
	}
	within := func(i, j int) bool { return i >= 0 && j >= 0 && i < len(g.X)-1 && j < len(g.Y)-1 && g.Full(i, j) }
	for j := range len(g.Y) - 1 {
		for i := range len(g.X) - 1 {
			if !g.Full(i, j) {
				continue
			}
			x0, x1, y0, y1 := g.X[i], g.X[i+1], g.Y[j], g.Y[j+1]
			for _, name := range []string{"diagonal", "other diagonal"} {
				box(name, x0, y0, x1, y1)
			}
			a, b, c, d := g.at(x0, y0), g.at(x1, y0), g.at(x1, y1), g.at(x0, y1)
			for k, name := range []string{"fans", "slivers"} {
				m := g.at(x0+float64((0.2+float64(0.6*r.Float64()))*(x1-x0)), y0+float64([]float64{0.4, 1e-3}[k]*(y1-y0)))
				add(name, a, b, m)
				add(name, b, c, m)
				add(name, c, d, m)
				add(name, d, a, m)
			}
			n, m := 1+int(4*r.Float64()), 1+int(4*r.Float64())
			for p := range n {
				for q := range m {
					u, v := float64(n), float64(m)
					box("fine", x0+(x1-x0)*float64(p)/u, y0+(y1-y0)*float64(q)/v, x0+(x1-x0)*float64(p+1)/u, y0+(y1-y0)*float64(q+1)/v)
				}
			}
			// The longest run of full cells from this one, along x and along y.
			if !within(i-1, j) {
				k := i
				for within(k, j) {
					k++
				}
				box("rows", x0, y0, g.X[k], y1)
			}
			if !within(i, j-1) {
				k := j
				for within(i, k) {
					k++
				}
				box("columns", x0, y0, x1, g.Y[k])
			}
		}
	}
	return out
}
