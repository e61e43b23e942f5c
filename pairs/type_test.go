package pairs

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestTypes tests each type with every method, alone and on a track. The cores touch, or are apart
// but rounded. A and B are exchanged, and the pair has many positions and orientations.
func TestTypes(t *testing.T) {
	x, y, z := vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)
	half := math.Sqrt2 / 2
	cube, octa := "box:1x1x1", "octa:1"
	deep := vec.V(0, 0, -0.01)
	mirror := map[string]string{"v-e": "e-v", "e-v": "v-e", "v-f": "f-v", "f-v": "v-f", "e-f": "f-e", "f-e": "e-f"}
	for _, c := range []struct {
		kind   string
		a, b   string
		pa, pb vec.Pose // the bodies touch, B above A
	}{
		{"f-f", cube, cube, at(0, 0, 0), at(0.2, 0.1, 1)},
		{"f-e", cube, cube, at(0, 0, 0), turned(0.1, 0.1, 0.5+half, x, math.Pi/4)},
		{"f-v", cube, octa, at(0, 0, 0), at(0.1, 0.2, 0.5+half)},
		{"e-e", cube, cube, turned(0, 0, 0, x, math.Pi/4), turned(0, 0, 2*half, y, math.Pi/4)},
		{"e-e-parallel", cube, cube, turned(0, 0, 0, x, math.Pi/4), turned(0.3, 0, 2*half, x, math.Pi/4)},
		{"v-v", octa, octa, at(0, 0, 0), at(0, 0, 2*half)},
		{"e-v", cube, octa, turned(0, 0, 0, x, math.Pi/4), turned(0.2, 0, 2*half, z, 0.3)},
	} {
		for _, m := range narrow.Methods() {
			table := head + ",track,round_a,round_b\n"
			var want []string
			r := rand.New(rand.NewPCG(17, 18))
			for k := range 12 {
				// Overlapping corners need not be a corner contact. All other types may be deep, or
				// apart if rounded.
				lift, round := deep.Scale(1e-2*float64(1+k%3)), 0.0
				if c.kind == "v-v" || c.kind == "e-v" || c.kind == "e-e-parallel" {
					lift = vec.Vec3{Z: -1e-9}
				}
				if k%2 == 1 {
					lift, round = vec.Vec3{Z: 0.05}, 0.04
				}
				world := randomPose(r, 10)
				pa := world.Mul(c.pa)
				pb := world.Mul(vec.Pose{Pos: c.pb.Pos.Add(lift), Rot: c.pb.Rot})
				track := ""
				if k >= 6 {
					track = "5"
				}
				table += row(c.a, c.b, pa, pb, track, round, round)
				table += row(c.b, c.a, pb, pa, "", round, round)
				other, ok := mirror[c.kind]
				if !ok {
					other = c.kind
				}
				want = append(want, c.kind, other)
			}
			o := defaults()
			o.Method = m
			list, stats := run(t, table, o, shapesOf(t))
			for i, got := range list {
				if got.status != touching || got.kind != want[i] {
					t.Errorf("%s by %v, row %d: %s, type %q, expected %q", c.kind, m, i+1, got.status, got.kind, want[i])
				}
			}
			if stats.Types[c.kind] == 0 {
				t.Errorf("%s by %v: %v", c.kind, m, stats.Types)
			}
		}
	}
}

// TestDTol: features within the tolerance of the contact plane count for the type, also if the pair
// is apart by less. Balls, and pairs farther apart, have no type.
func TestDTol(t *testing.T) {
	lean := turned(0, 0, 1-1e-9, vec.V(0, 1, 0), 1e-4) // one corner of the cube is 5e-5 lower than the other
	table := head + "\n" + row("box:1x1x1", "box:1x1x1", at(0, 0, 0), lean) +
		row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0, 0, 1.5)) + row("box:1x1x1", "ball:0.5", at(0, 0, 0), at(0, 0, 0.9)) +
		row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0.2, 0, 1+2e-7))
	near := map[float64]string{-1: "f-f", 1e-6: "f-f", 1e-3: "f-f"} // and no type with 0
	for dtol, want := range map[float64]string{-1: "f-e", 0: "f-e", 1e-6: "f-e", 1e-3: "f-f"} {
		o := defaults()
		o.DTol = dtol
		list, stats := run(t, table, o, shapesOf(t))
		counts := map[string]int64{}
		for _, got := range list {
			counts[got.kind]++
		}
		for kind, n := range stats.Types {
			if n != counts[kind] {
				t.Errorf("dtol %g: %d of type %s counted, %d in the table", dtol, n, kind, counts[kind])
			}
		}
		if list[0].kind != want || list[1].kind != "" || list[2].kind != "" {
			t.Errorf("dtol %g: %q %q %q, expected %q and nothing", dtol, list[0].kind, list[1].kind, list[2].kind, want)
		}
		rounded := head + ",round_a,round_b\n" + row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0.3, 0.2, 1.1+5e-7), 0.05, 0.05)
		for _, m := range narrow.Methods() {
			o.Method = m
			if other, _ := run(t, rounded, o, shapesOf(t)); other[0].kind != near[dtol] || other[0].status != apart {
				t.Errorf("dtol %g, %v: rounded and apart by 5e-7 %q, expected %q", dtol, m, other[0].kind, near[dtol])
			}
		}
		if list[3].kind != near[dtol] {
			t.Errorf("dtol %g: apart by 2e-7 %q, expected %q", dtol, list[3].kind, near[dtol])
		}
	}
}
