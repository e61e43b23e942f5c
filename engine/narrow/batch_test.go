package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// batchShapes returns tetrahedra and bricks in four sizes, each size in its own arena: regular,
// random, thin, skew.
func batchShapes(t testing.TB) (sizes [4][]*soa.View) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	for i, k := range [4]float64{1, 1e-6, 1e6, 1e-40} {
		add := func(p *geometry.Polyhedron, err error) {
			if err != nil {
				t.Fatal(err)
			}
			sizes[i] = append(sizes[i], addTemplate(t, p.Template()))
		}
		add(geometry.Tetra(1.6 * k))
		for len(sizes[i]) < 6 {
			add(geometry.FromPoints("drawn", []vec.Vec3{
				randomUnit(r).Scale(k), randomUnit(r).Scale(k), randomUnit(r).Scale(k), randomUnit(r).Scale(k)}))
		}
		o, x, y, z := vec.V(0, 0, 0), vec.V(k, 0, 0), vec.V(0, k, 0), vec.V(0, 0, 0.3*k)
		add(geometry.FromPoints("corner", []vec.Vec3{z, x, o, y}))
		add(geometry.Box(k, k, k))
		add(geometry.Box(k, 0.5*k, 0.25*k))
		add(geometry.Box(k, k, 0.05*k))
		skew := []vec.Vec3{}
		for corner := range 8 {
			side := [3]float64{float64(corner & 1), float64(corner >> 1 & 1), float64(corner >> 2)}
			skew = append(skew, vec.V(side[0]+0.3*side[1], side[1]-0.2*side[2], 0.7*side[2]+0.1*side[0]).Scale(k))
		}
		add(geometry.FromPoints("skew", skew))
		for _, v := range sizes[i] {
			if v.Tetra == 0 && v.Brick == 0 {
				t.Fatalf("a shape of %d vertices is in no table", v.NVerts)
			}
		}
	}
	return sizes
}

// TestBatchIsTheSearch compares batches of pairs of all kinds, on every backend, with the search.
func TestBatchIsTheSearch(t *testing.T) {
	sizes := batchShapes(t)
	want := 40_000
	if require.Quick() {
		want = 4000
	}
	type pair struct {
		a, b   *soa.View
		pa, pb vec.Pose
		reach  float64
		slow   Answer
	}
	s := NewSearch()
	var pairs []pair
	r := rand.New(rand.NewPCG(21, 4))
	for len(pairs) < want {
		shapes := sizes[0]
		if r.IntN(4) == 0 {
			shapes = sizes[r.IntN(len(sizes))]
		}
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		if !Batched(a, b) && r.IntN(20) > 0 {
			continue
		}
		coldPlaced(r, a, b, func(pa, pb vec.Pose) {
			p := pair{a: a, b: b, pa: pa, pb: pb, reach: math.Inf(1)}
			if r.IntN(4) == 0 {
				p.reach = 0.02 * a.Radius * r.Float64()
			}
			s.Resolve(a, pa, b, pb, p.reach, &p.slow)
			p.slow.Axis, p.slow.AxisSupport = vec.Vec3{}, 0
			pairs = append(pairs, p)
		})
	}
	for backend := range backends.Each(t) {
		var batch Batch
		taken, bad := 0, 0
		for from := 0; from < len(pairs); {
			batch.Reset()
			batch.lanes = leastLanes // also run the Go loop
			to := from
			for to < len(pairs) && batch.Add(pairs[to].a, pairs[to].pa, pairs[to].b, pairs[to].pb) {
				to++
			}
			batch.Solve()
			for k := from; k < to; k++ {
				p := &pairs[k]
				var out Answer
				if !batch.Take(k-from, p.reach, &out) {
					continue
				}
				taken++
				if out != p.slow {
					if bad++; bad < 5 {
						t.Errorf("%s: reach %g:\n%+v\nexpected\n%+v\npa=%+v\npb=%+v", backend, p.reach, out, p.slow, p.pa, p.pb)
					}
				}
			}
			if from = to; to < len(pairs) && batch.Len() == 0 {
				from++ // not accepted by a batch
			}
		}
		if bad > 0 {
			t.Errorf("%s: %d of %d answers differ", backend, bad, taken)
		}
		if taken < len(pairs)/6 {
			t.Errorf("%s: %d of %d pairs answered, expected a sixth", backend, taken, len(pairs))
		}
		t.Logf("%s: %d of %d pairs answered", backend, taken, len(pairs))
	}
}

// batchAnswers answers a pair in a batch of its own, or by the search if the batch has no answer.
func batchAnswers(s *Search, batch *Batch, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out *Answer) (taken bool) {
	batch.Reset()
	batch.lanes = leastLanes
	if batch.Add(a, pa, b, pb) {
		batch.Solve()
		if batch.Take(0, math.Inf(1), out) {
			return true
		}
	}
	s.Resolve(a, pa, b, pb, math.Inf(1), out)
	return false
}

