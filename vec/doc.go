// Package vec holds the values geometry is made of: vectors, quaternions, matrices, poses and boxes
// in three dimensions, sums of twofold precision, the elementary functions and the orientation
// predicates that state may rest on.
//
// It owns arithmetic on single values. It refuses slices and allocation: columns are soa's.
//
// Frames and units are the caller's; nothing here assumes a scale. A Pose maps the body frame to the
// world frame. Quaternions are w, x, y, z with w first.
//
// Every function gives the same bits on every architecture. Go may fuse x*y+z into one rounding on
// arm64 and with GOAMD64=v3, so each product that meets a sum is written float64(x*y), which the
// language defines as a rounding. Sin, Cos, Exp and the like of package math are not used: their
// bits differ between architectures. Read vec3.go first.
package vec
