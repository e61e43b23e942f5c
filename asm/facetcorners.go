package asm

// VertexVertex answers the pairs lo ≤ i < hi of bodies apart whose nearest features are a vertex of A, point P[i], and one
// of B, point Q[i]. For each, in the frame of A with q and t as in FaceVertex:
//
//	b := q·point + t
//	d := b - a
//	Gap, Normal = |d|+0, rotA(d/|d|)
//	ArmA, ArmB = rotA(a), rotA(a + |d|·d/|d| - t)
//
// Vertices in one place have no normal: what they give is not finite. The rest is as in FaceVertex.
func VertexVertex(f *Facets, lo, hi int) {
	vertexVertex(f, lo, hi)
}

// VertexEdge answers the pairs whose nearest features are a vertex of A, point P[i], and an edge of B, from point
// Q[i] to Q1[i]. For each, with the points of B brought to the frame of A, and perpendicular as below:
//
//	d, _ := perpendicular(q-a, q1-q)
//
// and the rest as in VertexVertex, of whose columns it asks for P1, Q1 and Sign besides, as EdgeEdge does.
func VertexEdge(f *Facets, lo, hi int) {
	vertexEdge(f, lo, hi)
}

// EdgeVertex answers the pairs whose nearest features are an edge of A, from point P[i] to P1[i], and a vertex of B, point
// Q[i]. For each:
//
//	d, at := perpendicular(p-b, p1-p)
//	Gap, Normal = |d|+0, rotA(-(d/|d|))
//	w := p + at·(p1-p), with at 0 at least and 1 at most
//	ArmA, ArmB = rotA(w), rotA(w + Gap·normal - t)
//
// perpendicular(w, e) is the part of w at right angles to e, with what rounding leaves along e taken out again:
//
//	t := -(w·e)/(e·e)
//	w += t·e
//	return w + (-(w·e)/(e·e))·e, t
func EdgeVertex(f *Facets, lo, hi int) {
	edgeVertex(f, lo, hi)
}
