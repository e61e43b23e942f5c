// Package broad is the broad phase: it finds the candidate pairs, which are pieces of different
// bodies whose cell extents overlap. The cell extent of a piece is its axis-aligned box, enlarged
// by its body's skin and half of the reach.
//
// The package owns the grids and the skin of each body. The cell spaces of a world's pieces are
// grids, one per kind and factor of two in size. A body's skin is how far its odometer may advance
// before the list must be rebuilt. As long as every body stays within its skin, the list contains
// every pair whose gap is at most Config.Reach.
//
// The package knows only boxes. Package narrow computes the gap of a candidate pair. An unbounded
// plane fits in no cell, so its extent is empty and it is not entered. Package engine/contact pairs planes.
//
// Some pieces never pair: pieces of one body, pieces of two prescribed bodies (InvMass 0), two
// facets, and pieces whose extent is not finite. The engine rejects poses that are not finite
// before they get here.
//
// The list is exactly the set of overlapping cell extents, which are closed boxes. It does not
// depend on the grids, on the number of workers or on the order in which cells are visited. The
// grids only decide which pairs are compared. Pieces of walls at rest are not entered in cells.
// They are stored once in a tree of boxes, and each moving piece also queries that tree. Hence the
// cost of a rebuild depends on the moving pieces.
//
// The package also offers neighbour searches without a world. A Finder takes boxes or balls and
// finds their pairs by any Method. Each Method is a folder below this one. A world may use any of
// these methods too: see Config.Search.
//
// Frame: world. Units: those of the scene, m and s in the documentation. Read cells.go first, which
// has the rebuild on one page. Then read resting.go, grids.go, grid.go, enter.go, scan.go and
// sorter.go, in the order in which they run. For neighbour searches without a world, begin with
// input.go and finder.go.
//
// The API of this package is not stable. Programs use package engine.
package broad
