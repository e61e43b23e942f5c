package report

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// vertex adds a vertex with its normal.
func (f *forms) vertex(v, normal vec.Vec3) {
	f.smooth = appendFloats(f.smooth, v)
	for _, x := range [...]float64{normal.X, normal.Y, normal.Z} {
		f.normals = append(f.normals, int8(math.Round(x*math.MaxInt8)))
	}
}

// addBall adds a ball: an octahedron whose triangles are cut into four.
func (f *forms) addBall(centre vec.Vec3, radius float64, base int) {
	n := 2 << f.fine // parts of an edge
	for _, side := range [2]float64{1, -1} {
		a, b, c := vec.V(side, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)
		for range 4 {
			row := base
			for i := range n + 1 {
				for j := range n + 1 - i {
					p := a.Scale(float64(n-i-j)).AddScaled(float64(i), b).AddScaled(float64(j), c)
					p = p.Scale(1 / p.Norm())
					f.vertex(centre.AddScaled(radius, p), p)
				}
			}
			for i := range n {
				for j := range n - i {
					at := row + j
					above := row + n + 1 - i + j
					f.triangle(side < 0, at, above, at+1)
					if j < n-i-1 {
						f.triangle(side < 0, at+1, above, above+1)
					}
				}
				row += n + 1 - i
			}
			base += (n + 1) * (n + 2) / 2
			b, c = c, b.Scale(-1)
		}
	}
}

// triangle adds a triangle, turned over if flip is set.
func (f *forms) triangle(flip bool, a, b, c int) {
	if flip {
		b, c = c, b
	}
	f.triangles = append(f.triangles, uint32(a), uint32(b), uint32(c))
}

// unit returns a vector of length 1, or zero for a vector without a direction.
func unit(v vec.Vec3) vec.Vec3 {
	if length := v.Norm(); length > 0 && !notFinite(length) {
		return v.Scale(1 / length)
	}
	return vec.Vec3{}
}

// arcs is the number of parts of the round edges of a block.
const arcs = 3

// addRounded adds a rounded block: its faces, moved outward by the radius, cylinders along its edges and parts of balls at
// its corners. It returns false, and adds nothing, if the polygons are not closed.
func (f *forms) addRounded(b *body, base int) bool {
	type edge struct{ from, to uint32 }
	faceOf, normals := map[edge]int{}, make([]vec.Vec3, len(b.polygons))
	for i, polygon := range b.polygons {
		var n vec.Vec3 // Newell's sum
		for k, v := range polygon {
			next := polygon[(k+1)%len(polygon)]
			faceOf[edge{v, next}] = i
			n = n.Add(b.points[v].Sub(b.points[polygon[0]]).Cross(b.points[next].Sub(b.points[polygon[0]])))
		}
		normals[i] = unit(n)
	}
	for e := range faceOf {
		if _, closed := faceOf[edge{e.to, e.from}]; !closed {
			return false
		}
	}
	at := base
	point := func(v uint32, n vec.Vec3) int {
		f.vertex(b.points[v].AddScaled(b.round, n), n)
		at++
		return at - 1
	}
	arc := func(m, n vec.Vec3, k int) vec.Vec3 { // from m to n
		x := m.Scale(float64(arcs-k)).AddScaled(float64(k), n)
		return unit(x)
	}
	ring := map[edge][arcs + 1]int{} // at the start of each half-edge: from the normal of its face to that of the next face
	for i, polygon := range b.polygons {
		first := at
		for _, v := range polygon {
			point(v, normals[i])
		}
		for k := 2; k < len(polygon); k++ {
			f.triangle(false, first, first+k-1, first+k)
		}
		for k, v := range polygon {
			next := polygon[(k+1)%len(polygon)]
			other := normals[faceOf[edge{next, v}]]
			var here, there [arcs + 1]int
			for j := range arcs + 1 {
				here[j] = point(v, arc(normals[i], other, j))
			}
			ring[edge{v, next}] = here
			if v > next {
				continue // The half-edge in the other direction draws the cylinder.
			}
			for j := range arcs + 1 {
				there[j] = point(next, arc(normals[i], other, j))
			}
			for j := range arcs {
				f.triangle(true, here[j], there[j], here[j+1])
				f.triangle(true, here[j+1], there[j], there[j+1])
			}
		}
	}
	// At each corner, triangles from the middle direction to the arcs around.
	middle := map[uint32]int{}
	for _, polygon := range b.polygons {
		for k, v := range polygon {
			if _, done := middle[v]; !done {
				var n vec.Vec3
				next := polygon[(k+1)%len(polygon)]
				for range len(b.polygons) { // the faces around the corner
					i := faceOf[edge{v, next}]
					n = n.Add(normals[i])
					around := b.polygons[i]
					j := slices.Index(around, v)
					next = around[(j+len(around)-1)%len(around)]
					if next == polygon[(k+1)%len(polygon)] {
						break
					}
				}
				middle[v] = point(v, unit(n))
			}
			here := ring[edge{v, polygon[(k+1)%len(polygon)]}]
			for j := range arcs {
				f.triangle(true, middle[v], here[j], here[j+1])
			}
		}
	}
	return true
}
