//go:build !purego && !race

package asm

// Up to four rows are half of a register of AVX-512: then AVX2, which such a processor has too, is
// through sooner. What is left below a register is done by the Go loop.

func solidArea(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidAreaAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidAreaAVX2(s, nil, lo, hi)
	}
	solidAreaGeneric(s, lo, hi)
}

func solidOthers(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidOthersAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidOthersAVX2(s, nil, lo, hi)
	}
	solidOthersGeneric(s, lo, hi)
}

func solidUpright(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidUprightAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidUprightAVX2(s, nil, lo, hi)
	}
	solidUprightGeneric(s, lo, hi)
}

func solidReach(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidReachAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidReachAVX2(s, nil, lo, hi)
	}
	solidReachGeneric(s, lo, hi)
}

func solidAxes(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidAxesAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidAxesAVX2(s, nil, lo, hi)
	}
	solidAxesGeneric(s, lo, hi)
}

func solidMoments(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidMomentsAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidMomentsAVX2(s, nil, lo, hi)
	}
	solidMomentsGeneric(s, lo, hi)
}

func solidSlopes(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidSlopesAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidSlopesAVX2(s, nil, lo, hi)
	}
	solidSlopesGeneric(s, lo, hi)
}

func solidPush(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidPushAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidPushAVX2(s, nil, lo, hi)
	}
	solidPushGeneric(s, lo, hi)
}

func solidShared(s *Solids, hi int) {
	lo := 0
	if useAVX512 && hi == SolidRows {
		lo = solidSharedAVX512(s, nil, lo, hi)
	} else if useAVX512 || useAVX2 {
		lo = solidSharedAVX2(s, nil, lo, hi)
	}
	solidSharedGeneric(s, lo, hi)
}

// solidAreaAVX2 is solidAreaGeneric of the rows lo ≤ i < next, whose number is a multiple of 4. u
// is not used.
//
//go:noescape
func solidAreaAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidAreaAVX512 is solidAreaAVX2 with eights instead of fours.
//
//go:noescape
func solidAreaAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidOthersAVX2 is to solidOthersGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidOthersAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidOthersAVX512 is solidOthersAVX2 with eights instead of fours.
//
//go:noescape
func solidOthersAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidUprightAVX2 is to solidUprightGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidUprightAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidUprightAVX512 is solidUprightAVX2 with eights instead of fours.
//
//go:noescape
func solidUprightAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidReachAVX2 is to solidReachGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidReachAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidReachAVX512 is solidReachAVX2 with eights instead of fours.
//
//go:noescape
func solidReachAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidAxesAVX2 is to solidAxesGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidAxesAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidAxesAVX512 is solidAxesAVX2 with eights instead of fours.
//
//go:noescape
func solidAxesAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidMomentsAVX2 is to solidMomentsGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidMomentsAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidMomentsAVX512 is solidMomentsAVX2 with eights instead of fours.
//
//go:noescape
func solidMomentsAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidSlopesAVX2 is to solidSlopesGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidSlopesAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidSlopesAVX512 is solidSlopesAVX2 with eights instead of fours.
//
//go:noescape
func solidSlopesAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidPushAVX2 is to solidPushGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidPushAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidPushAVX512 is solidPushAVX2 with eights instead of fours.
//
//go:noescape
func solidPushAVX512(c *Solids, u *float64, lo, hi int) (next int)

// solidSharedAVX2 is to solidSharedGeneric what solidAreaAVX2 is to solidAreaGeneric.
//
//go:noescape
func solidSharedAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidSharedAVX512 is solidSharedAVX2 with eights instead of fours.
//
//go:noescape
func solidSharedAVX512(c *Solids, u *float64, lo, hi int) (next int)
