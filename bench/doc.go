// Package bench contains the studies: they measure the cost of the engine on scenes of known
// content, on this machine, and verify the results.
//
// The package owns the studies, their tables (as text, CSV and JSON), their plots, and the making
// of settled piles. Tags describe the options of a study; cmd/scree makes flags of them. The package
// makes no claims: a row states what was measured, on what, with which settings, and a checksum. The
// reader compares rows.
//
// Frame: world, z up, gravity 9.81 m/s². Units: m, kg, s, J; times per unit of work in ns.
//
// Times depend on the machine. Scenes made by Settle are the same on every machine.
//
// Read study.go first: it is the frame of all studies. step.go is the study of the whole step, narrow.go
// that of the narrow phase. paper.go has the tests with which the fast direct search was published.
package bench
