// Package asm holds the innermost loops: support points, intervals, plane distances, world boxes,
// the odometer sweep, the motion of free bodies, the linear law of contacts and answers at known
// features, on plain slices of numbers.
//
// It owns machine code, build tags by architecture and the choice between backends. It refuses the
// types of bodies, shapes and pairs: package kernels gives the columns their meaning. Frames and
// units are the caller's.
//
// Every operation is exact: all backends return the bits of the Go loop in its contract. So sums
// run in the order (x·dx + y·dy) + z·dz with each product rounded, ties go to the lowest index,
// and a value that is returned with an index is the value at that index, down to the sign of zero.
// A NaN compares false and so never wins. Nothing allocates, nothing outside the slices is read or
// written, and inputs come back unchanged. Columns of unequal length are the caller's bug and
// panic.
//
// There are two kinds of operations. One is straight-line arithmetic on many columns with an item
// a lane, such as ApplyLinear. By hand are its contract (a comment, a structure of columns, an exported
// function), its program in asm/gen and its test. The rest is generated from the program:
//
//	linearlaw.go              the contract of ApplyLinear
//	linearlaw_lanes.go        applyLinear: the check of lengths, the call of the lanes, the Go loop, compiled into every build
//	linearlaw_lanes_amd64.s   AVX2 and AVX-512, and of some programs one item at a time
//	linearlaw_lanes_arm64.s   NEON
//	lanes_amd64.go            for an architecture, of all such operations: a branch on the flag of each backend
//	lanes_arm64.go
//	lanes_noasm.go            no lanes: where there is no machine code, under the build tag purego, and under -race, which
//	                          could not see into it
//
// The other is loops that are shaped by hand, such as Support:
//
//	support.go          the contract, the checks, and the call of support and supportPairs
//	support_generic.go  the Go loops
//	support_amd64.s     AVX2 and AVX-512, written with avo by asm/gen
//	support_arm64.s     NEON, by hand
//	points_amd64.go     support and its sisters over points: the branch on the flags; and the kernels' contracts
//	points_arm64.go     the same for NEON
//	points_noasm.go     hands support to the Go loop
//
// So what has lanes in its name, or ends in _amd64.s, is generated, and nothing else:
//
//	cd asm/gen && go generate ./...
//
// internal/cpu sets the flags, backend_amd64.go registers them. The choice is a branch and never a
// func variable: through one, a call costs ten times as much and its arguments escape to the heap.
// A call should carry 50 ns of work, so most operations take batches. docs/kernels.md has the
// figures.
//
// Read linearlaw.go first, then support.go.
package asm
