//go:build !purego && !race

package asm

// The rows of a batch fill whole registers, so that a kernel leaves none.

func solidArea(s *Solids) {
	switch {
	case useAVX512:
		solidAreaAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidAreaAVX2(s, nil, 0, SolidRows)
	default:
		solidAreaGeneric(s, 0, SolidRows)
	}
}

func solidUpright(s *Solids) {
	switch {
	case useAVX512:
		solidUprightAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidUprightAVX2(s, nil, 0, SolidRows)
	default:
		solidUprightGeneric(s, 0, SolidRows)
	}
}

func solidReach(s *Solids) {
	switch {
	case useAVX512:
		solidReachAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidReachAVX2(s, nil, 0, SolidRows)
	default:
		solidReachGeneric(s, 0, SolidRows)
	}
}

func solidAxes(s *Solids) {
	switch {
	case useAVX512:
		solidAxesAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidAxesAVX2(s, nil, 0, SolidRows)
	default:
		solidAxesGeneric(s, 0, SolidRows)
	}
}

func solidMoments(s *Solids) {
	switch {
	case useAVX512:
		solidMomentsAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidMomentsAVX2(s, nil, 0, SolidRows)
	default:
		solidMomentsGeneric(s, 0, SolidRows)
	}
}

func solidSlopes(s *Solids) {
	switch {
	case useAVX512:
		solidSlopesAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidSlopesAVX2(s, nil, 0, SolidRows)
	default:
		solidSlopesGeneric(s, 0, SolidRows)
	}
}

func solidPush(s *Solids) {
	switch {
	case useAVX512:
		solidPushAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidPushAVX2(s, nil, 0, SolidRows)
	default:
		solidPushGeneric(s, 0, SolidRows)
	}
}

func solidShared(s *Solids) {
	switch {
	case useAVX512:
		solidSharedAVX512(s, nil, 0, SolidRows)
	case useAVX2:
		solidSharedAVX2(s, nil, 0, SolidRows)
	default:
		solidSharedGeneric(s, 0, SolidRows)
	}
}

// solidAreaAVX2 is solidAreaGeneric of the rows lo ≤ i < next, whose number is a multiple of 4. u is not used.
//
//go:noescape
func solidAreaAVX2(c *Solids, u *float64, lo, hi int) (next int)

// solidAreaAVX512 is solidAreaAVX2 with eights instead of fours.
//
//go:noescape
func solidAreaAVX512(c *Solids, u *float64, lo, hi int) (next int)

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
