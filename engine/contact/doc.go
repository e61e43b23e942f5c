// Package contact turns poses into contacts. Its Space holds pieces, candidate pairs and contacts, and
// finds the contacts of all pairs at the present poses.
//
// A Space moves no body and knows no force. Its client moves the bodies, and its Reader receives the
// contacts of one tile of pairs at a time: which are active, which have begun and which have ended.
// Rows of contacts have columns of the space and columns of the client. The client registers its
// columns once; the space moves them with the row and never reads them.
//
// Frame: world. Units: any consistent set. The contacts of two poses are the same bits whatever the
// space has found before, on any number of workers.
//
// Read loop.go first: it shows the stages of a tile. gaploop.go has those of laws that read gaps, and
// overlaploop.go those of laws that read overlaps.
package contact
