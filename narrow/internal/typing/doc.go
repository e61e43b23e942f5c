// Package typing determines the type of a pair and lists its basic contacts, for hosts that put a
// spring at each contact. From an answer it computes the contact plane, counts the vertices next to
// it, and combines vertices and edges (typinglist.go; typingpairs.go compares them). ContactList is
// the record of a pair that persists from step to step. The package refuses to compute the answer.
//
// Frame and length scale: those of pair.Frame. The caller must have loaded the frame, or Contacts
// loads it. Read typing.go first.
package typing
