package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func init() {
	register[LocationOptions, LocationRow](About{
		Command: "narrow", With: "location", Name: "location",
		Long: `--location times the overlaps that the thickness law needs if blocks touch: with nothing
known of a pair (cold), with known features and one pair at a time (warm), with one pair
in each vector lane (lanes), and in lanes with prisms that an earlier step has proven
(held).`,
		Names: map[string][]string{"shape": narrowShapes},
	})
}

// LocationOptions are the options of the study of overlaps.
type LocationOptions struct {
	Location bool     `flag:"location" help:"time the overlaps of touching blocks, which the thickness law needs"`
	Shapes   []string `flag:"shape" default:"tetra,cube,hull12,hull32,hull64" help:"<NAMES>, separated by commas, of shapes"`
	Seed     uint64   `flag:"seed" default:"1" help:"<S>eed of shapes and poses"`
	Repeat   int      `flag:"repeat" default:"5" bounds:"≥ 1" help:"measure each row <R> times and show the median"`
	Seconds  float64  `flag:"time" default:"0.2" bounds:"> 0 and ≤ 3600" unit:"s" help:"measuring time for each row, <s>"`
	Pairs    int      `flag:"pairs" default:"1024" bounds:"1 to 1048576" help:"largest number <N> of pairs in a pool"`
}

// LocationRow is the cost of one overlap: the geometry that the thickness law needs for two
// touching bodies.
type LocationRow struct {
	Case    string `json:"case" show:"%s"` // shape, contact and way: the name of the row
	Shape   string `json:"shape" show:"%s"`
	Verts   int    `json:"vertices" show:"%d"`
	Contact string `json:"contact" show:"%s"`
	// Way is one of seven. cold: nothing is known about a pair. warm: the features remembered from
	// the last step are known, and pairs are computed one by one. lanes: as warm, with pairs
	// computed in batches. held: as lanes, but prisms and skeletons within their motion budget are
	// not proven. The last three are PFC's resolutions, without derivatives. reduced: the location alone.
	// dual: volume and centroid by the hull of the dual points. reused: the same with the hull of
	// an earlier step, which is proven again.
	Way       string  `json:"way" show:"%s"`
	NsPair    float64 `json:"ns_pair" show:"%.1f"`   // processor time
	Best      float64 `json:"ns_best" show:"%.1f"`   // the fastest repetition
	Spread    float64 `json:"spread" show:"%.3f"`    // (slowest − fastest) / median
	Pairs     int     `json:"pairs" show:"%d"`       // in a pass
	Known     float64 `json:"known" show:"%.4f"`     // share of the pairs whose features yield the overlap by a formula
	Skeletons float64 `json:"skeletons" show:"%.4f"` // share of the pairs whose skeleton is proven
	Wrong     int     `json:"wrong" show:"%d"`       // pairs whose bits differ from cold; for dual and reused, by more than dualTol; for reduced, without a location
	Exact     int     `json:"exact" show:"%d"`       // way cold: pairs compared with exact arithmetic
	Error     float64 `json:"error" show:"%.1e"`     // the largest error of these: energy over stiffness and squared size
	Workers   int     `json:"workers" show:"%d"`
	Backend   string  `json:"backend" show:"%s"`
	Seed      uint64  `json:"seed" show:"%d"`
	Checksum  string  `json:"checksum" show:"%s"` // of all results
}

// locationDepth is the depth of the overlaps, m: a thousandth of the bodies' size, as laws.md
// advises.
const locationDepth = 1e-3

// locationContacts are the contacts of the study: contacts of one type, and pairs that touch in any
// way.
var locationContacts = []struct {
	name  string
	of    narrow.Type // type of the contacts, unless any is set
	sides uint8       // number of sides of the pair's prism, if not 0; shapes without such a prism have no row
	any   bool
}{
	{name: "corner", of: narrow.TypeVertexFace}, {name: "crossing", of: narrow.TypeEdgeEdge},
	{name: "faces", of: narrow.TypeFaceFace}, {name: "faces4", of: narrow.TypeFaceFace, sides: 4}, {name: "any", any: true},
}

var locationWays = []string{"cold", "warm", "lanes", "held", "reduced", "dual", "reused"}

// dualTol is the largest difference of a volume by duality, m³, and ten times that of a centroid, m, for
// bodies of 1 m.
const dualTol = 1e-10

// touchingPair is a pair with what the contact loop knows about it: the direction from A to B, and
// the features remembered from the last step.
type touchingPair struct {
	blockPair
	along vec.Vec3
	named overlap.Features
	found narrow.Answer
	kept  section.DualKept
}

