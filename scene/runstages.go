package scene

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/soa"
)

// stageMark says where a run is in its stages. A checkpoint has it.
type stageMark struct {
	Number int          `json:"number"` // of the present stage, from 1; 0 before the first
	Rest   int64        `json:"rest"`   // steps in a row at rest
	Ended  bool         `json:"ended"`  // the present stage, or the run without stages, has ended
	Starts []StageStart `json:"starts"` // of the stages so far
}

// StageStart is the start of a stage.
type StageStart struct {
	Stage int     `json:"stage"`          // from 1
	Step  int64   `json:"step"`           // steps made before it
	Time  float64 `json:"time"`           // s
	Late  bool    `json:"late,omitempty"` // the stage did not come to rest within at_most
}

// wallMark is a wall of the world before its first forces.
type wallMark struct {
	Name string `json:"name"`
	Hash string `json:"hash"` // of material, place and shape
}

// present returns the present stage, or nil.
func (r *runner) present() *stage {
	if n := r.mark.Number; n > 0 && n <= len(r.s.stages) {
		return &r.s.stages[n-1]
	}
	return nil
}

// began returns the start of the present stage.
func (r *runner) stageStart() *StageStart { return &r.mark.Starts[len(r.mark.Starts)-1] }

// stepsOf returns the most steps of a stage that begins at a time.
func (g *stage) stepsOf(time float64) int64 {
	length := g.span + g.atMost
	if g.until > 0 {
		length = g.until - time
	}
	return int64(min(max(math.Ceil(length/g.dt*(1-1e-12)), 1), maxSteps))
}

// latestStep returns the last step of the run at the latest, from a step and its time on.
func (r *runner) latestStep(step int64, time float64) int64 {
	for n := max(r.mark.Number-1, 0); n < len(r.s.stages); n++ {
		g := &r.s.stages[n]
		left := g.stepsOf(time)
		if n == r.mark.Number-1 {
			if left = g.stepsOf(r.stageStart().Time) - (step - r.stageStart().Step); r.mark.Ended {
				left = 0
			}
		}
		step, time = step+max(left, 0), time+float64(float64(max(left, 0))*g.dt)
	}
	return step
}

// noteStage updates the mark after a step: whether the world is at rest, and whether the present stage has ended.
func (r *runner) noteStage() {
	g := r.present()
	if g == nil {
		return
	}
	start := r.stageStart()
	late := r.w.Steps()-start.Step >= g.stepsOf(start.Time)
	if g.rest {
		if r.mark.Rest++; !r.atRest(g) {
			r.mark.Rest = 0
		}
	}
	if r.mark.Ended = late || r.mark.Rest >= restSteps; g.rest && late && r.mark.Rest < restSteps {
		start.Late = true
		r.notice(r.s.at.fault(g.key, fmt.Sprintf("did not come to rest within at_most, %g s: it ends at %.6g s", g.atMost, r.w.Time())).Error())
	}
}

// notice reports a warning that the summary of a restarted run has, too.
func (r *runner) notice(text string) {
	r.noticed = append(r.noticed, text)
	r.warn(text)
}

// onTarget reports whether a servo has what it works for.
func onTarget(measured, target float64) bool {
	return math.Abs(measured-target) <= math.Abs(servoTol*target)
}

// atRest reports whether the bodies rest, as a stage defines it.
func (r *runner) atRest(g *stage) bool {
	m := r.w.Measure()
	if r.pours() || m.Active == 0 || g.speed > 0 && !(m.MaxSpeed <= g.speed) || g.ratio > 0 && !(r.w.Unbalanced() <= g.ratio) {
		return false
	}
	for _, id := range r.b.walls {
		if is, ok := r.w.Following(id); ok && is.Works && !onTarget(is.Measured, is.Target) {
			return false
		}
	}
	if r.s.isPeriodic() {
		for _, a := range r.w.Cell() {
			if a.Works && !onTarget(a.Measured, a.Target) {
				return false
			}
		}
	}
	return true
}

// isOver reports whether the run ends at the present step.
func (r *runner) isOver() bool {
	if r.w.Steps() >= r.steps || r.s.end > 0 && r.w.Time() >= r.s.end*(1-1e-12) {
		return true
	}
	return len(r.s.stages) > 0 && r.mark.Ended && (r.mark.Number >= len(r.s.stages) || r.o.UntilStage > 0 && r.mark.Number == r.o.UntilStage)
}

