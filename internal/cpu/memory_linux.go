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
	var limit syscall.Rlimit // limit of address space; the largest number if unlimited
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return bytes
	}
	// Never 0, because 0 means unknown.
	if left := max(limit.Cur-min(reservedIn(root)+arenas, limit.Cur), leastLeft); bytes == 0 || left < bytes {
		return left
	}
	return bytes
}

// arenas is the address space that the heap of the Go runtime needs beyond the memory in use. The
// heap grows by 64 MiB at a time, and large blocks leave holes. In tests, four such steps were
// needed to avoid an out-of-memory trace.
const arenas = 4 << 26

// leastLeft is the amount reported if the reservations use up the limit. Small work still succeeds
// with it. With a smaller value such work would be rejected. With a larger value memory might run
// out before a rejection.
const leastLeft = 1 << 26

// reservedIn returns the number of bytes of address space that this process has reserved without
// using them. The Go runtime reserves about a gigabyte for heap tables, which counts against an
// address space limit.
func reservedIn(root fs.FS) uint64 {
	text, err := fs.ReadFile(root, "proc/self/statm")
	if f := strings.Fields(string(text)); err == nil && len(f) > 1 {
		size, _ := strconv.ParseUint(f[0], 10, 50)
		resident, _ := strconv.ParseUint(f[1], 10, 50)
		return (size - min(resident, size)) * uint64(os.Getpagesize())
	}
	return 0
}

// memoryIn returns the minimum of the machine's memory and the limits of this process's control
// groups.
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
		// Version 2 has lines "0::/path", and each parent group limits too. Version 1 has
		// "4:memory:/path".
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
				bytes, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64) // "max" parses as 0, which means no limit.
				take(bytes)
			}
			if at == "/" {
				break
			}
		}
	}
	return least
}
