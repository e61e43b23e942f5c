package scene

import (
	"errors"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/results"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestWriterWritesAsRun: a program that steps the world of a scene and writes with a Writer gets the tables and
// frames of Run.
func TestWriterWritesAsRun(t *testing.T) {
	disk.Before = (&failing{}).before
	defer func() { disk.Before = nil }()
	s := loadTumbling(t, "[[counts]]\nname = \"low\"\nbelow = [[0, 0, 0.0501], [0, 0, 1]]\n", "", "checkpoint_every = 7", "checkpoint_every = 0",
		"[[measure]]\nname = \"low half\"\nbox = [[-1, -1, -1], [1, 1, 0.05]]\n", "", "[[measure]]\nname = \"core\"\nball = { centre = [0, 0, 0.05], radius = 0.12 }\nmean = false\n", "",
		"[output]", "[order]\nbodies = \"none\"\n[output]")
	for _, every := range []int64{1, 2} { // rows of each step, and of every other
		whole, dir := results.Folder(t), results.Folder(t)
		s.output.every, s.output.history, s.output.states = 2*every, every, 4
		twice := HistoryColumn{"twice", func(w *engine.World) float64 { return 2 * w.Time() }}
		want, err := Run(t.Context(), s, Options{Dir: whole, Workers: 1, Columns: []HistoryColumn{twice}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build(1)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		w, err := NewWriter(b.World, WriterOptions{Dir: dir, Name: s.Name, Every: 2 * every, HistoryEvery: every, StatesEvery: 4, ContactsEvery: 4, Columns: []HistoryColumn{twice}})
		if err != nil {
			t.Fatal(err)
		}
		for k := range s.Steps {
			if err := b.World.Step(s.Dt); err != nil {
				t.Fatal(err)
			}
			if k+1 < s.Steps {
				if err := errors.Join(w.Write(), w.Write()); err != nil {
					t.Fatal(err)
				}
			}
		}
		sum, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		if sum.StateHash != want.StateHash || sum.Energies != want.Energies || sum.Dt != want.Dt || every == 1 && sum.WorstPenetration != want.WorstPenetration {
			t.Errorf("summary %+v, expected %+v", sum, want)
		}
		is, other := results.Read(t, dir), results.Read(t, whole)
		for name, text := range other {
			if strings.HasPrefix(name, "walls") || name == "summary.json" || name == sceneName || name == "run.json" || name == "series.pvd" {
				continue
			}
			if is[name] != text {
				t.Errorf("%s is\n%.300s\nexpected\n%.300s", name, is[name], text)
			}
		}
		if len(other) < 10 || is["series.pvd"] == "" || is["run.json"] == "" || is["walls-000016.vtp"] == "" {
			t.Errorf("%d files, expected those of a run", len(other))
		}
		if _, err := w.Close(); err == nil || w.Write() == nil {
			t.Error("calls after Close return no error")
		}
	}
}

// TestWriterOfWhatGoes writes a world whose bodies and walls all go.
func TestWriterOfWhatGoes(t *testing.T) {
	s := loadTumbling(t)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	w, err := NewWriter(b.World, WriterOptions{Dir: results.Folder(t), Every: 1, HistoryEvery: 1, StatesEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	for id := range soa.ID(5) {
		err = errors.Join(err, b.World.RemoveBody(id), b.World.Step(s.Dt), w.Write())
	}
	sum, closeErr := w.Close()
	if err != nil || closeErr != nil || sum.Bodies != 0 || sum.Walls != 0 || sum.Steps != 5 {
		t.Errorf("errors %v and %v, summary %+v, expected no body and no wall", err, closeErr, sum)
	}
}

// TestWriterRefuses checks options that cannot be used, and the summary of a world that has failed.
func TestWriterRefuses(t *testing.T) {
	s := loadTumbling(t)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	dir := results.Folder(t)
	for want, o := range map[string]WriterOptions{
		"no Dir":                           {},
		"found -3, expected":               {Dir: dir, HistoryEvery: -3},
		`Fields: found "colour", expected`: {Dir: dir, Fields: []string{"colour"}},
		`the column "step"`:                {Dir: dir, Columns: []HistoryColumn{{"step", func(*engine.World) float64 { return 0 }}}},
	} {
		if _, err := NewWriter(b.World, o); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
	w, err := NewWriter(b.World, WriterOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewWriter(b.World, WriterOptions{Dir: dir}); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "another run is writing") {
		t.Errorf("error %v, expected one about another run", err)
	}
	fault := b.World.SetVelocity(0, vec.V(1e200, 0, 0), vec.Vec3{})
	for range 3 {
		fault = errors.Join(fault, b.World.Step(s.Dt))
	}
	if sum, err := w.Close(); err != nil || fault == nil || sum.Error == "" {
		t.Errorf("error %v, summary %+v, expected the fault %v in the summary", err, sum, fault)
	}
}
