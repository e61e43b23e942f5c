package overlap

import (
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Solver answers batches, a pair a lane, with the bits of Clipper.Share. A worker keeps one. Methods allocate nothing once it is warm.
type Solver struct {
	tabled
	batch *Batch // the last one
	n     int
	row   []uint32 // by answer: the row of the batch
	to    *Columns // where answers are, from a row on, but for these
	first int
	own   [4][]float64 // known, thickness, budget and flushes
}

// NewSolver returns a solver.
func NewSolver() *Solver { return &Solver{tabled: tabled{shares: asm.NewShares(0)}} }

// Begin says which shapes bodies have, and the rows of their poses (soa.Bodies.GatherPoses), which must be
// up to date when Solve is called. It is called again whenever bodies or shapes were added.
func (s *Solver) Begin(shapes *soa.Shapes, poses []float64) {
	if len(shapes.Corners) > 0 { // there is a block
		s.lookUp(shapes, poses)
	}
}

// Solve answers a batch: of pair i in row first+i of columns, of which there are Room from the first on.
// The last pair fills the last register, which may be a narrow one.
func (s *Solver) Solve(b *Batch, to *Columns, first int) {
	room := b.Room()
	if s.batch, s.n, s.to, s.first = b, b.n, to, first; b.n == 0 {
		return
	}
	if room > len(s.row) {
		s.row = make([]uint32, room)
		for k := range s.own {
			s.own[k] = make([]float64, room)
		}
	}
	b.pad()
	lanes := asm.LeastLanes()
	end := (b.n + lanes - 1) / lanes * lanes
	for i := range s.row[:b.n] {
		s.row[i] = uint32(i)
	}
	c := s.shares
	c.Bodies, c.At, c.Numbers = b.bodies, b.at, b.numbers
	for k := range to {
		c.Answers[answerOf(k)] = to[k][first:][:room]
	}
	c.Answers[asm.ShareKnown], c.Answers[asm.ShareThickness] = s.own[0][:room], s.own[1][:room]
	c.Budget, c.Flushes = s.own[2][:room], s.own[3][:room]
	if b.onPlanes {
		s.renewMargins(b)
	}
	s.solve(b.shape, 0, end)
}

// pad makes the rows behind the last pair like the last one: others may be of bodies that are gone.
func (b *Batch) pad() {
	if b.padded {
		return
	}
	for i := b.n; i < soa.Pad(b.n); i++ {
		b.moveWords(i, b.n-1)
	}
	b.padded = true
}

// renewMargins renews the margins of rounding of blocks on planes.
func (s *Solver) renewMargins(b *Batch) {
	at := func(body uint32) vec.Vec3 {
		p := (*[3]float64)(s.tables.Poses[body:])
		return vec.Vec3{X: p[0], Y: p[1], Z: p[2]}
	}
	for i, radius := range b.radius[:b.n] {
		if radius != 0 {
			b.numbers[asm.ShareClear][i] = clearOfPlane(radius, at(b.bodies[0][i]), at(b.bodies[1][i]))
		}
	}
}

// Len returns how many answers there are.
func (s *Solver) Len() int { return s.n }

// Row returns the row of the batch that answer i is of.
func (s *Solver) Row(i int) int { return int(s.row[i]) }

// Known says whether overlap i is known. Where it is not, Clipper.Share has to be asked.
func (s *Solver) Known(i int) bool { return s.own[0][i] != 0 }

// Thickness returns Shared.Thickness of overlap i, which is known.
func (s *Solver) Thickness(i int) float64 { return s.own[1][i] }

// Centroid returns Shared.Centroid and Shared.Variance of overlap i, which is known.
func (s *Solver) Centroid(i int) (centroid vec.Vec3, variance float64) {
	return centroidIn(s.to, s.first+i)
}

// At writes overlap i if it is known, and says whether it is.
func (s *Solver) At(i int, to *Shared) (known bool) {
	if s.Known(i) {
		to.readRow(s.to, s.first+i, s.Thickness(i))
		return true
	}
	return false
}

// Drop takes answer i out. The last one becomes answer i.
func (s *Solver) Drop(i int) {
	s.n--
	for _, answers := range s.to {
		answers[s.first+i] = answers[s.first+s.n]
	}
	for _, answers := range s.own {
		answers[i] = answers[s.n]
	}
	s.row[i] = s.row[s.n]
}

// Proof returns the proof of pair i, which is a prism that is known and was not held. Until is left to the caller.
func (s *Solver) Proof(i int) Proof {
	flushes := uint8(s.own[3][i])
	if flushes != 0 && (s.batch.shape != prism4 || bits.OnesCount8(flushes) > asm.ShareFlushes) {
		return Proof{}
	}
	return Proof{Budget: max(s.own[2][i], 0), Flushes: flushes}
}
