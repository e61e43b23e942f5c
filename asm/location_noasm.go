//go:build purego || race || (!amd64 && !arm64)

package asm

func locate(l *Locations, lo, hi int) { locateGeneric(l, lo, hi) }

func locateCrossings(c *Crossings, lo, hi int) { locateCrossingsGeneric(c, lo, hi) }

func locateCorners(c *Corners, lo, hi int) { locateCornersGeneric(c, lo, hi) }
