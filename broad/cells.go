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

// Config tells how far apart pairs are listed and how much motion a list allows. The zero value
// lists the pairs that touch, with a skin chosen from the sizes of the bodies.
type Config struct {
	// Reach, m: pairs with a gap up to Reach are listed. It must be the largest interaction
	// distance of the laws plus both rounding radii.
	Reach float64
	// Skin, m: the least skin of a moving body. 0 stands for skinFraction of the mean radius of the
	// movable bodies.
	Skin float64
	// Horizon, s: the skin of body i is max(Skin, Horizon·(|v_i| + r_i·|ω_i|)). So a few fast
	// bodies get larger extents instead of forcing frequent rebuilds of the whole list.
	Horizon float64
	// Search, if not nil, finds the pairs of the moving pieces instead of the cell spaces. The list
	// is the same.
	Search Method
	// SearchIfUnmixed uses Search only if its pairs need no filtering (see mixed), and the cell
	// spaces otherwise. Each rebuild chooses anew, by the pieces that move at that time.
	SearchIfUnmixed bool
	// RebuildAll enters resting pieces at each rebuild, like moving ones. The list is the same, but
	// takes longer to make. Tests use it for comparison.
	RebuildAll bool
}

// MaxPairs is the largest number of pairs of a list. Users store the index of a pair and one more
// bit in 32 bits.
const MaxPairs = 1<<31 - 1

// ErrConfig marks a configuration with a value that is negative or not finite.
var ErrConfig = errors.New("broad: value negative or not finite")

// Validate returns an error that wraps ErrConfig if a value is negative or not finite.
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

// Stats describes the last rebuild.
type Stats struct {
	Rebuilds     int // since New
	Pairs        int
	Pieces       int // entered, in a cell space or in the tree of resting pieces
	Resting      int // those of Pieces that are in the tree
	Unpaired     int // not entered because their extent is not finite
	Entered      int // pieces entered since New: a moving piece counts in every rebuild, a resting one once
	Spaces       int // cell spaces, over all kinds and sizes
	Hashed       int // those of Spaces that are too sparse for a dense table
	Cells        int // cells of all spaces together
	Skin         float64
	BySearch     bool // Config.Search found the pairs
	TooManyPairs bool // there are more pairs than the list may have, so the list is empty
}

// CandidateSearch finds the candidate pairs of one world. It owns the cell spaces and the skins of the
// bodies.
//
// Memory: 48 bytes per piece for the cell extent. A moving piece takes 48 + 24 more for sorting and
// at most 48 for the cell table; a resting piece takes about 22 for the tree. A body takes 90
// bytes, and a pair 20 beside the list itself.
type CandidateSearch struct {
	cfg  Config
	skin float64 // m: Config.Skin, or the skin chosen if that is 0
	most int64   // largest number of pairs of the list

	reach []float64 // m, by body: values of SetReach; shorter than the number of bodies

	limit []float64  // m, by body: the list is valid while the odometer is at most this
	grow  []float64  // m, by body: how far its pieces' extents are enlarged
	state []bodyBits // by body
	rest  []restPose // by body: pose for which the extents of its pieces were computed; prescribed bodies only

	cellExtent []vec.Box   // by piece, m, world
	moving     []soa.Piece // pieces that are not at rest, in ascending order
	resting    tree        // holds all other pieces
	entered    int         // Stats.Entered
	kinds      [soa.NKinds]kindBounds
	binsUsed   [soa.NKinds]binSet
	grids      Grids       // the cell spaces of the entered pieces
	piece      []soa.Piece // the entered pieces: moving ones whose extent is finite
	sorter     Sorter      // sorts the pairs found
	work       []workspace

	home    []vec.Vec3 // m, by body: values of SetHome; may be empty
	longest float64    // m: no skin is longer

	nBodies, nPieces int
	known            bool // the columns above are valid for nBodies and nPieces
	changed          bool // bodies or pieces have come or gone since the last rebuild
	resplit          bool // a resting piece has gone
	stats            Stats

	updates updates

	others otherSearch // state of Config.Search
	other  bool        // Config.Search made the last list

	// Set only during a rebuild.
	bodies *soa.Bodies
	pieces *soa.Pieces
	shapes *soa.Shapes
	out    *soa.Pairs
	pool   *sched.Pool
	chunk  Chunking    // of the bodies or pieces of the running pass
	rows   []soa.Piece // the pieces of the running pass
}

