// Package engine is the simulation: a World of bodies and walls that moves by steps.
//
// It owns the step, the contact loop over tiles, the integrator, the ledger of energies, the state
// hash and what a checkpoint holds. It finds no contacts: broad finds the pairs, narrow their gaps,
// overlap their sections and volumes, coplanar and surface what the facets of a wall are together,
// and force their laws. Files and scenes are above.
//
// Frame: world. Units: any consistent set, m, kg, s in the documentation. The same world gives the
// same bits on any number of workers.
//
// Read step.go first: it is the whole step on one page.
package engine
