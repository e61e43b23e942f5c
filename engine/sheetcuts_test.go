package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// A region of a plane that is not convex, cut into facets in many ways, is one sheet: what a body feels over its rims
// depends on the region alone.

// cells is a region: those of a grid with lines anywhere, sheared by so much of y.
type cells struct {
	x, y  []float64
	full  func(i, j int) bool
	shear float64
}

func (g *cells) at(x, y float64) vec.Vec3 { return vec.V(x+g.shear*y, y, 0) }

// regions have rims that turn in at right angles and others: an L, a notch, a slot, a hole, a cross, and teeth.
func regions(wide float64) map[string]*cells {
	a := 0.5 * wide
	tooth := min(a, 0.45)
	return map[string]*cells{
		"L":          {x: []float64{-1, 0, 1}, y: []float64{-1, 0, 1}, full: func(i, j int) bool { return i+j < 2 }},
		"oblique L":  {x: []float64{-1, 0, 1}, y: []float64{-1, 0, 1}, full: func(i, j int) bool { return i+j < 2 }, shear: 0.6},
		"acute L":    {x: []float64{-1, 0, 1}, y: []float64{-1, 0, 1}, full: func(i, j int) bool { return i+j < 2 }, shear: -0.7},
		"notch":      {x: []float64{-1, -a, a, 1}, y: []float64{-1, 0, 1}, full: func(i, j int) bool { return i != 1 || j != 1 }},
		"skew notch": {x: []float64{-1, -a, a, 1}, y: []float64{-1, 0, 1}, full: func(i, j int) bool { return i != 1 || j != 1 }, shear: 0.4},
		"hole":       {x: []float64{-1, -a, a, 1}, y: []float64{-1, -0.7 * a, a, 1}, full: func(i, j int) bool { return i != 1 || j != 1 }},
		"skew hole":  {x: []float64{-1, -a, a, 1}, y: []float64{-1, -0.7 * a, a, 1}, full: func(i, j int) bool { return i != 1 || j != 1 }, shear: 0.5},
		"cross":      {x: []float64{-1, -a, a, 1}, y: []float64{-1, -a, 0.7 * a, 1}, full: func(i, j int) bool { return i == 1 || j == 1 }},
		"teeth": {x: []float64{-1, -2 * tooth, -tooth, 0.3 * tooth, tooth, 1}, y: []float64{-1, 0, 1},
			full: func(i, j int) bool { return j == 0 || i%2 == 0 }},
	}
}

// cuts of a region into facets, of which the last two cover parts of it twice and thrice.
func (g *cells) cuts() map[string]triangles {
	out := map[string]triangles{}
	r := geometry.NewRand(uint64(len(g.x)))
	add := func(name string, corners ...vec.Vec3) {
		if r.Float64() < 0.5 && name != "diagonal" { // turned over
			for i, j := 0, len(corners)-1; i < j; i, j = i+1, j-1 {
				corners[i], corners[j] = corners[j], corners[i]
			}
		}
		out[name] = append(out[name], corners)
	}
	box := func(name string, x0, y0, x1, y1 float64) {
		a, b, c, d := g.at(x0, y0), g.at(x1, y0), g.at(x1, y1), g.at(x0, y1)
		switch name {
		case "rows", "twice":
			add(name, a, b, c, d)
		case "other diagonal":
			add(name, a, b, d)
			add(name, b, c, d)
		default:
			add(name, a, b, c)
			add(name, a, c, d)
		}
	}
	within := func(i, j int) bool { return i >= 0 && j >= 0 && i < len(g.x)-1 && j < len(g.y)-1 && g.full(i, j) }
	for j := range len(g.y) - 1 {
		for i := range len(g.x) - 1 {
			if !g.full(i, j) {
				continue
			}
			x0, x1, y0, y1 := g.x[i], g.x[i+1], g.y[j], g.y[j+1]
			for _, name := range []string{"diagonal", "other diagonal", "thrice"} {
				box(name, x0, y0, x1, y1)
			}
			a, b, c, d := g.at(x0, y0), g.at(x1, y0), g.at(x1, y1), g.at(x0, y1)
			for k, name := range []string{"fans", "slivers"} {
				m := g.at(x0+(0.2+0.6*r.Float64())*(x1-x0), y0+[]float64{0.4, 1e-3}[k]*(y1-y0))
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
			// The longest run of cells from here on, along x and along y.
			if !within(i-1, j) {
				k := i
				for within(k, j) {
					k++
				}
				box("rows", x0, y0, g.x[k], y1)
				box("twice", x0, y0, g.x[k], y1)
				box("thrice", x0, y0, g.x[k], y1)
			}
			if !within(i, j-1) {
				k := j
				for within(i, k) {
					k++
				}
				box("columns", x0, y0, x1, g.y[k])
				box("twice", x0, y0, x1, g.y[k])
				box("thrice", x0, y0, x1, y1)
			}
		}
	}
	return out
}

// TestCommonOfSheets: what a polygon has in common with a sheet is what it has with the cells, which overlap nowhere; and a sheet
// covers a point that a cell holds.
func TestCommonOfSheets(t *testing.T) {
	r := geometry.NewRand(12)
	for name, g := range regions(0.3) {
		for _, cut := range []string{"slivers", "thrice"} {
			w := newWorld(t, Config{}, force.Linear{Kn: 1})
			g.cuts()[cut].wall(t, w, vec.IdentityPose, Motion{})
			s, run := &w.sheets.all[0], &wallRun{}
			var cells [][]flat
			for _, p := range g.cuts()["diagonal"] {
				cells = append(cells, outline(p, s.pose))
			}
			for range 50 {
				about := flat{r.Range(-1, 1) - s.pose.Pos.X, r.Range(-1, 1) - s.pose.Pos.Y}
				var polygon []flat
				size, turn := vec.Pow(10, -4*r.Float64()), 2*pi*r.Float64()
				for k := range 5 {
					sin, cos := math.Sincos(turn + 2*pi*float64(k)/5)
					polygon = append(polygon, flat{size * cos, size * sin})
				}
				var want region
				covered := false
				for _, c := range cells {
					part, in := polygon, true
					for k := range c {
						a, b := c[k], c[(k+1)%len(c)]
						side := rim{flat{a.x - about.x, a.y - about.y}, flat{b.x - about.x, b.y - about.y}}
						part, in = side.cutBy(nil, part), in && side.left(flat{}) > 0
					}
					want.add(part, 1)
					covered = covered || in
				}
				got := s.common(run, polygon, about)
				for _, d := range []float64{got.area - want.area, (got.x - want.x) / size, (got.y - want.y) / size,
					(got.xx - want.xx) / size / size, (got.xy - want.xy) / size / size, (got.yy - want.yy) / size / size} {
					if !(math.Abs(d) < 1e-14*size*(size+1)) {
						t.Fatalf("%s, %s: %v about %v has in common %+v, expected %+v", name, cut, polygon, about, got, want)
					}
				}
				if s.covers(about) != covered {
					t.Fatalf("%s, %s: covers %v %v, expected %v", name, cut, about, !covered, covered)
				}
			}
		}
	}
}
