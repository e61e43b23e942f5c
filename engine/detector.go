package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// DetectorConfig is the configuration of a Detector.
type DetectorConfig struct {
	// Needs is what the host reads of a contact: up to which gap, and the overlap, the section or the points.
	// History, Growth and Potential must be zero.
	Needs force.Needs
	// Location, Method, Workers, Pin, Search, Skin, TilePairs and MaxPairs are as in Config.
	Location  Location
	Method    narrow.Method
	Workers   int
	Pin       bool
	Search    string
	Skin      float64 // m
	TilePairs int
	MaxPairs  int
}

// Detector finds the contacts of bodies that another program moves, the host. The host adds bodies, and hands
// over all poses in each call of Detect. A Detector computes no forces.
//
// The contacts are those of a World whose bodies have the same poses, bit for bit, on any number of workers.
// All calls must come from one goroutine. Call Close when the Detector is no longer needed.
type Detector struct {
	w      *World
	needs  force.Needs
	ids    []soa.ID   // bodies that the host moves, rising
	rows   []soa.Body // their rows; see findRows
	poses  Poses      // of the present call
	placed soa.ID     // bodies before it have had a pose
	work   []detectorWork
	was    []float64 // column of the space: one more than the row of a contact in the last call, or 0
	slot   []float64 // column of the space: where a worker has stored what needs ask for; see slotOf
	first  []int     // by tile: row of its first contact
	found  DetectorContacts
}

// detectorWork is what one worker has found in a call.
type detectorWork struct {
	batch  force.Batch
	extras []extra
	points []force.Point
	bad    int // lowest row of poses that cannot be used
	_      [64]byte
}

// extra is what Needs asks of one contact.
type extra struct {
	overlap      force.Overlap
	section      vec.Sym3
	points, upTo int // in detectorWork.points
}

// slotOf packs the place of an extra into a number that a float64 holds exactly.
func slotOf(worker, at int) float64 { return float64(worker<<40 | at) }

// Poses are the poses of a host's bodies, one row for each body of Detector.IDs, in the frame in which Add was
// given the parts: that of the shape's file for a body of one part. Positions are in m, quaternions map that
// frame to the world; zero quaternions mean no rotation, others must have a norm of 1 to a thousandth and are normalised. Row k of a slice is its element k·Stride, so that the slices may be columns, or
// views of records. Stride 0 means 1.
type Poses struct {
	X, Y, Z        []float64 // m, world
	QW, QX, QY, QZ []float64 // unit quaternion from the frame of the parts to the world
	Stride         int       // elements from row to row, in all slices; 0 means 1
}

// DetectorContacts are the contacts of one call of Detect, one row each, in the order of the pairs: by piece
// A, then B. A ball comes before a block, a block before a facet or a plane. They are valid until the next
// call of Detect. Frame: world.
type DetectorContacts struct {
	A, B           []soa.ID     // as Add and AddFixed returned them
	PieceA, PieceB []soa.Number // the pieces that touch, counted as their bodies were added
	Gap            []float64    // m, negative if they penetrate; minus the thickness of the overlap if Needs.Overlap is set and both are blocks, or a block and a plane
	Normal         soa.Vec3s    // unit, from A to B
	Point          soa.Vec3s    // m, where a force would act
	// Was is the row of the contact in the last call, or -1 if the contact begins. It follows a contact from
	// facet to facet of a plane, as the history of a World's contact does. At a bend the contact with the next
	// facet begins, unless Needs.Overlap is set: then it goes on until its normal turns by more than 60° between two calls.
	Was     []int
	Overlap []force.Overlap // if Needs.Overlap is set
	Section []vec.Sym3      // m², if Needs.Section is set: second moments of the section over its area
	Points  [][]force.Point // if Needs.Points is set; arms are from Point
}

// Len returns the number of contacts.
func (c *DetectorContacts) Len() int { return len(c.Gap) }

// NewDetector returns a Detector without bodies. An error wraps ErrConfig, or force.ErrLaw if the needs are
// not those of a host.
func NewDetector(cfg DetectorConfig) (*Detector, error) {
	if cfg.Method == narrow.FDSPaper {
		return nil, mark.Errorf(ErrConfig, "engine: a Detector by method fds-paper, which goes by the motion in a step, expected another method")
	}
	laws, err := force.NewTable(1, force.OfNeeds(cfg.Needs))
	if err != nil {
		return nil, fmt.Errorf("engine: DetectorConfig.Needs: %w", err)
	}
	d := &Detector{needs: cfg.Needs}
	d.w, err = newWorldFor(Config{
		Law: laws, Location: cfg.Location, Method: cfg.Method, Workers: cfg.Workers, Pin: cfg.Pin, Search: cfg.Search, Skin: cfg.Skin,
		TilePairs: cfg.TilePairs, MaxPairs: cfg.MaxPairs, NoLedger: true,
	}, func(*World) contact.Reader { return (*detectorReader)(d) })
	if err != nil {
		return nil, err
	}
	d.work = make([]detectorWork, d.w.Workers())
	d.w.space.Register([]*[]float64{&d.was}, []*[]float64{&d.slot})
	return d, nil
}

