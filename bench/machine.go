package bench

import (
	"runtime"

	"github.com/scree-dem/scree/internal/cpu"
)

// Machine is where rows were measured: without it no two rows may be compared.
type Machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Threads   int    `json:"threads"`
	Caches    Caches `json:"caches"`
	Backend   string `json:"backend"`
	Version   string `json:"version"` // of scree
	Go        string `json:"go"`
}

// Caches are sizes in bytes; 0 is not known.
type Caches struct {
	Line int `json:"line"`
	L1D  int `json:"l1d"`
	L2   int `json:"l2"`
	L3   int `json:"l3"`
}

// ThisMachine describes the machine this process runs on, and the backend it uses now.
func ThisMachine(version string) Machine {
	p := cpu.Describe()
	return Machine{
		Processor: p.Name, Cores: p.Cores, Threads: p.Threads,
		Caches:  Caches(p.Caches),
		Backend: cpu.Selected(), Version: version, Go: runtime.Version(),
	}
}
