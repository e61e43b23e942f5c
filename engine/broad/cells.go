package broad

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Config says how far apart pairs matter and how much motion a list outlives. The zero value lists
// the pairs that touch, with a skin chosen from the sizes of the bodies.
type Config struct {
	// Reach, m: pairs with a gap up to it are listed. The largest interaction distance of the laws plus
	// both rounding radii.
	Reach float64
	// Skin, m: the least motion budget of a body that moves. 0 stands for skinFraction of the mean
	// radius of the movable bodies.
	Skin float64
	// Horizon, s: the budget of body i is max(Skin, Horizon·(|v_i| + r_i·|ω_i|)), so that a few fast
	// bodies carry larger extents instead of forcing a rebuild on all.
	Horizon float64
	// Search finds the pairs of what moves in place of the cell spaces. The list is the same.
	Search Method
	// Choose takes Search only where its pairs are the list as they come (see mixed), and else the cell spaces. Each rebuild
	// chooses anew, by what moves then.
	Choose bool
	// Anew enters what rests at each rebuild, like what moves. The list is the same, and slower to
	// make: tests compare.
	Anew bool
}

// MaxPairs is the most pairs that a list may have: users keep the index of a pair and one bit more
// in 32 bits.
const MaxPairs = 1<<31 - 1

// ErrConfig marks a configuration with a value that is negative or not finite.
var ErrConfig = errors.New("broad: value negative or not finite")

// Validate returns ErrConfig, wrapped, when a value is negative or not finite.
func (c Config) Validate() error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"reach", c.Reach}, {"skin", c.Skin}, {"horizon", c.Horizon}} {
		if !(v.value >= 0 && v.value <= math.MaxFloat64) {
			return fmt.Errorf("%s %g: %w", v.name, v.value, ErrConfig)
		}
	}
	return nil
}

// Stats is what the last rebuild found.
type Stats struct {
	Rebuilds int // since New
	Pairs    int
	Pieces   int // entered: in a cell space, or in the tree of what rests
	Resting  int // of them, those in the tree
	Unpaired int // not entered, for their extent is not finite
	Entered  int // pieces entered since New: each in every rebuild, but what rests once
	Spaces   int // cell spaces, over all kinds and sizes
	Hashed   int // of them, those too sparse for a dense table
	Cells    int // of all spaces together
	Skin     float64
	Other    bool // found by Config.Search
	Crowded  bool // there are more pairs than the list may have, and it is empty
}

// Cells is the cell spaces of one world and the motion budget of its bodies.
//
// Memory: 48 bytes a piece for the cell extents; of one that moves 48 + 24 for sorting it and at most 48
// for the cell table, of one at rest some 22 for the tree; 90 a body, and 20 a pair beside the list itself.
type Cells struct {
	cfg  Config
	skin float64 // m, Config.Skin or what stands for it
	most int64   // pairs that the list may have

	reach []float64 // m, by body, of the first few: what SetReach gave them

	limit []float64  // m, by body: the odometer up to which the list holds
	grow  []float64  // m, by body: how far its pieces' extents are enlarged
	state []bodyBits // by body
	rest  []restPose // by body, of prescribed ones: where the extents of their pieces were computed

	cellExtent []vec.Box   // by piece, m, world
	moving     []soa.Piece // not at rest, in rising order
	resting    tree        // of the others
	entered    int         // Stats.Entered
	kinds      [soa.NKinds]kindBounds
	binsUsed   [soa.NKinds]binSet
	grids      Grids       // the cell spaces of the pieces entered
	piece      []soa.Piece // those entered: moving, but for those without end
	sorter     Sorter      // of the pairs found
	work       []workspace

	nBodies, nPieces int
	known            bool // the columns above belong to nBodies and nPieces
	stats            Stats

	updates updates

	others others // of another method
	other  bool   // it found the last list

	// Only set during a rebuild.
	bodies *soa.Bodies
	pieces *soa.Pieces
	shapes *soa.Shapes
	out    *soa.Pairs
	pool   *sched.Pool
	chunk  Chunking    // of bodies or pieces, whichever the running pass goes over
	rows   []soa.Piece // pieces, the running pass goes over
}

// workspace is what one worker writes to while a pass runs.
type workspace struct {
	kinds   [soa.NKinds]kindBounds
	bins    [soa.NKinds]binSet
	endless int      // moving pieces that cannot be entered
	worn    int      // bodies that have used half of their budget
	changed bool     // some body came to rest, or began to move
	_       [64]byte // two workers never write to one cache line
}

// SetReach lists pairs of a body from now on up to gaps that are larger by reach, m. It comes before the first Rebuild.
func (c *Cells) SetReach(body soa.Body, reach float64) {
	for len(c.reach) <= int(body) {
		c.reach = append(c.reach, 0)
	}
	c.reach[body] = reach
}

