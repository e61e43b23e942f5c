package proof

// Proofs is a set of kinds of proof. A kind that is switched off proves nothing, and a search
// computes the same bits instead. Tests use this to compare the bits, studies to measure what a
// kind of proof saves.
type Proofs uint16

const (
	Descents     Proofs = 1 << iota // descents for a pair about which nothing is known
	Walks                           // walks from one separating axis to another
	Nearest                         // nearest features of a pair apart
	TwoFaces                        // facets that two faces, or a face and an edge, make together
	EdgesOnFaces                    // facets that a face and an edge make together
	Grazing                         // pairs close to zero gap
	Shells                          // shells about one facet
	FaceShells                      // shells about the facets that two features make
	FacetBudgets                    // motion budgets of one facet
	FaceBudgets                     // motion budgets of two faces
	AllProofs    = 1<<iota - 1
)
