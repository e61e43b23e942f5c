package asm

import (
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// regionPages is the usable size of a guarded region: enough for every column of these tests.
const regionPages = 4

var guardPool sync.Pool // of []byte

// guardedRegion returns memory between two pages on which any access faults.
func guardedRegion(t testing.TB) []byte {
	t.Helper()
	if m, ok := guardPool.Get().(*[]byte); ok {
		return *m
	}
	page := unix.Getpagesize()
	all, err := unix.Mmap(-1, 0, (regionPages+2)*page, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for _, guard := range [][]byte{all[:page], all[(regionPages+1)*page:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : (regionPages+1)*page : (regionPages+1)*page]
}

func releaseRegion(m []byte) { guardPool.Put(&m) }
