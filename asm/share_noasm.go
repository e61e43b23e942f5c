//go:build purego || race || (!amd64 && !arm64)

package asm

func shareCorners4(s *Shares, lo, hi int) { shareCorners4Generic(s, lo, hi) }

func shareCorners8(s *Shares, lo, hi int) { shareCorners8Generic(s, lo, hi) }

func shareCrossings(s *Shares, lo, hi int) { shareCrossingsGeneric(s, lo, hi) }

func sharePrisms4(s *Shares, lo, hi int) { sharePrisms4Generic(s, lo, hi) }

func sharePrisms6(s *Shares, lo, hi int) { sharePrisms6Generic(s, lo, hi) }

func sharePrisms8(s *Shares, lo, hi int) { sharePrisms8Generic(s, lo, hi) }
