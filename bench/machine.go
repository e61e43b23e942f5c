package bench

import (
	"runtime"

	"github.com/scree-dem/scree/internal/cpu"
)

// Machine describes the machine of a measurement. Rows from different machines are not comparable.
type Machine struct {
	Processor string     `json:"processor"`
	Cores     int        `json:"cores"`
	Threads   int        `json:"threads"`
	Caches    CacheSizes `json:"caches"`
	Backend   string     `json:"backend"`
	Version   string     `json:"version"` // of scree
	Go        string     `json:"go"`
}

// CacheSizes are cache sizes in bytes; 0 means unknown.
type CacheSizes struct {
	Line int `json:"line"`
	L1D  int `json:"l1d"`
	L2   int `json:"l2"`
	L3   int `json:"l3"`
}

// ThisMachine describes the machine of this process and the backend in use.
func ThisMachine(version string) Machine {
	p := cpu.Describe()
	return Machine{
		Processor: p.Name, Cores: p.Cores, Threads: p.Threads,
		Caches:  CacheSizes(p.Caches),
		Backend: cpu.Selected(), Version: version, Go: runtime.Version(),
	}
}
