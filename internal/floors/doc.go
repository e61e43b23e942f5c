// Package floors provides floors for tests: regions of a plane, divided into facets in many ways.
//
// It owns the regions and their divisions: grids, bricks, cells with holes and notches, and
// quadrangles of any width. The tests themselves make walls and worlds from the facets.
//
// Frame: the plane z = 0. Units: none; a floor is about 2 wide. The same seed yields the same
// floor.
//
// Read grids.go first.
package floors
