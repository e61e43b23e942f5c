package broad

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// skinFraction of the mean radius of the movable bodies is the skin when none is given. With f the
	// fraction, u the motion per step in radii, and costs of 100 ns a body for a rebuild, 3 ns a candidate
	// a step, a skin adds about 18·f candidates to the 6 of a dense packing: u/f·100 + 3·18·f is least
	// at f = 0.04 for u = 1e-3. Flat around it; a larger one only makes the list longer.
	skinFraction = 0.05
	// extentRounding of |position| + radius + odometer covers the rounding of a posed vertex (a matrix
	// entry 3 units in the last place, three products and sums, one translation: below 16 units of
	// 2⁻⁵³ each side), of the enlargement and of limit - odometer; and of the place of a piece within a body, at
	// the rebuild and later: below 4 units of the position. Smaller, and an extent far from the
	// origin may exclude its own piece.
	extentRounding = 0x1p-48
	// answerRounding of radius + reach covers how much farther than the reach a pair may be that a search says is within it: 2⁻⁴¹
	// of the largest of both radii and their sum with the reach, half of it for each body; and how the orientation of a
	// piece within a body rounds, 2⁻⁴⁶ of the radius. Smaller, and whether such a pair is a contact may depend on
	// when the list was made.
	answerRounding = 0x1p-41
)

// bodyBits is what the passes ask of a body.
type bodyBits uint8

const (
	prescribed bodyBits = 1 << iota // InvMass is 0
	resting                         // prescribed, and where it was at the last rebuild
	settled                         // its pieces are in the tree of what rests
)

// restPose is where a prescribed body was when the extents of its pieces were computed.
type restPose struct {
	pose     vec.Pose
	odometer float64
}

// chosenSkin returns skinFraction of the mean radius, m, of the movable bodies; 0 if there are none.
// Radii that are not finite do not count.
func chosenSkin(b *soa.Bodies) float64 {
	sum, n := 0.0, 0
	for i, inv := range b.InvMass {
		if r := b.Radius[i]; inv != 0 && r >= 0 && r <= maxExtent {
			sum += r
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return skinFraction * sum / float64(n)
}

// budgetPass gives each body of its chunks a motion budget.
//
// The odometer of a body bounds the path of each of its points since the start (certificate C1), so
// a point is never further from its place at the rebuild than odometer - odometer0, but for the rounding of
// the pose of a piece within its body. With each extent enlarged by that, its body's budget and half the
// reach, pairs with a gap up to the reach overlap in their cell extents: the boxes of the pieces are no
// further apart along any axis than the pieces.
type budgetPass Cells

func (p *budgetPass) Range(lo, hi, worker int) {
	c := (*Cells)(p)
	first, last := c.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		was, grew := c.state[i], c.grow[i]
		c.setBudget(i)
		c.settle(i, grew)
		if (c.state[i]^was)&settled != 0 {
			c.work[worker].changed = true
		}
	}
}

// halfReach returns the share of body i in the reach of its pairs, m.
func (c *Cells) halfReach(i int) float64 {
	reach := float64(0.5 * c.cfg.Reach)
	if i < len(c.reach) {
		reach += c.reach[i]
	}
	return reach
}

func (c *Cells) setBudget(i int) {
	b := c.bodies
	var bits bodyBits
	budget := c.skin
	if b.InvMass[i] == 0 {
		bits = c.restBits(i)
		if b.Vel.At(i) == (vec.Vec3{}) && b.Spin.At(i) == (vec.Vec3{}) {
			// A wall at rest needs no skin. Once it starts to move the list is stale, once.
			budget = 0
		}
	}
	if c.cfg.Horizon > 0 {
		speed := b.Vel.At(i).Norm() + float64(b.Radius[i]*b.Spin.At(i).Norm())
		if ahead := c.cfg.Horizon * speed; ahead > budget && ahead <= maxExtent {
			budget = ahead
		}
	}
	// What is compared later is the odometer with the rounded sum, so what the extent is enlarged by
	// is the motion that sum really allows.
	odometer := b.Odometer[i]
	limit := odometer + budget
	scale := b.Pos.At(i).MaxAbs() + b.Radius[i] + limit
	c.state[i] = bits
	c.limit[i] = limit
	reach := c.halfReach(i)
	c.grow[i] = limit - odometer + reach + float64(extentRounding*scale) + float64(answerRounding*(b.Radius[i]+reach+reach))
}

// restBits reports whether prescribed body i is where it was, to the bit, and notes where it is.
func (c *Cells) restBits(i int) bodyBits {
	b := c.bodies
	now := restPose{pose: b.Pose(soa.Body(i)), odometer: b.Odometer[i]}
	bits := prescribed
	if c.known && c.state[i]&prescribed != 0 && c.rest[i] == now {
		bits |= resting
	}
	c.rest[i] = now
	return bits
}
