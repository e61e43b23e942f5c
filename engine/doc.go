// Package engine is the simulation: a World of bodies and walls that advances in time steps.
//
// It owns the step, the contact loop over tiles, the integrator, the energy ledger, the state hash
// and the content of a checkpoint. Contact detection lives in other packages: broad finds the
// candidate pairs, narrow computes their gaps, and overlap their sections and volumes. coplanar and
// surface combine the facets of a wall, and force holds the contact laws. Files and scenes belong
// to higher packages.
//
// Frame: world. Units: any consistent set; the documentation uses m, kg, s. The same world gives
// the same bits on any number of workers.
//
// Read step.go first: it shows the whole step on one page.
package engine
