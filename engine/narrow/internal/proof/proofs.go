package proof

// Proofs is a set of the ways to prove an answer. A way that is off proves nothing, and a search
// answers instead: to the same bits. Tests switch ways off to find that so, and studies to find
// what one is worth.
type Proofs uint16

const (
	Descents     Proofs = 1 << iota // of a pair of which nothing is known
	Walks                           // from a separating axis to another
	Nearest                         // nearest features of a pair apart
	TwoFaces                        // facets that two faces make, or a face and an edge
	EdgesOnFaces                    // a face and an edge
	Grazing                         // pairs next to touching
	Shells                          // of one facet
	FaceShells                      // of what two features make
	Cones                           // directions about the line of centres
	FacetBudgets                    // how long a facet lasts
	FaceBudgets                     // how long two faces last
	AllProofs    = 1<<iota - 1
)
