// Package vec provides the value types of geometry in three dimensions: vectors, quaternions,
// matrices, poses and boxes. It also provides sums of two float64 (Twofold), elementary functions
// and orientation predicates, all of which are reproducible.
//
// The package has arithmetic on single values only. Its API has no slices, and it does not
// allocate, except in predicates_wide.go. Columns of values are in package soa.
//
// Frames and units are the caller's; nothing here assumes a scale. A Pose maps the body frame to
// the world frame. Quaternions are w, x, y, z.
//
// Every function returns the same bits on every architecture. Go may fuse x*y+z into one rounding
// on arm64 and with GOAMD64=v3. So each product that is an operand of a sum is written
// float64(x*y), which the language defines as a rounding. The package does not use Sin, Cos, Exp
// and the like of package math, because their bits differ between architectures. Read vec3.go
// first.
package vec
