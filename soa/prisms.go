package soa

// PrismSides is the largest number of sides of a Prism.
const PrismSides = 8

// Prism names the faces that bound the overlap of two bodies, if the overlap has a base, a top, and
// sides from the base to the top. Each name is a face of A, or OfB plus a face of B. A Prism
// describes the overlap when it was last computed. The next step uses it as a guess, which does not
// change a bit of its result.
type Prism struct {
	Sides     uint8 // number of sides; 0 if nothing is known
	Base, Top uint8
	Side      [PrismSides]uint8 // in turning order seen from outside the base; asm.SharePrisms4 defines the first
}

// OfB is the offset of faces of B in a Prism. Smaller numbers are faces of A.
const OfB = 0x80
