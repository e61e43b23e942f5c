package multipole

import "math"

// Costs in the unit of one multiplication of a conversion. A fan about eight points takes as long
// as some 500 of them on AVX-512, and what each pair of a node and a cell takes beside its
// conversion, the bound above all, some 200. Larger: deeper trees, or shallower ones.
const (
	fanCost  = 500.0
	pairCost = 200.0
)

// prePoints is how many points a triangle a depth for the mesh alone suits. Larger: the setup is
// for many points.
const prePoints = 4

// chooseDepth returns the depth at which setting up and answering so many points costs least, by
// counts of operations. It takes points for spread evenly over the root's cell.
//
// A point of a cell of the deepest level meets the clusters near it: nodes of that level, and
// leaves of those above. Each is near a share of all points, and costs a point its fans. A node is
// converted to the cells near its parent that are not near itself.
func (m *Method) chooseDepth(points float64) int {
	t := m.tree
	conversion := float64(rowsOf(m.Degree)*blocks(m.Degree)*columnsOfBlock) + pairCost
	best, least, setup, above := 1, math.Inf(1), 0.0, 0.0
	for level := 1; level <= min(MaxDepth, t.Levels()-1); level++ {
		fans, leafFans := 0.0, above
		for at := t.First[level]; at < t.First[level+1]; at++ {
			n := &t.Nodes[at]
			near, far := m.meets(at)
			setup += float64(far * conversion)
			met := float64(math.Ldexp(float64(near*float64(n.FanHi-n.FanLo)), -3*level))
			fans += met
			if n.NChild == 0 {
				leafFans += met
			}
		}
		fans += above
		above = leafFans
		if cost := setup + float64(float64(points*fans)*groupsOf(math.Ldexp(points, -3*level))*fanCost); cost < least {
			best, least = level, cost
		}
	}
	return best
}

// meets returns how many cells of its level are near a node, and to how many it is converted: those
// in the ball that (16) has about it, and in the ball of its parent, twice as large.
func (m *Method) meets(at int32) (near, far float64) {
	n := &m.tree.Nodes[at]
	reach := float64((apart + 1) * max(n.Radius/m.tree.CellSide(int(n.Level)), cornerRadius))
	near = cellsAbout(n.Cell, n.Level, reach)
	return near, max(cellsAbout(n.Cell, n.Level, reach+reach)-near, 0)
}

// cellsAbout is about how many cells of the root lie in a ball about one of them: the ball's volume
// times the share of its diameter that lies in the root, axis by axis.
func cellsAbout(cell [3]int32, level int32, radius float64) float64 {
	side := math.Ldexp(1, int(level))
	volume := 4 * math.Pi / 3.0
	for _, c := range cell {
		at := float64(c) + 0.5
		volume = float64(volume * float64(0.5*(min(at+radius, side)-max(at-radius, 0))))
	}
	return min(volume, float64(float64(side*side)*side))
}

// groupsOf is about how many groups of eight points a point stands for, if a cell holds so many on
// average: one alone takes a group, and the last of many is half full.
func groupsOf(inCell float64) float64 { return 0.125 + 0.875/(1+float64(2*inCell)) }
