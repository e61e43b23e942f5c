//go:build !linux

package asm

import "testing"

// guardedRegion returns ordinary memory: only Linux tests put pages around it that no one may touch.
func guardedRegion(testing.TB) []byte { return make([]byte, 4*4096) }

func releaseRegion([]byte) {}
