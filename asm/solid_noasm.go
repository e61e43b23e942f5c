//go:build purego || race || (!amd64 && !arm64)

package asm

func solidArea(s *Solids) { solidAreaGeneric(s, 0, SolidRows) }

func solidUpright(s *Solids) { solidUprightGeneric(s, 0, SolidRows) }

func solidReach(s *Solids) { solidReachGeneric(s, 0, SolidRows) }

func solidAxes(s *Solids) { solidAxesGeneric(s, 0, SolidRows) }

func solidMoments(s *Solids) { solidMomentsGeneric(s, 0, SolidRows) }

func solidSlopes(s *Solids) { solidSlopesGeneric(s, 0, SolidRows) }

func solidPush(s *Solids) { solidPushGeneric(s, 0, SolidRows) }

func solidShared(s *Solids) { solidSharedGeneric(s, 0, SolidRows) }
