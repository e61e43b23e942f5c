package narrow

import (
	"github.com/scree-dem/scree/narrow/internal/methods"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/narrow/internal/typing"
)

// Types of the internal packages, under the names that users know.
type (
	Answer       = pair.Answer         // the result of a query for one pair
	Status       = pair.Status         // whether two pieces are apart, touch or overlap, or have no answer
	AnsweredBy   = pair.AnsweredBy     // the certificate or method that produced an answer, from cheap to expensive
	Proof        = proof.Proof         // how long a proven facet needs no new proof
	ContactList  = typing.ContactList  // the persistent contacts of a pair
	BasicContact = typing.BasicContact // one of the basic contacts of two blocks
	Type         = typing.Type         // the kinds of features of A and B that meet
	Checks       = methods.Checks      // what a direct search inspects, by kind
	Mode         = typing.Mode         // whether a law left a basic contact open, sticking or sliding
)

// Values of Status: see pair.Status.
const (
	Separated    = pair.Separated
	Touching     = pair.Touching
	Penetrating  = pair.Penetrating
	NotConverged = pair.NotConverged
	Degenerate   = pair.Degenerate
)

// Values of AnsweredBy, from cheap to expensive: see pair.AnsweredBy.
const (
	ByOdometer  = pair.ByOdometer
	ByAxis      = pair.ByAxis
	ByFeature   = pair.ByFeature
	ByWalk      = pair.ByWalk
	BySearch    = pair.BySearch
	NAnsweredBy = pair.NAnsweredBy
)

// Values of Type, the feature of A named first: see typing.Type.
const (
	NoType           = typing.NoType
	TypeVertexVertex = typing.TypeVertexVertex
	TypeVertexEdge   = typing.TypeVertexEdge
	TypeVertexFace   = typing.TypeVertexFace
	TypeEdgeVertex   = typing.TypeEdgeVertex
	TypeFaceVertex   = typing.TypeFaceVertex
	TypeEdgeEdge     = typing.TypeEdgeEdge
	TypeEdgeParallel = typing.TypeEdgeParallel
	TypeEdgeFace     = typing.TypeEdgeFace
	TypeFaceEdge     = typing.TypeFaceEdge
	TypeFaceFace     = typing.TypeFaceFace
	NTypes           = typing.NTypes
)

// Values of Mode, as a law set them in the last step: see typing.Mode.
const (
	Open  = typing.Open
	Stick = typing.Stick
	Slide = typing.Slide
)

// ProofTol is the error bound of an exact answer, in multiples of a pair's length scale.
const ProofTol = pair.ProofTol
