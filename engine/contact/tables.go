package contact

import (
	"sync"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
)

// A pair takes a row of contacts when it comes near, and gives it back when it leaves, so the contacts of a
// tile lie together:
//
//	tiles     |        0        |        1        |
//	contacts  |r r r . r . . .  |r r . r . .      |. . . . .   spare rows, for tiles that need more
//
// Which rows a tile has changes no result.

// spareRows returns how many free rows the table of a tile with n contacts gets, of which unknown pairs may
// become contacts.
func spareRows(n, unknown int) int { return soa.Pad(n+n/4+unknown/2+4) - n }

// chunkRows is the number of rows that a tile takes at once from the spare rows behind the tables.
const chunkRows = 16

// spare holds the rows behind the tables. A tile that may need more rows than it has free reserves them
// before it is evaluated. So it never lacks a row while it is.
type spare struct {
	sync.Mutex
	next, end int // the rows that are left
	reserved  int
	laid      int // number of rows when tables were laid
}

// reserve reserves n rows, and reports whether there are as many.
func (s *spare) reserve(n int) bool {
	s.Lock()
	defer s.Unlock()
	if s.next+s.reserved+n > s.end {
		return false
	}
	s.reserved += n
	return true
}

// release ends a reservation of n rows.
func (s *spare) release(n int) {
	s.Lock()
	s.reserved -= n
	s.Unlock()
}

// take returns the first of chunkRows rows, which the caller has reserved.
func (s *spare) take() int {
	s.Lock()
	defer s.Unlock()
	s.next += chunkRows
	s.reserved -= chunkRows
	return s.next - chunkRows
}

// reserveRows makes sure that n more pairs of a tile can take rows. It returns for how many rows the
// caller must call spare.release, and false if there are too few.
func (sp *Space) reserveRows(tile, n int) (reserved int, ok bool) {
	if n -= len(sp.tiles.free[tile]); n <= 0 {
		return 0, true
	}
	reserved = (n + chunkRows - 1) / chunkRows * chunkRows
	return reserved, sp.spare.reserve(reserved)
}

// takeRow returns the contact row of pair i of a tile, which it takes from the tile's free rows if the pair
// has none.
func (sp *Space) takeRow(i int, ws *workspace) int {
	if row := sp.Pairs.Row[i]; row != soa.NoRow {
		return int(row)
	}
	free := &sp.tiles.free[ws.out.Tile]
	if len(*free) == 0 {
		*free = appendRows(*free, sp.spare.take(), chunkRows)
		ws.reserved -= chunkRows
	}
	row := int((*free)[len(*free)-1])
	*free = (*free)[:len(*free)-1]
	sp.clearRow(row)
	sp.Contacts.Pair[row], sp.Pairs.Row[i] = uint32(i), uint32(row)
	return row
}

// appendRows appends the rows first to first+n-1, the last one first.
func appendRows(free []uint32, first, n int) []uint32 {
	for row := first + n - 1; row >= first; row-- {
		free = append(free, uint32(row))
	}
	return free
}

// giveRow gives the contact row of pair i of a tile back, if it has one. The caller has listed its contact
// as ended.
func (sp *Space) giveRow(i, tile int) {
	if row := sp.Pairs.Row[i]; row != soa.NoRow {
		if sp.Contacts.Active[row] {
			sp.Contacts.Active[row] = false
			sp.forget(int(row))
		}
		sp.Contacts.Pair[row], sp.Pairs.Row[i] = soa.NoRow, soa.NoRow
		sp.tiles.free[tile] = append(sp.tiles.free[tile], row)
	}
}

// addRows adds spare rows: at least n, and as many as columns have room for.
func (sp *Space) addRows(n int) {
	s := &sp.spare
	was := s.end
	s.end += max(n, roomy(was)-was)
	sp.resizeRows(s.end + 1) // orderRows needs one more
	sp.resizeRows(s.end)
	for row := was; row < s.end; row++ {
		sp.Contacts.Pair[row], sp.Contacts.Active[row] = soa.NoRow, false
	}
}

// resizeRows sets the number of rows of contacts to n.
func (sp *Space) resizeRows(n int) {
	sp.Contacts.Resize(n)
	sp.resizeClient(n)
	sp.skeletons.resize(n)
}