// plan measures overlaps, for all contacts × shapes × ways, on one worker. A pass computes
// every pair of a pool once.
func (o *LocationOptions) plan(e *Env) (*plan[LocationRow], error) {
	p := &plan[LocationRow]{}
	for _, shape := range o.Shapes {
		set, err := newShapeSet(shape, o.Seed)
		if err != nil {
			return nil, err
		}
		for k := range locationContacts {
			name := locationContacts[k].name
			addContenders(p, shape+" "+name, locationWays, func() (*locationStudy, int) { return o.pool(e, set, k), o.Repeat },
				func(s *locationStudy, way string) (func() float64, func(peers.Times) LocationRow) {
					return o.start(s, set, name, way)
				})
		}
	}
	return p, nil
}

// pool draws a pool and computes its overlaps as if nothing were known. It returns nil if there are no pairs.
func (o *LocationOptions) pool(e *Env, set *shapeSet, contact int) *locationStudy {
	pool, err := touchingPool(set, contact, o.Pairs, o.Seed)
	if e.check(err); len(pool) == 0 {
		return nil
	}
	s := newLocationStudy(set, pool)
	s.pass("cold", func(i int, answer *overlap.Moments) { s.answers[i] = *answer })
	s.pass("lanes", func(int, *overlap.Moments) {}) // sets known and proven
	return s
}

// start compares a way with cold.
func (o *LocationOptions) start(s *locationStudy, set *shapeSet, name, way string) (measure func() float64, row func(peers.Times) LocationRow) {
	r := LocationRow{
		Case: strings.Join([]string{set.name, name, way}, "/"), Shape: set.name, Verts: set.verts, Contact: name, Way: way,
		Pairs: len(s.pool), Workers: 1, Backend: cpu.Selected(), Seed: o.Seed,
	}
	if way == "cold" {
		r.Exact, r.Error = s.exact(set.verts)
	}
	pass := func(done func(int, *overlap.Moments)) { s.pass(way, done) }
	r.Checksum, r.Wrong = s.compare(pass, sameAs[way])
	r.Known, r.Skeletons = float64(s.known)/float64(len(s.pool)), float64(s.skeletons)/float64(len(s.pool))
	once := func() (time.Duration, int) {
		return timed(func() { pass(func(int, *overlap.Moments) {}) }), len(s.pool)
	}
	return func() float64 { return timePasses(budget(o.Seconds, o.Repeat), once) }, func(t peers.Times) LocationRow {
		r.NsPair, r.Best, r.Spread = t.Median(), t.Least(), t.Spread()
		return r
	}
}

// touchingPool draws pairs in a contact and finds their features. The pool is empty if no prism has
// the required number of sides.
func touchingPool(set *shapeSet, contact, n int, seed uint64) (pool []touchingPair, err error) {
	kind := &locationContacts[contact]
	seed += hashOf(set.name, kind.name)
	search, clipper := narrow.NewSearch(), overlap.NewClipper()
	var out narrow.Answer
	touches := func(p *blockPair) bool {
		search.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		if !(out.Gap < 0) || !clipper.ShareNear(p.a, p.pa, p.b, p.pb, out.Normal, &overlap.Features{}, &overlap.Moments{}) ||
			kind.sides > 0 && clipper.Named().Prism.Sides != kind.sides {
			return false
		}
		pool = append(pool, touchingPair{blockPair: *p, along: out.Normal, named: rememberedOf(clipper), found: out})
		return true
	}
	if kind.any {
		touching := regimes[slices.IndexFunc(regimes, func(g regime) bool { return g.name == "touching" })]
		pairs, err := newPool(set, touching, n, seed)
		for i := range pairs {
			if !touches(&pairs[i]) {
				return nil, fmt.Errorf("bench: pair %d of %s does not touch", i, set.name)
			}
		}
		return pool, err
	}
	r := geometry.NewRand(seed)
	_, err = set.pairs(r, n, kind.name, func(_ int, p *blockPair) bool {
		p.pb.Pos = p.pb.Pos.AddScaled(-locationDepth, placeTyped(r, kind.of, p))
		return touches(p)
	})
	if kind.sides > 0 && errors.Is(err, errNoPair) {
		return nil, nil
	}
	return pool, err
}

// rememberedOf returns what the step remembers of the last overlap of a clipper.
func rememberedOf(c *overlap.Clipper) overlap.Features {
	k, by := c.Skeleton()
	if k == nil {
		return c.Named()
	}
	kept := *k
	by.Skeleton = &kept
	return by
}

// provenFor is the motion budget of a prism or a skeleton, and the planes that it does not cover.
type provenFor struct {
	budget    float64
	coplanars uint8
}

