package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/internal/require"
)

// TestNarrowTerminal: a bar is cut at the width that the terminal has, however narrow, so that it never wraps.
func TestNarrowTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.Tool(t, err == nil && isTerminal(terminal), "needs a pseudo-terminal")
	defer terminal.Close()
	for _, width := range []uint16{200, 80, 39, 20} {
		size := [4]uint16{24, width}
		if _, _, fault := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); fault != 0 {
			t.Fatal(fmt.Errorf("the width %d: %w", width, fault))
		}
		if got := widthOf(terminal); got != int(width) {
			t.Errorf("%d columns of %d", got, width)
		}
	}
}

// TestBinaryToATerminal: a mesh as binary STL, which has any byte, is not written to a terminal.
func TestBinaryToATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.Tool(t, err == nil && isTerminal(terminal), "needs a pseudo-terminal")
	defer terminal.Close()
	var errs strings.Builder
	status := Main([]string{"shape", "make", "box:1x1x1", "-o", "-", "--format", "stl"}, strings.NewReader(""), terminal, &errs)
	result{status: status, err: errs.String()}.wantsOneLine(t, 2, "standard output is a terminal", "binary STL")
}