// workspace holds what one worker writes during a pass.
type workspace struct {
	kinds   [soa.NKinds]kindBounds
	bins    [soa.NKinds]binSet
	endless int      // moving pieces whose extent is not finite
	worn    int      // bodies that have used half of their skin
	changed bool     // some body came to rest or began to move
	_       [64]byte // keeps the data of two workers in different cache lines
}

// SetReach adds reach, m, to the gap up to which pairs of the body are listed. It must be called
// before the first Rebuild with the body, or Forget after it.
func (c *CandidateSearch) SetReach(body soa.Body, reach float64) {
	for len(c.reach) <= int(body) {
		c.reach = append(c.reach, 0)
	}
	c.reach[body] = reach
}

// SetHome makes later calls of Rebuild search for the pieces of each body displaced by home, m, which is kept. No
// body gets a skin longer than longest, m.
func (c *CandidateSearch) SetHome(home []vec.Vec3, longest float64) {
	c.home, c.longest = home, longest
}

// New returns empty cells. It panics if cfg is not valid: see Validate.
func New(cfg Config) *CandidateSearch {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &CandidateSearch{cfg: cfg, most: MaxPairs, longest: math.Inf(1)}
}

// Stale reports whether the list must be rebuilt before it is used with the present poses. This is
// so if some body's odometer has advanced by more than its skin, if the number of bodies has
// changed, or before the first rebuild. An odometer that is NaN also makes the list stale. The
// caller must have updated the poses and odometers of this step. Cost: 16 bytes read per body.
func (c *CandidateSearch) Stale(b *soa.Bodies) bool {
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

// Known reports whether there was a rebuild, of as many bodies as b has, since New or Forget.
func (c *CandidateSearch) Known(b *soa.Bodies) bool { return c.known && b.Len() == c.nBodies }

// Forget discards the last rebuild: the next Stale returns true and the next Rebuild computes every
// extent. The caller must call Forget if pieces or bodies were renumbered, or if a piece has
// another shape or another place in its body. A change of the number of pieces or bodies needs no
// call.
func (c *CandidateSearch) Forget() { c.known = false }

// Stats returns the statistics of the last rebuild.
func (c *CandidateSearch) Stats() Stats { return c.stats }

// CellExtent returns the cell extent of a piece at the last rebuild, m, world frame.
func (c *CandidateSearch) CellExtent(p soa.Piece) vec.Box { return c.cellExtent[p] }

// Moving returns the pieces that are not in the tree of resting pieces, in ascending order. Every
// piece of a body that is not prescribed is among them. The slice is valid until the next rebuild.
func (c *CandidateSearch) Moving() []soa.Piece { return c.moving }

// Rebuild computes the extent of each piece and gives each body a new skin. It writes the candidate
// pairs to the columns A and B of out, sorted by A, then B. If there are more pairs than
// SetMaxPairs allows, the search stops, no pair is written, and Stats.TooManyPairs is true. Rebuild
// writes p.Extent, except for pieces of prescribed bodies that have not moved. If pool is nil, the
// caller does all the work. The result is the same for any number of workers.
//
// Source: cell spaces per piece kind and enlarged extents as in PFC (Itasca 2023). Grids by
// counting sort with one level per factor of two in size as in Ericson 2005, ch. 7. A tree of boxes
// for resting pieces as in ch. 6. Cost: linear in bodies, moving pieces and pairs at bounded
// density, for any ratio of sizes. Rebuild allocates only to grow its columns.
func (c *CandidateSearch) Rebuild(b *soa.Bodies, p *soa.Pieces, s *soa.Shapes, pool *sched.Pool, out *soa.Pairs) {
	c.begin(b, p, s, pool, out)
	// 1 Skins: reads velocity, odometer; writes limit, grow.
	c.over(b.Len(), (*skinPass)(c))
	// 2 Extents: reads poses, grow; writes Extent, cellExtent, the range of sizes of each kind. If
	// the set of resting pieces has changed, split first rebuilds their tree.
	c.split()
	c.overPieces(c.moving, (*extentPass)(c))
	c.gatherKinds()
	c.choosePieces()
	if c.other = c.cfg.Search != nil && !(c.cfg.SearchIfUnmixed && c.mixed()) && c.searchOther(); c.other {
		c.end()
		return
	}
	// 3 Spaces: one per kind and factor of two in size, each with its grid.
	c.makeSpaces()
	// 4 Enter: counting sort of the pieces by cell.
	c.grids.Enter()
	// 5 Scan: compares entries with the entries of neighbouring cells and with resting pieces;
	// writes lists.
	c.grids.scanFor(scan{&c.sorter, c}, c.nPieces, c.most)
	// 6 Collect: counting sort of the pairs by A, then B; writes out.
	c.out.A, c.out.B = c.sorter.collect(c.out.A, c.out.B)
	c.end()
}

func (c *CandidateSearch) begin(b *soa.Bodies, p *soa.Pieces, s *soa.Shapes, pool *sched.Pool, out *soa.Pairs) {
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
	if !c.known || c.changed {
		c.skin = c.cfg.Skin
		if c.skin == 0 {
			c.skin = chosenSkin(b)
		}
	}
}

// beginWork clears the workspaces.
func (c *CandidateSearch) beginWork() {
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

// choosePieces lists the pieces to enter: the moving ones whose extent is finite.
func (c *CandidateSearch) choosePieces() {
	endless := 0
	for i := range c.work {
		endless += c.work[i].endless
	}
	c.piece = append(c.piece[:0], c.moving...)
	if endless > 0 {
		c.piece = slices.DeleteFunc(c.piece, func(p soa.Piece) bool { _, ok := SizeOf(&c.cellExtent[p]); return !ok })
	}
}

// sharedPerPiece is the number of cells per piece that all spaces together may take beyond those of
// each space alone. The largest sizes get them first. Such spaces need few cells, have few pieces,
// and every smaller piece looks into them.
const sharedPerPiece = 4

// makeSpaces divides the pieces of each kind by size and chooses the grid of each space.
func (c *CandidateSearch) makeSpaces() {
	g := &c.grids
	g.Box, g.Kind, g.Pool, g.Levels = c.cellExtent, c.pieces.Kind, c.pool, g.Levels[:0]
	g.Rows, g.Subset = namesOf(c.piece), true
	for kind := range soa.NKinds {
		first := len(g.Levels)
		if c.divide(kind); len(g.Levels) == first+1 {
			g.Levels[first].Bounds = c.kinds[kind].Bounds
		}
	}
	g.ChooseGrids(float64(sharedPerPiece * len(c.piece)))
}

// divide makes the spaces of a kind, from the largest size down. Each space begins at the largest
// size not yet in a space. So neighbouring sizes share a space, wherever they lie on the scale.
func (c *CandidateSearch) divide(kind soa.Kind) {
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

func (c *CandidateSearch) end() {
	g := &c.grids
	c.entered += len(c.piece)
	entered := len(c.piece) + len(c.resting.piece)
	c.stats = Stats{
		Rebuilds: c.stats.Rebuilds + 1, Pairs: c.out.Len(), Pieces: entered, Resting: len(c.resting.piece),
		Unpaired: c.nPieces - entered, Entered: c.entered, Spaces: len(g.Levels), Cells: g.Cells,
		Skin: c.skin, TooManyPairs: c.sorter.Full(), BySearch: c.other,
	}
	for i := range g.Levels {
		if g.Levels[i].Hashed {
			c.stats.Hashed++
		}
	}
	c.updates.judged, c.updates.entered, c.changed = false, !c.other, false
	c.updates.reset()
	c.known = true
	c.bodies, c.pieces, c.shapes, c.pool, c.out, c.rows = nil, nil, nil, nil, nil, nil
	g.Release()
}

// Resize returns s with length n. The contents are unspecified: every pass writes before it reads.
// The capacity grows by at least half, so a slowly growing world does not allocate each time.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	grown := make([]T, n, max(n, cap(s)+cap(s)/2))
	copy(grown, s[:cap(s)])
	return grown
}

// SetHorizon sets Config.Horizon, s ≥ 0, for later rebuilds. It panics if the value is negative or
// not finite.
func (c *CandidateSearch) SetHorizon(horizon float64) {
	if !(horizon >= 0 && horizon <= math.MaxFloat64) {
		panic(fmt.Sprintf("broad: horizon %g s, expected ≥ 0", horizon))
	}
	c.cfg.Horizon = horizon
}

// SetMaxPairs sets the largest number of pairs of the list, 0 ≤ n ≤ MaxPairs, for later rebuilds.
// It panics if n is outside this range.
func (c *CandidateSearch) SetMaxPairs(n int) {
	if n < 0 || n > MaxPairs {
		panic(fmt.Sprintf("broad: at most %d pairs, expected 0 to %d", n, MaxPairs))
	}
	c.most = int64(n)
}

// Margin returns how far the cell extents of a body's pieces were enlarged at the last rebuild, m:
// the body's skin plus its share of the reach.
func (c *CandidateSearch) Margin(b soa.Body) float64 { return c.grow[b] }