// locationStudy is one pool and the workspaces that compute it. Each way calls done for every pair.
type locationStudy struct {
	pool    []touchingPair
	answers []overlap.Moments // of cold
	clipper *overlap.Clipper
	cutter  *section.Cutter
	duality *section.Dual
	batches *overlap.TypedBatches
	solids  *overlap.UntypedBatch
	shapes  *soa.Shapes
	bodies  *soa.Bodies // pair i of the pool has the bodies 2i and 2i+1
	poses   []float64   // rows of their poses
	out     overlap.Moments
	nothing overlap.Features // known of a pair

	known, skeletons int // counts of a pass: pairs that lanes computed by their type, and pairs whose skeleton was placed

	proven []provenFor // by pair

	// TypedBatches and UntypedBatch write moments to columns, where the engine's law reads them. If copies is
	// set, the moments are also copied to out, for comparison.
	moments overlap.Columns
	copies  bool
}

func newLocationStudy(set *shapeSet, pool []touchingPair) *locationStudy {
	s := &locationStudy{
		pool: pool, clipper: overlap.NewClipper(), cutter: section.NewCutter(), duality: &section.Dual{}, batches: overlap.NewTypedBatches(),
		solids: overlap.NewUntypedBatch(), shapes: &set.shapes, bodies: &soa.Bodies{},
	}
	s.answers, s.proven = make([]overlap.Moments, len(pool)), make([]provenFor, len(pool))
	for k := range s.moments {
		s.moments[k] = make([]float64, overlap.BatchRows)
	}
	s.bodies.Resize(2 * len(pool))
	for i := range pool {
		for k, at := range [2]vec.Pose{pool[i].pa, pool[i].pb} {
			s.bodies.Pos.Set(2*i+k, at.Pos)
			s.bodies.Rot.Set(2*i+k, at.Rot)
			s.bodies.Radius[2*i+k] = [2]*soa.View{pool[i].a, pool[i].b}[k].Radius
		}
	}
	s.poses = s.bodies.PoseRows()
	return s
}

// oneByOne computes the overlap of a pair alone, by way. Ways without an entry compute pairs together. cold and warm know
// nothing or the remembered features, reduced is PFC's location without a volume, and dual and reused compute volume
// and centroid by duality, with nothing or what an earlier dual has kept.
var oneByOne = map[string]func(s *locationStudy, p *touchingPair){
	"cold": func(s *locationStudy, p *touchingPair) {
		s.clipper.ShareNear(p.a, p.pa, p.b, p.pb, p.along, &s.nothing, &s.out)
	},
	"warm": func(s *locationStudy, p *touchingPair) {
		s.clipper.ShareNear(p.a, p.pa, p.b, p.pb, p.along, &p.named, &s.out)
	},
	"reduced": func(s *locationStudy, p *touchingPair) {
		s.out.Centroid, _, _ = s.cutter.Reduced(p.a, p.pa, p.b, p.pb, p.along, p.found.Gap, p.found.ArmA, p.found.ArmB)
	},
	"dual": func(s *locationStudy, p *touchingPair) {
		p.kept = section.DualKept{}
		s.dual(p)
	},
	"reused": (*locationStudy).dual,
}

func (s *locationStudy) dual(p *touchingPair) {
	s.out.Volume, s.out.Centroid, _ = s.duality.Overlap(p.a, p.pa, p.b, p.pb, p.along, p.found.Gap, p.found.ArmA, p.found.ArmB, &p.kept)
}

// pass computes all pairs in a way, and calls done for every pair.
func (s *locationStudy) pass(way string, done func(int, *overlap.Moments)) {
	one := oneByOne[way]
	if one == nil {
		s.together(way == "held", done)
		return
	}
	for i := range s.pool {
		one(s, &s.pool[i])
		done(i, &s.out)
	}
}

// sameAs compares an overlap of a way with that of cold. Ways without an entry must have the same bits.
var sameAs = map[string]func(got, cold *overlap.Moments) bool{
	"reduced": func(got, _ *overlap.Moments) bool { return got.Centroid.Finite() },
	"dual":    sameVolume,
	"reused":  sameVolume,
}

func sameVolume(got, cold *overlap.Moments) bool {
	return math.Abs(got.Volume-cold.Volume) <= dualTol && got.Centroid.Sub(cold.Centroid).Norm() <= 10*dualTol
}

