package scene

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/narrow"
)

const summaryName = "summary.json"

// Summary is the content of summary.json. Lengths in m, times in s, energies in J.
type Summary struct {
	Version     string  `json:"version"`                // of the program
	Scene       string  `json:"scene"`                  // name of the scene
	Seed        uint64  `json:"seed"`                   // seed of the scene
	Steps       int64   `json:"steps"`                  // total number of steps, including those before a restart
	FirstStep   int64   `json:"first_step"`             // first step of this run
	ChangedFrom string  `json:"changed_from,omitempty"` // checkpoint of another scene that the run started from
	Dt          float64 `json:"dt"`                     // s
	DtAuto      bool    `json:"dt_auto,omitempty"`      // the scene has dt = "auto"
	DtAdvised   float64 `json:"dt_advised"`             // longest advised time step; 0 if no two bodies can meet
	Time        float64 `json:"time"`                   // s, after the last step
	Bodies      int     `json:"bodies"`                 // moving bodies
	Walls       int     `json:"walls"`                  // walls, fixed or with a motion
	Pieces      int     `json:"pieces"`                 // pieces of bodies and walls
	Workers     int     `json:"workers"`                // number of workers
	Backend     string  `json:"backend"`                // machine code of the kernels
	Processor   string  `json:"processor"`              // name that the processor reports
	StateHash   string  `json:"state_hash"`             // after the last step, 16 hex digits
	Interrupted bool    `json:"interrupted"`            // a signal ended the run
	Error       string  `json:"error,omitempty"`        // why the run failed

	WallSeconds     float64 `json:"wall_s"`           // wall time of the whole run
	SteppingSeconds float64 `json:"stepping_s"`       // wall time of its steps
	BodyStepsPerS   float64 `json:"body_steps_per_s"` // moving bodies × steps / stepping seconds

	Stages     map[string]float64 `json:"stage_s"`            // s, wall time by stage
	AnsweredBy AnsweredBySummary  `json:"certificate_levels"` // what answered the candidate pairs
	Workload   WorkloadSummary    `json:"scheduling"`         // how the workers shared the work
	Energies   EnergySummary      `json:"energies"`           // energy account at the end

	WorstPenetration float64        `json:"worst_penetration"` // deepest penetration of the whole run
	LastPenetration  float64        `json:"last_penetration"`  // deepest penetration after the last step
	MaxSpeed         float64        `json:"max_speed"`         // m/s, after the last step
	Contacts         int            `json:"contacts"`          // candidate pairs after the last step
	Active           int            `json:"active"`            // active contacts after the last step
	Counts           map[string]int `json:"counts"`            // bodies in each region after the last step
	StageStarts      []StageStart   `json:"stages"`            // the stages so far
	Warnings         []string       `json:"warnings"`          // all warnings of the run

	Poured  []ComingSummary `json:"poured,omitempty"`  // bodies that pours have brought
	Waiting []ComingSummary `json:"waiting,omitempty"` // bodies that are due and wait for a free place
	Removed []ComingSummary `json:"removed,omitempty"` // bodies that [[remove]] and sides of the domain have taken
}

// AnsweredBySummary counts what answered the candidate pairs in the steps of this run.
type AnsweredBySummary struct {
	Pairs      int64              `json:"pairs"`                // pairs in all steps
	Count      map[string]int64   `json:"count"`                // number of pairs by what answered
	Share      map[string]float64 `json:"share"`                // Count / Pairs
	Fallbacks  int64              `json:"fallbacks"`            // searches that fell back to the exhaustive search
	NoSection  int64              `json:"no_section"`           // contacts without a common section
	NoOverlap  int64              `json:"no_overlap,omitempty"` // contacts without a common volume, with contact.location = "full"
	Degenerate int64              `json:"degenerate"`           // pairs without an answer, because they are degenerate
	Rebuilds   int64              `json:"rebuilds"`             // number of searches for candidate pairs
	Search     string             `json:"search"`               // neighbour search of the last rebuild
}

