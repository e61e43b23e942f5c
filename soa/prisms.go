package soa

// PrismSides is how many sides a Prism may have.
const PrismSides = 8

// Prism names the faces of two bodies between which their overlap lies, where it has a base, a
// top, and sides that go from one to the other. Each is a number of a face, and OfB more where it
// is a face of B. It is what an overlap was when it was last cut, a guess for the next step that
// changes no bit of it.
type Prism struct {
	Sides     uint8 // how many; 0 for nothing known
	Base, Top uint8
	Side      [PrismSides]uint8 // in turning order as seen from outside the base; asm.SharePrisms4 says which is the first
}

// OfB marks a face of B in a Prism; of the others there are as many.
const OfB = 0x80
