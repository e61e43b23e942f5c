package bench

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func hulls(t testing.TB) *fileio.Settled {
	t.Helper()
	s, err := fileio.ReadSettled("testdata/hulls200.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bruteForce returns the touching pairs of pieces, by package oracle alone, the lower piece first.
func bruteForce(w *engine.World) [][2]soa.Piece {
	pieces, bodies := w.Pieces(), w.Bodies()
	var all []oracle.ConvexBody
	var boxes []vec.Box
	for p := range pieces.Len() {
		b := oracle.FromView(w.Shapes().View(pieces.Shape[p]), pieces.Pose(bodies, soa.Piece(p)), vec.Vec3{})
		box := vec.EmptyBox()
		for _, v := range b.Verts {
			box = box.With(v)
		}
		all, boxes = append(all, b), append(boxes, box.Enlarged(1e-9))
	}
	var touch [][2]soa.Piece
	for i := range all {
		for j := i + 1; j < len(all); j++ {
			p, q := soa.Piece(i), soa.Piece(j)
			if !boxes[i].Overlaps(boxes[j]) || bodies.InvMass[pieces.Body[p]]+bodies.InvMass[pieces.Body[q]] == 0 {
				continue
			}
			gap := oracle.Gap(all[i], all[j]).Gap
			if math.Abs(gap) < 1e-9 {
				gap = oracle.ExactGap(w.Shapes().View(pieces.Shape[p]), pieces.Pose(bodies, p),
					w.Shapes().View(pieces.Shape[q]), pieces.Pose(bodies, q))
			}
			if gap <= 0 {
				touch = append(touch, [2]soa.Piece{p, q})
			}
		}
	}
	return touch
}

// contactsOf returns the candidate pairs and the touching pairs, sorted, the lower piece first.
func contactsOf(w *engine.World) (candidates, touch [][2]soa.Piece) {
	pairs, c := w.Pairs(), w.Contacts()
	for i := range pairs.Len() {
		if pairs.Vacant(i) {
			continue
		}
		key := [2]soa.Piece{min(pairs.A[i], pairs.B[i]), max(pairs.A[i], pairs.B[i])}
		candidates = append(candidates, key)
		if row := pairs.Row[i]; row != soa.NoRow && c.Active[row] && c.Gap[row] <= 0 {
			touch = append(touch, key)
		}
	}
	byPieces := func(a, b [2]soa.Piece) int { return slices.Compare(a[:], b[:]) }
	slices.SortFunc(candidates, byPieces)
	slices.SortFunc(touch, byPieces)
	return candidates, touch
}

// TestPileAgainstOracle compares a pile with brute force at its first and its last step, and its
// states on one, two and three workers.
func TestPileAgainstOracle(t *testing.T) {
	s := hulls(t)
	from, err := carrying(s)
	if err != nil {
		t.Fatal(err)
	}
	var hashes []uint64
	for _, workers := range []int{1, 2, 3} {
		w, err := newPile(s, linearLaw(from.stiffness), engine.Config{
			Workers: workers, NoLedger: true, Skin: 1e-4, Relief: engine.Relief{Cap: from.cap, Time: defaultRelief},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		for _, steps := range []int64{0, 200} {
			if err := makeSteps(t.Context(), w, steps, 1e-4); err != nil {
				t.Fatal(err)
			}
			w.Measure()
			hashes = append(hashes, w.Hash())
			if workers > 1 {
				continue
			}
			candidates, touch := contactsOf(w)
			want := bruteForce(w)
			if len(want) < 2*len(s.Bodies) {
				t.Fatalf("step %d: %d pairs touch, expected a pile of at least %d", steps, len(want), 2*len(s.Bodies))
			}
			if !slices.Equal(touch, want) {
				t.Errorf("step %d: %d pairs touch, expected those %d of brute force", steps, len(touch), len(want))
			}
			for _, pair := range want {
				if _, ok := slices.BinarySearchFunc(candidates, pair, func(a, b [2]soa.Piece) int { return slices.Compare(a[:], b[:]) }); !ok {
					t.Errorf("step %d: pieces %v touch and are no candidate pair", steps, pair)
				}
			}
			if err := Check(w); err != nil {
				t.Errorf("step %d: %v", steps, err)
			}
		}
		if n := w.AnsweredBy().Rebuilds; n < 3 {
			t.Errorf("%d rebuilds, expected several with so thin a skin", n)
		}
	}
	for i, h := range hashes {
		if h != hashes[i%2] {
			t.Errorf("state hash %016x on %d workers, %016x on one", h, i/2+1, hashes[i%2])
		}
	}
	if hashes[0] == hashes[1] {
		t.Error("the state hash does not change in 200 steps")
	}
}

// TestCheckSees corrupts the contacts of a valid world one by one; Check must find each error.
func TestCheckSees(t *testing.T) {
	s := hulls(t)
	deepest := func(c *soa.Contacts) int {
		best := 0
		for i, active := range c.Active {
			if active && c.Gap[i] < c.Gap[best] {
				best = i
			}
		}
		return best
	}
	for _, c := range []struct {
		name  string
		spoil func(w *engine.World)
		want  string
	}{
		{"nothing", func(*engine.World) {}, ""},
		{"contact missing", func(w *engine.World) {
			c := w.Contacts()
			c.Active[deepest(c)] = false
		}, "are no contact"},
		{"candidate pair missing", func(w *engine.World) {
			i := w.Contacts().Pair[deepest(w.Contacts())]
			w.Pairs().A[i] = w.Pairs().B[i]
		}, "are no candidate pair"},
		{"wrong depth", func(w *engine.World) {
			c := w.Contacts()
			c.Gap[deepest(c)] *= 1.001
		}, "expected"},
		{"contact too many", func(w *engine.World) {
			c, pairs := w.Contacts(), w.Pairs()
			row := uint32(slices.Index(c.Pair, soa.NoRow))
			for i := range pairs.Len() {
				if !pairs.Vacant(i) && pairs.Row[i] == soa.NoRow {
					pairs.Row[i], c.Pair[row], c.Active[row], c.Gap[row] = row, uint32(i), true, -1e-3
					return
				}
			}
		}, "apart"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := newPile(s, linearLaw(1e8), engine.Config{Workers: 1, NoLedger: true})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			w.Measure()
			c.spoil(w)
			err = Check(w)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, ErrCheck) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, expected ErrCheck with %q", err, c.want)
			}
		})
	}
}

// cubes returns a scene of unit cubes above a floor at z = 0.
func cubes(heights ...float64) *fileio.Settled {
	var corners []vec.Vec3
	for i := range 8 {
		corners = append(corners, vec.V(float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)-0.5))
	}
	s := &fileio.Settled{
		Shapes: []fileio.SettledShape{{IsBox: true, Half: vec.V(0.5, 0.5, 0.5), Verts: corners}},
		Static: []fileio.SettledBox{{Half: vec.V(5, 5, 1), Center: vec.V(0, 0, -1)}},
	}
	for _, z := range heights {
		s.Bodies = append(s.Bodies, fileio.SettledBody{Pose: vec.Pose{Pos: vec.V(0, 0, z), Rot: vec.Identity}})
	}
	return s
}

