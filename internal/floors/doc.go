// Package floors is floors for tests: regions of a plane, cut into facets in many ways.
//
// It owns the regions and the cuts: grids, bricks, cells that leave holes and notches,
// quadrangles of any width. It refuses walls and worlds: those who test make them of the facets.
//
// Frame: the plane z = 0. Units: none; a floor is about 2 wide. The same seed gives the same
// floor.
//
// Read grids.go first.
package floors
