package overlap

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// shapesFor returns scaled shapes of 4 to most vertices: tetrahedra, rocks, boxes and bars; with
// thin also plates, needles and flat tetrahedra.
func shapesFor(t testing.TB, r *rand.Rand, most int, scale float64, thin bool) (all []*soa.View) {
	add := func(b oracle.ConvexBody) {
		for k, v := range b.Verts {
			b.Verts[k] = v.Scale(scale)
		}
		all = append(all, view(t, b))
	}
	if thin {
		add(boxBody(1, 1, 1e-3))
		add(boxBody(1, 1e-2, 1e-2))
		add(oracle.Hull([]vec.Vec3{{X: 1, Z: -3e-4}, {X: -0.5, Y: 0.8, Z: -3e-4}, {X: -0.5, Y: -0.8, Z: -3e-4}, {Z: 1e-3}}))
		add(oracle.Hull([]vec.Vec3{{X: 1}, {X: -1}, {Y: 1e-2, Z: -3e-3}, {Y: -1e-2, Z: -3e-3}, {Z: 1e-2}}))
		return all
	}
	add(boxBody(1, 1, 1))
	add(boxBody(1, 0.7, 0.2))
	add(barBody(2, 0.3))
	for _, n := range []int{4, 4, 4, 5, 6, 8, 8, 12, 12, 16, 20, 32, 64} {
		if n <= most {
			var p []vec.Vec3
			for range n {
				p = append(p, direction(r))
			}
			b := oracle.Hull(p)
			_, c := b.Volume()
			add(b.Moved(c.Neg()))
		}
	}
	return all
}

// overlapKind is a way to draw overlaps.
type overlapKind struct {
	name         string
	small, large float64 // scales of A and of B
	thin         bool
	far          float64 // distance of both from the origin, in sizes
	place        func(r *rand.Rand, a, b *soa.View) (qa, qb vec.Quat, along vec.Vec3)
}

var overlapKinds = []overlapKind{
	{name: "any", small: 1, large: 1, place: anyPlace},
	{name: "parallel faces", small: 1, large: 1, place: facePlace},
	{name: "nearly alike", small: 1, large: 1, place: alikePlace},
	{name: "thin", small: 1, large: 1, thin: true, place: mixedPlace},
	{name: "mm", small: 1e-3, large: 1e-3, place: mixedPlace},
	{name: "km", small: 1e3, large: 1e3, place: mixedPlace},
	{name: "far", small: 1, large: 1, far: 0x1p20, place: mixedPlace},
	{name: "thin and far in mm", small: 1e-3, large: 1e-3, thin: true, far: 0x1p20, place: mixedPlace},
	{name: "of two sizes", small: 1e-2, large: 1, place: mixedPlace},
}

func anyPlace(r *rand.Rand, _, _ *soa.View) (qa, qb vec.Quat, along vec.Vec3) {
	return turn(r), turn(r), direction(r)
}

// facePlace rotates a face of B against one of A, exactly or slightly tilted, and moves the bodies
// together near its normal.
func facePlace(r *rand.Rand, a, b *soa.View) (qa, qb vec.Quat, along vec.Vec3) {
	n := direction(r)
	qa = spin(r, a.Normal(soa.Face(r.IntN(a.NFaces))), n)
	qb = spin(r, b.Normal(soa.Face(r.IntN(b.NFaces))), n.Neg())
	if r.IntN(4) > 0 {
		qb = vec.FromRotationVector(direction(r).Scale(math.Pow(10, -15+13*r.Float64()))).Mul(qb)
	}
	return qa, qb, n.AddScaled(0.2*r.Float64(), direction(r)).Unit()
}

// alikePlace gives B nearly the rotation of A.
func alikePlace(r *rand.Rand, _, _ *soa.View) (qa, qb vec.Quat, along vec.Vec3) {
	qa = turn(r)
	return qa, vec.FromRotationVector(direction(r).Scale(math.Pow(10, -12+12*r.Float64()))).Mul(qa), direction(r)
}

func mixedPlace(r *rand.Rand, a, b *soa.View) (qa, qb vec.Quat, along vec.Vec3) {
	return []func(r *rand.Rand, a, b *soa.View) (qa, qb vec.Quat, along vec.Vec3){anyPlace, facePlace, alikePlace}[r.IntN(3)](r, a, b)
}

// draw calls do with n overlaps of a kind, 1e-7 to 0.3 of the size deep.
func (k *overlapKind) draw(t testing.TB, n, most int, seed uint64, do func(o overlapping)) {
	r := rand.New(rand.NewPCG(seed, 17))
	var as, bs []*soa.View
	c := NewClipper()
	for i := range n {
		if i%500 == 0 { // new rocks; large ones are rare, because the oracle is slow for them
			few := min(most, 20)
			if i%2500 == 0 {
				few = most
			}
			as, bs = shapesFor(t, r, few, k.small, k.thin), shapesFor(t, r, few, k.large, k.thin && r.IntN(2) == 0)
		}
		a, b := as[r.IntN(len(as))], bs[r.IntN(len(bs))]
		qa, qb, along := k.place(r, a, b)
		size := 2 * min(a.Radius, b.Radius)
		o := meet(c, a, b, qa, qb, along, size*math.Pow(10, -7+6.5*r.Float64()))
		o.size = size
		if k.far > 0 {
			by := direction(r).Scale(k.far * size)
			o.pa.Pos, o.pb.Pos = o.pa.Pos.Add(by), o.pb.Pos.Add(by)
		}
		do(o)
	}
}

// overlapErrors are the errors of an overlap, for a unit stiffness.
type overlapErrors struct {
	energy, volume, force, moment float64 // over r², r³, r and r², with r the sum of the radii
	slope                         float64 // error of the force, over the thickness
}

