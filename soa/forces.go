package soa

// Forces holds what the laws store and compute of contacts, one row for each row of Contacts. Frame:
// world.
type Forces struct {
	// History is what the law remembers of the contact, one column per value. The law defines the
	// number, meaning and units of the values. They are zero if the pair is not active.
	History [][]float64
	// Relief is the overlap, m, of the bodies at the start of the run. The law ignores this part of
	// the overlap. It is zero if the pair is not active.
	Relief []float64

	// Result of this step for an active contact.
	Force    Vec3s // N, on A; the opposite acts on B
	TorqueA  Vec3s // N·m, about the centre of A's body
	TorqueB  Vec3s // N·m, about the centre of B's body
	Damping  Vec3s // N, the part of Force from dashpots
	Moment   Vec3s // N·m, on A, of the dashpot spread over the section: added to TorqueA, subtracted from TorqueB
	Friction Vec3s // N, the part of Force from friction
	// FrictionMoment is the moment on A, N·m, of friction about the location.
	FrictionMoment Vec3s
	Shear          []float64 // J, increase of the energy of the friction springs in this step
}

// Remembered returns the columns that belong to a contact from step to step: those of History, then
// Relief.
func (f *Forces) Remembered() []*[]float64 {
	var columns []*[]float64
	for k := range f.History {
		columns = append(columns, &f.History[k])
	}
	return append(columns, &f.Relief)
}

// Results returns the columns that each step writes before it reads them.
func (f *Forces) Results() []*[]float64 {
	columns := []*[]float64{&f.Shear}
	for _, v := range [...]*Vec3s{&f.Force, &f.TorqueA, &f.TorqueB, &f.Damping, &f.Moment, &f.Friction, &f.FrictionMoment} {
		columns = append(columns, &v.X, &v.Y, &v.Z)
	}
	return columns
}

// Resize sets the number of rows to n. Added rows are zero.
func (f *Forces) Resize(n int) {
	for _, c := range append(f.Remembered(), f.Results()...) {
		*c = Resize(*c, n)
	}
}
