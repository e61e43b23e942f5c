//go:build !purego && !race

package asm

// The rows of a batch fill whole registers, so that a kernel leaves none.

func solidArea(s *Solids) {
	if useNEON {
		solidAreaNEON(s, nil, 0, SolidRows)
	} else {
		solidAreaGeneric(s, 0, SolidRows)
	}
}

func solidUpright(s *Solids) {
	if useNEON {
		solidUprightNEON(s, nil, 0, SolidRows)
	} else {
		solidUprightGeneric(s, 0, SolidRows)
	}
}

func solidReach(s *Solids) {
	if useNEON {
		solidReachNEON(s, nil, 0, SolidRows)
	} else {
		solidReachGeneric(s, 0, SolidRows)
	}
}

func solidAxes(s *Solids) {
	if useNEON {
		solidAxesNEON(s, nil, 0, SolidRows)
	} else {
		solidAxesGeneric(s, 0, SolidRows)
	}
}

func solidMoments(s *Solids) {
	if useNEON {
		solidMomentsNEON(s, nil, 0, SolidRows)
	} else {
		solidMomentsGeneric(s, 0, SolidRows)
	}
}

func solidSlopes(s *Solids) {
	if useNEON {
		solidSlopesNEON(s, nil, 0, SolidRows)
	} else {
		solidSlopesGeneric(s, 0, SolidRows)
	}
}

func solidPush(s *Solids) {
	if useNEON {
		solidPushNEON(s, nil, 0, SolidRows)
	} else {
		solidPushGeneric(s, 0, SolidRows)
	}
}

func solidShared(s *Solids) {
	if useNEON {
		solidSharedNEON(s, nil, 0, SolidRows)
	} else {
		solidSharedGeneric(s, 0, SolidRows)
	}
}

// solidAreaNEON is solidAreaGeneric of the rows lo ≤ i < next, whose number is even. u is not used.
//
//go:noescape
func solidAreaNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidUprightNEON is to solidUprightGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidUprightNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidReachNEON is to solidReachGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidReachNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidAxesNEON is to solidAxesGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidAxesNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidMomentsNEON is to solidMomentsGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidMomentsNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidSlopesNEON is to solidSlopesGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidSlopesNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidPushNEON is to solidPushGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidPushNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidSharedNEON is to solidSharedGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidSharedNEON(c *Solids, u *float64, lo, hi int) (next int)
