package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// paperScenes are the names of the scenes: walls of bricks and lattices of falling tetrahedra,
// with their numbers of blocks.
var paperScenes = []string{"wall15", "wall55", "wall120", "tetra64", "tetra125", "tetra216"}

// PaperScene has the parameters of a scene's run and the published parameters. The published
// stiffness and step are those of an implicit method. In an explicit run they would be unstable, or
// bodies would sink by more than their height.
type PaperScene struct {
	Scene      string  `json:"scene" show:"%s"`
	Blocks     int     `json:"blocks" show:"%d"`
	Steps      int     `json:"steps" show:"%d"`
	Height     float64 `json:"height_m" show:"%.3g"` // of a block
	Mass       float64 `json:"mass_kg" show:"%.4g"`  // of a block
	Stiffness  float64 `json:"stiffness" show:"%.3g"`
	Dt         float64 `json:"dt_s" show:"%.3g"`
	Sink       float64 `json:"mg_over_kh" show:"%.1e"` // weight over stiffness and height
	DtShare    float64 `json:"dt_over_tc" show:"%.3f"` // step over the contact time
	PaperK     float64 `json:"published_stiffness" show:"%.3g"`
	PaperDt    float64 `json:"published_dt_s" show:"%.3g"`
	PaperSink  float64 `json:"published_mg_over_kh" show:"%.1e"` // with the published stiffness and volume
	Sampled    int     `json:"sampled_steps" show:"%d"`
	Pairs      float64 `json:"pairs_step" show:"%.1f"`    // candidate pairs in a sampled step
	Touching   float64 `json:"touching_step" show:"%.1f"` // touching pairs among them
	Penetrates float64 `json:"penetration_over_h" show:"%.1e"`
	Checksum   string  `json:"checksum" show:"%s"` // state hash at the end
}

const (
	// sinkShare is the share of its height by which the weight of a block may compress a contact.
	sinkShare = 1e-3
	// paperDtShare is the time step over the contact time.
	paperDtShare = 1.0 / 20
)

// brick is the size of the walls' bricks, m. Each course of a wall has one brick less than the
// course below, and is shifted by half a brick.
var brick = vec.V(1, 0.5, 0.5)

const (
	tetraEdge    = 1.0  // m
	tetraSpacing = 1.25 // m, of the lattice from which they fall: no two touch in any orientation
	tetraStart   = 0.7  // m, initial height of the lowest centroids
)

// paperWorld builds a scene. top is the index of the highest body.
func paperWorld(e *Env, name string, seed uint64) (w *engine.World, s PaperScene, top int) {
	s.Scene = name
	count, isWall := strings.CutPrefix(name, "wall")
	var err error
	s.Blocks, err = strconv.Atoi(strings.TrimPrefix(count, "tetra"))
	e.check(err)
	var p *geometry.Polyhedron
	var poses []vec.Pose
	load := 1.0 // number of blocks that a contact carries
	if isWall {
		s.Steps, s.PaperK, s.PaperDt, s.Height = 1000, 1e10, 1e-3, brick.Z
		p, err = geometry.Box(brick.X, brick.Y, brick.Z)
		poses, load = wallPoses(s.Blocks)
	} else {
		s.Steps, s.PaperK, s.PaperDt, s.Height = 3000, 1e5, 1e-3, tetraEdge*math.Sqrt(2.0/3)
		p, err = geometry.Tetra(tetraEdge)
		poses = tetraPoses(s.Blocks, seed)
	}
	e.check(err)
	s.Mass = Density * p.Mass.Volume
	s.Stiffness = s.Mass * Gravity * load / (sinkShare * s.Height)
	s.Sink = s.Mass * Gravity / (s.Stiffness * s.Height)
	s.PaperSink = s.Mass * Gravity / (s.PaperK * s.Height)
	if !isWall {
		// The published blocks have 1.7·10⁴ m³. Their weight grows with the cube of the height.
		grow := math.Cbrt(1.7e4 / p.Mass.Volume)
		s.PaperSink *= grow * grow
	}
	c := engine.Config{Workers: 1, NoLedger: true, Gravity: vec.V(0, 0, -Gravity), Method: narrow.FDSPaper}
	w, err = newWorld(linearLaw(s.Stiffness), c, func(b *builder) { fillPaper(b, p, poses) })
	e.check(err)
	s.DtShare = paperDtShare
	s.Dt = paperDtShare * w.TimeStep().Contact
	return w, s, len(poses) - 1
}