// TestCarrying tests piles with a known stiffness. For n cubes in a column with equal overlaps d,
// the springs compressed by d/10 satisfy m·g·Σz = k·d/10·(height of the topmost centre).
func TestCarrying(t *testing.T) {
	const mg = Density * Gravity
	for _, c := range []struct {
		name     string
		scene    *fileio.Settled
		k, cap   float64
		relative float64
	}{
		// Heights are measured from the lowest contact, half an overlap below the floor.
		{"one cube", cubes(0.499), mg * 0.4995 / (1e-4 * 0.4995), 1e-4, 1e-9},
		{"two cubes", cubes(0.499, 1.498), mg * (0.4995 + 1.4985) / (1e-4 * 1.4985), 1e-4, 1e-9},
		{"meeting exactly", cubes(0.5, 1.5), mg / (1e-3 * math.Sqrt(0.75)), 0, 1e-9},
		{"in the air", cubes(3), mg / (1e-3 * math.Sqrt(0.75)), 0, 1e-9},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := carrying(c.scene)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.stiffness-c.k) > c.relative*c.k || math.Abs(got.cap-c.cap) > 1e-12 {
				t.Errorf("stiffness %g and cap %g, expected %g and %g", got.stiffness, got.cap, c.k, c.cap)
			}
		})
	}
	if _, err := carrying(cubes()); !errors.Is(err, ErrScene) {
		t.Errorf("a scene without bodies: %v", err)
	}
}

