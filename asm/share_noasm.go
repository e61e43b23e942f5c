//go:build purego || race || (!amd64 && !arm64)

package asm

func sharePrisms4(s *Shares, lo, hi int) { sharePrisms4Generic(s, lo, hi) }

func sharePrisms6(s *Shares, lo, hi int) { sharePrisms6Generic(s, lo, hi) }

func sharePrisms8(s *Shares, lo, hi int) { sharePrisms8Generic(s, lo, hi) }
