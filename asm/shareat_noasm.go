//go:build purego || race || (!amd64 && !arm64)

package asm

func shareCornersAt4(s *SharesAt, lo, hi int) { shareCornersAt4Generic(s, lo, hi) }

func shareCornersAt8(s *SharesAt, lo, hi int) { shareCornersAt8Generic(s, lo, hi) }

func shareCrossingsAt(s *SharesAt, lo, hi int) { shareCrossingsAtGeneric(s, lo, hi) }
