// Package surface is what the facets of a wall are to blocks and laws that act by overlaps:
// material behind the side that a block comes from (docs/decisions/0034).
//
// It owns how the facets of a wall meet, the prisms behind both sides of each, how deep these
// go, which facets count as one contact, and what a block has in common with the prisms. It
// refuses to know bodies, pairs, steps and histories: package engine hands the facets of a wall
// over once, and then blocks that may touch some of them.
//
// Frame: that of the wall. Units: m. The same facets and blocks give the same bits.
//
// Read sides.go first, then press.go.
package surface