// Close ends the workers.
func (d *Detector) Close() { d.w.Close() }

// AddShape adds a shape to the arena and returns its row. Errors are those of World.AddShape.
func (d *Detector) AddShape(t *soa.Template) (soa.Shape, error) { return d.w.AddShape(t) }

// Add adds a body that the host moves, and returns its id; several parts make a clump. Bodies of balls and
// blocks meet all others. A plane is refused: see AddFixed. A body with a facet is part of the surroundings, such as a drum: it meets bodies
// without facets only. Density of the parts matters only for the point about which a clump's motion is bounded; 0
// counts as 1. Errors are those of World.AddBody and AddWall.
func (d *Detector) Add(parts ...Part) (soa.ID, error) {
	body := true
	parts = append([]Part{}, parts...)
	for i := range parts {
		p, shapes := &parts[i], &d.w.space.Shapes
		if p.Density == 0 {
			p.Density = 1
		}
		if int(p.Shape) >= shapes.Len() {
			continue // refused below
		}
		switch kind := shapes.Kind[p.Shape]; {
		case kind.IsEndless():
			return 0, mark.Errorf(ErrBody, "engine: part %d of a body that the host moves is a %v, expected balls, blocks and facets: AddFixed takes planes", i, kind)
		case kind.IsFlat():
			body = false
		}
	}
	var id soa.ID
	var err error
	if body {
		id, err = d.w.AddBody(BodySpec{Parts: parts})
	} else if id, err = d.w.AddWall(WallSpec{Parts: parts}); err == nil {
		row, _ := d.w.bodies.Row(id)
		d.w.bodies.Vel.X[row] = 1 // so that the search for pairs gives the body a skin
	}
	if err == nil {
		d.ids = append(d.ids, id)
	}
	return id, err
}

// AddFixed adds a body that does not move, at a pose in the frame of its parts: facets, planes, blocks or
// balls. It meets only bodies without facets that the host moves. Errors are those of World.AddWall.
func (d *Detector) AddFixed(pose vec.Pose, parts ...Part) (soa.ID, error) {
	return d.w.AddWall(WallSpec{Parts: parts, Pose: pose})
}

// AddFixedFacets is AddFixed for the facets of a mesh, of one material: see WallSpec.
func (d *Detector) AddFixedFacets(pose vec.Pose, facets *geometry.WallFacets, material soa.Material) (soa.ID, error) {
	return d.w.AddWall(WallSpec{Facets: facets, Material: material, Pose: pose})
}

// Remove takes a body out. Its id is never used again. It returns an error that wraps ErrBody if there is no such
// body, or ErrClosed after Close.
func (d *Detector) Remove(id soa.ID) error {
	if err := d.w.RemoveBody(id); err != nil {
		return err
	}
	if k, ok := slices.BinarySearch(d.ids, id); ok {
		d.ids = append(d.ids[:k:k], d.ids[k+1:]...) // A host may go through the old list.
	}
	return nil
}

// AnsweredBy returns which certificate or method has answered the candidate pairs, over all calls.
func (d *Detector) AnsweredBy() AnswerCounts { return d.w.AnsweredBy() }

// IDs returns the ids of the bodies that the host moves, rising: the rows of Poses. Remove makes a new list.
func (d *Detector) IDs() []soa.ID { return d.ids }

