package hull

import "github.com/scree-dem/scree/vec"

// layerProof proves that a face which loses corners one after the other keeps the promise of
// maxSpread, without a look at all of its corners for each: a face of n corners would cost n²
// looks.
//
// When all members lie within the thickness t below the supporting plane of the unit normal n,
// then for another n' they lie within t + |n' - n|·D, D being the diagonal of the body's box. The
// loop is made of members. So fits returns true as long as that is at most the tolerance, and need
// not be asked.
//
// Corners that go take the area vector P of the polygon along the path that becomes an edge. With
// T the sum of the parts of all P across n and L that of the parts along n, and L at most half of
// the area F, the tangent of the angle between n and n' is at most 2·T/F. The proof keeps what may
// still go of either.
type layerProof struct {
	normal vec.Vec3
	across float64 // of T, before the layer could be thicker than the tolerance
	along  float64 // of L, before half of the area is gone; 0 where there is no proof
}

// heightRounding is how much of the tolerance is left to rounding, in scaled units, where
// coordinates are at most 1. Differences of two heights by Vec3.Dot are off by 2·3·√3·2⁻⁵³, once
// in the proof and once in fits, and by what a rounding of n is at the distance D.
const heightRounding = 0x1p-48

// newLayerProof returns the proof for a face whose members lie in a layer. Without an area, as of
// a face too thin for areaVector, it proves nothing.
func (s *surface) newLayerProof(n vec.Vec3, area, thickness float64) layerProof {
	slack := s.tol - thickness - heightRounding
	return layerProof{n, slack * area / (2 * s.box.Size().Norm()), area / 2}
}

// holds reports whether the face is proven still.
func (l *layerProof) holds() bool { return l.along > 0 && l.across >= 0 }

// spend takes from the proofs of the faces beside the group, or of one of them, what they would
// lose to it. It does so whether or not they do in the end, and so the proof counts too much at
// worst.
func (s *surface) spend(p *group, one int32) {
	n := len(p.border)
	for i, h := range p.border {
		g := s.edges[s.edges[h].twin].face
		if p.drop[i] || !p.drop[(i+1)%n] || one != none && g != one || !s.faces[g].proof.holds() {
			continue
		}
		// The path from a kept vertex through dropped ones to the next that is kept.
		s.path = append(s.path[:0], s.edges[h].from)
		k := (i + 1) % n
		for ; p.drop[k]; k = (k + 1) % n {
			s.path = append(s.path, s.edges[p.border[k]].from)
		}
		s.path = append(s.path, s.edges[p.border[k]].from)
		l := &s.faces[g].proof
		gone := AreaVector(s.pts, s.path)
		along := gone.Dot(l.normal)
		l.along -= max(along, -along)
		l.across -= gone.AddScaled(-along, l.normal).Norm()
	}
}
