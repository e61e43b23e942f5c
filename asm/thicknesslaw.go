package asm

// ThicknessLaw is the columns of touching contacts to which the law of the overlap's thickness
// is applied: rows of a batch, and the columns of bodies, contacts, laws and overlaps that A, B,
// Row, Law and Overlap look up. All are in the world frame, but for Inverse; the normal points
// from A to B, and forces are those on A.
type ThicknessLaw struct {
	// Read, a row a contact.
	NormalX, NormalY, NormalZ []float64 // unit: what the new normal is where nothing pushes
	ArmAX, ArmAY, ArmAZ       []float64 // from A's centre of mass to the overlap's centroid
	ArmBX, ArmBY, ArmBZ       []float64
	A, B                      []uint32 // rows of bodies
	Row                       []uint32 // row of the history
	Law                       []uint32 // row of laws

	// Likewise: moments of the overlap, and how variance and volume grow as A moves and turns. ApplyThickness reads nothing of the volume.
	Volume                                                     []float64
	SpreadXX, SpreadYY, SpreadZZ, SpreadXY, SpreadXZ, SpreadYZ []float64
	Variance                                                   []float64
	VarianceGradientX, VarianceGradientY, VarianceGradientZ    []float64
	VarianceTurnX, VarianceTurnY, VarianceTurnZ                []float64
	VolumeGradientX, VolumeGradientY, VolumeGradientZ          []float64
	VolumeTurnX, VolumeTurnY, VolumeTurnZ                      []float64

	// Looked up by A and B.
	VelX, VelY, VelZ                                                 []float64
	SpinX, SpinY, SpinZ                                              []float64
	InvMass                                                          []float64 // 0 for a body that nothing moves
	InverseXX, InverseYY, InverseZZ, InverseXY, InverseXZ, InverseYZ []float64 // of the inertia tensor, body frame
	RotW, RotX, RotY, RotZ                                           []float64 // body frame to world frame, unit

	// Looked up by Row: the history. The normal is zero for a contact that was not there before.
	OldSlipX, OldSlipY, OldSlipZ       []float64
	OldAngle, OldWidth                 []float64
	OldGrowth                          []float64 // read for laws with an area exponent
	OldNormalX, OldNormalY, OldNormalZ []float64
	Relief                             []float64

	// Looked up by Law.
	Stiffness, Tangential, Friction []float64
	Zeta                            []float64 // damping ratio
	AreaExponent                    []float64 // 0, 0.5 or 1; read by ApplyThicknessByArea

	// Written, a row a contact. What follows the torques is for an account of energies.
	NewNormalX, NewNormalY, NewNormalZ []float64 // that the force and the history belong to
	SlipX, SlipY, SlipZ                []float64
	Angle, Width                       []float64
	Growth                             []float64 // written by ApplyThicknessByArea: 0 of a law without an area exponent
	ForceX, ForceY, ForceZ             []float64
	TorqueAX, TorqueAY, TorqueAZ       []float64
	TorqueBX, TorqueBY, TorqueBZ       []float64
	DampingX, DampingY, DampingZ       []float64 // the part of the force that dashpots give
	MomentX, MomentY, MomentZ          []float64 // and of the moment
	RubX, RubY, RubZ                   []float64 // the part of the force that friction springs give
	RubMomentX, RubMomentY, RubMomentZ []float64
	ShearRise                          []float64 // of the friction springs' energy
	Stored, Shear                      []float64 // energies of the overlap and of the friction springs
}

// ApplyThickness works out the force between two bodies at each contact lo ≤ k < hi, the torques
// about both centres of mass, and what the friction springs remember:
//
//	for k := lo; k < hi; k++ {
//		s = √(12·Variance), depth = s - Relief·share, stiffness = Stiffness
//		if !(depth > 0) or no slope { all results but Stored are 0 }
//		force, moment = slope of ½·stiffness·depth², along a unit vector: the new normal
//		dashpot = of the mass that a force there meets, at most the force, and spread over the overlap
//		slip, angle = the old ones turned to the new normal, with what the motion adds
//		both are cut by Coulomb sliders
//		force, torques = of all these, and of the dashpots of friction
//	}
//
//	the columns of each block of ThicknessLaw have one length
//	0 <= lo <= hi <= len(NormalX); A[k], B[k] < len(InvMass); Row[k] < len(Relief)
//	Law[k] < len(Stiffness)
//
// engine/force.Thickness is the law, written out with its reasons. share is the part of the
// relief that is still forgiven, 0 to 1, and Relief is finite and not negative.
//
// Exact, each product rounded: every branch of the law is taken by each contact as if it were
// alone, for numbers of any kind. A NaN is one on every backend. The Go loop is generated from
// the same program.
func ApplyThickness(l *ThicknessLaw, dt, share float64, lo, hi int) {
	u := lawUniforms{dt, share}
	applyThickness(l, &u, lo, hi)
}

// ApplyThicknessByArea is ApplyThickness with stiffness = Stiffness·(Volume/s)^AreaExponent, which
// is the same to the bit where AreaExponent is 0, but dearer.
func ApplyThicknessByArea(l *ThicknessLaw, dt, share float64, lo, hi int) {
	u := lawUniforms{dt, share}
	applyThicknessByArea(l, &u, lo, hi)
}
