package broad

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Add makes the bodies and pieces that were appended since the last rebuild or the last Add part of the list.
// They have no pairs and no skins yet: AppendLate lists them, so that Update or Rebuild finds their pairs.
func (c *CandidateSearch) Add(b *soa.Bodies, p *soa.Pieces) {
	if !c.known {
		return
	}
	for ; c.nBodies < b.Len(); c.nBodies++ {
		c.limit, c.grow = append(c.limit, math.Inf(-1)), append(c.grow, 0)
		c.state, c.rest = append(c.state, 0), append(c.rest, restPose{})
	}
	for ; c.nPieces < p.Len(); c.nPieces++ {
		c.cellExtent, c.moving = append(c.cellExtent, vec.Box{}), append(c.moving, soa.Piece(c.nPieces))
	}
	c.renumbered()
}

// Remove takes the pieces first to end-1 out of the list: all those of a body. Their rows and that of the body
// remain until CloseUp, which must come before the next Rebuild.
func (c *CandidateSearch) Remove(b soa.Body, first, end soa.Piece) {
	if !c.known {
		return
	}
	c.limit[b] = math.Inf(1)
	c.updates.begin(c.nPieces)
	for p := first; p < end; p++ {
		c.updates.remove(p)
	}
}

// CloseUp keeps the rows of some bodies and pieces, which rise, and drops those of all others, which must have
// been removed. pieceRow has the new row of each piece. The next change of the list must be a Rebuild.
func (c *CandidateSearch) CloseUp(bodies, pieces, pieceRow []uint32) {
	c.reach = soa.Keep(c.reach, bodies)
	if !c.known {
		return
	}
	c.limit, c.grow = soa.Keep(c.limit, bodies), soa.Keep(c.grow, bodies)
	c.state, c.rest = soa.Keep(c.state, bodies), soa.Keep(c.rest, bodies)
	c.cellExtent = soa.Keep(c.cellExtent, pieces)
	c.nBodies, c.nPieces = len(bodies), len(pieces)
	rows := func(of []soa.Piece) []soa.Piece {
		left := of[:0]
		for _, p := range of {
			if pieceRow[p] < pieceRow[p+1] {
				left = append(left, soa.Piece(pieceRow[p]))
			}
		}
		return left
	}
	resting := len(c.resting.piece)
	c.moving, c.resting.piece = rows(c.moving), rows(c.resting.piece)
	c.resplit = c.resplit || len(c.resting.piece) < resting
	c.updates.judged, c.updates.few = true, false
	c.updates.mark, c.updates.rows = c.updates.mark[:0], c.updates.rows[:0]
	c.renumbered()
}

// renumbered records that bodies or pieces have come, gone or moved to other rows.
func (c *CandidateSearch) renumbered() { c.changed, c.others.first = true, -2 }
