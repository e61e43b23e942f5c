package narrow

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
)

// What the rooms below give and take, under the names that users know.
type (
	Answer       = pair.Answer         // what is known of a pair
	Status       = pair.Status         // how two pieces lie to each other
	AnsweredBy   = pair.AnsweredBy     // which certificate or method answered, from cheap to dear
	Proof        = proof.Proof         // for how long a facet needs no new proof
	ContactList  = typing.ContactList  // the persistent record of a pair
	BasicContact = typing.BasicContact // one of the contacts that two blocks have
	Type         = typing.Type         // which features of A and B meet
	Mode         = typing.Mode         // what a law made of a basic contact
)

// How two pieces lie to each other: see pair.Status.
const (
	Separated    = pair.Separated
	Touching     = pair.Touching
	Penetrating  = pair.Penetrating
	NotConverged = pair.NotConverged
	Degenerate   = pair.Degenerate
)

// What answered, from cheap to dear: see pair.AnsweredBy.
const (
	ByOdometer  = pair.ByOdometer
	ByAxis      = pair.ByAxis
	ByFeature   = pair.ByFeature
	ByWalk      = pair.ByWalk
	BySearch    = pair.BySearch
	NAnsweredBy = pair.NAnsweredBy
)

// Which features meet, A's named first: see typing.Type.
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

// What a law made of a basic contact in the last step: see typing.Mode.
const (
	Open  = typing.Open
	Stick = typing.Stick
	Slide = typing.Slide
)

// What an answer is proven to, and which facets count as equals, in units of a pair's size.
const (
	ProofTol = pair.ProofTol
	TieTol   = pair.TieTol
)
