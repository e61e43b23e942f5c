//go:build !purego && !race

package asm

// A kernel leaves off where one row is left: the Go loop does it.

func solidArea(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidAreaNEON(s, nil, lo, hi)
	}
	solidAreaGeneric(s, lo, hi)
}

func solidOthers(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidOthersNEON(s, nil, lo, hi)
	}
	solidOthersGeneric(s, lo, hi)
}

func solidUpright(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidUprightNEON(s, nil, lo, hi)
	}
	solidUprightGeneric(s, lo, hi)
}

func solidReach(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidReachNEON(s, nil, lo, hi)
	}
	solidReachGeneric(s, lo, hi)
}

func solidAxes(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidAxesNEON(s, nil, lo, hi)
	}
	solidAxesGeneric(s, lo, hi)
}

func solidMoments(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidMomentsNEON(s, nil, lo, hi)
	}
	solidMomentsGeneric(s, lo, hi)
}

func solidSlopes(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidSlopesNEON(s, nil, lo, hi)
	}
	solidSlopesGeneric(s, lo, hi)
}

func solidPush(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidPushNEON(s, nil, lo, hi)
	}
	solidPushGeneric(s, lo, hi)
}

func solidShared(s *Solids, hi int) {
	lo := 0
	if useNEON {
		lo = solidSharedNEON(s, nil, lo, hi)
	}
	solidSharedGeneric(s, lo, hi)
}

// solidAreaNEON is solidAreaGeneric of the rows lo ≤ i < next, whose number is even. u is not
// used.
//
//go:noescape
func solidAreaNEON(c *Solids, u *float64, lo, hi int) (next int)

// solidOthersNEON is to solidOthersGeneric what solidAreaNEON is to solidAreaGeneric.
//
//go:noescape
func solidOthersNEON(c *Solids, u *float64, lo, hi int) (next int)

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
