// Package engine is the simulation: a World of bodies and walls that advances in time steps.
//
// It owns the step, the integrator, the energy ledger, the motion of walls, the state hash and the
// content of a checkpoint. Package contact turns the poses into contacts, with broad for candidate pairs,
// narrow for gaps, overlap for common volumes, section for locations, and coplanar and surface for walls
// of facets. Package force holds the contact laws. Files and scenes belong to higher packages.
//
// Frame: world. Units: any consistent set; the documentation uses m, kg, s. The same world gives
// the same bits on any number of workers.
//
// Read step.go first: it shows the whole step on one page.
package engine
