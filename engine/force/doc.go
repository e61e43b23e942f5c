// Package force holds the laws that turn a contact into a force: what a law is, the table of laws by pair of
// materials, and the linear spring–dashpot with Coulomb friction.
//
// It owns what happens at one contact point. It refuses to know how the contact was found or which
// bodies it belongs to: a law is given gap, normal, relative velocity and effective mass. Batch, which
// applies the law to many contacts at once, looks these up in the bodies' columns.
//
// Frame: world axes. Forces are those on A; B feels the opposite. The normal points from A to B.
// Units: m, kg, s, N. Read law.go first.
package force