func TestStepRow(t *testing.T) {
	s := hulls(t)
	var last, all int64
	e := files(s, nil)
	e.Progress = func(done, of int64, _ string) { last, all = done, of }
	rows, _, err := measure(t.Context(), &StepOptions{
		Settled: []string{"hulls200"}, Steps: 60, warmUp: 5, Workers: 2, Repeat: 2, Check: true, Laws: []string{LinearLaw, ThicknessLaw},
	}, e)
	if err != nil {
		t.Fatal(err)
	}
	if last != 260 || all != 260 {
		t.Errorf("progress ended at %d of %d, expected 260 of 260", last, all)
	}
	if len(rows) != 2 || rows[0].Law != LinearLaw || rows[1].Law != ThicknessLaw || rows[0].Checksum == rows[1].Checksum {
		t.Fatalf("rows %+v, expected one for each law", rows)
	}
	for i := range rows {
		checkStepRow(t, &rows[i])
	}
}

func checkStepRow(t *testing.T, row *StepRow) {
	t.Helper()
	shares := row.Odometer + row.Axis + row.Overlap + row.Feature + row.Walk + row.Search
	switch {
	case math.Abs(shares-1) > 1e-12:
		t.Errorf("the shares of the levels add up to %.15g", shares)
	case row.Bodies != 200 || row.Walls != 5 || row.Steps != 60 || row.Workers != 2 || row.Checked != "yes":
		t.Errorf("row %+v", row)
	case row.TouchingFirst < 400 || row.TouchingLast < 400 || row.Pairs < row.TouchingLast:
		t.Errorf("%d and %d touching of %d pairs", row.TouchingFirst, row.TouchingLast, row.Pairs)
	case !(row.NsPair > 0) || !(row.NsTouching > row.NsPair) || !(row.BodySteps > 0) || !(row.Motion > 0):
		t.Errorf("times %g, %g ns, %g Mbody-steps/s, motion %g", row.NsPair, row.NsTouching, row.BodySteps, row.Motion)
	case row.Rebuilds < 1:
		t.Errorf("%d rebuilds, expected some", row.Rebuilds)
	case row.Motion > 1e-5:
		t.Errorf("mean motion %g m a step, expected a pile at rest", row.Motion)
	case row.BytesPair != soa.PairBytes+soa.ContactBytes+soa.ForceBytes || row.BytesBody != soa.BodyBytes || len(row.Checksum) != 16:
		t.Errorf("sizes %d and %d, checksum %q", row.BytesPair, row.BytesBody, row.Checksum)
	}
}

func stepOn(ctx context.Context, s *fileio.Settled, o StepOptions) ([]StepRow, error) {
	o.Settled = []string{"x"}
	rows, _, err := measure(ctx, &o, files(s, nil))
	return rows, err
}