// WorkloadSummary describes how the workers shared the loops of this run's steps. Loops that ran on
// the caller alone, as all loops do with one worker, are counted but not timed.
type WorkloadSummary struct {
	Loops     int64   `json:"loops"`     // loops shared among workers
	Inline    int64   `json:"inline"`    // loops run on the caller alone
	Chunks    int64   `json:"chunks"`    // chunks that the loops were divided into
	Steals    int64   `json:"steals"`    // times that a worker took chunks from another worker
	Parks     int64   `json:"parks"`     // times that a worker went to sleep
	Seconds   float64 `json:"wall_s"`    // wall time of the shared loops
	Idle      float64 `json:"idle_s"`    // time without work in the shared loops, summed over workers
	Imbalance float64 `json:"imbalance"` // workers × wall / busy − 1
	CPUs      []int   `json:"cpus"`      // logical processor of each worker; empty if not pinned
}

// EnergySummary is the energy account after the last step, as in engine.Measure.
type EnergySummary struct {
	Kinetic          float64 `json:"kinetic"`            // J
	KineticRotation  float64 `json:"kinetic_rotation"`   // J, part of Kinetic
	Potential        float64 `json:"potential"`          // J, in the field of gravity
	Elastic          float64 `json:"elastic"`            // J, in normal springs
	Shear            float64 `json:"shear"`              // J, in friction springs
	Damping          float64 `json:"damping"`            // J, dissipated by dashpots
	Friction         float64 `json:"friction"`           // J, dissipated by sliding
	Walls            float64 `json:"walls"`              // J, supplied by moving walls
	LawExcess        float64 `json:"law_excess"`         // J, created by laws without a potential
	Applied          float64 `json:"applied"`            // J, done by loads
	Inserted         float64 `json:"inserted"`           // J, brought by bodies that came, less what others took as they went
	Changed          float64 `json:"changed"`            // J, added by poses, velocities and motions that a program has set
	LeftOver         float64 `json:"left_over"`          // J, not accounted for
	LeftOverNormal   float64 `json:"left_over_normal"`   // J, largest LeftOver that the error of the time step explains
	LeftOverRelative float64 `json:"left_over_relative"` // LeftOver / InitialPotential
	InitialPotential float64 `json:"initial_potential"`  // J, at the start
}

