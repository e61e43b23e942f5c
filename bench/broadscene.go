package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func init() {
	register[BroadSceneOptions, BroadSceneRow](About{
		Command: "broad", With: "scene", Name: "broad-scene",
		Long:  `--scene times rebuilds of the candidate pairs in whole worlds, with carry-over and tiles.`,
		Names: map[string][]string{"method": engine.Searches(), "scene": worldSceneNames()},
	})
}

// BroadSceneOptions are the options of the study of rebuilds.
type BroadSceneOptions struct {
	Scenes  []string `flag:"scene" help:"time rebuilds of the pairs in whole worlds instead, for the scenes <NAMES>, separated by commas"`
	Bodies  []int    `flag:"bodies" default:"[1000,8000,64000,1000000]" bounds:"1 to 20000000" help:"numbers <N> of bodies, separated by commas"`
	Methods []string `flag:"method" default:"cells,multilevel" help:"<NAMES>, separated by commas, of methods"`
	Workers int      `flag:"workers" default:"1"`
	Seed    uint64   `flag:"seed" default:"1" help:"<S>eed of places and sizes"`
	Facets  int      `flag:"facets" default:"100000" bounds:"1 to 10000000" help:"number <N> of facets of a mesh wall"` // rounded up to twice a square; the largest number needs about 10 GB
	Repeat  int      `flag:"repeat" default:"5" bounds:"≥ 1" help:"measure <R> new scenes"`                             // the least time counts
}

// BroadSceneRow is a row of the study: one search in one world.
type BroadSceneRow struct {
	Scene    string  `json:"scene" show:"%s"`
	Bodies   int     `json:"bodies" show:"%d"`              // moving bodies
	Facets   int     `json:"facets" show:"%d" empty:"hide"` // of the wall
	Method   string  `json:"method" show:"%s"`
	Workers  int     `json:"workers" show:"%d"`
	Backend  string  `json:"backend" show:"%s"`
	Rebuild  float64 `json:"ns_rebuild" show:"%.1f"` // one rebuild over the bodies: pairs, carry-over and tiles, least time
	Over     float64 `json:"over_equal" show:"%.3f"` // time of a rebuild over that of the scene equal with as many bodies; 0 if not measured
	Update   float64 `json:"us_step" show:"%.1f"`    // µs, stage pairs of a step, mean
	Pairs    float64 `json:"pairs_body" show:"%.3f"`
	Checksum string  `json:"checksum" show:"%s"` // state hash at the end
}

// worldScene is a scene of the study: balls on a lattice, and other objects.
type worldScene struct {
	name    string
	ratio   int     // largest radius over smallest
	flyer   bool    // one ball has left at 1 km/s
	facets  bool    // a mesh wall below, apart from all balls
	speed   float64 // m/s, of the wall
	resting int     // number of balls that move among others at rest; 0: all move
}

var worldScenes = []worldScene{
	{name: "equal", ratio: 1},
	{name: "mixed", ratio: 20},
	{name: "flyer", ratio: 1, flyer: true},
	{name: "wall", ratio: 1, facets: true},
	{name: "moving-wall", ratio: 1, facets: true, speed: sceneStep / sceneDt},
	{name: "resting", ratio: 1, resting: 10},
}

func worldSceneNames() []string {
	return distinct(worldScenes, func(s *worldScene) string { return s.name })
}

const (
	// sceneSpacing is the spacing of the lattice, and sceneJitter the largest offset of a ball
	// along each axis, both in largest diameters, which are 1 m. No two balls touch, and about half
	// of the neighbours are candidate pairs.
	sceneSpacing, sceneJitter = 1.05, 0.02
	// sceneSkin is the skin, m. sceneStep is how far all balls move together in a step, m; it makes
	// each step rebuild.
	sceneSkin, sceneStep = 0.025, 0.03
	// sceneDt is the time step, s.
	sceneDt = 1e-4
	// restingStep is how far each of the few moving balls moves in a step, m, among others at rest.
	restingStep = 1e-3
	// sceneSteps are timed, after sceneWarmUp untimed steps.
	sceneSteps, sceneWarmUp = 12, 3
	// restingSteps is the number of timed steps of the scene in which few balls move. They contain
	// several rebuilds.
	restingSteps = 200
)

// plan measures the cost of rebuilding the candidate pairs in a world, with carry-over and
// tiles. On one worker, times are processor time of the thread.
func (o *BroadSceneOptions) plan(e *Env) (*plan[BroadSceneRow], error) {
	p := &plan[BroadSceneRow]{unlocked: o.Workers != 1}
	p.same = func(r *BroadSceneRow) (of, by, checksum string) {
		return fmt.Sprintf("state of %d bodies in scene %s", r.Bodies, r.Scene), r.Method, r.Checksum
	}
	p.finish = func(_ *Report, rows []BroadSceneRow) error {
		overEqual(rows)
		return nil
	}
	for _, n := range o.Bodies {
		for _, name := range o.Scenes {
			s := &worldScenes[slices.Index(worldSceneNames(), name)]
			addContenders(p, searching, o.Methods, func() (*worldScene, int) { return s, o.Repeat },
				func(s *worldScene, method string) (func() float64, func(peers.Times) BroadSceneRow) {
					row := BroadSceneRow{Scene: s.name, Bodies: n, Method: method, Workers: o.Workers, Backend: cpu.Selected()}
					if s.facets {
						row.Facets = 2 * wallRows(o.Facets) * wallRows(o.Facets)
					}
					return func() float64 { return s.run(e, o, &row) }, func(t peers.Times) BroadSceneRow {
						row.Update = t.Least()
						return row
					}
				})
		}
	}
	return p, nil
}

