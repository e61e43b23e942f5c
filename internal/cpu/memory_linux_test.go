package cpu

import (
	"os"
	"testing"
	"testing/fstest"
)

// TestReserved: reservedIn returns the address space reserved without memory, or 0 if it cannot be
// read.
func TestReserved(t *testing.T) {
	page := uint64(os.Getpagesize())
	for text, want := range map[string]uint64{
		"300000 2000 900 1 0 5000 0\n": 298000 * page, "2000 300000 900\n": 0, "": 0, "x": 0,
	} {
		if got := reservedIn(fstest.MapFS{"proc/self/statm": &fstest.MapFile{Data: []byte(text)}}); got != want {
			t.Errorf("%q: %d bytes, expected %d", text, got, want)
		}
	}
}

// TestMemory: the result is the minimum of the machine's memory and the limits of the control
// groups. Values that cannot be read are ignored.
func TestMemory(t *testing.T) {
	if Memory() == 0 {
		t.Error("the memory of this machine is not known")
	}
	const meminfo = "MemTotal:       24684092 kB\nMemFree:        1 kB\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"nothing", nil, 0},
		{"machine", map[string]string{"proc/meminfo": meminfo}, 24684092 << 10},
		{"group", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1048576\n"}, 1 << 20},
		{"group above", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "4096\n"}, 4096},
		{"namespace", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "8192\n"}, 8192},
		{"version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu:/x\n4:memory:/x\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "12345\n"}, 12345},
		{"no limit of version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 24684092 << 10},
		{"garbage", map[string]string{"proc/meminfo": "MemTotal: x kB\n", "proc/self/cgroup": "0\n"}, 0},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memoryIn(root); got != c.want {
			t.Errorf("%s: %d bytes, expected %d", c.name, got, c.want)
		}
	}
}
