// Package typing types a pair and lists its basic contacts, for hosts that put a spring at each:
// from an answer it makes the contact plane, counts the vertices next to it, and combines vertices
// and edges (typinglist.go; typingpairs.go compares them). ContactList is the record of
// a pair that lasts from step to step. It refuses to look for the answer.
//
// Frame and unit: those of pair.Frame, which the caller has loaded or Contacts loads. Read
// typing.go first.
package typing
