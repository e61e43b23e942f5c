package hull

import "github.com/scree-dem/scree/vec"

// layerProof proves that a face that loses one corner after the other satisfies maxSpread, without
// visiting all of its corners for each lost corner. Otherwise a face of n corners would cost n²
// visits.
//
// Suppose that all members lie within the thickness t below the supporting plane of the unit normal
// n. Then for another normal n' they lie within t + |n' - n|·D, where D is the diagonal of the
// body's box. The loop consists of members. So fits returns true as long as this thickness is at
// most the tolerance, and need not be called.
//
// A path of removed corners becomes an edge. The face thereby loses the area vector P of the
// polygon along the path. For all P together, let T be the summed length of their components
// perpendicular to n. Let L be the summed length of their components along n. If L is at most half
// of the area F, the tangent of the angle between n and n' is at most 2·T/F. The proof stores how
// much T and L may still grow.
type layerProof struct {
	normal vec.Vec3
	across float64 // allowed growth of T before the layer could be thicker than the tolerance
	along  float64 // allowed growth of L before half of the area is gone; 0 if there is no proof
}

// heightRounding is the part of the tolerance reserved for rounding, in scaled units, in which
// coordinates are at most 1. The difference of two heights by Vec3.Dot is off by 2·3·√3·2⁻⁵³, once
// in the proof and once in fits. The rounding of n adds its effect at the distance D.
// Smaller: a face may gain or lose a corner. Larger: more full tests.
const heightRounding = 0x1p-48

// newLayerProof returns the proof for a face of the given area whose members lie in a layer of the
// given thickness along n. If area is 0, because the face is too thin for AreaVector, the proof
// proves nothing.
func (s *mergedFaces) newLayerProof(n vec.Vec3, area, thickness float64) layerProof {
	slack := s.tol - thickness - heightRounding
	return layerProof{n, slack * area / (2 * s.box.Size().Norm()), area / 2}
}

// holds reports whether the proof still applies to the face.
func (l *layerProof) holds() bool { return l.along > 0 && l.across >= 0 }

// spend reduces the proofs of the faces beside the group by the vertices that they would lose to
// the group. If one is not none, spend reduces only the proof of that face. If the merger is then
// rejected, the reduction stays, which only makes the proof more cautious.
func (s *mergedFaces) spend(p *mergeSet, one int32) {
	n := len(p.border)
	for i, h := range p.border {
		g := s.edges[s.edges[h].twin].face
		if p.drop[i] || !p.drop[(i+1)%n] || one != none && g != one || !s.faces[g].proof.holds() {
			continue
		}
		// The path runs from a kept vertex through dropped vertices to the next kept vertex.
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
