package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// twinPoints draws points of a hull of which one or two lie 1e-13 to 1e-9 of its size from another.
// A third each lie on a ball, at the corners of a hexagonal prism, and in a sheet as thin as 1e-12.
func twinPoints(r *rand.Rand) (p []vec.Vec3) {
	small := func() float64 { return math.Pow(10, -13+4*r.Float64()) }
	kind, thin, noise := r.IntN(3), math.Pow(10, -12+8*r.Float64()), small()
	for range 4 + r.IntN(5) {
		sin, cos := math.Sincos(math.Pi / 3 * float64(r.IntN(6)))
		v := []vec.Vec3{randomUnit(r), vec.V(cos, sin, float64(r.IntN(2))-0.5), vec.V(cos, sin, 0.5+float64(thin*r.NormFloat64()))}[kind]
		p = append(p, v.AddScaled(noise*float64(r.IntN(2)), randomUnit(r)))
	}
	for range 1 + r.IntN(2) {
		p = append(p, p[r.IntN(len(p))].AddScaled(small(), randomUnit(r)))
	}
	k := []float64{1, 1e6, 1e-3}[r.IntN(3)]
	for i := range p {
		p[i] = p[i].Scale(k)
	}
	return p
}

// twinHull draws a hull of twinPoints. One in four times it draws until a face of the hull
// reaches beyond the line of one of its edges: this happens at two edges that are short.
func twinHull(r *rand.Rand) *soa.View {
	for any := r.IntN(4) > 0; ; {
		p, err := geometry.FromPoints("twins", twinPoints(r))
		if err != nil {
			continue // too thin
		}
		for f, n := range p.Normals {
			loop := p.Loop(f)
			for i, k := range loop {
				e := p.Verts[loop[(i+1)%len(loop)]].Sub(p.Verts[k]).Unit()
				for _, m := range loop {
					any = any || n.Dot(e.Cross(p.Verts[m].Sub(p.Verts[k]))) < -1e-13*p.Mass.Centroid.Norm()
				}
			}
		}
		if any {
			var arena soa.Shapes
			h, err := arena.Add(p.Template())
			if err != nil {
				panic(err)
			}
			return arena.View(h)
		}
	}
}

// TestTwinVertices puts bodies with vertices next to each other against faces and beside edges of
// such bodies. Rounding dents their faces and turns the normals of the shortest edges, yet the
// exhaustive search must prove a result. One in twenty is compared with exact arithmetic.
//
//	go test ./narrow -run TestTwinVertices -args -soak.pairs 1000000 -soak.seed 2    # on more
func TestTwinVertices(t *testing.T) {
	pairs := 3000
	if *soakPairs > 0 {
		pairs = *soakPairs
	}
	r := rand.New(rand.NewPCG(*soakSeed, 3))
	s := NewSearch()
	var v [2]*soa.View
	worst, compared := 0.0, 0
	for i := range pairs {
		if i%40 == 0 {
			v = [2]*soa.View{twinHull(r), twinHull(r)}
		}
		a, b := v[i%2], v[1-i%2]
		g := soa.Face(r.IntN(b.NFaces))
		n, at, sum := b.Normal(g), vec.Vec3{}, 0.0
		for k := range b.LoopLen[g] {
			w := math.Pow(r.Float64(), 1+4*float64(r.IntN(2)))
			at, sum = at.AddScaled(w, b.Vert(b.Tail[b.LoopFirst[g]+k])), sum+w
		}
		gap := []float64{1, 0.1, 1e-3, 1e-6, 1e-8, 1e-10, 1e-11, 3e-12}[r.IntN(8)] * min(a.Radius, b.Radius)
		n = n.AddScaled(math.Pow(10, -8*r.Float64())*float64(r.IntN(2)), randomUnit(r)).Unit()
		k := a.Vert(soa.Vertex(r.IntN(a.NVerts)))
		pa, pb := vec.Pose{Rot: turnTo(k.Unit(), n.Neg())}, vec.Pose{Rot: vec.Identity}
		if r.IntN(3) == 0 {
			pa.Rot = randomRot(r)
		}
		pa.Pos = at.Scale(1/sum).AddScaled(gap, n).Sub(pa.Rot.Rotate(k))
		var out, found Answer
		s.Exhaustive(a, pa, b, pb, math.Inf(1), &out)
		if out.Status == Penetrating && r.IntN(2) == 0 {
			pa.Pos = pa.Pos.AddScaled(out.Gap-gap, out.Normal)
			s.Exhaustive(a, pa, b, pb, math.Inf(1), &out)
		}
		unit := max(a.Radius, b.Radius, pa.Rot.RotateInv(pb.Pos.Sub(pa.Pos)).MaxAbs())
		s.By(Auto, a, pa, b, pb, math.Inf(1), 0, nil, &found)
		if out.Status > Penetrating || found.Status > Penetrating || math.Abs(found.Gap-out.Gap) > ProofTol*unit {
			t.Fatalf("pair %d, gap %g: exhaustive %v %g, auto %v %g\npa=%#v\npb=%#v", i, gap, out.Status, out.Gap, found.Status, found.Gap, pa, pb)
		}
		if i%20 == 0 {
			off := math.Abs(out.Gap-oracle.ExactGap(a, pa, b, pb)) / unit / ProofTol
			worst, compared = max(worst, off), compared+1
			if off > 0.5 {
				t.Fatalf("pair %d: gap %g is off by %.3f of ProofTol\npa=%#v\npb=%#v", i, out.Gap, off, pa, pb)
			}
		}
	}
	t.Logf("%d pairs; worst error of %d: %.3f of ProofTol", pairs, compared, worst)
}