// together computes pairs in batches, as the contact loop does, and the remaining pairs one by one.
// out has moments only if copies is set. If held, it does not prove prisms and skeletons that an earlier pass has proven
// with a budget.
func (s *locationStudy) together(held bool, done func(int, *overlap.Moments)) {
	s.known, s.skeletons = 0, 0
	s.batches.Begin(s.shapes, s.poses)
	for i := range s.pool {
		p := &s.pool[i]
		a, g := soa.PoseRow(2*i), soa.PoseRow(2*i+1)
		var b *overlap.TypedBatch
		if held && p.named.Prism.Sides > 0 && s.proven[i].budget > 0 {
			b = s.batches.AddHeld(uint32(i), a, g, p.a, p.b, &p.named.Prism, s.proven[i].coplanars)
		} else {
			b = s.batches.Add(uint32(i), a, g, p.a, p.b, min(p.a.Radius, p.b.Radius), &p.named)
		}
		if b == nil {
			s.left(i, held, &overlap.Features{}, done)
		} else if b.Full() {
			s.solve(b, held, done)
		}
	}
	all := s.batches.All()
	for i := range all {
		s.solve(&all[i], held, done)
	}
	s.measure(done)
}

// left computes the overlap of pair i, which the features in tried do not make: by its skeleton, or
// as if nothing were known.
func (s *locationStudy) left(i int, held bool, tried *overlap.Features, done func(int, *overlap.Moments)) {
	p, n := &s.pool[i], s.solids.Len()
	switch k := p.named.Skeleton; {
	case k == nil:
	case held && s.proven[i].budget > 0:
		s.solids.AddHeldSkeleton(uint32(i), k, p.a, p.pa, p.b, p.pb)
	default:
		s.proven[i].budget, _ = s.solids.AddSkeleton(uint32(i), k, p.a, p.pa, p.b, p.pb)
	}
	if s.solids.Len() > n {
		if s.skeletons++; s.solids.Full() {
			s.measure(done)
		}
		return
	}
	if s.clipper.FindExcept(p.a, p.pa, p.b, p.pb, p.along, tried, &s.out) != overlap.SurfaceFound {
		done(i, &s.out)
	} else if s.solids.Add(uint32(i), s.clipper); s.solids.Full() {
		s.measure(done)
	}
}

// measure computes the overlaps of no type.
func (s *locationStudy) measure(done func(int, *overlap.Moments)) {
	s.solids.Solve()
	for row := range s.solids.Len() {
		if s.copies {
			s.solids.At(row, &s.out)
		}
		done(int(s.solids.PairNumber(row)), &s.out)
	}
	s.solids.Clear()
}

func (s *locationStudy) solve(b *overlap.TypedBatch, held bool, done func(int, *overlap.Moments)) {
	b.WriteTo(&s.moments, 0)
	b.Solve()
	for row := range b.Len() {
		i := int(b.PairNumber(row))
		if s.copies && b.At(row, &s.out) || !s.copies && b.Known(row) {
			s.known++
			if !b.Held() {
				s.proven[i].budget, s.proven[i].coplanars = b.Budget(row)
			}
			done(i, &s.out)
			continue
		}
		tried := b.Tried(&s.pool[i].named)
		s.left(i, held, &tried, done)
	}
	b.Clear()
}

// compare returns the checksum of a way's results, in the order of the pool, and the number of
// results that differ from cold by same; nil compares the bits.
func (s *locationStudy) compare(pass func(func(int, *overlap.Moments)), same func(got, cold *overlap.Moments) bool) (checksum string, wrong int) {
	s.out = overlap.Moments{}
	got := make([]overlap.Moments, len(s.pool))
	s.copies = true
	defer func() { s.copies = false }()
	pass(func(i int, answer *overlap.Moments) { got[i] = *answer })
	var sum hash
	for i := range got {
		if same == nil && got[i] != s.answers[i] || same != nil && !same(&got[i], &s.answers[i]) {
			wrong++
		}
		if sum.floats(got[i].Volume); same != nil {
			sum.floats(got[i].Centroid.X)
		} else {
			sum.floats(got[i].Variance, got[i].VarianceGradient.X, got[i].VarianceTurn.X)
		}
	}
	return fmt.Sprintf("%016x", uint64(sum)), wrong
}

// exact compares the first pairs with an oracle of 256 bits. It compares the energy 6λ of a unit
// stiffness, where λ is Shared.Variance. The size is 1 m.
func (s *locationStudy) exact(verts int) (n int, worst float64) {
	n = min(len(s.pool), 8)
	if verts > 12 {
		n = min(n, 2)
	}
	for i := range n {
		p := &s.pool[i]
		m := oracle.NewOverlap(p.a, p.pa, p.b, p.pb).At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
		if m == nil {
			return n, math.Inf(1)
		}
		variance, _ := m.Variance.Float64()
		worst = max(worst, 6*math.Abs(variance-s.answers[i].Variance))
	}
	return n, worst
}
