package cpu

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// maxCPU limits the numbers of logical processors, because unix.CPUSet has 1024 bits.
const maxCPU = 1024

func readAllowed() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("cpu: sched_getaffinity: %v: %w", err, ErrAffinity)
	}
	var cpus []int
	for n := range maxCPU {
		if set.IsSet(n) {
			cpus = append(cpus, n)
		}
	}
	return cpus, nil
}

func setAffinity(cpus ...int) error {
	var set unix.CPUSet
	for _, n := range cpus {
		set.Set(n)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("cpu: sched_setaffinity to %v: %v: %w", cpus, err, ErrAffinity)
	}
	return nil
}