// TestDentedFaces has two pairs that no method could answer. The body b of the first has a face with
// a dent of 1e-11 of its size at an edge that is twice as long. The body a of the second has a face
// that folded over a dent of 6e-13, so an edge of the hull was missing.
func TestDentedFaces(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   []vec.Vec3
		pa, pb vec.Pose // of the frames of the points
	}{{
		name: "dented",
		a: []vec.Vec3{
			{X: 1000000.0001455294, Y: 3.0884585379932642e-05, Z: 499999.99992348783},
			{X: 500000.00000982359, Y: 866025.40384692559, Z: 499999.99999948341},
			{X: -1000000.0000882667, Y: -9.6739323815329704e-05, Z: 500000.00007197587},
			{X: 866025.40378443885, Y: -499999.99999999965, Z: -500000},
		},
		b: []vec.Vec3{
			{X: 999999.99999997264, Y: -1.372162280631555e-07, Z: 499999.99999987922},
			{X: 500000.00000012538, Y: 866025.40378447785, Z: 499999.99999991612},
			{X: 500000.00000981503, Y: 866025.40384688822, Z: 499999.9999996837},
			{X: -499999.99999075953, Y: 866025.4037458587, Z: 499999.99998209625},
			{X: -500000.00008301996, Y: -866025.40377521398, Z: 500000.00004721456},
		},
		pa: vec.Pose{Rot: vec.Quat{W: -0.3732292467686496, X: -0.015172069149693502, Y: -0.53666569017818067, Z: 0.75661064931693933}},
		pb: vec.Pose{Pos: vec.V(-794737.86175147386, -2037971.2545138239, 595033.49470080982),
			Rot: vec.Quat{W: -0.62367383039665703, X: 0.70117977159252909, Y: -0.32267921401334182, Z: -0.12351520566935213}},
	}, {
		name: "folded",
		a: []vec.Vec3{
			{X: -0.00050000000048422161, Y: -0.00086602540444464626, Z: 0.00050000004102760537},
			{X: 0.00049999999952024207, Y: 0.00086602540398811106, Z: 0.00049999985477955648},
			{X: -0.001, Y: -3.2162452993532748e-19, Z: 0.00050000000434527827},
			{X: 0.0004999999999999999, Y: 0.0008660254037844387, Z: 0.00049999974783776892},
			{X: 0.001, Y: 0, Z: 0.00049999997625361484},
			{X: 0.0004999999999999999, Y: 0.0008660254037844387, Z: 0.00050000005397119775},
			{X: 0.00099999999999931676, Y: 9.1142280112483205e-17, Z: 0.0004999999762544243},
			{X: -0.00050000000048559801, Y: -0.00086602540444627831, Z: 0.00050000004102760439},
		},
		b: []vec.Vec3{
			{X: -0.0010000000000001672, Y: 6.8385536941315334e-16, Z: 0.00049999999999789135},
			{X: -0.0010000000000005152, Y: -1.2776914453739018e-16, Z: 0.00050000000000112812},
			{X: -0.001, Y: -3.2162452993532748e-19, Z: 0.00050000000000280365},
			{X: -0.00049999999999999969, Y: -0.0008660254037844388, Z: 0.00049999999999987522},
			{X: 0.0004999999999999999, Y: 0.0008660254037844387, Z: 0.0004999999999985565},
			{X: 0.00050000000037894862, Y: 0.00086602540358578684, Z: 0.00050000000013515947},
		},
		pa: vec.Pose{Rot: vec.Quat{W: -0.3822459382918893, X: -0.26733150420753682, Y: 0.88454418108197885, Z: 0.0018711577966925403}},
		pb: vec.Pose{Pos: vec.V(0.00097991982115887711, -0.0016889582753391902, 0.0013715488974523145),
			Rot: vec.Quat{W: -0.82234342716152697, X: -0.21026954328454667, Y: -0.061804239294204893, Z: -0.52508879532552122}},
	}} {
		var arena soa.Shapes
		var v [2]*soa.View
		var tpl [2]*soa.Template
		poses := [2]vec.Pose{c.pa, c.pb}
		for i, p := range [2][]vec.Vec3{c.a, c.b} {
			made, err := geometry.FromPoints(c.name, p)
			if err != nil {
				t.Fatal(err)
			}
			tpl[i] = made.Template()
			h, err := arena.Add(tpl[i])
			if err != nil {
				t.Fatal(err)
			}
			v[i] = arena.View(h)
			poses[i].Pos = poses[i].Pos.Sub(poses[i].Rot.Rotate(tpl[i].Origin))
		}
		d, err := Distance(tpl[0], poses[0], tpl[1], poses[1])
		want := oracle.ExactGap(v[0], c.pa, v[1], c.pb)
		if size := v[0].Radius + v[1].Radius + c.pb.Pos.Norm(); err != nil || !(math.Abs(d.Gap-want) <= ProofTol*size) {
			t.Errorf("%s: gap %g, %v, expected %g", c.name, d.Gap, err, want)
		}
	}
}
