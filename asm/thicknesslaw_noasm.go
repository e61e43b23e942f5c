//go:build purego || race || (!amd64 && !arm64)

package asm

func pushThickness(l *ThicknessLaw, u *lawUniforms, lo, hi int) { pushThicknessGeneric(l, u, lo, hi) }

func pushThicknessByArea(l *ThicknessLaw, u *lawUniforms, lo, hi int) {
	pushThicknessByAreaGeneric(l, u, lo, hi)
}
