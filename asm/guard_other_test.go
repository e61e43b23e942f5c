//go:build !linux

package asm

import "testing"

// guardedRegion returns ordinary memory. Only on Linux it lies between pages that fault.
func guardedRegion(testing.TB) []byte { return make([]byte, 4*4096) }

func releaseRegion([]byte) {}