// summarise returns the summary of the run. cause is the error of loop.
func (r *runner) summarise(cause error) *Summary {
	w := r.w
	m := r.w.Measure()
	s := &Summary{
		Version: r.o.Version, Scene: r.s.Name, Seed: r.s.Seed, Steps: w.Steps(), FirstStep: r.first,
		Dt: cmp.Or(r.dt, r.s.Dt), StageStarts: append([]StageStart{}, r.mark.Starts...), DtAuto: r.s.Auto, Time: w.Time(), Bodies: r.b.moving(), Walls: len(w.Walls()), Pieces: w.Pieces().Len(),
		Workers: w.Workers(), Backend: cpu.Selected(), Processor: cpu.Describe().Name, StateHash: fmt.Sprintf("%016x", w.Hash()),
		Interrupted: errors.Is(cause, ErrInterrupted),
		WallSeconds: time.Since(r.began).Seconds(), SteppingSeconds: r.stepping.Seconds(),
		Stages: map[string]float64{}, Counts: map[string]int{}, Warnings: append([]string{}, r.warnings...),
		WorstPenetration: r.worst, LastPenetration: m.Penetration, MaxSpeed: m.MaxSpeed,
		Contacts: m.Contacts, Active: m.Active,
	}
	if cause != nil && !s.Interrupted {
		s.Error = cause.Error()
	}
	if s.SteppingSeconds > 0 {
		s.BodyStepsPerS = float64(r.b.moving()) * float64(w.Steps()-r.first) / s.SteppingSeconds
	}
	for i, x := range w.Profile().Seconds {
		s.Stages[engine.Stage(i).String()] = x
	}
	levels := w.AnsweredBy()
	s.AnsweredBy = AnsweredBySummary{
		Pairs: levels.Pairs, Count: map[string]int64{}, Share: map[string]float64{}, Fallbacks: levels.Fallbacks,
		NoSection: levels.NoSection, NoOverlap: levels.NoOverlap, Degenerate: levels.Degenerate, Rebuilds: levels.Rebuilds, Search: w.Search(),
	}
	for i, n := range levels.By {
		name := narrow.AnsweredBy(i).String()
		s.AnsweredBy.Count[name] = n
		s.AnsweredBy.Share[name] = relative(float64(n), float64(levels.Pairs))
	}
	s.AnsweredBy.Count["overlap"], s.AnsweredBy.Share["overlap"] = levels.Overlap, relative(float64(levels.Overlap), float64(levels.Pairs))
	load := w.Scheduling()
	s.Workload = WorkloadSummary{
		Loops: load.Calls, Inline: load.Inline, Chunks: load.Chunks, Steals: load.Steals, Parks: load.Parks,
		Seconds: load.Wall.Seconds(), Idle: load.Idle.Seconds(), Imbalance: load.Imbalance,
		CPUs: append([]int{}, w.CPUs()...),
	}
	if limits := w.TimeStep(); !math.IsInf(limits.Advised, 1) {
		s.DtAdvised = min(limits.Advised, limits.Packed)
	}
	l := &m.Ledger
	s.Energies = EnergySummary{
		Kinetic: m.Kinetic(), KineticRotation: m.Rotation, Potential: m.Potential, Elastic: l.Elastic, Shear: l.Shear, Damping: l.Damping,
		Friction: l.Friction, Walls: l.Walls, LawExcess: l.LawExcess,
		Applied: l.Applied, Inserted: l.Inserted, Changed: l.Changed, LeftOver: m.LeftOver,
		LeftOverNormal:   w.NormalLeftOver(m, cmp.Or(r.dt, r.s.Dt)),
		LeftOverRelative: relative(m.LeftOver, m.StartedAbove), InitialPotential: m.StartedAbove,
	}
	if r.o.Changed {
		s.ChangedFrom = r.o.Restart
	}
	for i := range r.s.counts {
		s.Counts[r.s.counts[i].name] = r.s.counts[i].bodies(w)
	}
	r.summariseComings(s)
	emptied := (r.s.comesOrGoes() || r.s.destroys()) && s.DtAdvised == 0 // What is normal follows from contacts that the bodies at the end may have.
	if text := s.Energies.offBalance(); text != "" && s.Error == "" && !emptied {
		s.Warnings = append(s.Warnings, text)
		r.report.Warn(text)
	}
	s.repair()
	return s
}

// offTimes is the multiple of the normal energy left over from which a run warns. Bodies that bounce
// without losses may leave some times the normal.
const offTimes = 10

// offBalance returns a warning if the energy left over is larger than the error of the time step
// explains.
func (e *EnergySummary) offBalance() string {
	if !(math.Abs(e.LeftOver) > offTimes*e.LeftOverNormal) {
		return ""
	}
	return fmt.Sprintf("the account of energies is off by %.3g J, expected at most %.3g J, %d times the normal: the time step is too long for "+
		"some contacts, or bodies are deep inside each other", e.LeftOver, offTimes*e.LeftOverNormal, offTimes)
}

// repair replaces numbers that are not finite by 0, because JSON has no form for them, and adds a
// warning for each.
func (s *Summary) repair() {
	zero := func(prefix string, v reflect.Value) {
		for i := range v.NumField() {
			x := v.Field(i)
			if x.Kind() == reflect.Float64 && x.Float()-x.Float() != 0 {
				key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
				s.Warnings = append(s.Warnings, fmt.Sprintf("%s%s is %g, written as 0", prefix, key, x.Float()))
				x.SetFloat(0)
			}
		}
	}
	zero("energies.", reflect.ValueOf(&s.Energies).Elem())
	zero("", reflect.ValueOf(s).Elem())
}

// writeSummary writes summary.json.
func (f *folder) writeSummary(s *Summary) error {
	path, err := f.place(summaryName)
	if err != nil {
		return err
	}
	return writeJSON(path, s)
}
