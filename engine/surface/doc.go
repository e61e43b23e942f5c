// Package surface is what the facets of a wall are to blocks and laws that act by overlaps:
// material behind the side that a block comes from (docs/decisions/0034).
//
// It owns how the facets of a wall meet, the prisms behind both sides of each, how deep these
// go, and which facets count as one contact. It refuses to know bodies, pairs and steps:
// package engine hands the facets of a wall over and asks each block's overlap of the prisms.
//
// Frame: that of the wall. Units: m. The same facets give the same bits.
//
// Read sides.go first.
package surface