// TestBatchInvariance swaps the two bodies, rotates the frame, moves it far away, and scales it by
// a power of two.
func TestBatchInvariance(t *testing.T) {
	shapes := batchShapes(t)[0]
	var larger []*soa.View
	for _, v := range shapes {
		larger = append(larger, scaled(t, v, 0x1p20))
	}
	r := rand.New(rand.NewPCG(23, 4))
	s := NewSearch()
	var batch Batch
	asked, taken := 0, 0
	for range 4000 {
		i, j := r.IntN(len(shapes)), r.IntN(len(shapes))
		a, b := shapes[i], shapes[j]
		if !Batched(a, b) {
			continue
		}
		asked++
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r), Pos: randomUnit(r).Scale(0.2 + 1.8*r.Float64())}
		var x, y Answer
		if batchAnswers(s, &batch, a, pa, b, pb, &x) {
			taken++
		}
		near := func(what string, gap float64, normal vec.Vec3, tol float64) {
			if !(math.Abs(gap-x.Gap) < tol) || !(normal.Sub(x.Normal).Norm()*min(math.Abs(x.Gap), 1) < tol) {
				t.Fatalf("%s: %g along %v, expected %g along %v", what, gap, normal, x.Gap, x.Normal)
			}
		}
		batchAnswers(s, &batch, b, pb, a, pa, &y)
		near("swapped", y.Gap, y.Normal.Neg(), 1e-12)
		q := randomRot(r)
		turned := func(p vec.Pose) vec.Pose { return vec.Pose{Pos: q.Rotate(p.Pos), Rot: q.Mul(p.Rot)} }
		batchAnswers(s, &batch, a, turned(pa), b, turned(pb), &y)
		near("turned", y.Gap, q.RotateInv(y.Normal), 1e-12)
		far := vec.V(1e6, -1e6, 1e6)
		batchAnswers(s, &batch, a, vec.Pose{Pos: pa.Pos.Add(far), Rot: pa.Rot}, b, vec.Pose{Pos: pb.Pos.Add(far), Rot: pb.Rot}, &y)
		near("far away", y.Gap, y.Normal, 1e-8)
		scale := func(p vec.Pose) vec.Pose { return vec.Pose{Pos: p.Pos.Scale(0x1p20), Rot: p.Rot} }
		batchAnswers(s, &batch, larger[i], scale(pa), larger[j], scale(pb), &y)
		if y.Gap != x.Gap*0x1p20 || y.Normal != x.Normal || y.Facet != x.Facet {
			t.Fatalf("scaled:\n%+v\nexpected\n%+v", y, x)
		}
	}
	if taken < asked*9/10 || asked < 1000 {
		t.Errorf("%d of %d pairs answered", taken, asked)
	}
}

// TestBatchFills adds more pairs than fit, shapes that a batch does not accept, and as many shapes
// as pairs.
func TestBatchFills(t *testing.T) {
	var shapes []*soa.View
	for i := range 2 * BatchPairs {
		k := 1 + float64(i)/100
		p, err := geometry.Tetra(k)
		if err != nil {
			t.Fatal(err)
		}
		shapes = append(shapes, addTemplate(t, p.Template()))
	}
	var batch Batch
	batch.Reset()
	if batch.lanes < leastLanes {
		batch.lanes = leastLanes
	}
	if batch.Add(shapes[0], vec.IdentityPose, box(t, 1, 1, 1), vec.IdentityPose) || batch.Len() != 0 {
		t.Error("a batch takes a tetrahedron and a brick")
	}
	rounded := *shapes[0]
	rounded.Round = 0.1
	if batch.Add(shapes[0], vec.IdentityPose, &rounded, vec.IdentityPose) {
		t.Error("a batch takes a rounded block")
	}
	r := rand.New(rand.NewPCG(29, 4))
	s := NewSearch()
	run := func() {
		batch.Reset()
		batch.lanes = leastLanes
		pb := vec.Pose{Pos: vec.V(0.5, 0.4, 0.3), Rot: vec.FromRotationVector(vec.V(0.2, 0.3, r.Float64()))}
		for i := range BatchPairs {
			if !batch.Add(shapes[2*i], vec.IdentityPose, shapes[2*i+1], pb) {
				t.Fatalf("a batch does not take pair %d", i)
			}
		}
		if batch.Add(shapes[0], vec.IdentityPose, shapes[1], pb) {
			t.Error("a full batch takes a pair")
		}
		batch.Solve()
		for i := range BatchPairs {
			var out, slow Answer
			if batch.Take(i, math.Inf(1), &out) {
				if s.Resolve(shapes[2*i], vec.IdentityPose, shapes[2*i+1], pb, math.Inf(1), &slow); out != slow {
					t.Fatalf("pair %d:\n%+v\nexpected\n%+v", i, out, slow)
				}
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzBatch(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 168, 128, 128, 0})
	f.Add([]byte{0, 2, 3, 77, 3, 99, 128, 130, 120, 66, 1, 2, 3, 1, 200, 100, 50})
	shapes := batchShapes(f)[0]
	s := NewSearch()
	var batch Batch
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 2 {
			return
		}
		_, pa, _, pc := fuzzPair(t, b)
		a, c := shapes[int(b[0])%len(shapes)], shapes[int(b[1])%len(shapes)]
		var out, slow Answer
		if !batchAnswers(s, &batch, a, pa, c, pc, &out) {
			return
		}
		s.Resolve(a, pa, c, pc, math.Inf(1), &slow)
		slow.Axis, slow.AxisSupport = vec.Vec3{}, 0
		if out != slow {
			t.Fatalf("%+v\nexpected\n%+v\npa=%+v pb=%+v", out, slow, pa, pc)
		}
	})
}

