package asm

// ThicknessLaw holds touching contacts to which the thickness law is applied: columns of contacts,
// and columns of bodies, histories and laws that A, B, Row and Law index. All vectors are in the
// world frame; only Inverse is in the body frame. The normal points from A to B. Forces act on A.
type ThicknessLaw struct {
	// Read, one row a contact.
	NormalX, NormalY, NormalZ []float64 // unit: the new normal if no force acts
	ArmAX, ArmAY, ArmAZ       []float64 // from A's centre of mass to the overlap's centroid
	ArmBX, ArmBY, ArmBZ       []float64
	A, B                      []uint32 // rows of bodies
	Row                       []uint32 // row of the history
	Law                       []uint32 // row of laws

	// Likewise: the moments of the overlap, and the derivatives of variance and volume by the
	// position and by the turn of A. ApplyThickness does not read the columns of the volume.
	Volume                                                     []float64
	SpreadXX, SpreadYY, SpreadZZ, SpreadXY, SpreadXZ, SpreadYZ []float64
	Variance                                                   []float64
	VarianceGradientX, VarianceGradientY, VarianceGradientZ    []float64
	VarianceTurnX, VarianceTurnY, VarianceTurnZ                []float64
	VolumeGradientX, VolumeGradientY, VolumeGradientZ          []float64
	VolumeTurnX, VolumeTurnY, VolumeTurnZ                      []float64
	EdgeFactor                                                 []float64 // 1 for two blocks

	// Looked up by A and B.
	VelX, VelY, VelZ                                                 []float64
	SpinX, SpinY, SpinZ                                              []float64
	InvMass                                                          []float64 // 0 for a fixed body
	InverseXX, InverseYY, InverseZZ, InverseXY, InverseXZ, InverseYZ []float64 // inverse inertia, body frame
	RotW, RotX, RotY, RotZ                                           []float64 // body frame to world frame, unit

	// Looked up by Row: the history. OldNormal is zero for a new contact.
	OldSlipX, OldSlipY, OldSlipZ       []float64
	OldAngle, OldWidth                 []float64
	OldMiddleX, OldMiddleY, OldMiddleZ []float64
	OldGrowth                          []float64 // read for laws with an area exponent
	OldNormalX, OldNormalY, OldNormalZ []float64
	Relief                             []float64

	// Looked up by Law.
	Stiffness, Tangential, Friction []float64
	Zeta                            []float64 // damping ratio
	AreaExponent                    []float64 // 0, 0.5 or 1; read by ApplyThicknessByArea

	// Written, one row a contact. Columns after the torques are for an account of energies.
	NewNormalX, NewNormalY, NewNormalZ []float64 // the normal of the force and of the history
	SlipX, SlipY, SlipZ                []float64
	Angle, Width                       []float64
	MiddleX, MiddleY, MiddleZ          []float64 // unit normal of the overlap's middle plane
	Growth                             []float64 // written by ApplyThicknessByArea: 0 for a law without an area exponent
	ForceX, ForceY, ForceZ             []float64
	TorqueAX, TorqueAY, TorqueAZ       []float64
	TorqueBX, TorqueBY, TorqueBZ       []float64
	DampingX, DampingY, DampingZ       []float64 // the part of the force that comes from dashpots
	MomentX, MomentY, MomentZ          []float64 // and that part of the moment
	RubX, RubY, RubZ                   []float64 // the part of the force that comes from friction springs
	RubMomentX, RubMomentY, RubMomentZ []float64 // and that part of the moment
	ShearRise                          []float64 // increase of the energy of the friction springs
	Stored, Shear                      []float64 // energies of the overlap and of the friction springs
}

// ApplyThickness computes, for each contact lo ≤ k < hi, the force between two bodies, the torques
// about both centres of mass, and the new friction springs:
//
//	for k := lo; k < hi; k++ {
//		s = √(12·Variance), depth = s - Relief·share, stiffness = Stiffness
//		if !(depth > 0) or the gradient is 0 { see below }
//		force, moment = gradient of ½·stiffness·depth²; its unit vector is the new normal
//		dashpot = of the mass that force and moment accelerate, along both, at most the force
//		dashpot of the tilt of the faces that bound the overlap
//		slip, angle = the old ones turned to the new normal, plus the motion of this step
//		Coulomb sliders limit both
//		force, torques = of all these, and of the dashpots of friction
//	}
//
//	the columns of each block of ThicknessLaw have one length
//	0 <= lo <= hi <= len(NormalX); A[k], B[k] < len(InvMass); Row[k] < len(Relief)
//	Law[k] < len(Stiffness)
//
// If depth is not positive or the gradient is 0, nearly all results are 0. Stored is still computed,
// NewNormal is Normal, and ShearRise takes away the energy of the old springs.
//
// force.Thickness is the law, with its reasons. share, from 0 to 1, is the part of the
// relief that is still forgiven. Relief is finite and not negative.
//
// Exact: each product is rounded. Each contact takes every branch of the law as if it were alone,
// for numbers of any kind. If one backend computes a NaN, all do. The Go loop is generated from the
// same program.
func ApplyThickness(l *ThicknessLaw, dt, share float64, lo, hi int) {
	u := lawUniforms{dt, share}
	applyThickness(l, &u, lo, hi)
}

// ApplyThicknessByArea does the same as ApplyThickness with stiffness =
// Stiffness·(Volume/s)^AreaExponent. If AreaExponent is 0 it computes the same bits, in more time.
func ApplyThicknessByArea(l *ThicknessLaw, dt, share float64, lo, hi int) {
	u := lawUniforms{dt, share}
	applyThicknessByArea(l, &u, lo, hi)
}

// lawUniforms holds the values that all contacts share.
type lawUniforms struct {
	dt, share float64
}
