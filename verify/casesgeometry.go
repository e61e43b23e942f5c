package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// exact is the relative tolerance of volumes, centroids and inertia.
const exact = 1e-12

// bothLocations returns a table of pairs, located by both methods that find the overlap.
func bothLocations(table string) []input {
	return []input{{file: table, location: "full"}, {file: table, location: "dual"}}
}

// volumes checks volumes and centroids of both runs of bothLocations, row by row.
func volumes(j *judge, volume []float64, centroid [][3]float64) {
	for k, by := range []string{"", "dual method: "} {
		c, most := j.numbers(k, "pairs.csv", "", "", "volume", "x", "y", "z"), 0.0
		for i, want := range volume {
			at := centroid[i]
			most = max(most, math.Hypot(math.Hypot(c[1][i]-at[0], c[2][i]-at[1]), c[3][i]-at[2]))
			j.near(fmt.Sprintf("%svolume of row %d", by, i+1), "m³", c[0][i], want, exact)
		}
		j.within(by+"largest distance from the centroid", "m", most, 0, exact)
	}
}

// derivative checks that the volumes at the depths 0.11 and 0.09 differ by the area at 0.1 times 0.02. The
// central difference of c·h³ is c·(3h² + δ²), that of c·h² is exact.
func derivative(j *judge, want float64) {
	v := j.numbers(0, "pairs.csv", "", "", "volume")[0]
	j.near("dV/dh by a central difference", "m²", (v[1]-v[2])/0.02, want, exact)
}

// depths are the depths of the rows of the cases V5, V6 and V7.
var depths = []float64{0.1, 0.11, 0.09}

// atDepths returns a function of each of these depths.
func atDepths[R any](of func(h float64) R) (list []R) {
	for _, h := range depths {
		list = append(list, of(h))
	}
	return list
}

