package narrow

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// paperMotion moves pairs that touch by steps within the tolerance.
type paperMotion struct {
	r      *rand.Rand
	s      *Search
	p      placement
	dtol   float64
	fast   float64  // times the speed at which no vertex moves farther than a third of dtol in a step
	slide  vec.Vec3 // m a step, world
	turn   vec.Vec3 // rad a step, world
	direct ContactList
}

// begin places the bodies in a contact of the given type and draws a motion.
func (m *paperMotion) begin(want Type, a, b *soa.View) {
	m.p = posedAs(m.r, want, a, b)
	m.dtol = 1e-4 * min(a.Radius, b.Radius)
	speed := 0.2 * m.fast * m.dtol * m.r.Float64()
	m.slide = randomUnit(m.r).Scale(speed)
	m.turn = randomUnit(m.r).Scale(0.1 * m.fast * m.dtol * m.r.Float64() / m.p.b.Radius * float64(m.r.IntN(2)))
}

// step moves B, and sets the gap to one within a third of dtol.
func (m *paperMotion) step() {
	m.p.pb.Pos = m.p.pb.Pos.Add(m.slide)
	m.p.pb.Rot = vec.FromRotationVector(m.turn).Mul(m.p.pb.Rot).Normalized()
	var out Answer
	m.s.Exhaustive(m.p.a, m.p.pa, m.p.b, m.p.pb, math.Inf(1), &out)
	if math.Abs(out.Gap) > 0.3*m.dtol {
		m.p.pb.Pos = m.p.pb.Pos.AddScaled(-0.2*m.dtol-out.Gap, out.Normal)
	}
}

// truth sets direct to the list of the direct search. It reports whether the list is the same for
// a third and for three times the tolerance, so that no feature is on its border.
func (m *paperMotion) truth() bool {
	var half, twice ContactList
	var out Answer
	m.s.in.Direct(m.p.a, m.p.pa, m.p.b, m.p.pb, 0, m.dtol, &m.direct, &out)
	m.s.in.Direct(m.p.a, m.p.pa, m.p.b, m.p.pb, 0, m.dtol/3, &half, &out)
	m.s.in.Direct(m.p.a, m.p.pa, m.p.b, m.p.pb, 0, 3*m.dtol, &twice, &out)
	return m.direct.Type == half.Type && m.direct.Type == twice.Type &&
		sameFeatures(m.direct.Basic, half.Basic) && sameFeatures(m.direct.Basic, twice.Basic) && m.direct.Type != NoType &&
		m.direct.Basic[0].Normal.Sub(half.Basic[0].Normal).Norm() < 1e-3 && m.direct.Basic[0].Normal.Sub(twice.Basic[0].Normal).Norm() < 1e-3
}

