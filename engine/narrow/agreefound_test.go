package narrow

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestAgreementFound is the pairs on which TestAgreement has found methods that were wrong, or without an answer, by what was
// wrong. Scales are rows of agreeScales.
func TestAgreementFound(t *testing.T) {
	pool := newAgreePool(t)
	row := map[string]int{}
	for i, s := range pool.shapes {
		row[s.name] = i
	}
	q := func(w, x, y, z float64) vec.Quat { return vec.Quat{W: w, X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name   string
		a      string
		scaleA int
		b      string
		scaleB int
		reach  float64
		posA   vec.Vec3
		rotA   vec.Quat
		posB   vec.Vec3
		rotB   vec.Quat
	}{
		{name: "a facet that ties stands for one that ended the search", a: "brick", scaleA: 4, b: "plate", scaleB: 3,
			posA: vec.V(-1.7912345843255362, -3.4323579911815725, 6.4823702227039295), rotA: q(0.8484109740072892, -0.4332914121855654, -0.26430628903029446, 0.15033149001215862),
			posB: vec.V(485974.42019302415, 14495.986978024932, 302276.4756042688), rotB: q(-0.8911156161707157, 0.4507334175152931, 0.02016577583688182, -0.04843228712921746)},
		{name: "likewise on a facet", a: "plate", b: "facet of four",
			rotA: q(-0.456713326105598, 0.04097064062651396, -0.5548025620555613, 0.6942106751561804),
			posB: vec.V(5.935214338551972e-07, -2.909734855633616e-07, -1.436338048042166e-06), rotB: q(-0.16793589018601296, -0.42127523041775405, 0.36333402574255413, -0.8138262116457105)},
		{name: "foot outside of the lowest facet of a tie, and split stalls", a: "wedge 0.01", scaleA: 2, b: "wedge 0.01", scaleB: 2, reach: math.Inf(1),
			rotA: q(0.7557517317238677, 0.02636589178018713, 0.6463414420344304, 0.10191614227326021),
			posB: vec.V(0.04545912397950036, -0.5119100886023817, 0.03506465854506013), rotB: q(0.7557517317238677, 0.02636589178018713, 0.6463414420344304, 0.10191614227326021)},
		{name: "likewise, of unequal sizes", a: "cube", scaleA: 2, b: "wedge 1e-06", scaleB: 3, reach: math.Inf(1),
			rotA: q(0.41566580932976693, -0.07579071222013914, -0.4575934349270094, 0.7823592213344805),
			posB: vec.V(-467.74501316177225, -348.7065511169758, -188.11824562430215), rotB: q(0.02964730837886087, -0.4996193841676198, 0.6174875333478062, -0.6068036372912567)},
		{name: "likewise, tilted", a: "wedge 0.01", scaleA: 2, b: "wedge 1e-06", scaleB: 2,
			rotA: q(-0.091187570046595, -0.0794431054031056, -0.8845266748265953, 0.4505398779166113),
			posB: vec.V(0.0005982372584900641, -0.005410387356896251, -0.0038495077387754595), rotB: q(-0.0911875689167633, -0.07944310541092434, -0.8845266755539037, 0.4505398767160113)},
		{name: "likewise, with many sides", a: "cube", scaleA: 1, b: "prism of 24", scaleB: 1, reach: math.Inf(1),
			rotA: q(0.4368825447919793, 0.38444137371760356, -0.4601047621303508, -0.6705535624356785),
			posB: vec.V(-2.50887544968211e-05, 0.0007829934819168901, -0.0008652538340679339), rotB: q(0.43688254479382144, 0.384441373716928, -0.46010476212779633, -0.6705535624366185)},
		{name: "crossing of edges next to parallel", a: "wedge 1e-06", b: "hexahedron", scaleB: 1, reach: math.Inf(1),
			rotA: q(-0.2764953106689421, -0.5758290874810894, 0.6613792059303303, 0.3931268893776496),
			posB: vec.V(-0.00036985379093154385, 0.00016138973349376416, 0.00020241836541461943), rotB: q(-0.2764953106689421, -0.5758290874810894, 0.6613792059303303, 0.3931268893776496)},
		{name: "farther than touching, foot outside of all facets", a: "cut above", b: "wedge 1e-06", reach: math.Inf(1),
			rotA: q(0.9317733492632626, -0.1270459212219015, -0.2155786900147142, 0.2630277322168523),
			posB: vec.V(-6.795222839442036e-07, 3.507244151757308e-07, -8.328727238182153e-07), rotB: q(0.9317733492635463, -0.12704592121371466, -0.21557869001131819, 0.26302773222258563)},
		{name: "region beyond the tip of a face", a: "cut below", scaleA: 1, b: "wedge 1e-06", scaleB: 1,
			rotA: q(0.35451818974401067, -0.5399733900535447, 0.26885757172935076, 0.7144656725823215),
			posB: vec.V(0.0007058113318375413, 0.0006643050300072397, 0.0009285509794530732), rotB: q(-0.26885757172935076, -0.7144656725823215, 0.35451818974401067, -0.5399733900535447)},
		{name: "point beyond the tip of a face", a: "splinter", scaleA: 4, b: "wedge 0.01", scaleB: 4, reach: math.Inf(1),
			rotA: q(-0.6294438841693629, -0.7023549226872305, -0.034088562916393526, 0.3306598390144999),
			posB: vec.V(443100.4916200263, -227406.5367548071, -1.4534397155475684e+06), rotB: q(-0.6294438841693631, -0.7023549226872307, -0.034088562916393554, 0.33065983901449975)},
		{name: "facets 4e-14 apart beside corners 7e-12 apart", a: "splinter", scaleA: 2, b: "facet of 1e-3", scaleB: 2, reach: math.Inf(1),
			posA: vec.V(38219.95220643373, -156874.58137690288, -220864.11012233212), rotA: q(-0.6332436209033159, 0.3329559564940283, 0.6922410267049904, -0.09457911274073684),
			posB: vec.V(38219.80534414895, -156874.38096969662, -220863.02027441424), rotB: q(-0.6332436209033159, 0.3329559564940283, 0.6922410267049904, -0.09457911274073684)},
		{name: "likewise, facets that overlap by rounding", a: "splinter", scaleA: 3, b: "wedge 1e-06", scaleB: 3,
			posA: vec.V(13404.524600646553, 5503.080714729522, -28714.89723872093), rotA: q(-0.19965932289833307, 0.7220601075571501, -0.6434350453019276, -0.1573426144807644),
			posB: vec.V(14561.858545456877, 5610.916026907082, -28614.59340094089), rotB: q(0.25243849081749503, -0.9655508822640151, -0.05559631469188231, -0.0299224314795567)},
		{name: "deep facets that tie at an angle, their feet apart", a: "wedge 0.01", scaleA: 2, b: "wedge 1e-06", scaleB: 2, reach: math.Inf(1),
			posA: vec.V(-9.593618178193092, 6.449188865083194, -3.286320491424536), rotA: q(-0.4348199405274872, 0.7302986204906227, 0.4756628908260771, 0.22658410915186805),
			posB: vec.V(-9.51884425275051, 6.335177275688623, -3.478614230277923), rotB: q(-0.4676832887775286, 0.8527435624428775, -0.18005465115218364, -0.1472449683654104)},
		{name: "likewise, crossings of edges", a: "tetra of 1.5", scaleA: 2, b: "wedge 1e-06", scaleB: 2, reach: 0.04,
			posA: vec.V(18834.431853999828, 93967.39403817483, 7160.558031577007), rotA: q(-0.45830043853160124, 0.490425795113227, 0.277354145937269, 0.6873993928282954),
			posB: vec.V(18833.424305980585, 93966.91416185968, 7161.24269306803), rotB: q(0.8467292226000538, -0.41087702617067035, 0.23038327196987593, -0.24729181336370404)},
		{name: "a common plane whose edges' normal is turned round", a: "needle", scaleA: 4, b: "facet of 1e-3", reach: math.Inf(1),
			rotA: q(-0.2439410107830553, 0.5845286006210764, 0.4159381748718247, 0.6525446597731092),
			posB: vec.V(-98941.4418392816, 84626.85236698961, 482751.88963402354), rotB: q(0.6295650999620354, -0.6592072545464873, 0.15041149979713242, -0.38271394172652295)},
		{name: "bodies parted by edges next to parallel alone", a: "cut below", b: "wedge 0.01", reach: 4.166699999866669e-08,
			posA: vec.V(13.45302522013708, -8.574203207023265, 4.665942083082024), rotA: q(-0.5042888211570683, 0.6482254192558383, 0.027197305256496676, 0.569874457467074),
			posB: vec.V(13.45302543053375, -8.574202620640078, 4.665942730322), rotB: q(-0.4039328905597074, 0.5310033152023862, 0.39819498988611796, -0.6295351056118708)},
		{name: "a flat simplex that does not hold the origin", a: "tetra", scaleA: 0, b: "facet of 1e-3", scaleB: 3, reach: 8.660254037844392e-08,
			rotA: q(0.15610314214870408, -0.8032208863066737, 0.5098698845373557, -0.2655197123640475),
			posB: vec.V(-113.98686454878134, 69.1461391025775, -38.1088548526008), rotB: q(-0.13346978834996345, 0.2671014761161872, 0.534624260959314, -0.7905817583577787)},
		{name: "a ball that is 1e8 times larger, nearest to an edge", a: "ball", scaleA: 4, b: "wedge 1e-06", scaleB: 1, reach: math.Inf(1),
			posA: vec.V(-1.4273039680732284e-12, -1.1654684507977541e-11, 9.297155541198776e-12), rotA: q(-0.7052907346923909, -0.5975737852857113, -0.10087054066216124, 0.36782561727386204),
			posB: vec.V(-119948.93218926092, -468541.88493347424, -126809.9210755868), rotB: q(0.1453638559974088, -0.46298823238148507, -0.1690558860713683, -0.8578644143630492)},
		{name: "a plane that turns far from the body", a: "hull12", scaleA: 3, b: "plane",
			rotA: q(-0.7122144975621235, 0.3238352844147365, 0.013420832928067143, 0.6226564857719508),
			posB: vec.V(667.7908935467824, 841.9926684184495, 579.5935949641199), rotB: q(-0.12953606950599184, 0.5435010158781981, 0.10834381490021457, -0.8222461129182513)},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newAgreeAsker(pool)
			a, b := row[c.a], row[c.b]
			k.pair = agreePair{
				a: agreeBody{pool.shapes[a].views[c.scaleA], c.a, a}, b: agreeBody{pool.shapes[b].views[c.scaleB], c.b, b},
				pa: vec.Pose{Pos: c.posA, Rot: c.rotA}, pb: vec.Pose{Pos: c.posB, Rot: c.rotB}, reach: c.reach,
			}
			p := &k.pair
			p.size = max(p.a.view.Radius, p.b.view.Radius)
			for _, by := range []float64{0, 1e-4, 1e-2} {
				turn := vec.FromRotationVector(vec.V(by, -by, by))
				p.qa, p.qb = p.pa, vec.Pose{Pos: p.pb.Pos.Add(vec.V(by, by, by).Scale(p.size)), Rot: turn.Mul(p.pb.Rot).Normalized()}
				if k.due = 1; k.ask(0) != nil {
					t.Fatal(k.ask(0))
				}
			}
		})
	}
}
