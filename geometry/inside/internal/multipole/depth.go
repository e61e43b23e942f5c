package multipole

import "math"

// Costs, in multiplications of a conversion. A fan about eight points takes as long as about 500 of
// them on AVX-512. Each pair of a node and a cell takes about 200 beside its conversion, mostly for
// the bound. Larger values of fanCost lead to deeper trees, larger values of pairCost to shallower
// ones.
const (
	fanCost  = 500.0
	pairCost = 200.0
)

// prePoints is the number of points per triangle for which PreChosen chooses the depth. A larger
// value favours a setup for many points.
const prePoints = 4

// chooseDepth returns the depth at which setting up and locating the given number of points costs
// least, by counts of operations. It assumes that the points are spread evenly over the root's
// cell.
//
// A point of a cell of the deepest level sums the clusters near the cell: nodes of that level, and
// leaves of the levels above. Each is near a fraction of all points, and costs each such point its
// fans. A node is converted to the cells near its parent that are not near the node.
func (m *Method) chooseDepth(points float64) int {
	t := m.tree
	conversion := float64(rowsOf(m.Degree)*blocks(m.Degree)*columnsOfBlock) + pairCost
	best, least, setup, above := 1+m.Extra, math.Inf(1), 0.0, 0.0
	if m.never {
		best = m.farDepth()
	}
	lowest := best
	for level := 1; level <= min(MaxDepth+m.Extra, t.Levels()-1); level++ {
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
		if cost := setup + float64(float64(points*fans)*groupsOf(math.Ldexp(points, -3*level))*fanCost); cost < least && level >= lowest {
			best, least = level, cost
		}
	}
	return best
}

// meets returns how many cells of a node's level are near the node, and to how many cells it is
// converted. The first are in the ball that (16) defines about the node, the others in a ball twice
// as large.
func (m *Method) meets(at int32) (near, far float64) {
	n := &m.tree.Nodes[at]
	reach := float64((m.apart + 1) * max(n.Radius/m.tree.CellSide(int(n.Level)), cornerRadius))
	near = cellsAbout(n.Cell, n.Level, reach)
	return near, max(cellsAbout(n.Cell, n.Level, reach+reach)-near, 0)
}

// cellsAbout returns about how many cells of the root lie in a ball about one of them: the volume
// of the ball times the fraction of its diameter inside the root, axis by axis.
func cellsAbout(cell [3]int32, level int32, radius float64) float64 {
	side := math.Ldexp(1, int(level))
	volume := 4 * math.Pi / 3.0
	for _, c := range cell {
		at := float64(c) + 0.5
		volume = float64(volume * float64(0.5*(min(at+radius, side)-max(at-radius, 0))))
	}
	return min(volume, float64(float64(side*side)*side))
}

// groupsOf returns about how many groups of eight points a point accounts for, if a cell has inCell
// points on average. A single point takes a group, and the last group of many points is half full.
func groupsOf(inCell float64) float64 { return 0.125 + 0.875/(1+float64(2*inCell)) }
