package broad

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// skinFraction times the mean radius of the movable bodies is the skin if Config.Skin is 0. Let
	// f be the fraction and u the motion per step in radii. A rebuild costs 100 ns per body, and a
	// candidate 3 ns per step. A skin adds about 18·f candidates to the 6 of a dense packing. The
	// cost u/f·100 + 3·18·f is least at f = 0.04 for u = 1e-3. The minimum is flat. A larger
	// fraction only makes the list longer.
	skinFraction = 0.05
	// extentRounding of |position| + radius + odometer covers these roundings: of a posed vertex (a
	// matrix entry 3 units in the last place, three products and sums, one translation: below 16
	// units of 2⁻⁵³ each side), of the enlargement, and of limit - odometer. It also covers the
	// rounding of a piece's place in its body, at the rebuild and later: below 4 units of the
	// position. With a smaller value, an extent far from the origin might not contain its own
	// piece.
	extentRounding = 0x1p-48
	// answerRounding of radius + reach covers two errors of the gap search. A search may report a
	// pair as within the reach although it is farther apart. The excess is at most 2⁻⁴¹ of the
	// largest of both radii and their sum with the reach. Each body covers half of this. The
	// orientation of a piece in its body rounds by 2⁻⁴⁶ of the radius. With a smaller value,
	// whether such a pair is a contact might depend on when the list was made.
	answerRounding = 0x1p-41
)

// bodyBits holds the properties of a body that the passes use.
type bodyBits uint8

const (
	prescribed bodyBits = 1 << iota // InvMass is 0
	resting                         // prescribed, and has not moved since the last rebuild
	settled                         // its pieces are in the tree of resting pieces
)

// restPose is the state of a prescribed body when the extents of its pieces were computed.
type restPose struct {
	pose     vec.Pose
	odometer float64
}

// chosenSkin returns skinFraction of the mean radius of the movable bodies, m, or 0 if there are
// none. It ignores radii that are not finite.
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

// skinPass gives each body of its chunks a skin.
//
// The odometer of a body bounds the path of each of its points since the start (certificate C1). So
// a point is at most odometer - odometer0 away from its place at the rebuild, apart from the
// rounding of a piece's pose in its body. Each extent is enlarged by that rounding, its body's skin
// and half of the reach. Along any axis, the boxes of two pieces are no farther apart than the
// pieces. Hence the cell extents of every pair with a gap up to the reach overlap.
type skinPass CandidateSearch

func (p *skinPass) Range(lo, hi, worker int) {
	c := (*CandidateSearch)(p)
	first, last := c.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		was, grew := c.state[i], c.grow[i]
		c.setSkin(i)
		c.settle(i, grew)
		if (c.state[i]^was)&settled != 0 {
			c.work[worker].changed = true
		}
	}
}

// halfReach returns the share of body i in the reach of its pairs, m.
func (c *CandidateSearch) halfReach(i int) float64 {
	reach := float64(0.5 * c.cfg.Reach)
	if i < len(c.reach) {
		reach += c.reach[i]
	}
	return reach
}

// setSkin computes the skin of body i, and how far the extents of its pieces are enlarged.
func (c *CandidateSearch) setSkin(i int) {
	b := c.bodies
	var bits bodyBits
	skin := c.skin
	if b.InvMass[i] == 0 {
		bits = c.restBits(i)
		if b.Vel.At(i) == (vec.Vec3{}) && b.Spin.At(i) == (vec.Vec3{}) {
			// A wall at rest needs no skin. When it starts to move, the list becomes stale once.
			skin = 0
		}
	}
	if c.cfg.Horizon > 0 {
		speed := b.Vel.At(i).Norm() + float64(b.Radius[i]*b.Spin.At(i).Norm())
		if ahead := c.cfg.Horizon * speed; ahead > skin && ahead <= maxExtent {
			skin = ahead
		}
	}
	skin = min(skin, c.longest)
	// Later passes compare the odometer with the rounded sum limit. So the extent is enlarged by
	// limit - odometer, which is the motion that the comparison really allows.
	odometer := b.Odometer[i]
	limit := odometer + skin
	scale := b.Pos.At(i).MaxAbs() + b.Radius[i] + limit
	if c.home != nil {
		scale += c.home[i].MaxAbs()
	}
	c.state[i] = bits
	c.limit[i] = limit
	reach := c.halfReach(i)
	c.grow[i] = limit - odometer + reach + float64(extentRounding*scale) + float64(answerRounding*(b.Radius[i]+reach+reach))
}

// restBits returns prescribed, and also resting if prescribed body i has the same pose, to the bit,
// as at the last rebuild. It stores the present pose.
func (c *CandidateSearch) restBits(i int) bodyBits {
	b := c.bodies
	now := restPose{pose: b.Pose(soa.Body(i)), odometer: b.Odometer[i]}
	bits := prescribed
	if c.known && c.state[i]&prescribed != 0 && c.rest[i] == now {
		bits |= resting
	}
	c.rest[i] = now
	return bits
}
