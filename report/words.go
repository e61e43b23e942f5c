package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
)

// levelTexts describes the stages that answer a candidate pair, from cheap to expensive.
// docs/output.md lists the same stages.
var levelTexts = []struct{ level, text string }{
	{"odometer", "skipped: not moved far enough to touch"},
	{"axis", "apart: the last separating axis still separates them"},
	{"overlap", "touching: the overlap has the same features as in the step before"},
	{"feature", "answered from the features of the step before"},
	{"walk", "answered by a short walk from earlier features or the last axis"},
	{"search", "searched from nothing"},
}

// Words returns the summary of a run in words: rows of a label and a text. A row without a label goes on with the one before.
func Words(s *scene.Summary) (rows [][2]string) {
	line := func(label, format string, args ...any) {
		rows = append(rows, [2]string{label, fmt.Sprintf(format, args...)})
	}
	line("bodies", "%d, walls %d, pieces %d", s.Bodies, s.Walls, s.Pieces)
	made := ""
	if s.FirstStep > 0 {
		made = fmt.Sprintf(" (from step %d)", s.FirstStep)
	}
	advised := ""
	if s.DtAdvised > 0 {
		advised = fmt.Sprintf("; steps of %s s at most are advised", mark.Limit(s.DtAdvised))
	}
	if s.DtAuto {
		advised = "; the step is the advised one"
	}
	line("steps", "%d of %.4g s%s, to t = %.6g s%s", s.Steps, s.Dt, made, s.Time, advised)
	for i := range s.StageStarts {
		start, late := &s.StageStarts[i], ""
		if start.Late {
			late = ", ended by at_most without rest"
		}
		line(map[bool]string{true: "stages"}[i == 0], "%d from step %d, t = %.6g s%s", start.Stage, start.Step, start.Time, late)
	}
	line("wall time", "%.3g s, of it steps %.3g s: %.4g million body-steps/s on %d workers, backend %s",
		s.WallSeconds, s.SteppingSeconds, 1e-6*s.BodyStepsPerS, s.Workers, s.Backend)
	if w := &s.Workload; s.Workers > 1 {
		share := 0.0 // idle share of the workers' time
		if w.Seconds > 0 {
			share = w.Idle / (w.Seconds * float64(s.Workers))
		}
		line("workers", "idle for %.3g %% of %.3g s in %d loops; %d steals, %d parks", 100*share, w.Seconds, w.Loops, w.Steals, w.Parks)
	}
	line("contacts", "%d active of %d candidate pairs; worst penetration %.3g m at the end, %.3g m on the way",
		s.Active, s.Contacts, s.LastPenetration, s.WorstPenetration)
	name := "pairs"
	for _, l := range levelTexts {
		if s.AnsweredBy.Count[l.level] > 0 {
			line(name, "%5.2f %% %s (%s)", 100*s.AnsweredBy.Share[l.level], l.text, l.level)
			name = ""
		}
	}
	line(name, "candidate pairs found %s, by %s; %s fell back to the exhaustive search",
		mark.Counted(s.AnsweredBy.Rebuilds, "time", "times"), s.AnsweredBy.Search, mark.Counted(s.AnsweredBy.Fallbacks, "narrow-phase search", "narrow-phase searches"))
	e := &s.Energies
	line("energies", "kinetic %.4g J, potential %.4g J (%.4g J at the start), elastic %.3g J", e.Kinetic, e.Potential, e.InitialPotential, e.Elastic+e.Shear)
	line("", "lost to damping %.4g J, to friction %.4g J; not accounted for %.2g J, normal up to %.2g J", e.Damping, e.Friction, e.LeftOver, e.LeftOverNormal)
	if e.LawExcess != 0 {
		line("", "the law, which has no potential, made %.3g J", e.LawExcess)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Counts)) {
		line("count", "%s: %s", name, mark.Counted(s.Counts[name], "body", "bodies"))
	}
	for _, of := range []struct {
		label string
		list  []scene.ComingSummary
	}{{"poured", s.Poured}, {"waiting", s.Waiting}, {"removed", s.Removed}} {
		for _, c := range of.list {
			line(of.label, "%s: %s, %.4g kg %s", c.Of, mark.Counted(c.Bodies, "body", "bodies"), c.Mass, c.Reason)
		}
	}
	line("state hash", "%s", s.StateHash)
	return rows
}
