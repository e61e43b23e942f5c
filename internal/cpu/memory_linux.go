package cpu

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

func memory() uint64 {
	root := os.DirFS("/")
	bytes := memoryIn(root)
	var limit syscall.Rlimit // of addresses; without a limit the largest number
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return bytes
	}
	// Never 0, which says that nothing is known.
	if left := max(limit.Cur-min(reservedIn(root)+arenas, limit.Cur), leastLeft); bytes == 0 || left < bytes {
		return left
	}
	return bytes
}

// arenas is what the Go runtime's heap takes of a limit of addresses beyond what is in use: it grows by 64 MiB at a time,
// large blocks leave holes, and four were needed to end without a trace of no memory.
const arenas = 4 << 26

// leastLeft is taken for left under a limit that the reservations use up: small work still gets by there. Smaller: it is refused.
// Larger: memory may end before a refusal.
const leastLeft = 1 << 26

// reservedIn returns how many bytes of addresses this process has reserved beyond the memory
// behind them. The Go runtime reserves a gigabyte or so for tables of its heap, which counts
// against a limit of addresses.
func reservedIn(root fs.FS) uint64 {
	text, err := fs.ReadFile(root, "proc/self/statm")
	if f := strings.Fields(string(text)); err == nil && len(f) > 1 {
		size, _ := strconv.ParseUint(f[0], 10, 50)
		resident, _ := strconv.ParseUint(f[1], 10, 50)
		return (size - min(resident, size)) * uint64(os.Getpagesize())
	}
	return 0
}

// memoryIn returns the least of what the machine has and the limits of the control groups of this process.
func memoryIn(root fs.FS) uint64 {
	least := uint64(0)
	take := func(bytes uint64) {
		if bytes > 0 && (least == 0 || bytes < least) {
			least = bytes
		}
	}
	if text, err := fs.ReadFile(root, "proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
				kilobytes, _ := strconv.ParseUint(f[1], 10, 54)
				take(kilobytes << 10)
			}
		}
	}
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return least
	}
	for line := range strings.Lines(string(text)) {
		// "0::/path" of version 2, where each group above limits too; "4:memory:/path" of version 1.
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		folder, file := "sys/fs/cgroup", "memory.max"
		if f[1] == "memory" {
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if f[1] != "" {
			continue
		}
		for at := path.Clean("/" + f[2]); ; at = path.Dir(at) {
			if text, err := fs.ReadFile(root, path.Join(folder, at, file)); err == nil {
				bytes, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64) // "max" is 0: no limit.
				take(bytes)
			}
			if at == "/" {
				break
			}
		}
	}
	return least
}