// New returns cells that hold nothing. It panics if cfg is not valid: see Validate.
func New(cfg Config) *Cells {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Cells{cfg: cfg, most: MaxPairs}
}

// Stale reports whether the pairs must be rebuilt before they are used with the present poses: some
// body's odometer has advanced by more than its budget, the number of bodies changed, or there was no
// rebuild yet. Call it when poses and odometers are those of this step. An odometer that is NaN
// is stale. Cost: 16 bytes read a body.
func (c *Cells) Stale(b *soa.Bodies) bool {
	n := b.Len()
	if !c.Known(b) {
		return true
	}
	limit := c.limit[:n]
	for i, m := range b.Odometer[:n] {
		if !(m <= limit[i]) {
			return true
		}
	}
	return false
}

// Known reports whether there was a rebuild, of as many bodies, since New and Forget.
func (c *Cells) Known(b *soa.Bodies) bool { return c.known && b.Len() == c.nBodies }

// Forget drops what is known of the last rebuild: the next Stale says yes and the next Rebuild
// computes every extent. Call it when pieces or bodies were renumbered, or a piece got another shape
// or place in its body; a change of their numbers is noticed without it.
func (c *Cells) Forget() { c.known = false }

// Stats returns what the last rebuild found.
func (c *Cells) Stats() Stats { return c.stats }

// CellExtent returns the cell extent of a piece, m, world frame, as of the last rebuild.
func (c *Cells) CellExtent(p soa.Piece) vec.Box { return c.cellExtent[p] }

// Moving returns the pieces that are not in the tree of what rests, in rising order: every piece of a body
// that is not prescribed is one. It is valid until the next rebuild.
func (c *Cells) Moving() []soa.Piece { return c.moving }

// Rebuild computes the extent of each piece, gives each body a new motion budget, and writes the
// candidate pairs to the columns A and B of out, sorted by A, then B. Of more pairs than
// SetMaxPairs allows it writes none, and Stats says so: the search ends where the count passes the
// bound. It writes p.Extent, which stays as it is for pieces of prescribed bodies that have not
// moved. A nil pool runs everything on the caller. The result is the same for any number of
// workers.
//
// Source: cell spaces per piece kind and enlarged extents as in PFC (Itasca 2023); grids by
// counting sort with one level per factor of two in size as in Ericson 2005, ch. 7; a tree of
// boxes for what rests, ch. 6. Cost: linear in bodies, pieces that move and pairs at bounded
// density, whatever the ratio of sizes. It allocates only to grow.
func (c *Cells) Rebuild(b *soa.Bodies, p *soa.Pieces, s *soa.Shapes, pool *sched.Pool, out *soa.Pairs) {
	c.begin(b, p, s, pool, out)
	// 1 Budgets: reads velocity, odometer; writes limit, grow.
	c.over(b.Len(), (*budgetPass)(c))
	// 2 Extents: reads poses, grow; writes Extent, cellExtent, the range of sizes of each kind. Where
	// what rests has changed, it is entered first, in its tree.
	c.split()
	c.overPieces(c.moving, (*extentPass)(c))
	c.gatherKinds()
	c.choosePieces()
	if c.other = c.cfg.Search != nil && !(c.cfg.Choose && c.mixed()); c.other {
		c.searchOther()
		c.end()
		return
	}
	// 3 Spaces: one per kind and factor of two in size, each with its grid.
	c.makeSpaces()
	// 4 Enter: counting sort of the pieces by cell.
	c.grids.Enter()
	// 5 Scan: entries against the entries of neighbouring cells and what rests; writes lists.
	c.grids.scanFor(scan{&c.sorter, c}, c.nPieces, c.most)
	// 6 Collect: counting sort of the pairs by A, then B; writes out.
	c.out.A, c.out.B = c.sorter.Collect(c.out.A, c.out.B)
	c.end()
}

func (c *Cells) begin(b *soa.Bodies, p *soa.Pieces, s *soa.Shapes, pool *sched.Pool, out *soa.Pairs) {
	c.bodies, c.pieces, c.shapes, c.pool, c.out = b, p, s, pool, out
	if b.Len() != c.nBodies || p.Len() != c.nPieces {
		c.known = false
	}
	c.nBodies, c.nPieces = b.Len(), p.Len()
	c.beginWork()
	p.Extent.Resize(p.Len())
	c.cellExtent = Resize(c.cellExtent, p.Len())
	c.limit, c.grow = Resize(c.limit, b.Len()), Resize(c.grow, b.Len())
	c.state, c.rest = Resize(c.state, b.Len()), Resize(c.rest, b.Len())
	if !c.known {
		c.skin = c.cfg.Skin
		if c.skin == 0 {
			c.skin = chosenSkin(b)
		}
	}
}

