package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A ball in a valley touches both sides. In a slight valley the two depths are nearly one depth
// measured twice; in a square valley they are independent. Therefore the contacts of a ball with
// one wall share a potential ½·k·s², with
//
//	s² = max over λ ≥ 0 of 2·λᵀδ − λᵀKλ,   K = c²·(1 + c)/2,   c = eᵢ·eⱼ
//
// δ are the depths and e the unit vectors from the contact points on the wall to the ball's centre
// (docs/decisions/0019-walls-under-overlap-laws). A single contact has s = δ. K is 1 for contacts with the same direction,
// and 0 for contacts 90° or 180° apart. Elementwise powers of the matrix of products eᵢ·eⱼ are
// positive semidefinite (Schur 1911). The maximum therefore exists and is a continuous function of
// depths and directions. K is never negative, so a contact that does not touch has λ = 0.

const (
	// mostPressed is the largest number of contacts with λ > 0. The rank of K is at most 16.
	mostPressed = 24
	// apartShares makes K definite for contacts with the same direction. It makes such contacts
	// stiffer by half this share.
	// Smaller: each force is rounding, the sum is not. Larger: they are stiffer by half of it.
	apartShares = 0x1p-30
	// oneContact is the cosine of 14.3°. Contacts whose directions differ by less are merged, as
	// those of blocks are (engine/surface).
	// Another value: only damping and friction.
	oneContact = 0.969
	// settledShare is the tolerance of solve for rounding, as a share of the largest depth. A
	// contact whose remaining depth is below it keeps λ = 0.
	// Smaller: rounds without effect. Larger: a ball's contact begins with that share of the force.
	settledShare = 0x1p-40
)

// PotentialPart is the part of one contact in the potential that the contacts of a ball and a wall share.
type PotentialPart struct {
	Among  int      // number of contacts that share the potential; 0 if the contact has a potential of its own
	Whole  float64  // m², s² of all contacts together
	Square float64  // m², the part of Whole that belongs to this contact
	Slope  vec.Vec3 // m, gradient of half of s² with respect to the ball's position, through this contact's depth and direction
}

// potentialParts is the workspace for contacts that share a potential.
type potentialParts struct {
	all     []partHolder
	pressed []int // indices in all: the active set, contacts whose λ is or may become positive
	lower   [mostPressed][mostPressed]float64
	next    [mostPressed]float64
}

// partHolder is one of the contacts that share a potential.
type partHolder struct {
	contact int
	depth   float64  // m, δ
	from    vec.Vec3 // e
	share   float64  // m, λ
	done    bool
}

// shareBall makes the contacts of a ball under one law that acts by overlaps share a potential.
func (c *WallFinder) shareBall() {
	s := &c.shares
	for j := range c.Contacts {
		needs := c.Facets[c.Contacts[j].Facet].Needs
		if !needs.Overlap || needs.Unloaded != 0 || c.Contacts[j].Shared.Among > 0 {
			continue
		}
		s.all = s.all[:0]
		for k := j; k < len(c.Contacts); k++ {
			if m := &c.Contacts[k]; c.Facets[m.Facet].Needs == needs && m.Answer.Gap < 0 {
				s.all = append(s.all, partHolder{contact: k, depth: -m.Answer.Gap, from: m.Answer.Normal.Neg()})
			}
		}
		if len(s.all) > 1 {
			s.solve()
			c.giveShares()
			c.joinShares()
		}
	}
}

// likeness returns the entry K of two contacts.
func (s *potentialParts) likeness(i, j int) float64 {
	if i == j {
		return 1
	}
	c := s.all[i].from.Dot(s.all[j].from)
	return float64((0.5 - 0.5*apartShares) * float64(float64(c*c)*(1+c)))
}

// solve computes λ by the active-set method of Lawson and Hanson 1974, chapter 23. In each round,
// the contact with the largest depth that the active set does not account for joins the set.
// Contacts whose λ would become negative leave it.
func (s *potentialParts) solve() {
	s.pressed = s.pressed[:0]
	deepest := 0.0
	for i := range s.all {
		deepest = max(deepest, s.all[i].depth)
	}
	for range 4 * len(s.all) { // more rounds than ever needed
		best, most := -1, float64(settledShare*deepest)
		for i := range s.all {
			left := s.all[i].depth
			for _, j := range s.pressed {
				left -= float64(s.likeness(i, j) * s.all[j].share)
			}
			if left > most && !slices.Contains(s.pressed, i) {
				best, most = i, left
			}
		}
		if best < 0 || len(s.pressed) == mostPressed {
			return
		}
		for s.pressed = append(s.pressed, best); !s.settle(); {
		}
	}
}

