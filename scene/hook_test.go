package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/results"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// traffic is a hook in which blocks, balls, bodies of two pieces and mesh walls come and go. It remembers ids and
// shapes.
type traffic struct {
	Block, Ball soa.Shape
	IDs, Walls  []soa.ID
	Calls       int
}

func (h *traffic) options(o Options) Options {
	o.Each, o.Every = h.each, 2
	o.Keep = func() []byte { text, _ := json.Marshal(h); return text }
	o.Recall = func(kept []byte) error { return json.Unmarshal(kept, h) }
	o.Columns = []HistoryColumn{{"calls", func(*engine.World) float64 { return float64(h.Calls) }}}
	return o
}

func (h *traffic) each(w *engine.World, step int64) (err error) {
	if step%2 != 0 {
		return fmt.Errorf("called at step %d", step)
	}
	h.Calls++
	at := vec.Pose{Pos: vec.V(0.05*float64(step), 0.03, 0.3+0.12*float64(step%8))}
	add := func(parts ...engine.Part) {
		id, e := w.AddBody(engine.BodySpec{Name: fmt.Sprint("late ", step), Parts: parts, Pose: at, Vel: vec.V(0, 0, -3)})
		h.IDs, err = append(h.IDs, id), errors.Join(err, e)
	}
	block, ball := engine.Part{Shape: h.Block, Density: 2e4}, engine.Part{Shape: h.Ball, Density: 2e4}
	switch step {
	case 0:
		block, e := geometry.Box(0.1, 0.05, 0.07)
		round, e2 := geometry.BallTemplate(0.04)
		if err := errors.Join(e, e2); err != nil {
			return err
		}
		h.Block, e = w.AddShape(block.Template())
		h.Ball, e2 = w.AddShape(round)
		return errors.Join(e, e2, w.RemoveBody(1))
	case 2:
		add(block)
	case 4:
		ball.Local = vec.Pose{Pos: vec.V(0.06, 0, 0)}
		add(block, ball)
	case 6:
		facets, e := geometry.NewWallFacets([][]vec.Vec3{
			{vec.V(-1, -1, -0.01), vec.V(1, -1, 0), vec.V(1, 1, 0.01), vec.V(-1, 1, 0)}, {vec.V(1, 1, 0.01), vec.V(1, -1, 0), vec.V(1, 0, 1)},
		})
		if e != nil {
			return e
		}
		id, e := w.AddWall(engine.WallSpec{Name: "later", Facets: facets, Pose: vec.Pose{Pos: vec.V(0, 0, -0.02)}, Motion: engine.Motion{Velocity: vec.V(0, 0, 0.5)}})
		h.Walls = append(h.Walls, id)
		err = errors.Join(e, w.RemoveBody(w.Walls()[0]))
	case 8:
		add(ball)
		err = errors.Join(err, w.RemoveBody(h.IDs[0]), w.SetVelocity(2, vec.V(1, 0, 1), vec.Vec3{}))
	case 10:
		err = w.SetWallMotion(h.Walls[0], engine.Motion{Velocity: vec.V(0.1, 0, 0.2)})
	case 12:
		add(block)
		err = errors.Join(err, w.RemoveBody(3))
	case 14:
		err = errors.Join(w.RemoveBody(h.Walls[0]), w.SetLoad(h.IDs[1], vec.V(0, 0, 5), vec.Vec3{}))
	}
	return err
}

// TestHookIsRestarted interrupts a run with a hook at each step and restarts it, once and in every step, with another
// number of workers. Folder, rows, checkpoints and hashes must be those of the run that was never stopped.
func TestHookIsRestarted(t *testing.T) {
	for _, order := range []string{"none", "hilbert"} {
		s := loadTumbling(t, "[output]", "[order]\nbodies = \""+order+"\"\n[output]", "checkpoint_every = 7", "checkpoint_every = 5", "count = [2, 2, 1]", "count = [3, 2, 1]")
		whole := results.Folder(t)
		if err := quietly(t, s, new(traffic).options(Options{Dir: whole, Workers: 1})); err != nil {
			t.Fatal(err)
		}
		want := results.Read(t, whole)
		for _, name := range []string{"walls-000012.vtp", "bodies-000006.vtp", "checkpoint-00000015.scree"} {
			if want[name] == "" {
				t.Fatalf("the run left no %s", name)
			}
		}
		if text := want["states.csv"]; !strings.Contains(text, "late 4") || !strings.Contains(text, "\n7,late 2") || strings.Contains(text, "\n9,") {
			t.Errorf("states.csv is\n%s\nexpected the bodies 7 and 8", text)
		}
		chain := results.Folder(t)
		for step := int64(1); step < 16; step++ {
			once := results.Folder(t)
			until(t, s, new(traffic).options(Options{Dir: once, Workers: 1}), step, 0)
			o := Options{Dir: once, Workers: 2, Restart: checkpointAt(once, step)}
			if err := quietly(t, s, new(traffic).options(o)); err != nil {
				t.Fatalf("%s, restart at step %d: %v", order, step, err)
			}
			results.Same(t, fmt.Sprintf("%s, restart at step %d", order, step), results.Read(t, once), want)
			o = Options{Dir: chain, Workers: 1 + int(step%2)}
			if step > 1 {
				o.Restart = checkpointAt(chain, step-1)
			}
			until(t, s, new(traffic).options(o), step, max(step-1, 0))
			if t.Failed() {
				t.FailNow()
			}
		}
		if err := quietly(t, s, new(traffic).options(Options{Dir: chain, Workers: 1, Restart: checkpointAt(chain, 5)})); err != nil {
			t.Fatal(err)
		}
		results.Same(t, order+", restarted in every step", results.Read(t, chain), want)
	}
}

