package soa

import "fmt"

// Kind is the kind of a shape, and of the pieces that have the shape.
//
// This file is where a new kind begins: its name, its properties, and its row and column of the matrix
// of kinds. Elsewhere, code asks for a property or for the matrix, and names no kind to compare with. The
// order matters: the first piece of a pair has the lower kind, so the matrix is filled from its diagonal on.
// Kinds that only walls have come last.
type Kind uint8

const (
	Ball  Kind = iota // a ball of radius Radius about the origin of its frame
	Block             // a closed convex polyhedron
	Facet             // a flat convex polygon: two faces of opposite normals, back to back
	Plane             // an unbounded wall: the half-space z ≤ 0 of its frame, with normal +z
	NKinds
)

var kindNames = [NKinds]string{"ball", "block", "facet", "plane"}

// IsRound reports whether a piece has one radius about one centre, and neither corners nor faces.
func (k Kind) IsRound() bool { return k == Ball }

// IsPolyhedron reports whether a piece has corners, edges and faces around a volume.
func (k Kind) IsPolyhedron() bool { return k == Block }

// IsFlat reports whether a piece is a polygon without a thickness: a part of a wall's surface.
func (k Kind) IsFlat() bool { return k == Facet }

// IsEndless reports whether a piece has no size: a half-space.
func (k Kind) IsEndless() bool { return k == Plane }

// IsSolid reports whether a piece has a volume, so that a body that moves may consist of it.
func (k Kind) IsSolid() bool { return k.IsRound() || k.IsPolyhedron() }

// String returns the name of the kind.
func (k Kind) String() string {
	if k >= NKinds {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

// KindPair tells in which way a pair of pieces of two kinds is answered. narrow/internal/search.Pair
// switches on Gap; engine/contact chooses the list of stages by Overlap.
type KindPair struct {
	Gap     GapWay     // how narrow finds the gap
	Overlap OverlapWay // what a law that reads overlaps reads
}

// GapWay tells which function of package narrow finds the gap of two pieces.
type GapWay uint8

const (
	NeverMeet     GapWay = iota // parts of walls; also a pair in the wrong order
	RoundAndRound               // the distance of two centres
	RoundAndFaces               // the point of faces nearest to a centre
	FacesAndFaces               // a search on the Minkowski difference
	OnHalfSpace                 // the lowest point above a plane
)

// OverlapWay tells what a law that reads the overlap of two pieces reads.
type OverlapWay uint8

const (
	NoOverlap    OverlapWay = iota
	RoundOverlap            // a slab as thick as the depth of a ball
	CommonVolume            // the common volume of the two pieces; it decides alone whether they touch
	WallOverlap             // the overlap with all facets of a wall together
)

// kindPairs is the matrix of kinds, by the kinds of A and B in the order that Pairs requires.
var kindPairs = [NKinds][NKinds]KindPair{
	Ball: {
		Ball:  {RoundAndRound, RoundOverlap},
		Block: {RoundAndFaces, RoundOverlap},
		Facet: {RoundAndFaces, RoundOverlap},
		Plane: {OnHalfSpace, RoundOverlap},
	},
	Block: {
		Block: {FacesAndFaces, CommonVolume},
		Facet: {FacesAndFaces, WallOverlap},
		Plane: {OnHalfSpace, CommonVolume},
	},
}

// KindPairOf returns the entry of the matrix of kinds for a pair.
func KindPairOf(a, b Kind) KindPair { return kindPairs[a][b] }
