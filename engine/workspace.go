package engine

import "github.com/scree-dem/scree/force"

// stepContext is what the parallel stages of a step share. Each stage is a named type over it, so
// that passing a stage to the pool allocates nothing.
type stepContext struct {
	w        *World
	dt       float64 // s
	relieved float64 // fraction of the initially forgiven overlaps that is still not felt
	thick    float64 // m², variance above which the space lists an overlap: see thickVariance
}

// workspace holds the buffers of one worker, and what it has found in a step.
type workspace struct {
	carried twofold // J, in this step: see World.carried
	forces  force.Batch
	sum     ledgerSum                // of the present tile
	history [force.MaxMemory]float64 // of one contact
	faulty  uint32                   // lowest body whose motion is not finite
	tight   uint32                   // lowest body with too many contacts for the step
	broken  brokenPair               // first pair whose law has stored a number that is not finite
	deep    deepPair                 // first pair that is too deep inside each other
	through deepPair                 // first pair whose overlap hardly changes as the bodies move
	_       [64]byte                 // keeps neighbours off this worker's cache lines
}
