package proof

import (
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
)

// OfTwoFaces is the value of soa.ProofRecord.Kind for a proof of two faces. For other proofs Kind
// is the kind of the facet.
const OfTwoFaces = 255

// Store writes a proof to row i of the contacts. a and b are the shapes of the pair, and id is the
// facet of its answer. until is the sum of the odometers up to which the proof holds.
func (p *Proof) Store(
	con *soa.Contacts, i int, until float64, shapes *soa.Shapes, a, b soa.Shape, id soa.FacetID,
) {
	if !(p.Motion > 0) {
		return
	}
	con.Proven[i], con.PoseBounds[i] = until, p.PoseBound
	c := soa.ProofRecord{Kind: uint8(id.Kind), Apart: p.Apart, Sign: 1}
	if p.Flip {
		c.Sign = -1
	}
	if p.QuadA != 0 {
		c.Kind, c.Rows = OfTwoFaces, [4]uint32{uint32(p.QuadA), uint32(p.QuadB)}
	} else {
		c.Rows = kernels.RowsOf(shapes, a, b, id)
	}
	con.ProofRecord[i] = c
}