// fillPaper adds the blocks and the floor. The floor is a block too, so every pair is a pair of
// blocks.
func fillPaper(b *builder, p *geometry.Polyhedron, poses []vec.Pose) {
	shape, wide := b.solid(p, nil), 0.0
	for i, pose := range poses {
		b.body(fmt.Sprintf("block %d", i), engine.Part{Shape: shape, Density: Density}, pose, vec.Vec3{})
		wide = max(wide, math.Abs(pose.Pos.X), math.Abs(pose.Pos.Y))
	}
	wide = 8 * (wide + 1) // so that none falls off
	floor := []engine.Part{{Shape: b.solid(geometry.Box(wide, wide, 1))}}
	b.wall(engine.WallSpec{Name: "floor", Parts: floor, Pose: unturned(vec.V(0, 0, -0.5))})
}

// wallPoses stacks the bricks of a wall in running bond. The lowest course has n bricks, and each
// course above has one less, until all blocks are used. load is the number of courses, because the
// lowest bricks in the middle carry about one brick of each course.
func wallPoses(blocks int) (poses []vec.Pose, load float64) {
	n := 1
	for n*(n+1)/2 < blocks {
		n++
	}
	for course := range n {
		for i := range n - course {
			x := float64(i) - float64(0.5*float64(n-course-1))
			poses = append(poses, unturned(vec.V(x*brick.X, 0, (float64(course)+0.5)*brick.Z)))
		}
	}
	return poses, float64(n)
}

// tetraPoses places tetrahedra with random rotations on a cubic lattice above the floor.
func tetraPoses(blocks int, seed uint64) (poses []vec.Pose) {
	n, r := sitesAlong(blocks), geometry.NewRand(seed)
	middle := float64(0.5 * float64(n-1))
	for i := range blocks {
		pos := site(i, n).Sub(vec.V(middle, middle, 0)).Scale(tetraSpacing).Add(vec.V(0, 0, tetraStart))
		poses = append(poses, vec.Pose{Pos: pos, Rot: r.Rotation()})
	}
	return poses
}

// PaperRise is the rise of the centre of a scene's highest block after a step.
type PaperRise struct {
	Scene string  `json:"scene"`
	Step  int     `json:"step"`
	Time  float64 `json:"time_s"`
	Rise  float64 `json:"displacement_m"`
}

// scene runs a scene with the published search, keeps the candidate pairs of all steps, and measures
// all contenders on them.
func (p *paperStudy) scene(e *Env, name string) []PaperRow {
	w, s, top := paperWorld(e, name, p.Seed)
	defer w.Close()
	play, rise := s.record(e, w, top)
	s.Checksum = fmt.Sprintf("%016x", w.Hash())
	if p.compared > 0 {
		s.Sampled = min(p.compared, s.Steps)
		play.steps = play.steps[:s.Sampled]
	}
	rows := p.compare(e, play, name, "all")
	s.Pairs = per(float64(play.size()), float64(s.Sampled))
	s.Touching = per(float64(rows[0].Touching), float64(s.Sampled))
	frame := Figure{"paper-frame-" + name, lastFrame(w, name)}
	e.keep(func() {
		p.scenes, p.rise, p.frames = append(p.scenes, s), append(p.rise, rise...), append(p.frames, frame)
	})
	return rows
}

// record makes the steps of a scene. It returns the candidate pairs of each, and the rise of the top
// block after each step.
func (s *PaperScene) record(e *Env, w *engine.World, top int) (*replay, []PaperRise) {
	play := &replay{shapes: w.Shapes()}
	rows := map[[2]soa.Piece]int{}
	start := w.Bodies().Pos.Z[top]
	var rise []PaperRise
	for i := range s.Steps {
		e.steps(w, 1, s.Dt)
		rise = append(rise, PaperRise{s.Scene, i + 1, float64(i+1) * s.Dt, w.Bodies().Pos.Z[top] - start})
		for k, active := range w.Contacts().Active {
			if active {
				s.Penetrates = max(s.Penetrates, -w.Contacts().Gap[k]/s.Height)
			}
		}
		play.sample(w, rows, i == 0)
	}
	s.Sampled = s.Steps
	play.pairs = len(rows)
	return play, rise
}

// sample appends the candidate pairs of this step.
func (r *replay) sample(w *engine.World, rows map[[2]soa.Piece]int, first bool) {
	pairs, pieces, bodies := w.Pairs(), w.Pieces(), w.Bodies()
	s := step{fresh: first, timed: true}
	for i := range pairs.Len() {
		if pairs.Vacant(i) {
			continue
		}
		key := [2]soa.Piece{pairs.A[i], pairs.B[i]}
		row, known := rows[key]
		if !known {
			row = len(rows)
			rows[key] = row
		}
		p := blockPair{shapeA: pieces.Shape[key[0]], shapeB: pieces.Shape[key[1]], pa: pieces.Pose(bodies, key[0]), pb: pieces.Pose(bodies, key[1])}
		p.a, p.b = w.Shapes().View(p.shapeA), w.Shapes().View(p.shapeB)
		s.pairs, s.row = append(s.pairs, p), append(s.row, row)
	}
	r.steps = append(r.steps, s)
}