// over returns the larger of each error.
func (e overlapErrors) over(o overlapErrors) overlapErrors {
	return overlapErrors{
		max(e.energy, o.energy), max(e.volume, o.volume), max(e.force, o.force), max(e.moment, o.moment), max(e.slope, o.slope),
	}
}

// sharedTol bounds the errors of energy, force and moment, in units of stiffness and the sum of the
// radii: some thousand roundings.
const sharedTol = 1e-13

// compare compares Share with an oracle of 256 bits, whose gradients are difference quotients over
// 1e-10 of the thickness. It returns the errors and the thickness, m. counted is false if the
// bodies share too little.
func compare(t *testing.T, c *Clipper, o overlapping) (e overlapErrors, thickness float64, counted bool) {
	t.Helper()
	s, ok := c.Share(o.a, o.pa, o.b, o.pb, o.along)
	truth := oracle.NewOverlap(o.a, o.pa, o.b, o.pb)
	m := truth.At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
	size := o.a.Radius + o.b.Radius
	if m == nil || !ok {
		if m != nil {
			// An overlap too thin for float64 has no significant force.
			if v, _ := m.Variance.Float64(); math.Sqrt(12*v) > sharedTol*size {
				t.Errorf("no volume is found in an overlap %g thick", math.Sqrt(12*v))
			}
		}
		return e, 0, false
	}
	variance, _ := m.Variance.Float64()
	volume, _ := m.Volume.Float64()
	thickness = math.Sqrt(12 * variance)
	gradient, turn, ok := truth.Slope(s.Centroid, 1e-10*thickness, size)
	if !ok {
		t.Errorf("the oracle's difference quotient leaves the overlap, %g thick", thickness)
		return e, 0, false
	}
	// The energy is 6λ; force and moment are 6 times the gradients of λ.
	force := 6 * s.VarianceGradient.Sub(gradient).Norm()
	e = overlapErrors{
		energy: 6 * math.Abs(s.Variance-variance) / (size * size), volume: math.Abs(s.Volume-volume) / (size * size * size),
		force: force / size, moment: 6 * s.VarianceTurn.Sub(turn).Norm() / (size * size), slope: force / thickness,
	}
	if !(max(e.energy, e.volume, e.force, e.moment) <= sharedTol) || thickness > 1e-6*size && !(e.slope <= 1e-7) {
		t.Errorf("an overlap %.3g thick of shapes with %d and %d vertices, %.3g large: %+v", thickness, o.a.NVerts, o.b.NVerts, size, e)
	}
	return e, thickness, true
}

// TestSoakOverlaps compares overlaps of all kinds with an exact oracle: energy, force and moment.
func TestSoakOverlaps(t *testing.T) {
	require.Numbers(t)
	n, most := 8*len(overlapKinds), 12
	if *soakOverlaps > 0 {
		n, most = *soakOverlaps, 64
	}
	for i := range overlapKinds {
		k := &overlapKinds[i]
		t.Run(k.name, func(t *testing.T) {
			if *soakOverlaps > 0 {
				t.Parallel()
			}
			c := NewClipper()
			var counted [14]int // by decade of thickness over the sum of the radii
			var worst [len(counted)]overlapErrors
			all := 0
			k.draw(t, n/len(overlapKinds), most, uint64(i), func(o overlapping) {
				if e, thickness, ok := compare(t, c, o); ok {
					d := min(max(int(-math.Log10(thickness/(o.a.Radius+o.b.Radius))), 0), len(worst)-1)
					worst[d] = worst[d].over(e)
					counted[d]++
					all++
				}
			})
			for d, w := range worst {
				if counted[d] > 0 {
					t.Logf("%d overlaps, 1e-%d to 1e-%d of the size thick: energy %.2g, force %.2g, moment %.2g of stiffness and size; force %.2g of stiffness and thickness",
						counted[d], d+1, d, w.energy, w.force, w.moment, w.slope)
				}
			}
			if all < n/len(overlapKinds)*3/4 {
				t.Errorf("%d of %d pairs overlap", all, n/len(overlapKinds))
			}
		})
	}
}

// TestOracleOfFewFaces moves overlaps. An oracle that has been called before tries the faces of its
// last result first. Its result must equal that of an oracle that tries all faces.
func TestOracleOfFewFaces(t *testing.T) {
	require.Numbers(t)
	r := rand.New(rand.NewPCG(18, 18))
	for i := range overlapKinds {
		overlapKinds[i].draw(t, 4, 12, 18, func(o overlapping) {
			again := oracle.NewOverlap(o.a, o.pa, o.b, o.pb)
			again.At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
			for _, far := range []float64{1e-10, 0.1, 1} {
				// A motion beyond the depth makes other faces meet, or none.
				shift, half := direction(r).Scale(far*o.depth), direction(r).Scale(far*o.depth/o.size)
				m, want := again.At(shift, half, o.along), oracle.NewOverlap(o.a, o.pa, o.b, o.pb).At(shift, half, o.along)
				if (m == nil) != (want == nil) {
					t.Fatalf("%s: moved by %g of the depth %v, of all faces %v", overlapKinds[i].name, far, m, want)
				}
				if m == nil {
					continue
				}
				for _, v := range [][2]*big.Float{{m.Volume, want.Volume}, {m.Variance, want.Variance}} {
					off, _ := new(big.Float).Quo(new(big.Float).Sub(v[0], v[1]), v[1]).Float64()
					if !(math.Abs(off) < 1e-30) {
						t.Errorf("%s: moved by %g of the depth %g, of all faces %g", overlapKinds[i].name, far, v[0], v[1])
					}
				}
			}
		})
	}
}
