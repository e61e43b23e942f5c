// Package force holds the contact laws, which compute the force of a contact. It defines the
// interface Law and the table of laws by pair of materials. It implements two laws: Linear, the
// linear spring and dashpot with Coulomb friction, and Thickness, whose potential depends on the
// thickness of the overlap.
//
// The package owns everything that happens at one contact. A law does not know how the contact was
// found or which bodies it joins: it reads gap, normal, relative velocity and effective mass.
// Batch, which applies laws to many contacts at once, reads these from the columns of the bodies.
//
// Frame: world axes. Forces act on A; B gets the opposite force. The normal points from A to B.
// Units: m, kg, s, N. Read law.go first.
package force
