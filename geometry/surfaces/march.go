package surfaces

import "github.com/scree-dem/scree/vec"

// lattice is a body-centred lattice with a value at each point, and the surface where the value
// changes sign. Its points are the corners of cubes and the cubes' centres. Each tetrahedron has
// the centres of two neighbouring cubes, and two neighbouring corners of the face between the
// cubes.
//
//	    R-------.
//	   /|      /|     A, B  centres of the cubes
//	A · | · · · · B   Q, R  an edge of the face between them
//	   \|      /
//	    Q-----'
//
// A layer of cubes surrounds the box, so no tetrahedron of the outer layer has a point inside.
type lattice struct {
	n       int       // cubes along a side, including the layer
	spacing float64   // m
	value   []float64 // < 0 inside; the (n+1)³ corners, then the n³ centres, x fastest
	dyadic  bool

	edges map[[2]int]int // an edge as two lattice points in ascending order → its vertex
	verts []vec.Vec3
	tris  [][3]int
}

func newLattice(cubes int, f func(vec.Vec3) float64) *lattice {
	n := cubes + 2
	corners := (n + 1) * (n + 1) * (n + 1)
	l := &lattice{n: n, spacing: 2 / float64(cubes), value: make([]float64, corners+n*n*n), edges: map[[2]int]int{}}
	for i := range l.value {
		l.value[i] = f(l.place(i))
	}
	return l
}

func (l *lattice) corner(x, y, z int) int { return (z*(l.n+1)+y)*(l.n+1) + x }

func (l *lattice) centre(x, y, z int) int {
	return (l.n+1)*(l.n+1)*(l.n+1) + (z*l.n+y)*l.n + x
}

// place returns the position of a lattice point, m. It is exact if the number of cubes is a power
// of two.
func (l *lattice) place(i int) vec.Vec3 {
	m, half := l.n+1, 0.0
	if corners := m * m * m; i >= corners {
		i, m, half = i-corners, l.n, 0.5
	}
	at := func(k int) float64 { return float64((float64(k-1)+half)*l.spacing) - 1 }
	return vec.V(at(i%m), at(i/m%m), at(i/m/m))
}

// march makes the surface, one face between cubes after the other.
func (l *lattice) march() {
	for z := range l.n {
		for y := range l.n {
			for x := range l.n {
				a := l.centre(x, y, z)
				if x+1 < l.n {
					l.face(a, l.centre(x+1, y, z), l.corner(x+1, y, z), l.corner(x+1, y+1, z), l.corner(x+1, y+1, z+1), l.corner(x+1, y, z+1))
				}
				if y+1 < l.n {
					l.face(a, l.centre(x, y+1, z), l.corner(x, y+1, z), l.corner(x, y+1, z+1), l.corner(x+1, y+1, z+1), l.corner(x+1, y+1, z))
				}
				if z+1 < l.n {
					l.face(a, l.centre(x, y, z+1), l.corner(x, y, z+1), l.corner(x+1, y, z+1), l.corner(x+1, y+1, z+1), l.corner(x, y+1, z+1))
				}
			}
		}
	}
}

// face processes the four tetrahedra of a face. The face's corners run counter-clockwise seen from
// b.
func (l *lattice) face(a, b int, q ...int) {
	for k := range q {
		l.tetrahedron(a, b, q[k], q[(k+1)%4])
	}
}

// evenOrders has even permutations of the points of a tetrahedron, by the set of points inside (bit
// i for point i). The one or two points of one kind come first, and the orientation stays the same.
var evenOrders = [16][4]int{
	0b0001: {0, 1, 2, 3}, 0b0010: {1, 0, 3, 2}, 0b0100: {2, 3, 0, 1}, 0b1000: {3, 2, 1, 0},
	0b1110: {0, 1, 2, 3}, 0b1101: {1, 0, 3, 2}, 0b1011: {2, 3, 0, 1}, 0b0111: {3, 2, 1, 0},
	0b0011: {0, 1, 2, 3}, 0b1100: {2, 3, 0, 1}, 0b0101: {0, 2, 3, 1}, 0b1010: {3, 1, 0, 2},
	0b1001: {0, 3, 1, 2}, 0b0110: {1, 2, 0, 3},
}

// tetrahedron adds the surface inside a tetrahedron of positive volume. The value is taken as
// linear along the edges.
func (l *lattice) tetrahedron(points ...int) {
	inside, count := 0, 0
	for i, p := range points {
		if l.value[p] < 0 {
			inside |= 1 << i
			count++
		}
	}
	o := evenOrders[inside]
	a, b, c, d := points[o[0]], points[o[1]], points[o[2]], points[o[3]]
	switch count {
	case 1:
		l.tris = append(l.tris, [3]int{l.vertex(a, b), l.vertex(a, c), l.vertex(a, d)})
	case 2:
		ac, ad, bd, bc := l.vertex(a, c), l.vertex(a, d), l.vertex(b, d), l.vertex(b, c)
		l.tris = append(l.tris, [3]int{ac, ad, bd}, [3]int{ac, bd, bc})
	case 3:
		l.tris = append(l.tris, [3]int{l.vertex(a, b), l.vertex(a, d), l.vertex(a, c)})
	}
}

// vertex returns the vertex on the edge between two lattice points.
func (l *lattice) vertex(p, q int) int {
	edge := [2]int{min(p, q), max(p, q)}
	v, known := l.edges[edge]
	if known {
		return v
	}
	t := 0.5
	if !l.dyadic {
		from, to := l.value[edge[0]], l.value[edge[1]]
		t = min(max(from/(from-to), foamNear), 1-foamNear)
	}
	v = len(l.verts)
	l.edges[edge] = v
	from, to := l.place(edge[0]), l.place(edge[1])
	l.verts = append(l.verts, from.Add(to.Sub(from).Scale(t)))
	return v
}
