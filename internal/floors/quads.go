package floors

import (
	"maps"
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// Quads is a region: some of the cells between straight or bent lines, 1e-3 to 1 apart.
type Quads struct {
	Node [][]vec.Vec3 // by row, then column
	full [][]bool
	bent bool
}

// RandomQuads returns a random region.
func RandomQuads(r *geometry.Rand) *Quads {
	lines := func() []float64 {
		x := []float64{0}
		for range 1 + int(4*r.Float64()) {
			d := r.Range(0.2, 1)
			if r.Float64() < 0.3 {
				d *= vec.Pow(10, -3*r.Float64())
			}
			x = append(x, x[len(x)-1]+d)
		}
		for i, last := 0, x[len(x)-1]; i < len(x); i++ {
			x[i] = float64(2*x[i])/last - 1
		}
		return x
	}
	x, y, shear := lines(), lines(), 0.0
	if r.Float64() < 0.6 {
		shear = r.Range(-0.9, 0.9)
	}
	g := &Quads{bent: r.Float64() < 0.3}
	room := func(x []float64, i int) float64 {
		return min(x[min(i+1, len(x)-1)]-x[min(i, len(x)-2)], x[max(i, 1)]-x[max(i-1, 0)])
	}
	for j := range y {
		var row []vec.Vec3
		for i := range x {
			p := vec.V(x[i]+float64(shear*y[j]), y[j], 0)
			if g.bent {
				p = p.AddScaled(0.2*min(room(x, i), room(y, j)), vec.V(r.Range(-1, 1), r.Range(-1, 1), 0))
			}
			row = append(row, p)
		}
		g.Node = append(g.Node, row)
	}
	share, any := r.Range(0.4, 1), false
	for j := range len(y) - 1 {
		g.full = append(g.full, nil)
		for i := range len(x) - 1 {
			g.full[j] = append(g.full[j], r.Float64() < share || !any && i+j == len(x)+len(y)-4)
			any = any || g.full[j][i]
		}
	}
	return g
}

// Cuts returns the region divided into facets in many ways, with the sorted names of the divisions.
// Facets have any orientation, first corner and order. Shards are cells, or rows of cells, that are
// divided repeatedly from a point on one side to another. Their neighbours meet at T-junctions, and
// some shards are slivers of 1e-6.
func (g *Quads) Cuts(r *geometry.Rand) (names []string, out map[string]Facets) {
	out = map[string]Facets{}
	add := func(name string, corners ...vec.Vec3) {
		k := int(float64(len(corners)) * r.Float64())
		c := append(slices.Clone(corners[k:]), corners[:k]...)
		if r.Float64() < 0.5 {
			slices.Reverse(c)
		}
		k = int(float64(len(out[name])+1) * r.Float64())
		out[name] = slices.Insert(out[name], k, c)
	}
	between := func(a, b vec.Vec3, t float64) vec.Vec3 { return a.AddScaled(t, b.Sub(a)) }
	var split func(name string, p []vec.Vec3, n int)
	split = func(name string, p []vec.Vec3, n int) {
		if n == 0 {
			add(name, p...)
			return
		}
		k := int(float64(len(p)) * r.Float64())
		p = append(slices.Clone(p[k:]), p[:k]...) // starts after the side between the last and the first corner
		a, to := between(p[len(p)-1], p[0], r.Range(0.05, 0.95)), 1+int(float64(len(p)-2)*r.Float64())
		one, other := []vec.Vec3{a}, []vec.Vec3{p[to]}
		if r.Float64() < 0.5 {
			other[0] = between(p[to-1], p[to], r.Range(0.05, 0.95))
		} else if to == 1 && len(p) > 3 {
			to, other[0] = 2, p[2]
		}
		one = append(append(one, p[:to]...), other[0])
		if other[0] == p[to] {
			to++
		}
		other = append(append(other, p[to:]...), a)
		if len(one) < 3 || len(other) < 3 {
			add(name, p...)
			return
		}
		split(name, one, n-1)
		split(name, other, n-1)
	}
	in := func(i, j int) bool { return i >= 0 && j >= 0 && j < len(g.full) && i < len(g.full[j]) && g.full[j][i] }
	for j := range g.full {
		for i := range g.full[j] {
			if !in(i, j) {
				continue
			}
			a, b, c, d := g.Node[j][i], g.Node[j][i+1], g.Node[j+1][i+1], g.Node[j+1][i]
			add("diagonal", a, b, c)
			add("diagonal", a, c, d)
			add("other diagonal", a, b, d)
			add("other diagonal", b, c, d)
			u := r.Range(0.1, 0.9)
			for k, name := range []string{"fans", "slivers"} {
				m := between(between(a, b, u), between(d, c, u), []float64{0.4, 1e-3}[k])
				add(name, a, b, m)
				add(name, b, c, m)
				add(name, c, d, m)
				add(name, d, a, m)
			}
			split("shards", []vec.Vec3{a, b, c, d}, 3)
			split("twice", []vec.Vec3{a, b, c, d}, 2)
			add("twice", a, b, c, d)
			if g.bent {
				continue
			}
			if !in(i-1, j) {
				k := i
				for in(k, j) {
					k++
				}
				add("rows", a, g.Node[j][k], g.Node[j+1][k], d)
				split("shards of rows", []vec.Vec3{a, g.Node[j][k], g.Node[j+1][k], d}, 3)
			}
			if !in(i, j-1) {
				k := j
				for in(i, k) {
					k++
				}
				add("columns", a, b, g.Node[k][i+1], g.Node[k][i])
				add("shards of rows", a, b, g.Node[k][i+1], g.Node[k][i])
			}
		}
	}
	return slices.Sorted(maps.Keys(out)), out
}
