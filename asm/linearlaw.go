package asm

// LinearLaw holds touching contacts to which a linear law with friction is applied: columns of
// contacts, and columns of bodies, histories and laws that A, B, Row and Law index. All vectors are
// in the world frame. The normal points from A to B. Forces act on A.
type LinearLaw struct {
	// Read, one row a contact.
	Gap                                                  []float64
	NormalX, NormalY, NormalZ                            []float64 // unit
	ArmAX, ArmAY, ArmAZ                                  []float64 // from A's centre of mass to the location
	ArmBX, ArmBY, ArmBZ                                  []float64
	WidthXX, WidthYY, WidthZZ, WidthXY, WidthXZ, WidthYZ []float64 // second moments of the section, divided by its area, or 0
	A, B                                                 []uint32  // rows of bodies
	Row                                                  []uint32  // row of the history
	Law                                                  []uint32  // row of laws

	// Looked up by A and B.
	VelX, VelY, VelZ    []float64
	SpinX, SpinY, SpinZ []float64
	InvMass             []float64

	// Looked up by Row: the history. OldNormal is zero for a new contact.
	OldSlipX, OldSlipY, OldSlipZ       []float64
	OldNormalX, OldNormalY, OldNormalZ []float64
	Relief                             []float64

	// Looked up by Law.
	Kn, Kt, Mu   []float64 // stiffnesses, coefficient of friction
	Ratio        []float64 // normal damping as a share of the critical damping; negative if Dn has the coefficient
	Dn, Dt       []float64 // coefficients of the dashpots
	ReferenceGap []float64
	LeastNormal  []float64 // least sum of spring and dashpot force: 0, or -Inf

	// Written, one row a contact. Columns after the torques are for an account of energies.
	SlipX, SlipY, SlipZ          []float64
	ForceX, ForceY, ForceZ       []float64
	TorqueAX, TorqueAY, TorqueAZ []float64
	TorqueBX, TorqueBY, TorqueBZ []float64
	DampingX, DampingY, DampingZ []float64 // the part of the force that comes from dashpots
	MomentX, MomentY, MomentZ    []float64 // moment of the dashpot that is spread over the section
	ShearRise                    []float64 // increase of the energy of the tangential spring
	Stored, Shear                []float64 // energies of both springs
}

// ApplyLinear computes, for each contact lo ≤ k < hi, the force between two bodies, the torques
// about both centres of mass, and the new slip:
//
//	for k := lo; k < hi; k++ {
//		v, ω = velocity and spin of A minus those of B, at the location
//		overlap = ReferenceGap - (Gap + Relief·share)
//		if !(overlap > 0) { all results are 0, but ShearRise takes away the energy of the old slip }
//		spring = Kn·overlap, dashpot = d·v·n, their sum cut off below LeastNormal
//		slip = the old slip turned to the new normal, plus the motion of this step, under a Coulomb slider
//		force, torques = of spring, dashpot, slip, tangential dashpot and spread dashpot
//	}
//
//	the columns of each block of LinearLaw have one length; 0 <= lo <= hi <= len(Gap)
//	A[k], B[k] < len(InvMass); Row[k] < len(Relief); Law[k] < len(Kn)
//
// The program in asm/gen/linearlaw.go has every operation. engine/force.Linear is the law, with its
// reasons. share, from 0 to 1, is the part of the relief that is still forgiven. Relief is finite
// and not negative.
//
// Exact: each product is rounded. Each contact takes every branch of the law as if it were alone,
// for numbers of any kind. If one backend computes a NaN, all do. All columns share one system of
// units.
func ApplyLinear(l *LinearLaw, dt, share float64, lo, hi int) {
	u := lawUniforms{dt, share}
	applyLinear(l, &u, lo, hi)
}

// lawUniforms holds the values that all contacts share.
type lawUniforms struct {
	dt, share float64
}
