// Package bench is the studies: what the engine costs on scenes of known content, on this machine, beside
// what shows that the answers are right.
//
// It owns the studies, their tables (for people, as CSV and as JSON), their plots and the making of settled piles to
// measure on. It refuses to parse command lines (cmd/scree) and claims: a row says what was measured, on
// what, with which settings, and a checksum; comparing rows is for the reader.
//
// Frame: world, z up, gravity 9.81 m/s². Units: m, kg, s, J; times per unit of work in ns.
//
// Numbers here are for people, but for scenes made by Settle, which are the same on every machine.
//
// Read step.go first: it is the study of the whole step. narrow.go is that of the narrow phase, paper.go the tests that
// the fast direct search was published with.
package bench
