package scene

// document is a scene file as TOML has it: keys and their types, nothing checked. A pointer is a key
// whose absence is not the same as zero; any is a key that takes more than one type.
//
// Lengths in m, masses in kg, times in s, angles in rad, or any consistent set.
type document struct {
	Dim       *int64                    `toml:"dim"`  // 2 or 3, the default
	Seed      int64                     `toml:"seed"` // ≥ 0, of all generators that give none
	Time      timeTable                 `toml:"time"`
	Gravity   gravityTable              `toml:"gravity"`
	Materials map[string]*materialTable `toml:"materials"`
	Shapes    map[string]*shapeTable    `toml:"shapes"`
	Bodies    []bodyTable               `toml:"bodies"`
	Walls     []wallTable               `toml:"walls"`
	Contact   contactTable              `toml:"contact"`
	Law       lawTable                  `toml:"law"`
	Broad     broadTable                `toml:"broad"`
	Output    outputTable               `toml:"output"`
	Counts    []countTable              `toml:"counts"`
}

type timeTable struct {
	Dt    *float64 `toml:"dt"`
	Steps *int64   `toml:"steps"` // of the whole run; or
	End   *float64 `toml:"end"`   // the time when it ends, rounded up to whole steps

	Integrator string `toml:"integrator"` // verlet, the default, or position-verlet
}

type gravityTable struct {
	Vector []float64 `toml:"vector"` // m/s², default (0, 0, -9.81)
}

type materialTable struct {
	Density *float64 `toml:"density"` // kg/m³
}

type shapeTable struct {
	Builtin  string   `toml:"builtin"` // as geometry.ParseBuiltin has it; or
	File     string   `toml:"file"`    // a mesh, closed and convex, relative to the scene file
	Material string   `toml:"material"`
	Density  *float64 `toml:"density"` // instead of the material's
	Scale    *float64 `toml:"scale"`   // default 1
	Round    *float64 `toml:"round"`   // m, of a block: rounding radius, not scaled; default 0
}

// bodyTable is one body, or a generator of many.
type bodyTable struct {
	// Of one body.
	Name     string    `toml:"name"` // of generated bodies the part before "-0", "-1" …
	Shape    string    `toml:"shape"`
	Position []float64 `toml:"position"`
	Rotation any       `toml:"rotation"` // w, x, y, z; of generated bodies also "random"
	Velocity []float64 `toml:"velocity"`
	Spin     []float64 `toml:"spin"`

	// Of a generator.
	Generator string         `toml:"generator"` // grid, random or wall
	Shapes    []string       `toml:"shapes"`    // taken in turn, or drawn by
	Weights   []float64      `toml:"weights"`
	Count     any            `toml:"count"`   // a number; of a grid [nx, ny, nz]
	Spacing   any            `toml:"spacing"` // of a grid: a number or [dx, dy, dz]
	Origin    []float64      `toml:"origin"`  // of a grid its first centre, of a wall the middle of its foot
	Jitter    float64        `toml:"jitter"`  // of a grid: centres move by up to this along each axis
	Box       [][]float64    `toml:"box"`     // of random: the bounding balls lie in it, or in
	Cylinder  *cylinderTable `toml:"cylinder"`
	Mesh      string         `toml:"mesh"`  // a file, closed and convex, as the scene has it
	Joint     *float64       `toml:"joint"` // of a wall: the gap between bricks of a row, default 0.001
	Seed      *int64         `toml:"seed"`  // default: the scene's, plus the number of the entry
}

// cylinderTable is where random insertion puts bodies.
type cylinderTable struct {
	From   []float64 `toml:"from"` // m, the middle of an end
	To     []float64 `toml:"to"`   // m, that of the other
	Radius float64   `toml:"radius"`
}

type wallTable struct {
	Name     string       `toml:"name"`
	Material string       `toml:"material"`
	Plane    *planeTable  `toml:"plane"` // or
	File     string       `toml:"file"`  // a mesh, open or closed
	Scale    *float64     `toml:"scale"`
	Position []float64    `toml:"position"`
	Rotation []float64    `toml:"rotation"`
	Motion   *motionTable `toml:"motion"` // default: fixed
}

type planeTable struct {
	Point  []float64 `toml:"point"`
	Normal []float64 `toml:"normal"` // out of the wall, of any length
}

// motionTable is engine.Motion.
type motionTable struct {
	Velocity  []float64 `toml:"velocity"`
	Spin      []float64 `toml:"spin"`
	Centre    []float64 `toml:"centre"`
	Amplitude []float64 `toml:"amplitude"`
	Frequency float64   `toml:"frequency"`
	Ramp      float64   `toml:"ramp"` // s, in which the oscillation grows
	From      float64   `toml:"from"`
	To        float64   `toml:"to"`
}

type contactTable struct {
	Method      string      `toml:"method"`      // of the narrow phase: auto, or another
	Location    string      `toml:"location"`    // reduced or none
	Interaction float64     `toml:"interaction"` // m, the gap up to which a contact is active
	Relief      reliefTable `toml:"relief"`
}

// reliefTable is engine.Relief.
type reliefTable struct {
	Cap  float64 `toml:"cap"`
	Time float64 `toml:"time"`
}

type lawTable struct {
	lawKeys
	Pair []pairTable `toml:"pair"`
}

// lawKeys are those of force.Linear and force.Thickness.
type lawKeys struct {
	Normal              *string  `toml:"normal"`               // linear or thickness, default linear
	Stiffness           *float64 `toml:"stiffness"`            // N/m
	Modulus             *float64 `toml:"modulus"`              // Pa or Pa/m, instead of stiffness
	AreaExponent        *float64 `toml:"area_exponent"`        // 0.5 or 1, with modulus
	TangentialStiffness *float64 `toml:"tangential_stiffness"` // N/m, or as modulus; default 0.8 of the stiffness or modulus
	Friction            *float64 `toml:"friction"`             // default 0
	Restitution         *float64 `toml:"restitution"`          // 0 < e ≤ 1, default 1; or
	Damping             *float64 `toml:"damping"`              // N·s/m
	TangentialDamping   *float64 `toml:"tangential_damping"`   // N·s/m, default 0
	ReferenceGap        *float64 `toml:"reference_gap"`        // m, default 0
	Tension             *bool    `toml:"tension"`              // default false
}

type pairTable struct {
	Materials []string `toml:"materials"`
	lawKeys
}

type broadTable struct {
	Method  string  `toml:"method"` // auto, the default, or one of engine.Searches
	Skin    float64 `toml:"skin"`
	Horizon float64 `toml:"horizon"`

	Radius       *float64 `toml:"radius"`        // m, of Verlet lists
	RebuildEvery *int64   `toml:"rebuild_every"` // searches that they serve
}

// outputTable counts intervals in steps. 0 is never, but for the first and the last step.
type outputTable struct {
	Every           *int64   `toml:"every"`         // frames; default: a hundred in the run
	Interval        *float64 `toml:"interval"`      // s, instead of every
	HistoryEvery    *int64   `toml:"history_every"` // default: a thousand in the run
	StatesEvery     int64    `toml:"states_every"`
	CheckpointEvery int64    `toml:"checkpoint_every"` // with a last one at the end; 0 is none at all
	Fields          []string `toml:"fields"`           // of frames; default: all
}

type countTable struct {
	Name  string      `toml:"name"`
	Below [][]float64 `toml:"below"` // a point and a normal that points up; or
	Box   [][]float64 `toml:"box"`   // its least and its largest corner; or
	Mesh  string      `toml:"mesh"`  // a file
}