// TestBatchOfEdgesNearParallel crosses two edges at small angles. Below some sine the rounding of
// their product decides bits, and the search must answer.
func TestBatchOfEdgesNearParallel(t *testing.T) {
	// edgeFrame returns a frame whose first row is along an edge and whose last row points outwards
	// between the edge's faces, and the edge's midpoint.
	edgeFrame := func(v *soa.View, k int) (m vec.Mat3, middle vec.Vec3) {
		h := v.Edge[k]
		p, q := v.Vert(v.Tail[h]), v.Vert(v.Head(h))
		m.R0 = q.Sub(p).Unit()
		m.R2 = v.Normal(v.Face[h]).Add(v.Normal(v.Face[v.Twin[h]])).Unit()
		m.R1 = m.R2.Cross(m.R0)
		return m, p.Add(q).Scale(0.5)
	}
	sizes := batchShapes(t)
	r := rand.New(rand.NewPCG(8, 9))
	s := NewSearch()
	for backend := range backends.Each(t) {
		taken, left := 0, 0
		for range 4000 {
			a, b := sizes[0][0], sizes[0][0]
			if r.IntN(2) == 0 {
				a, b = sizes[0][7], sizes[0][8]
			}
			inA, middleA := edgeFrame(a, r.IntN(len(a.Edge)))
			inB, middleB := edgeFrame(b, r.IntN(len(b.Edge)))
			// Rotate B's frame by an angle about the normal, upside down.
			sin := math.Exp2(-1 - 9*r.Float64())
			cos := math.Sqrt(1 - sin*sin)
			x := inA.R0.Scale(cos).Add(inA.R1.Scale(sin))
			down := inA.R2.Neg()
			turned := vec.Mat3{R0: x, R1: down.Cross(x), R2: down}
			rot := turned.T().Mul(inB)
			gap := 0.02 * (2*r.Float64() - 1)
			pose := vec.Pose{Rot: rot.Quat()}
			pose.Pos = middleA.AddScaled(gap, inA.R2).Sub(pose.Rot.Rotate(middleB))
			var batch Batch
			batch.Reset()
			batch.lanes = leastLanes
			if !batch.Add(a, vec.Pose{Rot: vec.Identity}, b, pose) {
				t.Fatal("none for a batch")
			}
			batch.Solve()
			var out, slow Answer
			if !batch.Take(0, math.Inf(1), &out) {
				left++
				continue
			}
			taken++
			s.Resolve(a, vec.Pose{Rot: vec.Identity}, b, pose, math.Inf(1), &slow)
			if slow.Axis, slow.AxisSupport = (vec.Vec3{}), 0; out != slow {
				t.Fatalf("%s: sine %g:\n%+v\nexpected\n%+v", backend, sin, out, slow)
			}
		}
		if taken < 400 || left < 400 {
			t.Errorf("%s: %d answered and %d left, expected a tenth of each", backend, taken, left)
		}
	}
}

// TestBatchSolvesTwice adds pairs after Solve, and solves the batch again.
func TestBatchSolvesTwice(t *testing.T) {
	shapes := batchShapes(t)[0]
	r := rand.New(rand.NewPCG(2, 9))
	var batch, once Batch
	for _, b := range []*Batch{&batch, &once} {
		b.Reset()
		b.lanes = leastLanes // also run the Go loop
	}
	for batch.Len() < BatchPairs {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		coldPlaced(r, a, b, func(pa, pb vec.Pose) {
			if batch.Add(a, pa, b, pb) {
				once.Add(a, pa, b, pb)
				batch.Solve()
			}
		})
	}
	once.Solve()
	taken := 0
	for k := range batch.Len() {
		var got, want Answer
		if ok := once.Take(k, math.Inf(1), &want); ok != batch.Take(k, math.Inf(1), &got) || ok && got != want {
			t.Fatalf("pair %d: %+v, expected %+v", k, got, want)
		} else if ok {
			taken++
		}
	}
	if taken < batch.Len()/6 {
		t.Errorf("%d of %d pairs answered, expected a sixth", taken, batch.Len())
	}
}