// Detect finds the contacts at the poses of the host. It allocates nothing once the largest number of contacts
// has been seen, and no search for pairs needs more memory.
//
// It returns an error that wraps ErrBody if there are too few numbers, or if a pose cannot be used: the error
// names the row and the id, and nothing has changed. An error that wraps ErrFault ends the Detector for good,
// as it does a World. After Close the error wraps ErrClosed.
func (d *Detector) Detect(p Poses) (*DetectorContacts, error) {
	w := d.w
	if w.closed {
		return nil, mark.Errorf(ErrClosed, "engine: Detect after Close, expected no call then")
	}
	if w.fault != nil {
		return nil, w.fault
	}
	if p.Stride == 0 {
		p.Stride = 1
	}
	d.poses = p
	d.findRows()
	if err := d.checkPoses(); err != nil {
		return nil, err
	}
	w.pool.For(len(d.ids), 0, (*setPosesStage)(d))
	d.placed = w.bodies.NextID()
	if !w.ready {
		w.ready = true
		if w.prepare(); w.fault != nil {
			return nil, w.fault
		}
		w.space.Renew()
	} else {
		w.space.Update()
	}
	for i := range d.work {
		d.work[i].extras, d.work[i].points = d.work[i].extras[:0], d.work[i].points[:0]
	}
	w.space.Find()
	w.step++
	if err := (faults{w}).firstFault(); errors.Is(err, ErrPairs) {
		w.fault = mark.Errorf(ErrPairs, "engine: Detect finds more than %d candidate pairs, which ends the Detector: bodies lie in each other, Needs.Reach (%.3g m) "+
			"or Skin is too large, or MaxPairs too small", w.space.MaxPairs(), d.needs.Reach)
		return nil, w.fault
	} else if err != nil {
		return nil, err
	}
	d.collect()
	return &d.found, nil
}

// findRows finds the rows of the bodies that the host moves. Both lists rise.
func (d *Detector) findRows() {
	b := &d.w.bodies
	d.rows = d.rows[:0]
	row := 0
	for _, id := range d.ids {
		for b.ID[row] != id {
			row++
		}
		d.rows = append(d.rows, soa.Body(row))
	}
}

// checkPoses returns an error for the first row that cannot be used.
func (d *Detector) checkPoses() error {
	p, n := &d.poses, len(d.ids)
	if p.Stride < 0 || p.Stride > math.MaxInt32 {
		return mark.Errorf(ErrBody, "engine: poses of stride %d, expected 0 to %d", p.Stride, math.MaxInt32)
	}
	for i, c := range [...][]float64{p.X, p.Y, p.Z, p.QW, p.QX, p.QY, p.QZ} {
		if rows := (len(c) + p.Stride - 1) / p.Stride; rows != n { // no product that could overflow
			return mark.Errorf(ErrBody, "engine: column %s of the poses has %d numbers, which are %d rows at a stride of %d, expected %d, one for each of IDs",
				[...]string{"X", "Y", "Z", "QW", "QX", "QY", "QZ"}[i], len(c), rows, p.Stride, n)
		}
	}
	for i := range d.work {
		d.work[i].bad = n
	}
	d.w.pool.For(n, 0, (*checkPosesStage)(d))
	row := n
	for i := range d.work {
		row = min(row, d.work[i].bad)
	}
	if row == n {
		return nil
	}
	id, pose, r := d.ids[row], p.at(row), d.w.bodies.Radius[d.rows[row]]
	if !isPose(pose) {
		return mark.Errorf(ErrBody, "engine: row %d of the poses, of body %d, is %v at a stride of %d, expected finite with a unit quaternion", row, id, pose, p.Stride)
	}
	return mark.Errorf(ErrBody, "engine: row %d of the poses, of body %d of radius %.3g m, is at %v, expected at most %.3g m (2³² radii) from the origin",
		row, id, r, pose.Pos, contact.FarRadii*r)
}

// at returns the pose of a row.
func (p *Poses) at(row int) vec.Pose {
	k := row * p.Stride
	return vec.Pose{Pos: vec.Vec3{X: p.X[k], Y: p.Y[k], Z: p.Z[k]}, Rot: vec.Quat{W: p.QW[k], X: p.QX[k], Y: p.QY[k], Z: p.QZ[k]}}.OrIdentity()
}

// centred returns the pose of a row about the body's centre, as SetPose computes it.
func (d *Detector) centred(row int) vec.Pose {
	pose := d.poses.at(row)
	pose.Rot = pose.Rot.Normalized()
	pose.Pos = pose.Point(d.w.bodies.Centre[d.rows[row]])
	return pose
}

type checkPosesStage Detector

// Range checks the rows lo to hi of the poses.
func (d *checkPosesStage) Range(lo, hi, worker int) {
	w := d.w
	for row := lo; row < hi && row < d.work[worker].bad; row++ {
		pose, i := d.poses.at(row), d.rows[row]
		at := pose.Pos
		if w.bodies.Centre[i] != (vec.Vec3{}) {
			at = (*Detector)(d).centred(row).Pos
		}
		if !isPose(pose) || contact.IsFar(at, w.bodies.Radius[i]) {
			d.work[worker].bad = row
		}
	}
}

type setPosesStage Detector

