package soa

import "github.com/scree-dem/scree/vec"

// Vec3s is a column of vectors: three columns of one length, each aligned.
type Vec3s struct{ X, Y, Z []float64 }

// At returns the vector of row i.
func (c *Vec3s) At(i int) vec.Vec3 { return vec.Vec3{X: c.X[i], Y: c.Y[i], Z: c.Z[i]} }

// Set stores the vector of row i.
func (c *Vec3s) Set(i int, v vec.Vec3) { c.X[i], c.Y[i], c.Z[i] = v.X, v.Y, v.Z }

// Len returns the number of rows.
func (c *Vec3s) Len() int { return len(c.X) }

// Resize sets the number of rows to n. Added rows are zero.
func (c *Vec3s) Resize(n int) { c.X, c.Y, c.Z = Resize(c.X, n), Resize(c.Y, n), Resize(c.Z, n) }

// Keep keeps the rows kept, in rising order, and drops the others.
func (c *Vec3s) Keep(kept []uint32) {
	c.X, c.Y, c.Z = Keep(c.X, kept), Keep(c.Y, kept), Keep(c.Z, kept)
}

// Quats is a column of unit quaternions, body frame to world frame.
type Quats struct{ W, X, Y, Z []float64 }

// At returns the quaternion of row i.
func (c *Quats) At(i int) vec.Quat { return vec.Quat{W: c.W[i], X: c.X[i], Y: c.Y[i], Z: c.Z[i]} }

// Set stores the quaternion of row i.
func (c *Quats) Set(i int, q vec.Quat) { c.W[i], c.X[i], c.Y[i], c.Z[i] = q.W, q.X, q.Y, q.Z }

// Resize sets the number of rows to n. Added rows are zero, which is not a rotation, so the caller
// must set them.
func (c *Quats) Resize(n int) {
	c.W, c.X, c.Y, c.Z = Resize(c.W, n), Resize(c.X, n), Resize(c.Y, n), Resize(c.Z, n)
}

// Sym3s is a column of symmetric matrices.
type Sym3s struct{ XX, YY, ZZ, XY, XZ, YZ []float64 }

// At returns the matrix of row i.
func (c *Sym3s) At(i int) vec.Sym3 {
	return vec.Sym3{XX: c.XX[i], YY: c.YY[i], ZZ: c.ZZ[i], XY: c.XY[i], XZ: c.XZ[i], YZ: c.YZ[i]}
}

// Set stores the matrix of row i.
func (c *Sym3s) Set(i int, s vec.Sym3) {
	c.XX[i], c.YY[i], c.ZZ[i], c.XY[i], c.XZ[i], c.YZ[i] = s.XX, s.YY, s.ZZ, s.XY, s.XZ, s.YZ
}

// Resize sets the number of rows to n. Added rows are zero.
func (c *Sym3s) Resize(n int) {
	c.XX, c.YY, c.ZZ = Resize(c.XX, n), Resize(c.YY, n), Resize(c.ZZ, n)
	c.XY, c.XZ, c.YZ = Resize(c.XY, n), Resize(c.XZ, n), Resize(c.YZ, n)
}

// Planes is a column of planes n·p = d with n unit and outward.
type Planes struct {
	N Vec3s     // unit outward normals
	D []float64 // m: a point x is below if N·x ≤ D
}

// Resize sets the number of rows to n. Added rows are zero, so the caller must set or pad them.
func (c *Planes) Resize(n int) {
	c.N.Resize(n)
	c.D = Resize(c.D, n)
}

// Boxes is a column of axis-aligned boxes.
type Boxes struct{ Min, Max Vec3s } // m, least and largest corners

// At returns the box of row i.
func (c *Boxes) At(i int) vec.Box { return vec.Box{Min: c.Min.At(i), Max: c.Max.At(i)} }

// Set stores the box of row i.
func (c *Boxes) Set(i int, b vec.Box) {
	c.Min.Set(i, b.Min)
	c.Max.Set(i, b.Max)
}

// Len returns the number of rows.
func (c *Boxes) Len() int { return c.Min.Len() }

// Resize sets the number of rows to n. Added rows are zero.
func (c *Boxes) Resize(n int) {
	c.Min.Resize(n)
	c.Max.Resize(n)
}
