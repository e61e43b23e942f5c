package scene

// document is the content of a scene file as TOML: keys and types, without checks. A pointer is a
// key whose absence differs from zero. A field of type any is a key that accepts more than one
// type.
//
// Lengths in m, masses in kg, times in s, angles in rad, or any consistent set.
type document struct {
	Dim       *int64                    `toml:"dim"`  // 2 or 3; default 3
	Seed      int64                     `toml:"seed"` // ≥ 0; for all generators without their own seed
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
	Dt    any      `toml:"dt"`    // a number, or "auto": the advised step
	Steps *int64   `toml:"steps"` // of the whole run; or
	End   *float64 `toml:"end"`   // end time, rounded up to whole steps

	Integrator string `toml:"integrator"` // verlet (default) or position-verlet
}

type gravityTable struct {
	Vector []float64 `toml:"vector"` // m/s²; default (0, 0, -9.81)
}

type materialTable struct {
	Density *float64 `toml:"density"` // kg/m³
}

type shapeTable struct {
	Builtin  string   `toml:"builtin"` // as in geometry.ParseBuiltin; or
	File     string   `toml:"file"`    // closed and convex mesh, relative to the scene file
	Material string   `toml:"material"`
	Density  *float64 `toml:"density"` // default: density of the material
	Scale    *float64 `toml:"scale"`   // default 1
	Round    *float64 `toml:"round"`   // m, blocks only: rounding radius, not scaled; default 0
}

// bodyTable is one body, or a generator of many bodies.
type bodyTable struct {
	// Keys of one body.
	Name     string    `toml:"name"` // generated bodies append "-0", "-1" …
	Shape    string    `toml:"shape"`
	Position []float64 `toml:"position"`
	Rotation any       `toml:"rotation"` // w, x, y, z; for generated bodies also "random"
	Velocity []float64 `toml:"velocity"`
	Spin     []float64 `toml:"spin"`

	// Keys of a generator.
	Generator string         `toml:"generator"` // grid, random or wall
	Shapes    []string       `toml:"shapes"`    // used in turn, or drawn at random by
	Weights   []float64      `toml:"weights"`
	Count     any            `toml:"count"`   // one number; grid: [nx, ny, nz]
	Spacing   any            `toml:"spacing"` // grid: one number or [dx, dy, dz]
	Origin    []float64      `toml:"origin"`  // grid: the first centre; wall: the middle of its bottom
	Jitter    float64        `toml:"jitter"`  // grid: largest random shift along each axis
	Box       [][]float64    `toml:"box"`     // random: region that contains the bounding balls; or
	Cylinder  *cylinderTable `toml:"cylinder"`
	Mesh      string         `toml:"mesh"`  // random: closed mesh file, convex or not
	Joint     *float64       `toml:"joint"` // wall: gap between the bricks of a row; default 0.001
	Seed      *int64         `toml:"seed"`  // default: seed of the scene plus the number of the entry
}

// cylinderTable is a cylindrical region of the random generator.
type cylinderTable struct {
	From   []float64 `toml:"from"` // m, centre of one end
	To     []float64 `toml:"to"`   // m, centre of the other end
	Radius float64   `toml:"radius"`
}

type wallTable struct {
	Name     string       `toml:"name"`
	Material string       `toml:"material"`
	Plane    *planeTable  `toml:"plane"` // or
	File     string       `toml:"file"`  // mesh, open or closed
	Scale    *float64     `toml:"scale"`
	Position []float64    `toml:"position"`
	Rotation []float64    `toml:"rotation"`
	Motion   *motionTable `toml:"motion"` // default: fixed
}

type planeTable struct {
	Point  []float64 `toml:"point"`
	Normal []float64 `toml:"normal"` // points out of the wall; any length
}

// motionTable has the fields of engine.Motion.
type motionTable struct {
	Velocity  []float64 `toml:"velocity"`
	Spin      []float64 `toml:"spin"`
	Centre    []float64 `toml:"centre"`
	Amplitude []float64 `toml:"amplitude"`
	Frequency float64   `toml:"frequency"`
	Ramp      float64   `toml:"ramp"` // s, time in which the oscillation grows to its amplitude
	From      float64   `toml:"from"`
	To        float64   `toml:"to"`
}

type contactTable struct {
	Method      string      `toml:"method"`      // method of the narrow phase
	Location    string      `toml:"location"`    // reduced, full or none
	Interaction float64     `toml:"interaction"` // m, largest gap of an active contact
	Relief      reliefTable `toml:"relief"`
}

// reliefTable has the fields of engine.Relief.
type reliefTable struct {
	Cap  float64 `toml:"cap"`
	Time float64 `toml:"time"`
}

type lawTable struct {
	lawKeys
	Pair []pairTable `toml:"pair"`
}

// lawKeys has the parameters of force.Linear and force.Thickness.
type lawKeys struct {
	Normal              *string  `toml:"normal"`               // thickness (default) or linear
	Stiffness           *float64 `toml:"stiffness"`            // N/m
	Modulus             *float64 `toml:"modulus"`              // Pa or Pa/m, instead of stiffness
	AreaExponent        *float64 `toml:"area_exponent"`        // 0.5 or 1, with modulus
	TangentialStiffness *float64 `toml:"tangential_stiffness"` // N/m, or the unit of modulus; default 0.8 of stiffness or modulus
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
	Method  string  `toml:"method"` // auto (default) or another name in engine.Searches
	Skin    float64 `toml:"skin"`
	Horizon float64 `toml:"horizon"`

	Radius       *float64 `toml:"radius"`        // m, radius of Verlet lists
	RebuildEvery *int64   `toml:"rebuild_every"` // number of searches that a Verlet list serves
}

// outputTable has the output intervals, in steps. With 0 only the first and the last step are
// written.
type outputTable struct {
	Every           *int64   `toml:"every"`         // frames; default: at most 20 in the run, and 200 MB
	Interval        *float64 `toml:"interval"`      // s, instead of every
	HistoryEvery    *int64   `toml:"history_every"` // default: 1000 in the run
	StatesEvery     int64    `toml:"states_every"`
	CheckpointEvery int64    `toml:"checkpoint_every"` // and one at the end, which is the default; 0: none
	Fields          []string `toml:"fields"`           // fields of the frames; default: all
}

type countTable struct {
	Name  string      `toml:"name"`
	Below [][]float64 `toml:"below"` // a point, and a normal that points up; or
	Box   [][]float64 `toml:"box"`   // least and largest corner; or
	Mesh  string      `toml:"mesh"`  // mesh file
}
