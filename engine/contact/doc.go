// Package contact turns poses into contacts. Its Space holds pieces, candidate pairs and contacts, and
// finds the contacts of all pairs at the present poses.
//
// A Space moves no body and computes no force. Its client moves the bodies, and its Reader receives the
// contacts of one tile of pairs at a time: which are active, which have begun and which have ended.
// Rows of contacts have columns of the space and columns of the client. The client registers its
// columns once; the space moves them with the row and never reads them.
//
// The order of calls:
//
//	New, Register
//	Shapes.Add, AddPiece for each piece of each body, AddWall for each wall of facets
//	Prepare, Renew
//	in each step: kernels.Move for each body that moves, NoteLate, Update, Find
//
// engine.World is such a client. reader_test.go has another one, which computes no forces.
//
// Frame: world. Units: any consistent set. The contacts of two poses are the same bits whatever the
// space has found before, on any number of workers.
//
// Read loop.go first: it shows the stages of a tile. overlaploop.go has those of pairs whose force follows
// from their common volume alone, gaploop.go those of all others.
package contact