// TestHookIsRefused checks what a run with a hook, or a restart with another one, does not accept.
func TestHookIsRefused(t *testing.T) {
	s, dir := loadTumbling(t), results.Folder(t)
	plain, with := filepath.Join(dir, "plain"), filepath.Join(dir, "with")
	each := func(*engine.World, int64) error { return nil }
	if err := errors.Join(quietly(t, s, Options{Dir: plain, Workers: 1}), quietly(t, s, new(traffic).options(Options{Dir: with, Workers: 1}))); err != nil {
		t.Fatal(err)
	}
	zero := func(*engine.World) float64 { return 0 }
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"without a hook":       {Options{Restart: checkpointAt(with, 7)}, "is of a run with a hook, expected one without"},
		"without Recall":       {Options{Restart: checkpointAt(with, 7), Each: each}, "of a hook, and the hook of this run has no Recall"},
		"an error of Recall":   {Options{Restart: checkpointAt(with, 7), Each: each, Keep: func() []byte { return nil }, Recall: func([]byte) error { return errors.New("no") }}, "the hook cannot go on from it: no"},
		"Keep alone":           {Options{Each: each, Keep: func() []byte { return nil }}, "one of Keep and Recall"},
		"Every alone":          {Options{Every: 2}, "without Each"},
		"a negative Every":     {Options{Each: each, Every: -2}, "Every = -2"},
		"a taken column":       {Options{Columns: []HistoryColumn{{"kinetic", zero}}}, `the column "kinetic" of the hook`},
		"a column twice":       {Options{Columns: []HistoryColumn{{"x", zero}, {"x", zero}}}, `the column "x" of the hook`},
		"a column with spaces": {Options{Columns: []HistoryColumn{{"x y", zero}}}, `the column "x y" of the hook`},
		"a column of nothing":  {Options{Columns: []HistoryColumn{{"x", nil}}}, `the column "x" of the hook has no Value`},
	} {
		c.o.Dir, c.o.Workers = results.Folder(t), 1
		if err := quietly(t, s, c.o); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected one with %q", name, err, c.want)
		}
	}
	calls := 0
	begins := Options{Dir: filepath.Join(dir, "begins"), Workers: 1, Restart: checkpointAt(plain, 7), Each: func(*engine.World, int64) error { calls++; return nil }}
	if err := quietly(t, s, begins); err != nil || calls != 9 {
		t.Errorf("a hook from step 7 on: error %v after %d calls, expected none and 9", err, calls)
	}
	h, cols, err := fileio.ReadCheckpoint(checkpointAt(plain, 7))
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(dir, "forged.scree")
	for _, c := range []struct{ header, column, want string }{
		{string(h), "run.other", `has a column "run.other", which no run writes`},
		{strings.Replace(string(h), "scree world 2", "scree world 1", 1), "", `found "scree world 1", expected "scree world 2"; go on with the release that wrote it`},
	} {
		all := cols
		if c.column != "" {
			all = append(all, soa.Column{Name: c.column, U8: []uint8{1}})
		}
		if err := fileio.WriteCheckpoint(forged, []byte(c.header), all); err != nil {
			t.Fatal(err)
		}
		if err := quietly(t, s, Options{Dir: results.Folder(t), Workers: 1, Restart: forged}); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected one with %q", err, c.want)
		}
	}
}

// TestErrorOfTheHook: an error of the hook, and steps that it makes, end the run. The folder is complete up to there.
func TestErrorOfTheHook(t *testing.T) {
	s, mine := loadTumbling(t, "history_every = 5", "history_every = 1"), errors.New("mine")
	for want, each := range map[string]func(w *engine.World, step int64) error{
		"the hook before step 8: mine": func(_ *engine.World, step int64) error {
			if step == 7 {
				return mine
			}
			return nil
		},
		"the hook has made the steps to 8, expected none": func(w *engine.World, step int64) error {
			if step == 7 {
				return w.Step(s.Dt)
			}
			return nil
		},
	} {
		dir := results.Folder(t)
		sum, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1, Each: each})
		if err == nil || !strings.Contains(err.Error(), want) || sum == nil || sum.Error != err.Error() || errors.Is(err, ErrInput) {
			t.Errorf("error %v, expected %q, in the summary, too", err, want)
		}
		rows, err := os.ReadFile(filepath.Join(dir, "history.csv"))
		if err != nil || strings.Count(string(rows), "\n") != 9 {
			t.Errorf("history.csv has %q, expected a header and the rows of steps 0 to 7", rows)
		}
	}
	nan := HistoryColumn{"nan", func(w *engine.World) float64 { return float64(w.Steps()-7) * 1e308 * 10 }}
	if err := quietly(t, s, Options{Dir: results.Folder(t), Workers: 1, Columns: []HistoryColumn{nan}}); err == nil || !strings.Contains(err.Error(), `the column "nan" is -Inf, expected finite`) {
		t.Errorf("error %v, expected one that names the column", err)
	}
}
