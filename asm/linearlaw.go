package asm

// LinearLaw is the columns of touching contacts to which a linear law with friction is applied: rows of a
// batch, and the columns of bodies, contacts and laws that A, B, Row and Law look up. All are in the world
// frame; the normal points from A to B, and forces are those on A.
type LinearLaw struct {
	// Read, a row a contact.
	Gap                                                  []float64
	NormalX, NormalY, NormalZ                            []float64 // unit
	ArmAX, ArmAY, ArmAZ                                  []float64 // from A's centre of mass to the location
	ArmBX, ArmBY, ArmBZ                                  []float64
	WidthXX, WidthYY, WidthZZ, WidthXY, WidthXZ, WidthYZ []float64 // section's second moments over its area, or 0
	A, B                                                 []uint32  // rows of bodies
	Row                                                  []uint32  // row of the history
	Law                                                  []uint32  // row of laws

	// Looked up by A and B.
	VelX, VelY, VelZ    []float64
	SpinX, SpinY, SpinZ []float64
	InvMass             []float64

	// Looked up by Row: the history. The normal is zero for a contact that was not there before.
	OldSlipX, OldSlipY, OldSlipZ       []float64
	OldNormalX, OldNormalY, OldNormalZ []float64
	Relief                             []float64

	// Looked up by Law.
	Kn, Kt, Mu   []float64 // stiffnesses, friction
	Ratio        []float64 // normal damping over the critical one; negative where Dn says how much there is
	Dn, Dt       []float64 // coefficients of the dashpots
	ReferenceGap []float64
	LeastNormal  []float64 // what spring and dashpot together do not fall below: 0, or -Inf

	// Written, a row a contact. What follows the torques is for an account of energies.
	SlipX, SlipY, SlipZ          []float64
	ForceX, ForceY, ForceZ       []float64
	TorqueAX, TorqueAY, TorqueAZ []float64
	TorqueBX, TorqueBY, TorqueBZ []float64
	DampingX, DampingY, DampingZ []float64 // the part of the force that dashpots give
	MomentX, MomentY, MomentZ    []float64 // of the dashpot spread over the section
	ShearRise                    []float64 // of the tangential spring's energy
	Stored, Shear                []float64 // energies of both springs
}

// ApplyLinear works out the force between two bodies at each contact lo ≤ k < hi, the torques about both centres of
// mass, and the new slip:
//
//	for k := lo; k < hi; k++ {
//		v, ω = velocity and spin of A less those of B, at the location
//		overlap = ReferenceGap - (Gap + Relief·share)
//		if !(overlap > 0) { all results are 0 }
//		spring = Kn·overlap, dashpot = d·v·n, their sum cut off below LeastNormal
//		slip = the old one turned to the new normal, with what v adds, under a Coulomb slider
//		force, torques = of spring, dashpot, slip, tangential dashpot and spread dashpot
//	}
//
//	the columns of each block of LinearLaw have one length; 0 <= lo <= hi <= len(Gap)
//	A[k], B[k] < len(InvMass); Row[k] < len(Relief); Law[k] < len(Kn)
//
// The program in asm/gen/linearlaw.go writes it out; engine/force.Linear is the law with its reasons. share is the
// part of the relief that is still forgiven, 0 to 1, and Relief is finite and not negative.
//
// Exact, each product rounded: every branch of the law is taken by each contact as if it were alone, for
// numbers of any kind. A NaN is one on every backend. Unit: whatever the columns share.
func ApplyLinear(l *LinearLaw, dt, share float64, lo, hi int) {
	u := lawUniforms{dt, share}
	applyLinear(l, &u, lo, hi)
}

// lawUniforms is what all contacts share.
type lawUniforms struct {
	dt, share float64
}