// settle moves λ towards the optimum of the active set until the first λ reaches 0. It removes that
// contact from the set and returns false. If no λ reaches 0, it returns true.
func (s *potentialParts) settle() bool {
	s.solvePressed()
	way, out := 1.0, -1
	for k, i := range s.pressed {
		if from, to := s.all[i].share, s.next[k]; !(to > 0) {
			t := 0.0
			if from > 0 {
				t = from / (from - to)
			}
			if out < 0 || t < way {
				way, out = t, k
			}
		}
	}
	for k, i := range s.pressed {
		s.all[i].share += float64(way * (s.next[k] - s.all[i].share))
	}
	if out < 0 {
		return true
	}
	s.all[s.pressed[out]].share = 0
	s.pressed = slices.Delete(s.pressed, out, out+1)
	return false
}

// solvePressed solves K·next = δ for the active set (Cholesky).
func (s *potentialParts) solvePressed() {
	l, n := &s.lower, len(s.pressed)
	for a, i := range s.pressed {
		x := s.all[i].depth
		for b, j := range s.pressed[:a+1] {
			k := s.likeness(i, j)
			for c := range b {
				k -= float64(l[a][c] * l[b][c])
			}
			if a == b {
				l[a][a] = math.Sqrt(max(k, apartShares))
			} else {
				l[a][b] = k / l[b][b]
				x -= float64(l[a][b] * s.next[b])
			}
		}
		s.next[a] = x / l[a][a]
	}
	for a := n - 1; a >= 0; a-- {
		x := s.next[a]
		for b := a + 1; b < n; b++ {
			x -= float64(l[b][a] * s.next[b])
		}
		s.next[a] = x / l[a][a]
	}
}

// giveShares sets Contact.Shared and the place of each contact. The gradient of half of s² with
// respect to the ball's position is
//
//	Σᵢ λᵢ·∇δᵢ − ½·Σᵢⱼ λᵢ·λⱼ·K′·∇(eᵢ·eⱼ),   K′ = c + 3/2·c²
func (c *WallFinder) giveShares() {
	s := &c.shares
	whole := 0.0
	for _, i := range s.pressed {
		whole += float64(s.all[i].share * s.all[i].depth)
	}
	for i := range s.all {
		at := &s.all[i]
		m, pull := &c.Contacts[at.contact], vec.Vec3{}
		for _, j := range s.pressed {
			if other := &s.all[j]; j != i && at.share > 0 {
				cosine := at.from.Dot(other.from)
				pull = pull.AddScaled(float64(other.share*(cosine+float64(1.5*float64(cosine*cosine)))), other.from)
			}
		}
		m.Shared = PotentialPart{
			Among: len(s.all), Whole: whole, Square: float64(at.share * at.depth),
			Slope: m.Answer.Normal.Sub(c.turned(m, pull)).Scale(at.share),
		}
		m.Placed, m.At = true, section.BallLocation(c.pose, c.Facets[m.Facet].Pose, m.Answer.ArmA, m.Answer.ArmB)
	}
}

// joinShares merges contacts with nearly the same direction, the deepest first, so that one
// friction spring persists as a ball rolls from facet to facet.
func (c *WallFinder) joinShares() {
	all := c.shares.all
	for {
		first := -1
		for i := range all {
			if !all[i].done && (first < 0 || all[i].depth > all[first].depth) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		m, at, sum := &c.Contacts[all[first].contact], vec.Vec3{}, 0.0
		for i := range all {
			if all[i].done || i != first && all[i].from.Dot(all[first].from) < oneContact {
				continue
			}
			other := &c.Contacts[all[i].contact]
			at, sum = at.AddScaled(all[i].share, other.At), sum+all[i].share
			if all[i].done = true; i != first {
				other.lost = true
				m.Shared.Square += other.Shared.Square
				m.Shared.Slope = m.Shared.Slope.Add(other.Shared.Slope)
			}
		}
		if sum > 0 {
			m.At = at.Scale(1 / sum)
		}
	}
}

// turned returns the derivative of by·e, 1/m, with respect to the ball's position, where e is the
// direction of contact m.
func (c *WallFinder) turned(m *WallContact, by vec.Vec3) vec.Vec3 {
	f := &c.Facets[m.Facet]
	e := m.Answer.Normal
	across := by.AddScaled(-by.Dot(e), e)
	switch id := f.Answer.Facet; id.Kind {
	case soa.VertexFace:
		return vec.Vec3{}
	case soa.VertexEdge:
		h := f.View.Edge[id.B]
		along := f.Pose.Rot.Rotate(f.View.Vert(f.View.Head(h)).Sub(f.View.Vert(f.View.Tail[h]))).Unit()
		across = across.AddScaled(-across.Dot(along), along)
	}
	return across.Scale(1 / (m.Answer.Gap + c.view.Radius + c.view.Round + f.View.Round))
}
