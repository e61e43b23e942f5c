//go:build !linux && !darwin

package cpu

func memory() uint64 { return 0 }
