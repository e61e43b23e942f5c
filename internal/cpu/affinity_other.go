//go:build !linux

package cpu

import (
	"fmt"
	"runtime"
)

func readAllowed() ([]int, error) {
	return nil, fmt.Errorf("cpu: not implemented on %s: %w", runtime.GOOS, ErrAffinity)
}

func setAffinity(...int) error {
	_, err := readAllowed()
	return err
}
