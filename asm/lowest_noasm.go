//go:build purego || race || (!amd64 && !arm64)

package asm

func faceLowest(f *Lowest, lo, hi int) { faceLowestGeneric(f, lo, hi) }

func lowestFace(f *Lowest, lo, hi int) { lowestFaceGeneric(f, lo, hi) }