// Range gives the bodies of the rows lo to hi their poses.
func (d *setPosesStage) Range(lo, hi, worker int) {
	w := d.w
	for row := lo; row < hi; row++ {
		pose := (*Detector)(d).centred(row)
		if id := d.rows[row]; d.ids[row] < d.placed {
			kernels.Move(&w.bodies, id, pose)
		} else {
			w.bodies.Pos.Set(int(id), pose.Pos)
			w.bodies.Rot.Set(int(id), pose.Rot)
		}
	}
	if w.ready && lo < hi {
		w.space.NoteLate(int(d.rows[lo]), int(d.rows[hi-1])+1, worker)
	}
}

// wantsExtras reports whether a contact comes with more than its gap, normal and location.
func (d *Detector) wantsExtras() bool {
	return d.needs.Overlap || d.needs.Section || d.needs.Points
}

// detectorReader receives the contacts of a Detector: see contact.Reader.
type detectorReader Detector

// Lend implements contact.Reader.
func (d *detectorReader) Lend(_, worker int) contact.Lent {
	b := &d.work[worker].batch
	d.w.space.Reserve(b)
	return contact.Lent{Needs: d.w.law.AllNeeds(), Into: b, Thick: math.Inf(1)}
}

// Read implements contact.Reader.
func (d *detectorReader) Read(_ *contact.TileContacts, worker int) {
	work := &d.work[worker]
	work.batch.StoreNormals(&d.w.space.Contacts.Normal)
	if !(*Detector)(d).wantsExtras() {
		return
	}
	for t, points := range work.batch.Each {
		if slope := t.Overlap.VarianceGradient.Norm(); slope > 0 { // the bits of force.Thickness
			d.w.space.Contacts.Normal.Set(int(t.Row), t.Overlap.VarianceGradient.Scale(1/slope))
		}
		d.slot[t.Row] = slotOf(worker, len(work.extras))
		from := len(work.points)
		work.points = append(work.points, points...)
		work.extras = append(work.extras, extra{t.Overlap, t.SectionMoments, from, len(work.points)})
	}
}

// Drop implements contact.Reader.
func (d *detectorReader) Drop(*contact.Ended, int) {}

// collect copies the contacts to dense columns.
func (d *Detector) collect() {
	sp, c := d.w.space, &d.found
	tiles := len(sp.Costs())
	d.first = soa.Resize(d.first, tiles)
	n := 0
	for tile := range tiles {
		d.first[tile] = n
		n += len(sp.ActiveIn(tile))
	}
	c.A, c.B, c.PieceA, c.PieceB = soa.Resize(c.A, n), soa.Resize(c.B, n), soa.Resize(c.PieceA, n), soa.Resize(c.PieceB, n)
	c.Gap, c.Was = soa.Resize(c.Gap, n), soa.Resize(c.Was, n)
	c.Normal.Resize(n)
	c.Point.Resize(n)
	if d.needs.Overlap {
		c.Overlap = soa.Resize(c.Overlap, n)
	}
	if d.needs.Section {
		c.Section = soa.Resize(c.Section, n)
	}
	if d.needs.Points {
		c.Points = soa.Resize(c.Points, n)
	}
	d.w.pool.For(tiles, 1, (*collectStage)(d))
}

type collectStage Detector

// Range copies the contacts of the tiles lo to hi.
func (d *collectStage) Range(lo, hi, _ int) {
	sp, c := d.w.space, &d.found
	con, of := &sp.Contacts, &sp.Pieces
	for tile := lo; tile < hi; tile++ {
		k := d.first[tile]
		first, end := sp.PairsIn(tile)
		for i := first; i < end; i++ {
			r := sp.Pairs.Row[i]
			if r == soa.NoRow || !con.Active[r] {
				continue
			}
			row, a, b := int(r), sp.Pairs.A[i], sp.Pairs.B[i]
			c.A[k], c.B[k] = d.w.bodies.ID[of.Body[a]], d.w.bodies.ID[of.Body[b]]
			c.PieceA[k], c.PieceB[k] = of.Number[a], of.Number[b]
			c.Gap[k] = con.Gap[row]
			c.Normal.Set(k, con.Normal.At(row))
			c.Point.Set(k, con.Location.At(row))
			c.Was[k] = int(d.was[row]) - 1
			d.was[row] = float64(k + 1)
			if (*Detector)(d).wantsExtras() {
				d.copyExtra(k, row)
			}
			k++
		}
	}
}

// copyExtra copies what needs ask of a contact row to row k of the contacts.
func (d *collectStage) copyExtra(k, row int) {
	slot := uint64(d.slot[row])
	work := &d.work[slot>>40]
	x, c := &work.extras[slot&(1<<40-1)], &d.found
	if d.needs.Overlap {
		c.Overlap[k] = x.overlap
	}
	if d.needs.Section {
		c.Section[k] = x.section
	}
	if d.needs.Points {
		c.Points[k] = work.points[x.points:x.upTo:x.upTo]
	}
}
