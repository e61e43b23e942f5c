package bench

import (
	"strings"

	"github.com/scree-dem/scree/narrow"
)

// formula returns the published cost of the initial detection, in checks a pair: the vertices of each
// body times the faces of the other, and the product of the numbers of edges.
func (r *replay) formula() Measured {
	sum := 0
	for i := range r.steps {
		for k := range r.steps[i].pairs {
			a, b := r.steps[i].pairs[k].a, r.steps[i].pairs[k].b
			sum += a.NVerts*b.NFaces + a.NFaces*b.NVerts + len(a.Edge)*len(b.Edge)
		}
	}
	return Measured(per(float64(sum), float64(r.size())))
}

// counts reports whether a method counts its checks; see narrow.Checks.
func counts(m narrow.Method) bool {
	return m == narrow.DS || m == narrow.FDSPaper || m == narrow.FDS || m == narrow.FCP
}

// count sets the checks a pair, as counted. They are those of a pass whose results were told. Methods that do not
// check pairs of features one by one have no counts.
func (row *PaperRow) count(p answerer, r *replay) {
	for _, m := range []*Measured{&row.VertexFace, &row.FaceVertex, &row.EdgeEdge, &row.Entrance, &row.Distance} {
		*m = notMeasured()
	}
	q, ok := p.(*player)
	if !ok || !counts(q.method) {
		return
	}
	c, n := q.checks, float64(r.size())
	row.VertexFace, row.FaceVertex = Measured(per(float64(c.VertexFace), n)), Measured(per(float64(c.FaceVertex), n))
	row.EdgeEdge = Measured(per(float64(c.EdgeEdge), n))
	row.Entrance, row.Distance = Measured(per(float64(c.Entrance), n)), Measured(per(float64(c.Distance), n))
}

// published returns the published R of a row, "-" if there is none. The paper gives means of single
// pairs, and one value for all scenes of a kind.
func published(test, kind, method string) string {
	fds, fcp := method == "fds-paper", method == "fcp"
	switch {
	case test == "hexahedra" && kind == "mean" && fds:
		return "3.7"
	case test == "tetrahedra" && kind == "mean" && fds:
		return "2.2"
	case strings.HasPrefix(test, "wall") && fds:
		return "5"
	case strings.HasPrefix(test, "wall") && fcp:
		return "2.5"
	case strings.HasPrefix(test, "tetra") && kind == "all" && fds:
		return "5 to 6"
	case strings.HasPrefix(test, "tetra") && kind == "all" && fcp:
		return "above 3"
	}
	return "-"
}
