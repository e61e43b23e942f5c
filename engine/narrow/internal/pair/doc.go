// Package pair owns two polyhedra in one frame: Frame holds the pair of which the other rooms ask,
// and what each of them needs of it: vertices, faces and edges in the frame of A, supports,
// feature pairs, gap and normal of one, the witness point, and the Answer with its bounds and
// certificates by motion and by axis. It refuses to look for the features: proof and search do.
//
// Frame: that of A, times a power of two where lengths are extreme. Unit: that of the shapes;
// every tolerance is a multiple of the pair's size (tolerances.go). Read frame.go first, then
// finalise.go.
package pair