// layTables gives each tile a table for the rows that its pairs have, and brings these rows there. Results
// are not kept.
func (sp *Space) layTables() {
	t, order := &sp.tiles, sp.order[:0]
	for len(t.free) < len(t.costs) {
		t.free = append(t.free, nil)
	}
	for tile := range t.costs {
		first, unknown := len(order), 0
		lo, hi := t.bounds(tile)
		for i := lo; i < hi; i++ {
			if row := sp.Pairs.Row[i]; row != soa.NoRow {
				sp.Pairs.Row[i] = uint32(len(order))
				order = append(order, row)
			} else if sp.Pairs.Expiry[i] == soa.Expired {
				unknown++
			}
		}
		n := len(order)
		for range spareRows(n-first, unknown) {
			order = append(order, soa.NoRow)
		}
		t.free[tile] = appendRows(t.free[tile][:0], n, len(order)-n)
	}
	s := &sp.spare
	s.next = len(order)
	if t.pairs > 0 {
		for range soa.Pad(len(order)/spareShare + (t.size+chunkRows)*len(sp.work)) {
			order = append(order, soa.NoRow)
		}
	}
	s.end = len(order)
	s.laid = s.next
	sp.orderRows(order)
	for tile := range t.costs {
		lo, hi := t.bounds(tile)
		for i := lo; i < hi; i++ {
			if row := sp.Pairs.Row[i]; row != soa.NoRow {
				sp.Contacts.Pair[row] = uint32(i)
			}
		}
	}
	sp.order = order
}

// orderRows gives the contacts as many rows as order has entries: row k becomes row order[k], or a free row if order[k] is
// soa.NoRow. Results are not kept.
func (sp *Space) orderRows(order []uint32) {
	rows := sp.Contacts.Len()
	most := max(rows, len(order)) + 1 // with a spare row for soa.Rearrange
	if most > cap(sp.Contacts.Active) {
		sp.resizeRows(roomy(most))
	}
	sp.resizeRows(most)
	place := sp.skeletons.place
	soa.Rearrange(order, rows, func(to, from int) {
		sp.Contacts.CopyRow(to, from)
		for _, c := range sp.remembered {
			(*c)[to] = (*c)[from]
		}
		if len(place) > 0 {
			place[to] = place[from]
		}
	})
	sp.resizeRows(len(order))
	for k, row := range order {
		if row == soa.NoRow {
			sp.Contacts.Pair[k] = soa.NoRow
			sp.clearRow(k)
		}
	}
}

// roomy returns the number of rows for which columns of n rows get memory, so that they need not grow when tiles are laid
// anew. Memory that was never written takes no pages.
func roomy(n int) int { return n + n/8 }

// clearRow makes contact row i one of which nothing is known.
func (sp *Space) clearRow(i int) {
	sp.Contacts.ClearRow(i)
	sp.clearClient(i)
	sp.skeletons.forget(i)
}

// spareShare is the part of the rows in tables that lies spare behind the tables when these are laid.
const spareShare = 16

// takeRows declares what pairs that come or go change, besides the rows of other pairs.
func (t *tileWalk) takeRows() {
	access.Seldom(true, access.Of(t.w, "free rows", t.sp.tiles.free), access.Of(t.w, "free rows", t.sp.tiles.free[t.tile]), t.places)
	for _, name := range [...]string{"Pair", "Normal", "Facet", "Proven", "ProofRecord", "PoseBounds", "Prism", "PrismHolds", "PrismCoplanars", "Active", "AnsweredBy"} {
		access.Seldom(true, t.contacts[name])
	}
	for _, name := range [...]string{"Row", "Expiry", "Axis", "AxisSupport"} {
		access.Seldom(true, t.pairs[name])
	}
	for _, column := range t.sp.remembered {
		access.Seldom(true, access.Of(t.w, "Forces.History", *column))
	}
	for _, column := range access.Fields(t.w, "Shapes", &t.sp.Shapes) { // A search may read any.
		access.Seldom(false, column)
	}
	access.Seldom(false, t.pieces["Offset"], t.pieces["Body"], t.bodies["Radius"], t.bodies["Pos"])
	access.Of(t.w, "tiles", t.sp.tiles.count).Write(t.tile)
	access.Of(t.w, "tiles", t.sp.tiles.worst).Write(t.tile)
}