// beginWork empties the workspaces.
func (c *Cells) beginWork() {
	c.work = Resize(c.work, max(WorkersOf(c.pool), len(c.work)))
	for i := range c.work {
		w := &c.work[i]
		clear(w.bins[:])
		w.changed, w.endless = false, 0
		for k := range w.kinds {
			w.kinds[k] = kindBounds{Bounds: NoBounds}
		}
	}
}

// choosePieces lists the pieces that are entered.
func (c *Cells) choosePieces() {
	endless := 0
	for i := range c.work {
		endless += c.work[i].endless
	}
	c.piece = append(c.piece[:0], c.moving...)
	if endless > 0 {
		c.piece = slices.DeleteFunc(c.piece, func(p soa.Piece) bool { _, ok := SizeOf(&c.cellExtent[p]); return !ok })
	}
}

// sharedPerPiece is the cells that all pieces together may cost beyond those of each space. They go to the largest sizes
// first, which need few, have few pieces, and are looked into by everything smaller.
const sharedPerPiece = 4

// makeSpaces divides the pieces of each kind by size and chooses the grid of each space.
func (c *Cells) makeSpaces() {
	g := &c.grids
	g.Box, g.Kind, g.Pool, g.Levels = c.cellExtent, c.pieces.Kind, c.pool, g.Levels[:0]
	g.Rows, g.Some = namesOf(c.piece), true
	for kind := range soa.NKinds {
		first := len(g.Levels)
		if c.divide(kind); len(g.Levels) == first+1 {
			g.Levels[first].Bounds = c.kinds[kind].Bounds
		}
	}
	g.Lay(float64(sharedPerPiece * len(c.piece)))
}

// divide makes the spaces of a kind, from the largest size down. A space
// begins at the largest size not yet in one, so sizes that lie together are kept together wherever
// they are on the scale.
func (c *Cells) divide(kind soa.Kind) {
	g, used, top := &c.grids, &c.binsUsed[kind], SizeBins+BinsPerOctave
	for k := len(used) - 1; k >= 0; k-- {
		for word := used[k]; word != 0; {
			low := 63 - bits.LeadingZeros64(word)
			word &^= 1 << low
			if bin := k<<6 + low; bin <= top-BinsPerOctave {
				g.Levels = append(g.Levels, Grid{Kind: kind, Bounds: NoBounds})
				top = bin
			}
			g.LevelAt[kind][k<<6+low] = uint16(len(g.Levels) - 1)
		}
	}
}

func (c *Cells) end() {
	g := &c.grids
	c.entered += len(c.piece)
	entered := len(c.piece) + len(c.resting.piece)
	c.stats = Stats{
		Rebuilds: c.stats.Rebuilds + 1, Pairs: c.out.Len(), Pieces: entered, Resting: len(c.resting.piece),
		Unpaired: c.nPieces - entered, Entered: c.entered, Spaces: len(g.Levels), Cells: g.Cells,
		Skin: c.skin, Crowded: c.sorter.Full(), Other: c.other,
	}
	for i := range g.Levels {
		if g.Levels[i].Hashed {
			c.stats.Hashed++
		}
	}
	c.updates.judged, c.updates.entered = false, !c.other
	c.updates.reset()
	c.known = true
	c.bodies, c.pieces, c.shapes, c.pool, c.out, c.rows = nil, nil, nil, nil, nil, nil
	g.Release()
}

// Resize returns s with length n. What it holds is not specified: every pass writes before it reads.
// Capacity at least grows by half, so that a slowly growing world does not allocate each time.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	grown := make([]T, n, max(n, cap(s)+cap(s)/2))
	copy(grown, s[:cap(s)])
	return grown
}

// SetHorizon sets Config.Horizon, s ≥ 0, for the rebuilds to come. It panics on a negative value.
func (c *Cells) SetHorizon(horizon float64) {
	if !(horizon >= 0 && horizon <= math.MaxFloat64) {
		panic(fmt.Sprintf("broad: horizon %g s, expected ≥ 0", horizon))
	}
	c.cfg.Horizon = horizon
}

// SetMaxPairs bounds the list, 0 ≤ n ≤ MaxPairs, for the rebuilds to come. It panics on another
// number.
func (c *Cells) SetMaxPairs(n int) {
	if n < 0 || n > MaxPairs {
		panic(fmt.Sprintf("broad: at most %d pairs, expected 0 to %d", n, MaxPairs))
	}
	c.most = int64(n)
}

// Margin returns by how much the cell extents of a body's pieces are enlarged, m, as of the last
// rebuild: its motion budget and its share of the reach.
func (c *Cells) Margin(b soa.Body) float64 { return c.grow[b] }
