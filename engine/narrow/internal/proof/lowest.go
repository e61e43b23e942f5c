package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// lowestCap is the sine by which an edge rises from a face that a vertex is no longer one of those that may be the lowest
	// over it soon. It is not a tolerance: a smaller one makes fewer vertices, whose budget is shorter.
	lowestCap = 1.0 / 8
	// lowestClear, in units, is by how much asm.FaceLowest wants the lowest vertex to lie below the others.
	lowestClear = 1.0 / (1 << 36)
	// lowestLean is the sine of a facet's cap from which its own budget is not lost to turning.
	lowestLean = 1.0 / 32
)

// lowestBudget is Budget for a facet of a face and a vertex where an edge or a face lies on the face, nearly level, so that a
// turn makes another vertex the lowest: the proof is of the face with whichever of a few vertices is, and kernels.Lowest looks
// which, or declines.
//
// The vertices are those that are reached by edges that rise by less than lowestCap. The proof is that of
// discBudget with the worst of them: the cap is as wide as the edges that lead away rise, or as the lowest rises
// from the kernel's margin, over the longest edge there may be; the foot lies as far inside as the vertex that is nearest
// to a side of the face. All lie over the face, so no farther from the other body's centre than its radius and their height:
// one beyond a side, as a corner of a large body over a small one is, would move by a turn with a longer lever.
func (s *Prover) lowestBudget(turn float64) Proof {
	k := &s.Last
	if !k.known || k.id.Kind > soa.VertexFace || !(k.depth > 0) || k.lean >= lowestLean || s.Scale != 1 || !(turn > 0) {
		return Proof{}
	}
	// A facet alone lasts for a turn of its cap. What does not last for twice as much is not worth it.
	l := s.lowestOf(&k.at, 2*k.lean, 2*k.lean/turn)
	least := float64((lowestClear/2)*s.Unit) / l.radius
	if l.count < 2 || !(k.lean > 4*least) {
		return Proof{}
	}
	far := s.CentreOfB().Norm()
	m := largest(min(k.foot, float64(l.lean/turn), float64(0.25/turn)), float64(leastBudget*s.Unit), func(m float64) bool {
		turned := float64(turn * m)
		move := float64(m * (1 + float64(turn*(k.depth+l.highest))) * (1 + turned))
		deepest := k.depth + move
		return s.AloneBetween(k.n, deepest, deepest, deepest, min(l.lean-turned, least), l.inset-move, m+float64(2*turned*far))
	})
	if !(float64(turn*m) > 2*k.lean) {
		return Proof{}
	}
	f := s.footOf()
	return s.hold(Proof{Lowest: l.at}, m, math.Inf(1), turn, f, max(l.spread, min(s.leversOf(f))))
}

// lowCorners is the vertices of one body that may be the lowest over a face of the other: how many and which, the last repeated;
// the sine of the edges that lead away from them, or of the face's cap if that is less; how far inside the face the nearest to
// its sides lies, how high above the lowest the highest of them, and how far from it the farthest. radius is of the body that they
// are of. Lengths in m.
type lowCorners struct {
	count                int
	at                   soa.Corners
	lean, inset, highest float64
	spread, radius       float64
}

// lowestOf gathers the vertices about that of a spot of a face and a vertex; count is 0 where they are too many, or the cap is no
// wider than asked for, or one of them is not as far inside.
func (s *Prover) lowestOf(on *pair.Spot, cap, inside float64) lowCorners {
	v, face, f, k := s.ViewB, s.ViewA, on.FaceA, on.VertexB
	up := s.Rot.TMulVec(s.ViewA.Normal(on.FaceA))
	if on.Kind == soa.VertexFace {
		v, face, f, k = s.ViewA, s.ViewB, on.FaceB, on.VertexA
		up = s.Rot.MulVec(s.ViewB.Normal(on.FaceB))
	}
	l := lowCorners{count: 1, lean: face.Caps[f], inset: s.Last.foot, radius: v.Radius}
	if !(l.lean > cap) || !(s.Last.foot > inside) {
		return lowCorners{}
	}
	l.at[0] = k
	low := up.Dot(v.Vert(k))
	for i := 0; i < l.count; i++ {
		u := l.at[i]
		from := v.Vert(u)
		if i > 0 {
			_, foot := pair.Inset(face, f, s.across(on.Kind, from))
			if !(foot > inside) {
				return lowCorners{}
			}
			l.inset = min(l.inset, foot)
			l.highest = max(l.highest, up.Dot(from)-low)
			l.spread = max(l.spread, from.Sub(v.Vert(k)).Norm())
		}
		first := v.RingFirst[u]
		for _, h := range v.Ring[first : first+v.RingLen[u]] {
			w := v.Head(h)
			if l.has(w) {
				continue
			}
			edge := v.Vert(w).Sub(from)
			if sine := up.Dot(edge) / edge.Norm(); sine >= lowestCap {
				l.lean = min(l.lean, sine)
			} else if l.count == len(l.at) {
				return lowCorners{}
			} else {
				l.at[l.count] = w
				l.count++
			}
		}
	}
	for i := l.count; i < len(l.at); i++ {
		l.at[i] = l.at[l.count-1]
	}
	return l
}

func (l *lowCorners) has(w soa.Vertex) bool {
	for _, u := range l.at[:l.count] {
		if u == w {
			return true
		}
	}
	return false
}

// across returns a vertex of the body that has the vertex of a facet, in the frame of the one that has the face.
func (s *Prover) across(kind soa.FacetKind, p vec.Vec3) vec.Vec3 {
	if kind == soa.VertexFace {
		return s.ToB(p)
	}
	return s.FromB(p)
}
