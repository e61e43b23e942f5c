//go:build purego || race || (!amd64 && !arm64)

package asm

func solidArea(s *Solids, hi int) { solidAreaGeneric(s, 0, hi) }

func solidOthers(s *Solids, hi int) { solidOthersGeneric(s, 0, hi) }

func solidUpright(s *Solids, hi int) { solidUprightGeneric(s, 0, hi) }

func solidReach(s *Solids, hi int) { solidReachGeneric(s, 0, hi) }

func solidAxes(s *Solids, hi int) { solidAxesGeneric(s, 0, hi) }

func solidMoments(s *Solids, hi int) { solidMomentsGeneric(s, 0, hi) }

func solidSlopes(s *Solids, hi int) { solidSlopesGeneric(s, 0, hi) }

func solidPush(s *Solids, hi int) { solidPushGeneric(s, 0, hi) }

func solidShared(s *Solids, hi int) { solidSharedGeneric(s, 0, hi) }
