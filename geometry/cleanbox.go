package geometry

import "github.com/scree-dem/scree/vec"

// cleanBox returns the vertices of a box, moved so that the box is rectangular. If a vertex would
// move by more than tol, m, cleanBox makes a parallelepiped instead. ok is false if the loops are
// not those of a box, or if both moves exceed tol.
//
// Making faces planar is not enough for a box: its opposite faces would not be parallel, and edges
// of one direction would differ. So cleanBox fits the parallelepiped with the least sum of squared
// moves. Its centre is the mean of the vertices, and each half edge is the mean of the vertices
// with signs.
func cleanBox(verts []vec.Vec3, loops [][]int, tol float64) (moved []vec.Vec3, ok bool) {
	corner, ok := boxCorners(verts, loops)
	if !ok {
		return nil, false
	}
	var offset vec.Vec3 // from vertex 0 to the centre
	var half [3]vec.Vec3
	for k, v := range verts {
		d := v.Sub(verts[0])
		offset = offset.AddScaled(0.125, d)
		for i := range half {
			half[i] = half[i].AddScaled(0.125*boxSign(corner[k], i), d)
		}
	}
	for _, axes := range [2][3]vec.Vec3{squared(half), half} {
		moved = make([]vec.Vec3, len(verts))
		near := true
		for k, v := range verts {
			p := offset
			for i, u := range axes {
				p = p.AddScaled(boxSign(corner[k], i), u)
			}
			moved[k] = verts[0].Add(p)
			near = near && moved[k].Sub(v).Norm() <= tol
		}
		if near {
			return moved, true
		}
	}
	return nil, false
}

// boxSign returns the end of half edge i, -1 or 1, at which the corner lies. Bit i of corner is
// that end.
func boxSign(corner, i int) float64 { return float64(2*(corner>>i&1) - 1) }

// boxCorners returns for each vertex its corner number, 0 to 7; the numbers of neighbours differ in
// one bit. ok is false if the loops are not those of a box.
func boxCorners(verts []vec.Vec3, loops [][]int) (corner []int, ok bool) {
	if len(verts) != 8 || len(loops) != 6 {
		return nil, false
	}
	const unknown = -1
	corner = []int{0, unknown, unknown, unknown, unknown, unknown, unknown, unknown}
	next := 1
	known := func(k int) int {
		if corner[k] == unknown {
			corner[k] = next
			next *= 2
		}
		return corner[k]
	}
	for _, loop := range loops {
		if len(loop) != 4 {
			return nil, false
		}
		for i, k := range loop {
			if k == 0 {
				a, b := known(loop[(i+1)%4]), known(loop[(i+3)%4])
				if far := loop[(i+2)%4]; corner[far] == unknown {
					corner[far] = a | b
				}
			}
		}
	}
	seen := 0
	for k, c := range corner {
		if c == unknown {
			corner[k], c = 7, 7
		}
		seen |= 1 << c
	}
	if next != 8 || seen != 0xff {
		return nil, false
	}
	for _, loop := range loops {
		all, none := 7, 7
		for _, k := range loop {
			all, none = all&corner[k], none&^corner[k]
		}
		if all|none == 0 {
			return nil, false
		}
	}
	return corner, true
}

// squared makes three nearly perpendicular vectors perpendicular. For each pair, both vectors turn
// by half of the deviation. The iteration converges quadratically: three rounds reach rounding from
// a deviation of a thousandth.
func squared(u [3]vec.Vec3) [3]vec.Vec3 {
	for range 3 {
		was := u
		for i := range u {
			for j := range was {
				if i != j {
					u[i] = u[i].AddScaled(-0.5*was[i].Dot(was[j])/was[j].Norm2(), was[j])
				}
			}
		}
	}
	return u
}
