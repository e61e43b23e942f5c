package proof

import (
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// facesAlone is a kernel batch of two faces for one pair, with the columns that the kernel reads.
type facesAlone struct {
	batch  kernels.FaceFaces
	poses  soa.PoseColumns
	shapes soa.Shapes // only its table of quads is set
}

// FacesInBudget answers a pair that overlaps by two faces that are within their motion budget, as
// ProvenBatch does. It returns false if the kernel cannot tell which facet of the faces is the
// answer. It also returns false for a pair apart, because such an answer needs an axis.
func (s *Prover) FacesInBudget(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, proof *Proof, out *pair.Answer) bool {
	if len(a.Quads) != len(b.Quads) || &a.Quads[0] != &b.Quads[0] {
		return false // the shapes are in different arenas
	}
	f := &s.alone
	if f.batch.Len() == 0 {
		f.batch.Resize(1)
		f.poses.Resize(2)
	}
	f.shapes.Quads = a.Quads
	for i, pose := range [2]vec.Pose{pa, pb} {
		f.poses.Pos.Set(i, pose.Pos)
		f.poses.Rot.Set(i, pose.Rot)
	}
	f.batch.Set(0, 0, 1, uint32(proof.QuadA), uint32(proof.QuadB))
	f.batch.Solve(&f.shapes, &f.poses, 0, 1)
	if gap := f.batch.Gap[0]; !f.batch.Known(0) || !(gap <= 0) {
		return false
	}
	*out = pair.Answer{
		AnsweredBy: pair.ByFeature, Exact: true, Facet: f.batch.Facet(0, &f.shapes),
		Normal: f.batch.Normal.At(0), ArmA: f.batch.ArmA.At(0), ArmB: f.batch.ArmB.At(0),
	}
	out.SetGap(f.batch.Gap[0])
	return true
}
