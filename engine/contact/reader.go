package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Reader receives the contacts of a space, tile by tile. Several workers call it at once, each with its
// own number and for tiles of its own.
type Reader interface {
	// Lend returns what the reader needs of the contacts of a tile, and the rows for them.
	Lend(tile, worker int) Lent
	// Read receives the contacts of a tile. They are in the rows that Lend returned. Read must write the
	// normals of the active contacts to Contacts.Normal, by force.Batch.Apply or StoreNormals: in the next
	// step they decide which facet of a wall goes on with a contact.
	Read(found *TileContacts, worker int)
	// Drop receives the contacts that have ended since the last call because their pairs are no longer
	// candidates. One goroutine calls it, for each worker in turn.
	Drop(ended *Ended, worker int)
}

// Lent is what a reader lends to a space for one tile.
type Lent struct {
	Needs []force.Needs // by row of Config.Laws, as Laws.AllNeeds: reach and overlap must be those of the table
	Into  *force.Batch  // receives the contacts; kernels write overlaps to its rows. See Space.Reserve.
	Thick float64       // m², the variance above which TileContacts.Thick lists an overlap
}

// TileContacts is what a space has found in one tile. It is valid during Reader.Read.
type TileContacts struct {
	Tile      int
	Active    []uint32   // rows of the active contacts, in the order in which they were found
	Begun     []uint32   // rows of those of Active that were not active before
	Ended     Ended      // contacts that were active before
	Handovers []Handover // contacts that have passed to another facet and another law
	Thick     []Thick
	Shares    []WallShare
}

// Ended lists contacts that have ended, with the client's columns that Register calls remembered.
type Ended struct {
	Laws   []uint32 // rows of the laws
	values []float64
	each   int // number of values of a contact
}

// Values returns what the client's columns had for contact k of the list.
func (e *Ended) Values(k int) []float64 { return e.values[k*e.each:][:e.each] }

// add lists the contact of row i of some columns, under the law of row law.
func (e *Ended) add(law uint32, columns []*[]float64, i int) {
	e.Laws = append(e.Laws, law)
	for _, c := range columns {
		e.values = append(e.values, (*c)[i])
	}
}

// addValues lists a contact with the given values.
func (e *Ended) addValues(law uint32, values []float64) {
	e.Laws, e.values = append(e.Laws, law), append(e.values, values...)
}

// reserve allocates space for n contacts.
func (e *Ended) reserve(n int) {
	e.Laws, e.values = grow(e.Laws, n)[:0], grow(e.values, n*e.each)[:0]
}

func (e *Ended) clear() { e.Laws, e.values = e.Laws[:0], e.values[:0] }

// Handover is a contact with a wall whose columns have passed to the row of another facet, which has
// another law.
type Handover struct {
	Row, From, To uint32 // the row that has the contact now; the rows of the former and of the present law
}

// Thick is a contact whose overlap has a variance above Lent.Thick.
type Thick struct {
	Row      int
	Variance float64  // m², along the overlap's normal
	Gradient vec.Vec3 // m, of the variance
}

// WallShare is one contact with a wall of facets, and its part of the overlap of a body with the wall.
// That part is thinner than the depth in the contact's gap.
type WallShare struct {
	Row      uint32
	Variance float64 // m²
}

// Reserve empties a batch and gives it space for the contacts of any tile, so that adding them allocates
// nothing.
func (sp *Space) Reserve(b *force.Batch) {
	b.Reserve(sp.cfg.Laws, sp.tiles.size+overlap.UntypedRows) // kernels may write beyond the last contact
	b.Clear(sp.cfg.Laws)
}

// Register gives the space the client's columns, which have one row for each row of Contacts.
// remembered are those that belong to a contact from step to step: the space moves them with the row
// and sets them to 0 when a contact ends. results are those that the client writes for each active
// contact of a step before it reads them. Call Register before Prepare.
func (sp *Space) Register(remembered, results []*[]float64) {
	sp.remembered = append(sp.remembered, remembered...)
	sp.results = append(sp.results, results...)
}

// resizeClient sets the number of rows of the client's columns to n.
func (sp *Space) resizeClient(n int) {
	for _, c := range sp.remembered {
		*c = soa.Resize(*c, n)
	}
	for _, c := range sp.results {
		*c = soa.Resize(*c, n)
	}
}

// clearClient sets the client's remembered columns of a row to 0.
func (sp *Space) clearClient(row int) {
	for _, c := range sp.remembered {
		(*c)[row] = 0
	}
}

// clear empties the lists, for the next tile.
func (f *TileContacts) clear() {
	f.Begun, f.Handovers, f.Thick, f.Shares = f.Begun[:0], f.Handovers[:0], f.Thick[:0], f.Shares[:0]
	f.Ended.clear()
}