// overEqual compares the rebuilds of all scenes with those of the scene equal, whichever came first.
func overEqual(rows []BroadSceneRow) {
	equal := worldScenes[0].name
	for i := range rows {
		for _, r := range rows {
			if at := &rows[i]; r.Scene == equal && at.Scene != equal && r.Bodies == at.Bodies && r.Method == at.Method {
				at.Over = per(at.Rebuild, r.Rebuild)
			}
		}
	}
}

// run makes the steps of a fresh world. It lowers the time of a rebuild in the row to the least of this world, and returns
// the mean time of stage pairs, µs a step.
func (s *worldScene) run(e *Env, o *BroadSceneOptions, row *BroadSceneRow) float64 {
	w, err := s.world(o, row.Bodies, row.Method)
	e.check(err)
	defer w.Close()
	e.steps(w, sceneWarmUp, sceneDt)
	steps := int64(sceneSteps)
	if s.resting > 0 {
		steps = restingSteps
	}
	before := w.Profile()
	for range steps {
		was, rebuilds := w.Profile().Rebuild, w.AnsweredBy().Rebuilds
		e.steps(w, 1, sceneDt)
		took := float64((w.Profile().Rebuild-was)*1e9) / float64(row.Bodies)
		if w.AnsweredBy().Rebuilds > rebuilds && (row.Rebuild == 0 || took < row.Rebuild) {
			row.Rebuild = took
		}
	}
	row.Pairs = float64(w.Candidates()) / float64(row.Bodies)
	row.Checksum = fmt.Sprintf("%016x", w.Hash())
	return float64((w.Profile().Seconds[engine.StagePairs]-before.Seconds[engine.StagePairs])*1e6) / float64(steps)
}

// world makes n balls on a cubic lattice that move together, and the other objects of the scene.
func (s *worldScene) world(o *BroadSceneOptions, n int, method string) (*engine.World, error) {
	c := engine.Config{Workers: o.Workers, Search: method, Skin: sceneSkin, Horizon: sceneDt * 1e-9, NoLedger: true}
	if s.resting > 0 {
		c.Horizon = 0 // moving bodies get skins of their own
	}
	if o.Workers == 1 {
		c.Clock = threadClock
	}
	return newWorld(force.Linear{Kn: 1e5}, c, func(b *builder) { s.fill(b, n, o) })
}

func (s *worldScene) fill(b *builder, n int, o *BroadSceneOptions) {
	// Sizes are successive halves of the largest. Each site of the lattice has one ball, or 8, 64,
	// … balls of one size.
	balls, parts := []soa.Shape{}, []int{}
	for k := 1; k <= s.ratio; k *= 2 {
		balls, parts = append(balls, b.shape(geometry.BallTemplate(0.5/float64(k)))), append(parts, k)
	}
	r := rand.New(rand.NewPCG(o.Seed, 20))
	sides, added := sitesAlong(n)+1, 0
	add := func(size int, pos, vel vec.Vec3) {
		b.body("", engine.Part{Shape: balls[size], Density: 1000}, unturned(pos), vel)
		added++
	}
	if s.flyer {
		add(0, vec.V(0, 0, 1e3), vec.V(0, 0, 1e3)) // the ball has been flying for a second
	}
	for i := 0; added < n; i++ {
		corner := site(i, sides).Scale(sceneSpacing)
		size := r.IntN(len(parts))
		k := parts[size]
		part := sceneSpacing / float64(k)
		for j := 0; j < k*k*k && added < n; j++ {
			jitter := func() float64 { return 0.5 - sceneJitter + float64(2*sceneJitter*r.Float64()) }
			pos := corner.Add(site(j, k).Add(vec.V(jitter(), jitter(), jitter())).Scale(part))
			vel := vec.V(sceneStep/sceneDt, 0, 0) // all together
			if s.resting > 0 {
				vel = vec.Vec3{}
				if added%(n/s.resting+1) == 0 {
					vel = vec.V(restingStep/sceneDt, 0, 0)
				}
			}
			add(size, pos, vel)
		}
	}
	if s.facets {
		s.addWall(b, r, wallRows(o.Facets), sceneSpacing*float64(sides))
	}
}

// wallRows returns the number of rows of a square wall with at least the given number of facets.
// The wall consists of squares with two facets each.
func wallRows(facets int) int {
	return int(math.Ceil(math.Sqrt(float64(facets) / 2)))
}

// addWall adds a bumpy square wall of rows × rows squares, two diameters below the balls.
func (s *worldScene) addWall(b *builder, r *rand.Rand, rows int, side float64) {
	const depth, bump = -2, 0.01
	corner := make([]vec.Vec3, (rows+1)*(rows+1))
	for k := range corner {
		i, j := k/(rows+1), k%(rows+1)
		corner[k] = vec.V(side*float64(i)/float64(rows), side*float64(j)/float64(rows), depth+float64(bump*r.Float64()))
	}
	var wall engine.WallSpec
	for i := range rows {
		for j := range rows {
			k := i*(rows+1) + j
			p, q, u, v := corner[k], corner[k+rows+1], corner[k+rows+2], corner[k+1]
			for _, t := range [][3]vec.Vec3{{p, q, u}, {p, u, v}} {
				wall.Parts = append(wall.Parts, engine.Part{Shape: b.shape(geometry.FacetTemplate(t[0], t[1], t[2]))})
			}
		}
	}
	wall.Motion.Velocity = vec.V(s.speed, 0, 0)
	b.wall(wall)
}

// threadClock returns the processor time of the calling thread as a time.
func threadClock() time.Time { return time.Unix(0, int64(threadTime())) }
