package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/internal/results"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rainy is a scene with bodies from the start, two pours, mesh walls, a servo, two regions whose bodies go, and
// stages, in 90 steps.
const rainy = `seed = 3
[time]
dt = 5e-4
local_damping = 0.1
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:0.06x0.06x0.06"
material = "stone"
[shapes.ball]
builtin = "ball:0.03"
material = "stone"
[shapes.rock]
builtin = "rock:1,12,0.04"
material = "stone"
[[bodies]]
name = "heap"
generator = "fill"
shapes = ["cube", "rock"]
box = [[-0.25, -0.25, 0.001], [0.25, 0.25, 0.12]]
[[bodies]]
name = "hail"
generator = "pour"
shapes = ["rock", "ball", "cube"]
weights = [1, 2, 1]
rate = 700
count = 21
every = 3
velocity = [0.1, 0, -3]
cylinder = {from = [-0.1, 0, 0.3], to = [0.05, 0.1, 0.45], radius = 0.09}
[[bodies]]
generator = "pour"
shapes = ["ball", "rock"]
mass_rate = 200
from = 0.004
to = 0.04
every = 4
force = [0, 1, 0]
damping = "local"
damping_ratio = 0.2
mesh = "room.obj"
[[walls]]
name = "plate"
file = "plate.obj"
material = "stone"
[[walls]]
name = "lid"
file = "plate.obj"
rotation = [0, 1, 0, 0]
scale = 0.12
position = [-0.2, -0.2, 0.3]
material = "stone"
servo = {axis = [0, 0, -1], force = 50, max_speed = 2}
[[remove]]
below = [[0.16, 0, 0], [-1, 0, 0]]
every = 5
[[remove]]
outside = [[-0.21, -0.21, -0.1], [1, 1, 1]]
every = 7
[law]
stiffness = 2e4
friction = 0.5
restitution = 0.3
[output]
every = 20
history_every = 10
states_every = 15
contacts_every = 20
checkpoint_every = 25
[[stage]]
until = "rest"
speed = 100
at_most = 0.02
bodies.hail.spin = [0, 0, 3]
[[stage]]
for = 0.015
local_damping = 0.05
bodies.hail.force = [0.5, 0, 0]
[stage.law]
stiffness = 2e4
friction = 0.1
[[stage]]
for = 0.01
dt = 2.5e-4
bodies.hail.velocity = [0, 0, -1]
walls.lid.servo = false
`

// roomOBJ is a closed box that is not convex: an L from (−0.2, −0.2) to (0.15, 0.2), 0.35 to 0.55 m high.
const roomOBJ = `v -0.2 -0.2 0.35
v 0.15 -0.2 0.35
v 0.15 -0.05 0.35
v -0.05 -0.05 0.35
v -0.05 0.2 0.35
v -0.2 0.2 0.35
v -0.2 -0.2 0.55
v 0.15 -0.2 0.55
v 0.15 -0.05 0.55
v -0.05 -0.05 0.55
v -0.05 0.2 0.55
v -0.2 0.2 0.55
f 6 5 4 3 2 1
f 7 8 9 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
`

