package scene

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/soa"
)

// heaped is a lattice of boxes, balls and rocks that overlap, some deeply, beside two bodies given one by one, on a
// plane and on a mesh. Names and places have nothing to do with each other along any curve.
const heaped = `
seed = 5
[time]
dt = 1e-4
steps = 20
[materials.stone]
density = 2600
[shapes.ball]
builtin = "ball:0.05"
material = "stone"
[shapes.box]
builtin = "box:0.1x0.09x0.08"
material = "stone"
[shapes.rock]
builtin = "rock:2,14,0.06"
material = "stone"
[[bodies]]
name = "last"
shape = "box"
position = [0.6, 0.6, 0.7]
[[bodies]]
generator = "grid"
name = "many"
shapes = ["box", "ball", "rock", "box", "rock"]
count = [6, 6, 6]
origin = [0.05, 0.05, 0.05]
spacing = 0.098
jitter = 0.005
rotation = "random"
velocity = [0.1, 0.2, 0.3]
[[bodies]]
name = "first"
shape = "ball"
position = [-0.02, 0, 0.03]
[[walls]]
material = "stone"
plane = { point = [0, 0, 0.005], normal = [0, 0, 1] }
[[walls]]
material = "stone"
file = "plate.obj"
position = [0, 0, 0]
[law]
stiffness = 1e5
friction = 0.5
restitution = 0.5
[output]
every = 10
`