func TestStepErrors(t *testing.T) {
	s := cubes(0.499)
	if _, err := stepOn(t.Context(), s, StepOptions{Dt: 1, Steps: 1}); !errors.Is(err, engine.ErrTimeStep) {
		t.Errorf("a step of 1 s: %v", err)
	}
	if _, err := stepOn(t.Context(), s, StepOptions{Laws: []string{"lineal"}}); err == nil || !strings.Contains(err.Error(), `--law is "lineal"`) {
		t.Errorf("an unknown law: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := stepOn(ctx, s, StepOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	flat := cubes(0.499)
	for i := range flat.Shapes[0].Verts {
		flat.Shapes[0].Verts[i].Z = 0
	}
	if _, err := stepOn(t.Context(), flat, StepOptions{}); !errors.Is(err, ErrScene) || !strings.Contains(err.Error(), "shape 0") {
		t.Errorf("a flat shape: %v", err)
	}
}

func TestSettle(t *testing.T) {
	for _, shape := range []string{"cube", "hull:10"} {
		t.Run(shape, func(t *testing.T) {
			var scenes []*fileio.Settled
			for _, workers := range []int{1, 2} {
				r, err := Settle(t.Context(), SettleOptions{Shape: shape, Bodies: 9, Seed: 3, Speed: 0.1, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if r.Speed > 0.1 || r.Worst > 0.01 || r.Steps == 0 {
					t.Errorf("speed %g, penetration %g after %d steps", r.Speed, r.Worst, r.Steps)
				}
				scenes = append(scenes, r.Scene)
			}
			for i, b := range scenes[0].Bodies {
				if b != scenes[1].Bodies[i] {
					t.Errorf("body %d is at %v on one worker, at %v on two", i, b.Pose, scenes[1].Bodies[i].Pose)
				}
				if b.Pose.Pos.Z < 0.2 || b.Pose.Pos.Z > 3 {
					t.Errorf("body %d lies at %v, expected on the floor or on others", i, b.Pose.Pos)
				}
			}
		})
	}
	for _, c := range []struct {
		name string
		o    SettleOptions
		want error
	}{
		{"no such shape", SettleOptions{Shape: "sphere", Bodies: 1}, ErrOption},
		{"no number", SettleOptions{Shape: "hull:x", Bodies: 1}, ErrOption},
		{"too few vertices", SettleOptions{Shape: "hull:3", Bodies: 1}, ErrOption},
		{"no bodies", SettleOptions{Shape: "cube", Bodies: -1}, ErrOption},
		{"negative speed", SettleOptions{Shape: "cube", Bodies: 1, Speed: -1}, ErrOption},
		{"no time", SettleOptions{Shape: "cube", Bodies: 1, Time: 1e-3}, ErrNotSettled},
	} {
		if _, err := Settle(t.Context(), c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, expected %v", c.name, err, c.want)
		}
	}
}

// TestSettleFits: Settle rejects a pile that does not fit into the machine's memory before it makes
// a body.
func TestSettleFits(t *testing.T) {
	o := SettleOptions{Bodies: 1e7}
	_, heap := engine.Memory(1e7)
	for machine, ok := range map[uint64]bool{0: true, heap: true, heap - 1: false, 1: false} {
		err := o.fits(machine)
		if (err == nil) != ok || !ok && (!errors.Is(err, ErrOption) || !strings.Contains(err.Error(), "bodies 10000000, which take about 40.9 GB as a heap")) {
			t.Errorf("on a machine of %d bytes: %v", machine, err)
		}
	}
}

func TestReport(t *testing.T) {
	type row struct {
		Scene string  `json:"scene" show:"%s"`
		Pairs int     `json:"pairs" show:"%d"`
		Ns    float64 `json:"ns_pair" show:"%.1f"`
	}
	rows := []row{{"a", 3, 1.0 / 3}, {"long", 12345, 20}}
	r := Report{Machine: thisMachine("v"), Tables: []table{{Key: "rows", Rows: rows}}}
	var text strings.Builder
	if err := r.WriteText(&text, 100); err != nil {
		t.Fatal(err)
	}
	if want := "scene  pairs  ns_pair\na          3      0.3\nlong   12345     20.0\n"; text.String() != want {
		t.Errorf("text\n%s\nexpected\n%s", text.String(), want)
	}
	text.Reset()
	if err := r.WriteText(&text, 14); err != nil {
		t.Fatal(err)
	}
	if want := "scene  pairs\na          3\nlong   12345\n\nscene  ns_pair\na          0.3\nlong      20.0\n"; text.String() != want {
		t.Errorf("narrow text\n%s\nexpected\n%s", text.String(), want)
	}
	text.Reset()
	if err := r.Tables[0].WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	if want := "scene,pairs,ns_pair\na,3,0.3333333333333333\nlong,12345,20\n"; text.String() != want {
		t.Errorf("CSV\n%s\nexpected\n%s", text.String(), want)
	}
	object, err := json.Marshal(r.Object())
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Machine Machine
		Rows    []row
	}
	if err := json.Unmarshal(object, &back); err != nil || back.Machine != r.Machine || !slices.Equal(back.Rows, rows) {
		t.Errorf("JSON %s: %v", object, err)
	}
	if r.Machine.Processor == "" || r.Machine.Cores < 1 || r.Machine.Backend == "" || r.Machine.Go == "" {
		t.Errorf("machine %+v", r.Machine)
	}
}