// TestPaperMoves compares the published search with the direct search while pairs slide and turn.
// Type, features, points, normals and distances must be those of the direct search. The published
// rule keeps the list while the number n_v is the same. Where the list is then another one, this is
// counted, and our own fast direct search must have the right one.
func TestPaperMoves(t *testing.T) {
	motions, steps := 800, 130
	if require.Quick() {
		motions = 80
	}
	m := paperMotion{r: rand.New(rand.NewPCG(71, 72)), s: NewSearch(), fast: 1}
	s := NewSearch()
	groups := pairsOfV12(t)
	var names []string
	for name := range groups {
		if name != "hulls" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var by [NAnsweredBy]int
	wrong, kinds, border, either, all := map[string]int{}, map[string]int{}, 0, 0, 0
	for i := range motions {
		name := names[i%len(names)]
		shapes := groups[name]
		m.begin(typesOfPairs[i/len(names)%len(typesOfPairs)], shapes[m.r.IntN(len(shapes))], shapes[m.r.IntN(len(shapes))])
		var paper, ours ContactList
		for range steps {
			m.step()
			var out, other Answer
			s.in.FastDirectPaper(m.p.a, m.p.pa, m.p.b, m.p.pb, 0, m.dtol, &paper, &out)
			s.in.FastDirect(m.p.a, m.p.pa, m.p.b, m.p.pb, 0, m.dtol, &ours, &other)
			if all++; !m.truth() {
				border++
				continue
			}
			by[out.AnsweredBy]++
			if !sameFeatures(ours.Basic, m.direct.Basic) || ours.Type != m.direct.Type {
				t.Fatalf("fds: %v %+v\nds: %v %+v", ours.Type, ours.Basic, m.direct.Type, m.direct.Basic)
			}
			if paper.Type != m.direct.Type || !sameFeatures(paper.Basic, m.direct.Basic) {
				if out.AnsweredBy != ByFeature {
					t.Errorf("motion %d, %s, by %v: %v %+v\nds: %v %+v\n%+v %+v", i, name, out.AnsweredBy, paper.Type, paper.Basic, m.direct.Type, m.direct.Basic, m.p.pa, m.p.pb)
					return
				}
				// Only the rule may be wrong: the initial detection lists what the direct search does, unless two
				// places are within twice dtol, and either may be named, or the type is that of edges within one degree.
				var fresh ContactList
				s.in.FastDirectPaper(m.p.a, m.p.pa, m.p.b, m.p.pb, 0, m.dtol, &fresh, &out)
				if same := sameFeatures(fresh.Basic, m.direct.Basic); !same || fresh.Type != m.direct.Type {
					places := incidences(m.p.a, m.p.pa, m.p.b, m.p.pb, 2*m.dtol)
					if len(places) <= len(m.direct.Basic) && !(same && m.direct.Type == TypeEdgeParallel) {
						t.Fatalf("motion %d, %s: initially %v %+v\nds: %v %+v", i, name, fresh.Type, fresh.Basic, m.direct.Type, m.direct.Basic)
					}
					either++
				}
				wrong[name]++
				if n := sumOf(wrong); n > 50 && n > by[ByFeature]/50 {
					t.Fatalf("n_v has kept %d lists wrongly in %d steps", n, by[ByFeature])
				}
				if paper.Type != m.direct.Type {
					kinds[name]++
				}
				continue
			}
			if m.direct.Type == TypeEdgeParallel && paper.Basic[0].Normal.Dot(m.direct.Basic[0].Normal) > 0.7 {
				continue // The direct search adds the cross product of the nearly parallel edges to the mean.
			}
			if err := samePlanes(paper.Basic, m.direct.Basic, m.dtol, min(m.p.a.Radius, m.p.b.Radius)); err != nil {
				t.Fatalf("motion %d, %s, by %v: %v", i, name, out.AnsweredBy, err)
			}
		}
	}
	if border > all/3 {
		t.Errorf("%d of %d steps have a feature on the border of dtol and were not compared", border, all)
	}
	t.Logf("%d steps, %d with a feature on the border of dtol; the others by %v; lists that n_v has kept wrongly %v, of these with another type %v, %d of them where the initial detection differs, too",
		all, border, by, wrong, kinds, either)
}

func sumOf(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

// countNV counts n_v anew, for the test below: of the vertices of the listed features and those one edge
// away, the ones within near of their body's plane at the deepest contact. It returns false if a vertex is
// so close to the border that rounding decides.
func (p *placement) countNV(list []BasicContact, rings [2]map[soa.Vertex]bool, near float64) (nv int, clear bool) {
	c := list[0]
	for _, o := range list {
		if o.Distance < c.Distance {
			c = o
		}
	}
	clear = true
	for k, v := range []*soa.View{p.a, p.b} {
		pose, at := p.pa, p.pa.Pos.Add(c.Point) // points are relative to A
		if k == 1 {
			pose, at = p.pb, at.AddScaled(c.Distance, c.Normal)
		}
		for i := range rings[k] {
			d := math.Abs(c.Normal.Dot(pose.Point(v.Vert(i)).Sub(at)))
			if clear = clear && math.Abs(d-near) > 1e-6*near; d <= near {
				nv++
			}
		}
	}
	return nv, clear
}

// nearListed returns the vertices of a body that the features of a list have, and with these those one
// edge away. k is 0 for A, 1 for B. Written anew, for the test below.
func nearListed(v *soa.View, list []BasicContact, k int) (own, ring map[soa.Vertex]bool) {
	own, ring = map[soa.Vertex]bool{}, map[soa.Vertex]bool{}
	for _, c := range list {
		id := [2]uint16{c.A, c.B}[k]
		switch c.Type.String()[2*k] {
		case 'v':
			own[soa.Vertex(id)] = true
		case 'e':
			own[v.Tail[v.Edge[id]]], own[v.Head(v.Edge[id])] = true, true
		case 'f':
			for h := v.LoopFirst[id]; h < v.LoopFirst[id]+v.LoopLen[id]; h++ {
				own[v.Tail[h]] = true
			}
		}
	}
	for h, tail := range v.Tail {
		if own[tail] {
			ring[tail], ring[v.Head(soa.HalfEdge(h))] = true, true
		}
	}
	return own, ring
}

// TestPaperUpdateIsLocal watches every check of the updated detection. While n_v is that of the step
// before, which the test counts anew, no pair of features is checked. If n_v differs, each pair that is checked has its features
// among those of the listed contacts and one edge from these. Only if that finds nothing, the initial
// detection follows.
func TestPaperUpdateIsLocal(t *testing.T) {
	motions, steps := 400, 100
	if require.Quick() {
		motions = 60
	}
	m := paperMotion{r: rand.New(rand.NewPCG(73, 74)), s: NewSearch(), fast: 20}
	s := NewSearch()
	paper := &s.in.Paper
	groups := pairsOfV12(t)
	var by [NAnsweredBy]int
	checks, all, recounted := [NAnsweredBy]Checks{}, 0, 0
	for i := range motions {
		shapes := groups[[]string{"hexahedra", "tetrahedra", "cut", "general"}[i%4]]
		m.begin(typesOfPairs[i/4%len(typesOfPairs)], shapes[m.r.IntN(len(shapes))], shapes[m.r.IntN(len(shapes))])
		a, b := m.p.a, m.p.b
		var list ContactList
		for range steps {
			m.step()
			was, nv := slices.Clone(list.Basic), list.Kept.Count
			ownA, ringA := nearListed(a, was, 0)
			ownB, ringB := nearListed(b, was, 1)
			face := func(v *soa.View, own map[soa.Vertex]bool, f uint16) bool {
				return slices.ContainsFunc(v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]], func(k soa.Vertex) bool { return own[k] })
			}
			edge := func(v *soa.View, ring map[soa.Vertex]bool, e uint16) bool {
				return ring[v.Tail[v.Edge[e]]] && ring[v.Head(v.Edge[e])]
			}
			local, visits := 0, 0
			paper.Visit = func(kind soa.FacetKind, i, j uint16) {
				ok := false
				switch kind {
				case soa.VertexFace:
					ok = ringA[soa.Vertex(i)] && face(b, ownB, j)
				case soa.FaceVertex:
					ok = face(a, ownA, i) && ringB[soa.Vertex(j)]
				case soa.EdgeEdge:
					ok = edge(a, ringA, i) && edge(b, ringB, j)
				}
				if visits++; ok {
					local++
				}
			}
			var out Answer
			s.in.FastDirectPaper(a, m.p.pa, b, m.p.pb, 0, m.dtol, &list, &out)
			c := paper.Checks
			if n := c.VertexFace + c.FaceVertex + c.EdgeEdge; n != visits {
				t.Fatalf("%d checks counted, %d seen", n, visits)
			}
			switch out.AnsweredBy {
			case ByFeature:
				if visits > 0 || list.Kept.Count != nv {
					t.Fatalf("n_v is %d as before, %d, but %d checks were made", list.Kept.Count, nv, visits)
				}
				if n, clear := m.p.countNV(list.Basic, [2]map[soa.Vertex]bool{ringA, ringB}, m.dtol); clear {
					if recounted++; n != nv {
						t.Fatalf("%d vertices are near the planes of %+v, expected n_v %d as before", n, list.Basic, nv)
					}
				}
			case ByWalk:
				if local != visits || visits == 0 {
					t.Fatalf("%d of %d checks are not among the features of %+v", visits-local, visits, was)
				}
			case BySearch:
				if len(was) > 0 && local == 0 {
					t.Fatalf("the initial detection ran before the local lists of %+v", was)
				}
			}
			if len(was) > 0 {
				by[out.AnsweredBy]++
				checks[out.AnsweredBy].Add(c)
				all++
			}
		}
	}
	t.Logf("%d updates by %v, checks %+v, n_v counted anew in %d", all, by, checks, recounted)
	if recounted < by[ByFeature]*9/10 || by[ByFeature] < all/2 || by[ByWalk] < all/400 || by[BySearch] > by[ByWalk] {
		t.Errorf("updates by %v", by)
	}
}

