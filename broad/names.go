package broad

import (
	"unsafe"

	"github.com/scree-dem/scree/soa"
)

// namesOf returns p as plain numbers, in the same memory.
func namesOf(p []soa.Piece) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.SliceData(p)), cap(p))[:len(p)]
}

// piecesOf returns n as pieces, in the same memory.
func piecesOf(n []uint32) []soa.Piece {
	return unsafe.Slice((*soa.Piece)(unsafe.SliceData(n)), cap(n))[:len(n)]
}
