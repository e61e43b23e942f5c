// Package broad finds the candidate pairs: pieces of different bodies whose cell extents overlap.
//
// It owns the grids that boxes are entered in, the cell spaces of pieces, one grid per kind and factor of two in size, and the motion budget of
// each body: as long as no odometer has advanced by more than its body's budget, every pair whose gap
// is at most Config.Reach is in the list. It refuses geometry beyond boxes: the gap of a candidate
// is asked of narrow. Planes without bounds are not pieces and are not here.
//
// What never pairs: pieces of one body, pieces of two bodies that are both prescribed (InvMass 0),
// two facets, and pieces whose extent is not finite (the engine refuses such a pose before).
//
// The list is exactly the set of overlapping cell extents, which are closed boxes. It does not depend
// on the grid, on the number of workers or on the order in which cells are visited: grids only decide
// which pairs are looked at. Pieces of walls at rest are in no cell: they are entered once, in a tree of
// boxes, and what moves looks there too. A rebuild costs by what moves.
//
// The package is also the door to neighbour searches that need no world: a Finder takes boxes or balls and finds their pairs by any
// Method, each of which is a folder below this one. A world may use any of them, too: see Config.Search.
//
// Frame: world. Units: those of the scene, m and s in the documentation. Read cells.go first (the
// rebuild on one page), then resting.go, grids.go, grid.go, enter.go, scan.go and sorter.go in the order they run; set.go and finder.go are the door.
//
// This package is readable, not promised: hosts use engine.
package broad