// advance begins the next stage if the present one has ended.
func (r *runner) advance(ctx context.Context) error {
	if !r.mark.Ended || r.mark.Number >= len(r.s.stages) {
		return nil
	}
	was := r.s.lawsOf(r.mark.Number)
	r.mark.Number++
	g := r.present()
	r.mark.Ended, r.mark.Rest = false, 0
	r.mark.Starts = append(r.mark.Starts, StageStart{Stage: r.mark.Number, Step: r.w.Steps(), Time: r.w.Time()})
	r.dt = g.dt
	if g.laws.text != was.text {
		if err := r.underLaws(ctx, &g.laws, was); err != nil {
			return err
		}
	}
	r.reschedule()
	for i := range g.settings {
		if err := r.set(&g.settings[i], r.w.Time()); err != nil {
			return err
		}
	}
	return nil
}

// intervals of output, in steps; negative: that of the table [output] as it was chosen.
func framesInterval(o *output) int64   { return o.every }
func historyInterval(o *output) int64  { return o.history }
func statesInterval(o *output) int64   { return o.states }
func contactsInterval(o *output) int64 { return o.contacts }

// scheduled returns a schedule from a step on, with an interval that the stages so far may have changed.
func (r *runner) scheduled(first, every int64, of func(*output) int64) schedule {
	s, present := schedule{first: first, every: every}, every
	for _, start := range r.mark.Starts {
		if start.Stage > len(r.s.stages) {
			continue // of another scene
		}
		next := of(&r.s.stages[start.Stage-1].output)
		if next < 0 {
			next = every
		}
		if next != present {
			s.later, present = append(s.later, interval{start.Step, next}), next
		}
	}
	return s
}

// reschedule lets the intervals of a stage act from its start on.
func (r *runner) reschedule() {
	f := r.out
	f.kept.schedule = r.scheduled(f.kept.first, f.kept.every, framesInterval)
	for _, t := range f.tables {
		t.schedule = r.scheduled(t.first, t.every, map[string]func(*output) int64{
			historyName: historyInterval, statesName: statesInterval, contactsName: contactsInterval}[t.name])
	}
}

// output returns what is written in the present stage.
func (r *runner) output() *output {
	if g := r.present(); g != nil {
		return &g.output
	}
	return &r.s.output
}

// set applies a setting from time start on.
func (r *runner) set(to *effect, start float64) error {
	if to.apply == nil { // the runner's own
		return nil
	}
	if err := to.apply(r.s, r.b, start); err != nil {
		if errors.Is(err, ErrInput) {
			return err
		}
		return r.s.at.because(to.at, err)
	}
	return nil
}

// underLaws goes on in a world with other laws.
func (r *runner) underLaws(ctx context.Context, to, was *laws) error {
	state := r.w.State()
	b, err := r.s.buildWith(ctx, buildOptions{workers: r.o.Workers, pin: r.o.Pin, laws: to.table, walls: r.b.base})
	if err != nil {
		return err
	}
	forgotten := map[string]bool{}
	if err := b.World.RestoreUnder(state, r.keptFrom(was.kinds, to, forgotten)); err != nil {
		b.Close()
		return err
	}
	r.s.findWalls(b, r.cameNames())
	b.World.CountFrom(r.w)
	b.around, b.digest, b.parts, b.names, b.comings = r.b.around, r.b.digest, r.b.parts, r.b.names, r.b.comings
	r.b.Close()
	r.b, r.w, r.told = b, b.World, len(b.World.Warnings())
	for _, pair := range inOrder(forgotten) {
		r.notice(r.s.at.fault(r.present().key+".law", "contacts of "+pair+" have another kind of law from now on, and forget their friction springs").Error())
	}
	return nil
}

// keptFrom returns for two materials whether their law has the kind that it had, and notes pairs for which it has not.
func (r *runner) keptFrom(was map[string]string, to *laws, forgotten map[string]bool) func(a, b soa.Material) bool {
	old := laws{kinds: was}
	return func(a, b soa.Material) bool {
		kept := old.kindOf(r.s, a, b) == to.kindOf(r.s, a, b)
		if !kept {
			forgotten[pairName(r.s.materials[a], r.s.materials[b])] = true
		}
		return kept
	}
}