func loadRainy(t *testing.T, change ...string) *Scene {
	t.Helper()
	text := rainy
	for i := 0; i < len(change); i += 2 {
		if !strings.Contains(text, change[i]) {
			t.Fatalf("the scene has no %q", change[i])
		}
		text = strings.Replace(text, change[i], change[i+1], 1)
	}
	s, err := Load(write(t, text, map[string]string{"plate.obj": plateOBJ, "room.obj": roomOBJ}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// summaryOf runs a scene without syncs.
func summaryOf(t *testing.T, s *Scene, o Options) *Summary {
	t.Helper()
	o.Dir = results.Folder(t)
	sum, err := Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// inDomain puts the scene rainy into a domain, whose sides across y are periodic and pressed, and across x and z remove and
// reflect bodies.
var inDomain = []string{"[law]", `[domain]
box = [[-0.25, -0.24, -0.1], [0.23, 0.26, 0.6]]
x = "destroy"
y = "periodic"
z = "reflect"
rate = {yy = -0.5}
[law]`, "dt = 2.5e-4\n", "dt = 2.5e-4\ndomain.rate = false\n", "local_damping = 0.05", `local_damping = 0.05
domain.servo = {stress = ["free", [[0, 500], [0.01, 1000]], "free"], max_rate = 2}`,
	"[[-0.25, -0.25, 0.001], [0.25, 0.25, 0.12]]", "[[-0.25, -0.24, 0.001], [0.23, 0.26, 0.12]]", `cylinder = {from = [-0.1, 0, 0.3], to = [0.05, 0.1, 0.45]`,
	"cylinder = {from = [-0.1, 0.1, 0.3], to = [0.05, 0.15, 0.45]", "scale = 0.12\nposition = [-0.2, -0.2,", "scale = 0.4\nposition = [-0.2, 0,", "outside = [[-0.21, -0.21, -0.1]", "outside = [[-0.24, -0.21, -0.1]"}

// ofClumps makes clumps of the rocks of the scene rainy.
var ofClumps = []string{`builtin = "rock:1,12,0.04"
material = "stone"`, `pieces = [{shape = "ball"}, {shape = "cube", position = [0.02, 0.01, 0]}]`}

// TestPouredSame: workers, tiles, backend and restarts at any step leave the results of a run with pours, removes,
// stages and a servo as they are, also in a domain that deforms, with a side that removes bodies.
func TestPouredSame(t *testing.T) {
	for name, change := range map[string][]string{"hilbert": nil, "none": {"[law]", "[order]\nbodies = \"none\"\n[law]"}, "domain": inDomain, "clumps": append(inDomain[:len(inDomain):len(inDomain)], ofClumps...)} {
		order := name
		s := loadRainy(t, change...)
		whole := results.Folder(t)
		if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		want := results.Read(t, whole)
		sum := want["summary.json"]
		for _, text := range []string{`"of": "hail"`, `"of": "bodies[2]"`, `"of": "remove[0]"`} {
			if !strings.Contains(sum, text) {
				t.Fatalf("the summary has no %s:\n%s", text, sum)
			}
		}
		rng := rand.New(rand.NewPCG(7, 1))
		last := 0
		for n := range require.Rounds(2, 6, 60) {
			s.tilePairs = []int{0, 1, 5, 40}[n%4]
			dir, step := results.Folder(t), int64(0)
			for cut := range 3 {
				o := Options{Dir: dir, Workers: 1 + rng.IntN(3)}
				if step > 0 {
					o.Restart = checkpointAt(dir, step)
				}
				if next := step + 1 + rng.Int64N(40); cut < 2 && next < 100 {
					until(t, s, o, next, step)
					step = next
					continue
				}
				last = int(step)
				if err := quietly(t, s, o); err != nil {
					t.Fatalf("%s, restart at step %d: %v", order, step, err)
				}
				break
			}
			results.Same(t, fmt.Sprintf("%s, round %d, restart at step %d", order, n, last), results.Read(t, dir), want)
		}
		for name := range backends.Each(t) {
			dir := results.Folder(t)
			if err := quietly(t, s, Options{Dir: dir, Workers: 3}); err != nil {
				t.Fatal(err)
			}
			got := results.Read(t, dir)
			if hashIn(got["summary.json"]) != hashIn(sum) || got["states.csv"] != want["states.csv"] {
				t.Errorf("backend %s: hash %s, expected %s", name, hashIn(got["summary.json"]), hashIn(sum))
			}
		}
	}
}

// hashIn returns the line of a summary with the state hash.
func hashIn(summary string) string {
	_, rest, _ := strings.Cut(summary, `"state_hash": `)
	hash, _, _ := strings.Cut(rest, ",")
	return hash
}

// TestPouredAnywhereRestarted restarts a run in every step.
func TestPouredAnywhereRestarted(t *testing.T) {
	s := loadRainy(t, "for = 0.015", "for = 0.005", "for = 0.01", "for = 0.001")
	whole, chain := results.Folder(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	step := int64(0)
	for n := int64(1); ; n++ {
		o := Options{Dir: chain, Workers: 1 + int(n%2)}
		if step > 0 {
			o.Restart = checkpointAt(chain, step)
		}
		if n > 52 {
			if err := quietly(t, s, o); err != nil {
				t.Fatal(err)
			}
			break
		}
		until(t, s, o, n, step)
		step = n
	}
	results.Same(t, "restarted in every step", results.Read(t, chain), results.Read(t, whole))
}

// TestPouredKilled kills a run at random disk operations. A restart from its last checkpoint leaves the results of a run
// that was never stopped.
func TestPouredKilled(t *testing.T) {
	s, whole := loadRainy(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: whole, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	want, rng, resumed := results.Read(t, whole), rand.New(rand.NewPCG(5, 5)), 0
	for range require.Rounds(3, 12, 100) {
		o := Options{Dir: results.Folder(t), Workers: 1}
		at := 30 + rng.IntN(130)
		if !runUntil(t, s, o, killed, at) {
			continue
		}
		if all := checkpoints(t, o.Dir); len(all) > 0 {
			o.Restart = all[len(all)-1]
			resumed++
		}
		if err := quietly(t, s, o); err != nil {
			t.Fatalf("killed at operation %d: %v", at, err)
		}
		results.Same(t, fmt.Sprintf("killed at operation %d", at), results.Read(t, o.Dir), want)
	}
	if resumed == 0 {
		t.Error("no run was killed after a checkpoint")
	}
}

// TestPouredOverlapNothing compares, in random scenes, the bounding ball of each poured body with those of all others
// and with the walls, before its first step.
func TestPouredOverlapNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	for round := range require.Rounds(2, 8, 100) {
		s := loadRainy(t, "seed = 3", fmt.Sprint("seed = ", rng.IntN(1000)), "rate = 700", fmt.Sprint("rate = ", 100+rng.IntN(3000)),
			"mass_rate = 200", fmt.Sprint("mass_rate = ", 50+rng.IntN(1000)), "every = 3", fmt.Sprint("every = ", 1+rng.IntN(5)), "count = 21", "count = 60")
		known, came := map[soa.ID]bool{}, 0
		each := func(w *engine.World, step int64) error {
			b := w.Bodies()
			for i, id := range b.ID {
				if b.Gone[i] || known[id] {
					continue
				}
				if known[id] = true; step == 0 && !strings.HasPrefix(b.Name[i], "hail") {
					continue
				}
				came++
				for k := range b.ID {
					if k == i || b.Gone[k] || b.InvMass[k] == 0 {
						continue
					}
					if d := b.Pos.At(i).Sub(b.Pos.At(k)).Norm(); d < b.Radius[i]+b.Radius[k] {
						return fmt.Errorf("body %d (%s) comes %g m from body %d, expected at least %g m", id, b.Name[i], d, b.ID[k], b.Radius[i]+b.Radius[k])
					}
				}
				for _, wall := range w.Walls() {
					row, _ := b.Row(wall)
					// Both walls are one polygon: points on it, 1 cm apart, are as far as the ball reaches.
					corners := w.Shapes().AppendCorners(nil, w.Pieces().Shape[b.FirstPiece[row]])
					u, v := corners[1].Sub(corners[0]), corners[3].Sub(corners[0])
					local := w.Pieces().Pose(b, b.FirstPiece[row])
					for x := range 101 {
						for y := range 101 {
							p := local.Point(corners[0].AddScaled(float64(x)/100, u).AddScaled(float64(y)/100, v))
							if d := p.Sub(b.Pos.At(i)).Norm(); d < b.Radius[i] {
								return fmt.Errorf("body %d comes %g m from a wall, expected %g m", id, d, b.Radius[i])
							}
						}
					}
				}
			}
			return nil
		}
		sum := summaryOf(t, s, Options{Each: each, Workers: 1})
		poured := int64(0)
		for _, p := range sum.Poured {
			poured += p.Bodies
		}
		if came != int(poured) || came < 10 {
			t.Errorf("round %d: %d bodies came, and the summary has %d", round, came, poured)
		}
	}
}

// dry is a scene of balls that fall freely from a wide region.
const dry = `[time]
dt = 1e-3
steps = 1000
[materials.stone]
density = 1000
[shapes.small]
builtin = "ball:0.01"
material = "stone"
[shapes.large]
builtin = "ball:0.02"
material = "stone"
[[bodies]]
name = "drops"
generator = "pour"
shapes = ["small", "large"]
box = [[0, 0, 0], [9, 9, 9]]
rate = 100
to = 0.5
[[walls]]
plane = {point = [0, 0, -99], normal = [0, 0, 1]}
material = "stone"
[law]
stiffness = 1e3
[output]
history_every = 1
`

func loadDry(t *testing.T, change ...string) *Scene {
	t.Helper()
	s, err := Load(write(t, strings.NewReplacer(change...).Replace(dry), map[string]string{"room.obj": roomOBJ}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPourTimes: the number of bodies at a time follows from the rate, rounded to the steps at which bodies come.
func TestPourTimes(t *testing.T) {
	small := 1000 * 4 * math.Pi / 3 * 1e-6
	for _, c := range []struct {
		change []string
		want   func(time float64) int
	}{
		{nil, func(time float64) int { return int(min(time, 0.5)*100+1e-9) + 1 }},
		{[]string{"to = 0.5", "count = 30"}, func(time float64) int { return min(int(time*100+1e-9)+1, 30) }},
		{[]string{"to = 0.5", "to = 0.5\nfrom = 0.1"}, func(time float64) int {
			if time < 0.1-1e-9 {
				return 0
			}
			return int((min(time, 0.5)-0.1)*100+1e-9) + 1
		}},
		{[]string{"rate = 100", fmt.Sprintf("mass_rate = %.17g", 90*small)}, func(time float64) int {
			// A small one and a large one, eight times as heavy, in turn.
			n, ninths := 0, min(time, 0.5)*90+1e-9
			for sum := 0.0; ; n++ {
				if sum += []float64{1, 8}[n%2]; sum > ninths {
					return n
				}
			}
		}},
	} {
		for _, every := range []int{1, 7, 100} {
			s := loadDry(t, append([]string{"box =", fmt.Sprintf("every = %d\nbox =", every)}, c.change...)...)
			var at []int
			sum := summaryOf(t, s, Options{Workers: 1, Each: func(w *engine.World, step int64) error {
				if step%int64(every) == 0 {
					at = append(at, len(w.Bodies().ID)-1)
					if n := c.want(float64(step) * 1e-3); at[len(at)-1] != n {
						return fmt.Errorf("%d bodies at step %d, expected %d", at[len(at)-1], step, n)
					}
				}
				return nil
			}})
			end := 1000 / every * every
			if n := c.want(float64(end) * 1e-3); sum.Poured[0].Bodies != int64(n) || sum.Waiting != nil || n < 9 {
				t.Errorf("%v every %d: %d bodies, %v wait, expected %d and none", c.change, every, sum.Poured[0].Bodies, sum.Waiting, n)
			}
			if want := float64(sum.Poured[0].Bodies/2)*9*small + float64(sum.Poured[0].Bodies%2)*small; math.Abs(sum.Poured[0].Mass-want) > 1e-12 {
				t.Errorf("%v every %d: mass %g kg, expected %g kg", c.change, every, sum.Poured[0].Mass, want)
			}
		}
	}
}

// TestPourDependsOnSeedAndNumber: shape and rotation of body k and the places that it tries depend on the seed and k,
// not on when it comes.
func TestPourDependsOnSeedAndNumber(t *testing.T) {
	of := func(change ...string) (list []string) {
		s := loadDry(t, change...)
		last := soa.ID(0)
		summaryOf(t, s, Options{Workers: 1, Each: func(w *engine.World, _ int64) error {
			b := w.Bodies()
			for i, id := range b.ID {
				if id > last {
					last = id
					list = append(list, fmt.Sprint(b.Name[i], b.Pos.At(i), b.Rot.At(i), b.Radius[i]))
				}
			}
			return nil
		}})
		return list
	}
	weighted := []string{"rate = 100", "weights = [1, 2]\nrate = 100"}
	all := of(weighted...)
	if later := of("rate = 100", "weights = [1, 2]\nrate = 100\nevery = 7\nfrom = 0.02", "to = 0.5", "to = 0.52"); !slices.Equal(all, later) {
		t.Errorf("bodies that come later are\n%v\nexpected\n%v", later, all)
	}
	if other := of(append(weighted, "[time]", "seed = 1\n[time]")...); slices.Equal(all, other) || other[0] == all[1] {
		t.Errorf("another seed gives the bodies %v", other)
	}
	if len(all) != 51 || all[0] == all[1] {
		t.Errorf("the bodies are %v", all)
	}
}

// TestPourWaits: a pour whose region is taken waits, the summary says why, and none overtakes.
func TestPourWaits(t *testing.T) {
	narrow := []string{"box = [[0, 0, 0], [9, 9, 9]]", "box = [[0, 0, 0], [0.08, 0.08, 0.08]]", "[law]", "[gravity]\nvector = [0, 0, 0]\n[law]"}
	sum := summaryOf(t, loadDry(t, narrow...), Options{Workers: 1})
	small := 1000 * 4 * math.Pi / 3 * 1e-6
	p, w := sum.Poured[0], sum.Waiting
	if len(w) != 1 || p.Bodies < 2 || p.Bodies+w[0].Bodies != 51 || math.Abs(p.Mass+w[0].Mass-(25*9+1)*small) > 1e-12 ||
		!regexp.MustCompile(fmt.Sprintf("^no free place for body %d in [0-9]+ tries: bodies are in the region$", p.Bodies)).MatchString(w[0].Reason) {
		t.Errorf("poured %+v, waiting %+v", p, w)
	}
	walled := append(narrow, "[[walls]]\n", "[[walls]]\nplane = {point = [0, 0, 1], normal = [0, 0, 1]}\nmaterial = \"stone\"\n[[walls]]\n")
	if sum = summaryOf(t, loadDry(t, walled...), Options{Workers: 1}); sum.Poured[0].Bodies != 0 || !strings.HasSuffix(sum.Waiting[0].Reason, "walls are in the region") {
		t.Errorf("with a wall: poured %+v, waiting %+v", sum.Poured, sum.Waiting)
	}
	late := summaryOf(t, loadDry(t, "steps = 1000", "steps = 150"), Options{Workers: 1})
	if w = late.Waiting; len(w) != 1 || w[0].Bodies != 5 || w[0].Reason != "due after the last time at which bodies come, every 100 steps" {
		t.Errorf("at 0.15 s: poured %+v, waiting %+v", late.Poured, w)
	}
}

// TestPourDelaysRest: a stage is not at rest while a pour is due.
func TestPourDelaysRest(t *testing.T) {
	const stage = "steps = 1000"
	s := loadDry(t, stage, "", "dt = 1e-3", "dt = 4e-5", "to = 0.5", "count = 4", "rate = 100", "rate = 5\nvelocity = [0, 0, -1]", "box = [[0, 0, 0], [9, 9, 9]]", "box = [[0, 0, 0.001], [0.5, 0.5, 0.1]]", "point = [0, 0, -99]", "point = [0, 0, 0]",
		"[output]\nhistory_every = 1\n", "restitution = 0.1\nfriction = 0.5\n[output]\nhistory_every = 100\n[[stage]]\nuntil = \"rest\"\nspeed = 1e-2\nat_most = 3\nlocal_damping = 0.5\n")
	sum := summaryOf(t, s, Options{Workers: 1})
	if sum.Poured[0].Bodies != 4 || sum.Time < 0.6 || sum.Time > 2 || len(sum.Warnings) > 0 {
		t.Errorf("ended at %g s with %+v and warnings %v", sum.Time, sum.Poured, sum.Warnings)
	}
}

// TestRemoves counts bodies that fall out of a region, and checks the account of energies.
func TestRemoves(t *testing.T) {
	for _, c := range []struct{ region, key string }{
		{"below = [[0, 0, -1], [0, 0, 1]]", "below"}, {"box = [[-1, -1, -99], [10, 10, -1]]", "box"}, {"outside = [[-1, -1, -1], [10, 10, 10]]", "outside"},
	} {
		s := loadDry(t, "[law]", "[[remove]]\n"+c.region+"\nevery = 10\n[law]", "box = [[0, 0, 0], [9, 9, 9]]", "box = [[0, 0, 0], [9, 9, 1]]")
		taken := 0
		sum := summaryOf(t, s, Options{Workers: 1, Each: func(w *engine.World, step int64) error {
			b := w.Bodies()
			for i := range b.Len() {
				if step%10 == 0 && b.InvMass[i] > 0 && b.Pos.Z[i] < -1 {
					return fmt.Errorf("a body is at %v at step %d", b.Pos.At(i), step)
				}
			}
			taken = int(b.NextID()) - b.Count()
			return nil
		}})
		gone := sum.Removed[0]
		if gone.Bodies != int64(taken) || gone.Bodies < 20 || sum.Bodies != 51-taken || gone.Of != "remove[0]" {
			t.Errorf("%s: removed %+v, %d are there", c.key, sum.Removed, sum.Bodies)
		}
		e := sum.Energies
		if scale := math.Abs(e.Inserted) + e.Kinetic; math.Abs(e.LeftOver) > 1e-9*scale || e.Inserted == 0 {
			t.Errorf("%s: inserted %g J, left over %g J", c.key, e.Inserted, e.LeftOver)
		}
	}
}

// TestComingsKeepTheAccount: contacts of bodies that go, and bodies that come among others, leave the error of the
// account of energies what it is without them.
func TestComingsKeepTheAccount(t *testing.T) {
	sum := summaryOf(t, loadRainy(t), Options{Workers: 2})
	if e := sum.Energies; math.Abs(e.LeftOver) > 3*e.LeftOverNormal || e.Inserted == 0 || len(sum.Removed) == 0 || sum.Removed[0].Bodies == 0 {
		t.Errorf("energies %+v, removed %+v", e, sum.Removed)
	}
}

// TestSettingsOfAPour: what a stage sets for a pour acts on the bodies that are there, and later ones come as the
// entry says.
func TestSettingsOfAPour(t *testing.T) {
	s := loadDry(t, "steps = 1000", "", "[law]", "[gravity]\nvector = [0, 0, 0]\n[law]", "rate = 100", "rate = 100\nevery = 1\nvelocity = [1, 0, 0]\nfixed = [\"x\", \"y\", \"z\"]",
		"[output]", "[[stage]]\nfor = 0.1\n[[stage]]\nfor = 0.2\nbodies.drops = {velocity = [0, 2, 0]}\n[output]")
	var last *engine.World
	summaryOf(t, s, Options{Workers: 1, Each: func(w *engine.World, _ int64) error { last = w; return nil }})
	b := last.Bodies()
	for i, id := range b.ID {
		want := vec.V(1, 0, 0)
		if id <= 10 {
			want = vec.V(0, 2, 0)
		}
		if id > 0 && b.Vel.At(i) != want {
			t.Errorf("body %d has velocity %v, expected %v", id, b.Vel.At(i), want)
		}
	}
	if b.Count() != 31 {
		t.Errorf("%d bodies, expected 31 with the wall", b.Count())
	}
}

// TestPourInThePlane pours discs into a rectangle, beside those of a fill.
func TestPourInThePlane(t *testing.T) {
	s := loadDry(t, "[time]", "dim = 2\n[time]", "ball:", "disc:", "[9, 9, 9]", "[1, 1, 0]", "normal = [0, 0, 1]", "normal = [0, 1, 0]", "[0, 0, -99]", "[0, -99, 0]",
		"[[walls]]", "[[bodies]]\ngenerator = \"fill\"\nshapes = [\"small\", \"large\"]\nbox = [[0, 2, 0], [0.5, 2.2, 0]]\n[[remove]]\nbelow = [[0, -1, 0], [0, 1, 0]]\n[[walls]]")
	if _, err := Check(t.Context(), s, Options{Dir: "x", Workers: 1}); err != nil {
		t.Fatal(err)
	}
	sum := summaryOf(t, s, Options{Workers: 1, Each: func(w *engine.World, _ int64) error {
		for i, id := range w.Bodies().ID {
			if z := w.Bodies().Pos.Z[i]; z != 0 {
				return fmt.Errorf("body %d is at z = %g", id, z)
			}
		}
		return nil
	}})
	if sum.Poured[0].Bodies != 51 || sum.Removed[0].Bodies < 40 || s.moving < 20 || sum.Waiting != nil {
		t.Errorf("%d from the start, poured %+v, waiting %+v, removed %+v", s.moving, sum.Poured, sum.Waiting, sum.Removed)
	}
	for _, c := range []string{"cylinder = {from = [0, 0, 0], to = [1, 0, 0], radius = 0.2}", "box = [[0, 0, 0], [1, 1, 1]]"} {
		text := strings.NewReplacer("[time]", "dim = 2\n[time]", "ball:", "disc:", "box = [[0, 0, 0], [9, 9, 9]]", c, "normal = [0, 0, 1]", "normal = [0, 1, 0]").Replace(dry)
		if _, err := Load(write(t, text, nil)); err == nil || !strings.Contains(err.Error(), "with dim = 2") {
			t.Errorf("%s: error %v, expected one of two dimensions", c, err)
		}
	}
}

// TestFill: a fill leaves no room for another body, and its bodies overlap none.
func TestFill(t *testing.T) {
	for _, region := range []string{"box = [[0, 0, 0], [0.3, 0.2, 0.2]]", "cylinder = {from = [0, 0, 0], to = [0, 0.1, 0.3], radius = 0.1}", `mesh = "room.obj"`} {
		s := loadDry(t, "generator = \"pour\"", "generator = \"fill\"", "box = [[0, 0, 0], [9, 9, 9]]\nrate = 100\nto = 0.5\n", region+"\n")
		counted := *s.made.Load()
		all, err := s.generate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if &all[0] != &counted[0] {
			t.Errorf("%s: Load made bodies that the first build did not take", region)
		}
		if int64(len(all)) != s.moving || len(all) < 20 {
			t.Errorf("%s: %d bodies of %d", region, len(all), s.moving)
		}
		radius := func(p *placed) float64 { return s.shapes[p.shape].radius }
		volume, g := 0.0, &s.groups[0]
		for i := range all {
			volume += 4 * math.Pi / 3 * math.Pow(radius(&all[i]), 3)
			if !g.region.holds(all[i].pose.Pos, radius(&all[i])) {
				t.Errorf("%s: body %d is not in the region", region, i)
			}
			for k := range i {
				if d := all[i].pose.Pos.Sub(all[k].pose.Pos).Norm(); d < radius(&all[i])+radius(&all[k]) {
					t.Errorf("%s: bodies %d and %d are %g m apart", region, i, k, d)
				}
			}
		}
		r, free := drawn(99), 0
		for range 2000 {
			c, _ := s.place(g, 0.02, r)
			if !slices.ContainsFunc(all, func(p placed) bool { return p.pose.Pos.Sub(c).Norm() < radius(&p)+0.02 }) {
				free++
			}
		}
		if free > 20 {
			t.Errorf("%s: %d of 2000 places are free for another body", region, free)
		}
		b, err := s.Build(1)
		if err != nil {
			t.Fatal(err)
		}
		if b.Close(); b.moving() != len(all) {
			t.Errorf("%s: %d bodies were built", region, b.moving())
		}
		// The first call took the bodies that Load made to count them, and this one made its own.
		if again, err := s.generate(t.Context()); err != nil || s.made.Load() != nil || &again[0] == &all[0] || !slices.Equal(again, all) {
			t.Errorf("%s: bodies made a second time are others, or the same memory (%v)", region, err)
		}
	}
}

// TestPourMessages compares messages for bad pours, fills and removes.
func TestPourMessages(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"rate = 100", "rate = 100\nmass_rate = 3", "scene.toml:18: bodies[0].mass_rate: is given beside rate, expected one of rate and mass_rate"},
		{"rate = 100\n", "", "scene.toml:12: bodies[0].rate: is missing, expected a frequency > 0 1/s, or mass_rate"},
		{"to = 0.5\n", "", "scene.toml:12: bodies[0].count: is missing, expected count, or to: without both a pour has no end"},
		{"to = 0.5", "to = 0.5\nfrom = 0.5", "scene.toml:18: bodies[0].to: found 0.5, expected a time after from, 0.5 s"},
		{"to = 0.5", "count = 0", "scene.toml:18: bodies[0].count: found 0, expected a whole number ≥ 1"},
		{"to = 0.5", "to = 1e9", "scene.toml:12: bodies[0]: makes 10000001 bodies with those before it, expected at most 10000000 in all"},
		{"[9, 9, 9]", "[9, 0.03, 9]", `scene.toml:16: bodies[0].box: sides {9 0.03 9}, expected at least 0.04 m, the bounding ball of shape "large"`},
		{"box = [[0, 0, 0], [9, 9, 9]]", "cylinder = {from = [0, 0, 0], to = [1, 1, 1], radius = 0.019}",
			`scene.toml:16: bodies[0].cylinder: is too thin, expected room for the bounding ball of shape "large", of radius 0.02 m`},
		{"[law]", "[[remove]]\nbelow = [[0, 0, 1], [0, 0, 1]]\n[law]",
			"scene.toml:23: remove[0].below: holds places of the pour bodies[0], expected a region away from its box: its bodies would go as they come"},
		{"[law]", "[[remove]]\noutside = [[0, 0, 0], [9, 9, 8]]\n[law]",
			"scene.toml:23: remove[0].outside: holds places of the pour bodies[0], expected a region away from its box: its bodies would go as they come"},
		{"[law]", "[[remove]]\nevery = 3\n[law]", "scene.toml:22: remove[0].below: is missing, expected a point and a normal [[x, y, z], [x, y, z]], box, or outside"},
		{"[law]", "[[remove]]\nbox = [[0, 0, -9], [9, 9, -3]]\noutside = [[0, 0, 0], [1, 1, 1]]\n[law]", "scene.toml:24: remove[0].outside: is given beside box, expected one of below, box and outside"},
		{"generator = \"pour\"", "generator = \"fill\"", `scene.toml:17: bodies[0].rate: does not belong to generator "fill", expected among generator, shapes, weights, seed, box, cylinder, mesh`},
		{"generator = \"pour\"", "generator = \"random\"", `scene.toml:17: bodies[0].rate: does not belong to generator "random", expected among generator, shapes, weights, count, seed, box, cylinder, mesh`},
		{"generator = \"pour\"\nshapes = [\"small\", \"large\"]\nbox = [[0, 0, 0], [9, 9, 9]]\nrate = 100\nto = 0.5", "generator = \"fill\"\nshapes = [\"small\"]\nbox = [[0, 0, 0], [99, 99, 99]]",
			"scene.toml:16: bodies[0].box: holds about 6.95e+10 bodies, expected at most 10000000: a smaller region, or larger bodies"},
		{"rate = 100", "rate = 100\nvelocity = [0, 0, -50]", "scene.toml:18: bodies[0].velocity: found 50, expected at most 20 m/s: in a time step of 0.001 s a body of 0.02 m would pass others"},
		{"dt = 1e-3", "dt = 1e-1", "scene.toml:2: time.dt: time step 0.1 s, expected at most"},
	} {
		_, err := Load(write(t, strings.Replace(dry, c.old, c.new, 1), nil))
		if err == nil {
			s := loadDry(t, c.old, c.new)
			_, err = Check(t.Context(), s, Options{Dir: "x", Workers: 1})
		}
		if err == nil || !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error\n%v\nexpected\n%s", c.new, err, c.want)
		}
	}
}

// TestForgedComings: a checkpoint whose column of comings does not fit is rejected.
func TestForgedComings(t *testing.T) {
	s, dir := loadRainy(t), results.Folder(t)
	until(t, s, Options{Dir: dir, Workers: 1}, 30, 0)
	for _, c := range []struct {
		forge func(t *comings)
		want  string
	}{
		{func(t *comings) { t.Poured[1].Tries = -1 }, "-1 tries"},
		{func(t *comings) { t.Poured[1].Bodies = 22 }, "22 bodies"},
		{func(t *comings) { t.Poured[0].Bodies = 1 }, "1 bodies"},
		{func(t *comings) { t.Poured[1].Mass = -1 }, "-1 kg"},
		{func(t *comings) { t.Poured = t.Poured[1:] }, "2 entries of bodies"},
		{func(t *comings) { t.Removed = append(t.Removed, amount{}) }, "3 of remove"},
		{func(t *comings) { t.Removed[1].Bodies = -3 }, "-3 removed bodies"},
		{func(t *comings) { t.Poured[1].There[0] = 99999 }, "a body 99999"},
		{func(t *comings) { t.Poured[1].There = append(t.Poured[1].There, make([]soa.ID, 30)...) }, "expected at most 21 bodies"},
	} {
		h, cols, err := fileio.ReadCheckpoint(checkpointAt(dir, 30))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(cols, func(f fileio.Column) bool { return f.Name == comingsColumn })
		var forged comings
		if err := json.Unmarshal(cols[i].U8, &forged); err != nil {
			t.Fatal(err)
		}
		c.forge(&forged)
		if cols[i].U8, err = json.Marshal(&forged); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "forged.scree")
		if err := fileio.WriteCheckpoint(path, h, cols); err != nil {
			t.Fatal(err)
		}
		if err := quietly(t, s, Options{Dir: results.Folder(t), Restart: path, Workers: 1}); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected one with %q", err, c.want)
		}
	}
	h, cols, err := fileio.ReadCheckpoint(checkpointAt(dir, 30))
	if err != nil {
		t.Fatal(err)
	}
	cols = slices.DeleteFunc(cols, func(f fileio.Column) bool { return f.Name == comingsColumn })
	path := filepath.Join(t.TempDir(), "forged.scree")
	if err := fileio.WriteCheckpoint(path, h, cols); err != nil {
		t.Fatal(err)
	}
	if err := quietly(t, s, Options{Dir: results.Folder(t), Restart: path, Workers: 1}); err == nil || !strings.Contains(err.Error(), "has no column") {
		t.Errorf("error %v, expected one of a missing column", err)
	}
}