// TestPaperExcludes: pairs apart are excluded by an entrance that proves it, and deep pairs have the
// exact depth, of shapes of all kinds with nothing known.
func TestPaperExcludes(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	s := NewSearch()
	shapes := []*soa.View{solidBox(t, 1, 1, 1), solidTetra(t, 1.5), frustum(t, 0.7), geometryRock(t, 3, 8), geometryRock(t, 4, 20)}
	n := require.Rounds(300, 800, 2000)
	for range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		want := []float64{0.3, 0.05, 1e-3, 1e-5, -1e-5, -1e-3, -0.05, -0.3}[r.IntN(8)]
		pa, pb := placed(r, a, b, want)
		dtol := Dtol(a, b)
		truth := oracleGap(a, pa, b, pb)
		var list ContactList
		var out Answer
		s.in.FastDirectPaper(a, pa, b, pb, 0, dtol, &list, &out)
		size := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm()/2)
		switch {
		case truth > 2*dtol && !(out.Status == Separated && out.Gap > 0 && out.Gap <= truth+1e-12*size && list.Type == NoType):
			t.Fatalf("gap %g: %+v, %v", truth, out, list.Type)
		case truth < -2*dtol && !(math.Abs(out.Gap-truth) <= 2*dtol && len(list.Basic) > 0):
			t.Fatalf("gap %g: %+v, %v\n%d %+v %d %+v", truth, out, list.Basic, a.NVerts, pa, b.NVerts, pb)
		}
	}
}

// TestPaperAllocates: updates allocate nothing.
func TestPaperAllocates(t *testing.T) {
	s, c := NewSearch(), solidBox(t, 1, 1, 1)
	var list ContactList
	var out Answer
	x := 0.2
	if n := testing.AllocsPerRun(100, func() {
		x += 1e-3
		s.in.FastDirectPaper(c, at(0, 0, 0), c, at(x, 0.1, 1), 0, 1e-6, &list, &out)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