func geometryCases() []*Case {
	const ownWork = "elementary geometry"
	edge := math.Sqrt(0.5)
	return []*Case{
		{Name: "V1", What: "overlap of cubes offset by (0.3, 0.2, 0.1)", Source: ownWork, inputs: bothLocations("cubes.csv"), judge: func(j *judge) {
			volumes(j, []float64{0.7 * 0.8 * 0.9}, [][3]float64{{0.15, 0.1, 0.05}})
			c := j.numbers(0, "pairs.csv", "", "", "gap", "nx")
			j.near("depth", "m", -c[0][0], 0.7, exact)
			j.near("normal along x", "", math.Abs(c[1][0]), 1, exact)
		}},
		{Name: "V2", What: "overlap of concentric cubes, one turned by 30° and 45°", Source: ownWork, inputs: bothLocations("turned-cubes.csv"), judge: func(j *judge) {
			v := func(t float64) float64 { return math.Tan(rad(t/2)) + math.Tan(rad(45-float64(t/2))) }
			volumes(j, []float64{v(30), v(45)}, make([][3]float64, 2))
		}},
		{Name: "V4", What: "overlap of a tetrahedron and its negative", Source: ownWork, inputs: bothLocations("tetrahedra.csv"), judge: func(j *judge) {
			volumes(j, []float64{4.0 / 3}, make([][3]float64, 1))
		}},
		{Name: "V5", What: "corner of a cube in a face", Source: ownWork, inputs: bothLocations("corner.csv"), judge: func(j *judge) {
			half := math.Sqrt(3) / 2
			volumes(j, atDepths(func(h float64) float64 { return half * h * h * h }), atDepths(func(h float64) [3]float64 { return [3]float64{0, 0, -h / 4} }))
			derivative(j, half*(3*0.01+1e-4))
		}},
		{Name: "V6", What: "edge of a cube in a face", Source: ownWork, inputs: bothLocations("edge.csv"), judge: func(j *judge) {
			volumes(j, atDepths(func(h float64) float64 { return h * h }), atDepths(func(h float64) [3]float64 { return [3]float64{0, 0, -h / 3} }))
			derivative(j, 2*0.1)
		}},
		{Name: "V7", What: "crossing edges of two bars", Source: ownWork, inputs: bothLocations("crossed-edges.csv"), judge: func(j *judge) {
			volumes(j, atDepths(func(h float64) float64 { return 2.0 / 3 * h * h * h }), atDepths(func(h float64) [3]float64 { return [3]float64{0, 0, edge - float64(h/2)} }))
			derivative(j, 2.0/3*(3*0.01+1e-4))
		}},
		{Name: "V8", What: "force is the slope of the volume, for random hulls", Source: "divergence theorem", Tests: "go test ./overlap ./engine -run 'SharedIsExact|SlopeOfItsPotential'"},
		{Name: "V9", What: "signed distance by every method, for random pairs", Source: "exhaustive search", Tests: "go test ./narrow ./internal/oracle -run 'RandomPairs|ExactAgainstGap'"},
		{Name: "V10", What: "sample bodies of openGJK and libccd: gaps", Source: "openGJK README; libccd #25", inputs: []input{
			{file: "opengjk.csv", shapes: []string{"opengjk-a.obj", "opengjk-b.obj"}, location: "reduced"},
		}, judge: func(j *judge) {
			c := j.numbers(0, "pairs.csv", "", "", "gap", "nx")
			j.within("distance", "m", c[0][0], 3.653650, 5e-7)
			j.near("depth of cubes offset by 0.5", "m", -c[0][1], 1.5, exact)
			j.near("normal along x", "", c[1][1], 1, exact)
			j.near("depth of cubes offset by 1.9", "m", -c[0][2], 0.1, exact)
		}},
		{Name: "V11", What: "degenerate poses", Source: "symmetry; FCL #398, #493, #495", Tests: "go test ./narrow ./section -run 'DegeneracyPack|KnownGaps|GrazingFaces'"},
		{Name: "V12", What: "contact types, by every method", Source: "placed by hand", inputs: slices.Concat(byMethods("types.csv"), byMethods("same-types.csv")), judge: func(j *judge) {
			const all = "f-f e-f f-e v-f f-v e-e e-e-parallel v-e e-v v-v"
			for k, in := range byMethods("types.csv") {
				j.same(in.method, fmt.Sprint(j.texts(k, "pairs.csv", "", "", "type")[0]), "[f-f f-e f-v e-e e-e-parallel v-v e-v]")
				types := strings.Join(j.texts(k+6, "pairs.csv", "", "", "type")[0], " ")
				j.same(in.method+", two cubes, then two tetrahedra", types, all+" "+all)
			}
		}},
		{Name: "V13", What: "winding number of points in, on and outside a cube and a torus", Source: "solid angle", inputs: []input{
			{file: "cube-points.csv", mesh: "cube.obj", method: "winding"}, {file: "cube-points.csv", mesh: "cube.obj", method: "fmm"}, {file: "cube-points.csv", mesh: "cube.obj", method: "ray"},
			{file: "torus-points.csv", mesh: "torus.obj", method: "winding"}, {file: "torus-points.csv", mesh: "torus.obj", method: "ray"},
		}, judge: func(j *judge) {
			for i, want := range []float64{1, 0.5, 0.25, 0.125, 0} {
				for k, by := range []string{"winding", "fmm"} {
					at := []string{"centre", "face", "edge", "corner", "outside"}[i]
					j.within(at+", "+by, "", j.numbers(k, "inside.csv", "", "", "value")[0][i], want, 1e-14)
				}
			}
			j.same("places by ray", fmt.Sprint(j.texts(2, "inside.csv", "", "", "inside")[0]), "[1 on on on 0]")
			c, parity, off, in := j.numbers(3, "inside.csv", "", "", "value")[0], j.numbers(4, "inside.csv", "", "", "inside")[0], 0.0, 0.0
			for i, x := range c {
				off, in = max(off, math.Abs(x-parity[i])), in+parity[i]
			}
			j.atMost(fmt.Sprintf("%d points about a torus: winding number, from the parity of crossings", len(c)), "", off, 1e-12)
			j.between("share of these points inside", "", in/float64(len(c)), 0.3, 0.7)
		}},
		{Name: "V14", What: "volume and inertia of a box and a tetrahedron", Source: "elementary geometry", inputs: []input{{file: "box:1x2x3"}, {file: "tetra:2"}}, judge: func(j *judge) {
			c := j.numbers(0, "shape.csv", "", "", "volume", "xx", "yy", "zz")
			for i, want := range []float64{6, 6.0 / 12 * (4 + 9), 6.0 / 12 * (1 + 9), 6.0 / 12 * (1 + 4)} {
				j.near("box: "+[]string{"volume", "Ixx", "Iyy", "Izz"}[i], "", c[i][0], want, 1e-13)
			}
			c = j.numbers(1, "shape.csv", "", "", "volume", "xx", "yy", "zz")
			volume := 8 / (6 * math.Sqrt2)
			for i, want := range []float64{volume, volume * 4 / 20, volume * 4 / 20, volume * 4 / 20} {
				j.near("tetrahedron: "+[]string{"volume", "Ixx", "Iyy", "Izz"}[i], "", c[i][0], want, 1e-13)
			}
		}},
		{Name: "V15", What: "pairs by every neighbour search, in every step", Source: "brute force", Tests: "go test ./broad -run 'Configurations|NothingIsMissed|PaperExample'"},
		{Name: "V43", What: "mass of a union of cubes and of balls", Source: "inclusion and exclusion", inputs: []input{{file: "union.toml"}, {file: "union.toml", sets: []string{"bodies.union.shape=balls"}}}, judge: func(j *judge) {
			// The body moves at 1 m/s, so its kinetic energy is half of its mass.
			j.near("union of cubes", "m³", 2*j.sums[0].Energies.Kinetic, 2-0.7*0.8*0.9, exact)
			j.near("union of balls", "m³", 2*j.sums[1].Energies.Kinetic, 9*math.Pi/4, 1e-5)
		}},
	}
}

// byMethods returns a table of pairs for each method that names features.
func byMethods(table string) (list []input) {
	for _, m := range []string{"auto", "gjk-epa", "sat", "ds", "fds", "fcp"} {
		list = append(list, input{file: table, method: m, location: "reduced"})
	}
	return list
}