// mayChange are the parts of the digest in which a scene may differ from that of a checkpoint with Options.Changed.
var mayChange = []string{"time step", "gravity", "laws", "walls", "settings", "stages"}

// checkChanged rejects a checkpoint of a scene that differs in what may not change.
func (r *runner) checkChanged(h *checkpointHeader) error {
	var differ []string
	for _, name := range digestParts {
		if h.Parts[name] != r.b.parts[name] && !slices.Contains(mayChange, name) {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 {
		return fmt.Errorf("is of scene %q, which differs in its %s, expected the same: what a stage may set may change, and walls may come", h.Scene, keys.Joined(differ, " and "))
	}
	if h.Stage.Number > len(r.s.stages) || h.Stage.Ended && h.Stage.Number > 0 && h.Stage.Number >= len(r.s.stages) {
		next := h.Stage.Number
		if h.Stage.Ended {
			next++
		}
		return fmt.Errorf("goes on in stage %d, expected a scene with as many stages: this one has %d", next, len(r.s.stages))
	}
	return nil
}

// baseOf returns the walls of the scene that a world had before its first forces.
func (s *Scene) baseOf(marks []wallMark, hashes []string) ([]int, error) {
	var base []int
	for _, m := range marks {
		i := slices.IndexFunc(s.walls, func(w wall) bool { return w.name == m.Name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("has a wall %q, expected one of the scene: let it stay in [[walls]], and remove it in a stage", m.Name)
		case hashes[i] != m.Hash:
			return nil, fmt.Errorf("has a wall %q of another shape, place or material, expected the same", m.Name)
		}
		base = append(base, i)
	}
	return base, nil
}

// settle applies what differs between the settings of a checkpoint and those of the scene, and says what.
func (r *runner) settleChanges(h *checkpointHeader) error {
	now, of := r.s.settingsUpTo(r.mark.Number)
	list := differing(now, h.Settings)
	for i := range r.s.walls {
		if !r.s.walls[i].absent && !r.b.hasWall(i) && !slices.Contains(h.Came, r.s.walls[i].name) {
			if err := r.s.bringWall(r.b, i); err != nil {
				return r.s.at.because(r.s.walls[i].key, err)
			}
			list = append(list, joined("walls", r.s.walls[i].name))
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return of[a] - of[b] }) // a later stage acts last
	for _, key := range list {
		to, start := now[key], 0.0
		if n := of[key]; n > 0 && n <= len(r.mark.Starts) {
			start = r.mark.Starts[n-1].Time
		} else if n == 0 {
			start = r.w.Time() // What the scene sets from its start on acts from now on.
		}
		if to.apply != nil {
			if err := r.set(&to, start); err != nil {
				return err
			}
		}
	}
	if len(list) > 0 {
		r.early = append(r.early, r.s.at.fault("", "changed since the checkpoint: "+joinedKeys(list)).Error())
	}
	return nil
}

// settingTexts returns the texts of the present settings.
func (r *runner) settingTexts() map[string]string {
	texts := map[string]string{}
	now, _ := r.s.settingsUpTo(r.mark.Number)
	for key, to := range now {
		if to.text != "" {
			texts[key] = to.text
		}
	}
	return texts
}

// wallMarks returns the marks of the walls that the world had before its first forces.
func (r *runner) wallMarks() (list []wallMark) {
	for _, i := range r.b.base {
		list = append(list, wallMark{r.s.walls[i].name, r.s.wallHash(i)})
	}
	return list
}

// wallHashes returns a hash of material, place and shape of each wall.
func (s *Scene) wallHashes() (list []string) {
	for i := range s.walls {
		list = append(list, s.wallHash(i))
	}
	return list
}

func (s *Scene) wallHash(i int) string {
	v := &s.walls[i]
	if v.hash == "" {
		sum, d := newDigester()
		d.whole(uint64(v.material))
		d.pose(v.pose)
		if v.plane {
			d.template(engine.PlaneTemplate())
		} else {
			d.whole(uint64(v.facets.Len()))
			for k := range v.facets.Len() {
				d.template(v.facets.Template(k))
			}
		}
		_ = d.w.Flush() // Writing to a hash never fails.
		v.hash = hex.EncodeToString(sum.Sum(nil)[:partBytes])
	}
	return v.hash
}