func heap(t *testing.T, order string) *Scene {
	t.Helper()
	s, err := Load(write(t, heaped+"[order]\nbodies = \""+order+"\"\n", map[string]string{"plate.obj": plateOBJ}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// builtWith builds a scene on workers, with tiles of so many pairs.
func builtWith(t *testing.T, s *Scene, workers, tile int) *Built {
	t.Helper()
	all, err := s.generate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := &Built{order: s.orderOf(all)}
	o := buildOptions{workers: workers, laws: s.law, walls: s.firstWalls()}
	c := s.config(b, o)
	c.TilePairs = tile
	if b.World, err = engine.New(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := s.fill(t.Context(), b, all, o); err != nil {
		t.Fatal(err)
	}
	return b
}

func steps(t *testing.T, s *Scene, b *Built, n int) {
	t.Helper()
	for range n {
		if err := b.World.Step(s.Dt); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOrdersGiveTheSameBits: in each order the state hash depends on neither workers, tiles, backend nor a restart.
func TestOrdersGiveTheSameBits(t *testing.T) {
	hashes := map[uint64]string{}
	for _, order := range curve.Names {
		s := heap(t, order)
		hash := func(workers, tile int) uint64 {
			b := builtWith(t, s, workers, tile)
			steps(t, s, b, 12)
			return b.World.Hash()
		}
		want := hash(1, 0)
		if other := hashes[want]; other != "" {
			t.Errorf("the orders %s and %s give the same hash", other, order)
		}
		hashes[want] = order
		for _, c := range [][2]int{{2, 0}, {3, 0}, {7, 0}, {16, 0}, {1, 7}, {1, 100000}, {3, 40}} {
			if got := hash(c[0], c[1]); got != want {
				t.Errorf("%s: %d workers, tiles of %d pairs: hash %016x, expected %016x", order, c[0], c[1], got, want)
			}
		}
		for name := range backends.Each(t) {
			if got := hash(1, 0); got != want {
				t.Errorf("%s: backend %s: hash %016x, expected %016x", order, name, got, want)
			}
		}
		half, rest := builtWith(t, s, 2, 0), builtWith(t, s, 1, 0)
		steps(t, s, half, 6)
		state := half.World.State()
		half.toNumbers(state)
		rest.toIDs(state)
		if err := rest.World.Restore(state); err != nil {
			t.Fatal(err)
		}
		if steps(t, s, rest, 6); rest.World.Hash() != want {
			t.Errorf("%s: after a restart: hash %016x, expected %016x", order, rest.World.Hash(), want)
		}
	}
}

// TestOrdersGiveTheSameContacts: at the first step all orders have the same active contacts by number, and gaps,
// normals, places and forces that agree. Contacts thinner than 1e-9 of the size may be there in one order alone.
func TestOrdersGiveTheSameContacts(t *testing.T) {
	const tol, size = 1e-9, 0.1
	contactsOf := func(order string) map[[2]soa.Number]engine.ActiveContact {
		s := heap(t, order)
		b := builtWith(t, s, 1, 0)
		steps(t, s, b, 1)
		list := b.contacts()
		if !slices.IsSortedFunc(list, func(c, d engine.ActiveContact) int {
			return slices.Compare([]soa.Number{c.PieceA, c.PieceB}, []soa.Number{d.PieceA, d.PieceB})
		}) {
			t.Errorf("%s: contacts out of order", order)
		}
		by := map[[2]soa.Number]engine.ActiveContact{}
		for _, c := range list {
			by[[2]soa.Number{c.PieceA, c.PieceB}] = c
		}
		return by
	}
	want := contactsOf(curve.None)
	if len(want) < 400 {
		t.Fatalf("%d contacts, expected many", len(want))
	}
	for _, order := range curve.Names[1:] {
		got := contactsOf(order)
		for _, c := range [][2]map[[2]soa.Number]engine.ActiveContact{{want, got}, {got, want}} {
			for pair, a := range c[0] {
				b, there := c[1][pair]
				switch {
				case !there && a.Gap < -tol*size:
					t.Errorf("%s: pieces %v, of gap %g m, touch in one order alone", order, pair, a.Gap)
				case !there:
				case a.A != b.A || a.B != b.B:
					t.Errorf("%s: pieces %v are of bodies %d and %d, and of %d and %d", order, pair, a.A, a.B, b.A, b.B)
				case math.Abs(a.Gap-b.Gap) > tol*size || a.Normal.Sub(b.Normal).Norm() > 1e-6 || a.Location.Sub(b.Location).Norm() > 1e-6*size ||
					a.Force.Sub(b.Force).Norm() > 1e-6*(1+a.Force.Norm()):
					t.Errorf("%s: contact\n%+v\nexpected\n%+v", order, b, a)
				}
			}
		}
	}
}

// TestOrdersWriteTheSameFiles: bodies keep their numbers, names and rows in states, frames, checkpoints and warnings.
// At step 0 these agree bit for bit.
func TestOrdersWriteTheSameFiles(t *testing.T) {
	type files struct {
		sum   *Summary
		dir   string
		state map[string][]float64
		pairs []int64     // field bodies of the contacts' frame
		saved [][2]uint32 // contacts of the checkpoint: pairs of pieces, the lower first, sorted
		names string
	}
	of := func(order string) (f files) {
		s := heap(t, order)
		f.dir = t.TempDir()
		f.sum = run(t, s, Options{Dir: f.dir, Steps: 1, Workers: 3})
		b := builtWith(t, s, 1, 0)
		cols := b.World.State()
		b.toNumbers(cols)
		f.state = map[string][]float64{}
		for _, c := range cols {
			f.state[c.Name] = c.F64
			if c.Name == "contact.pieces" {
				for pair := range slices.Chunk(c.U32, 2) {
					f.saved = append(f.saved, [2]uint32{min(pair[0], pair[1]), max(pair[0], pair[1])})
				}
			}
		}
		slices.SortFunc(f.saved, func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) })
		f.names = b.names
		for _, field := range (&folder{r: &runner{s: s, b: b, w: b.World}}).contactFrame().PointData {
			if field.Name == "bodies" {
				f.pairs = field.Ints
			}
		}
		return f
	}
	read := func(f files, name string) []byte {
		text, err := os.ReadFile(filepath.Join(f.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	warned := func(f files) []string { // but for the first of several blocks in a wall, which the order decides
		return slices.DeleteFunc(slices.Clone(f.sum.Warnings), func(text string) bool { return strings.Contains(text, "is deeper in a wall") })
	}
	want := of(curve.None)
	rows := func(f files, step string) (list []string) {
		for _, row := range readTable(t, filepath.Join(f.dir, statesName)) {
			if row["step"] == step {
				list = append(list, fmt.Sprint(row))
			}
		}
		return list
	}
	if len(rows(want, "0")) != 218 || !strings.Contains(rows(want, "0")[217], "first") || len(warned(want)) != maxNamed+2 {
		t.Fatalf("%d rows and %d warnings, expected 218 and %d:\n%s", len(rows(want, "0")), len(warned(want)), maxNamed+2, strings.Join(warned(want), "\n"))
	}
	for _, order := range curve.Names[1:] {
		got := of(order)
		if !slices.Equal(rows(got, "0"), rows(want, "0")) {
			t.Errorf("%s: other rows of states.csv at step 0", order)
		}
		for _, name := range []string{"bodies-000000.vtp", "walls-000000.vtp"} {
			if !bytes.Equal(read(got, name), read(want, name)) {
				t.Errorf("%s: another %s", order, name)
			}
		}
		for _, name := range []string{"pos.x", "rot.z", "vel.y", "angmom.x", "odometer"} {
			if !slices.Equal(got.state[name], want.state[name]) {
				t.Errorf("%s: another column %s of the state", order, name)
			}
		}
		if got.names != want.names || !slices.Equal(got.saved, want.saved) || len(want.saved) < 100 {
			t.Errorf("%s: other names, or contacts in a checkpoint:\n%v\nexpected\n%v", order, got.saved, want.saved)
		}
		if !slices.Equal(got.pairs, want.pairs) {
			t.Errorf("%s: contacts of bodies\n%v\nexpected\n%v", order, got.pairs, want.pairs)
		}
		if !slices.Equal(warned(got), warned(want)) {
			t.Errorf("%s: warnings\n%s\nexpected\n%s", order, strings.Join(warned(got), "\n"), strings.Join(warned(want), "\n"))
		}
	}
}

// maxNamed is the number of deep pairs that a world names at the start.
const maxNamed = 10

// TestNumbersOfFaults: errors of the world name a body by its number, and a checkpoint from before [order] says how to
// go on.
func TestNumbersOfFaults(t *testing.T) {
	s := heap(t, curve.Hilbert)
	b := builtWith(t, s, 1, 0)
	for number := range b.moving() + len(s.walls) {
		if id := b.ID(number); b.Number(id) != number {
			t.Fatalf("number %d has id %d, which has number %d", number, id, b.Number(id))
		}
	}
	if id := b.ID(b.moving() - 1); int(id) == b.moving()-1 || b.World.Bodies().Name[id] != "first" {
		t.Errorf("the last body has id %d and name %q", id, b.World.Bodies().Name[id])
	}
	if err := b.World.SetVelocity(b.ID(217), b.World.Bodies().Pos.At(0).Scale(math.Inf(1)), b.World.Bodies().Spin.At(0)); err == nil || !strings.Contains(err.Error(), "body 217 (first)") {
		t.Errorf("error %v, expected one of body 217 (first)", err)
	}
	none, dir := heap(t, curve.None), t.TempDir()
	run(t, none, Options{Dir: dir, Steps: 2})
	refused(t, s, Options{Dir: t.TempDir(), Restart: checkpointAt(dir, 2), Workers: 1}, "what differs: order", `bodies = "none" in [order]`)
}
