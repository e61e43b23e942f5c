package scene

import (
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// document is the content of a scene file. The tags state each key once: decoding, the checks of single values, the
// tables of docs/scenes.md and scree help scene follow from them (package keys explains the tags). A pointer is a key
// whose absence differs from zero. A field of type any is a key that accepts more than one type.
//
// Lengths in m, masses in kg, times in s, angles in rad, or any consistent set.
type document struct {
	Seed      int64                     `key:"seed" default:"0" bounds:"≥ 0" doc:"seed of every generator without a seed of its own"`
	Dim       int64                     `key:"dim" default:"3" bounds:"2 or 3" doc:"number of dimensions"`
	Time      timeTable                 `key:"time" doc:"time step and length of the run"`
	Gravity   gravityTable              `key:"gravity" form:"a table [gravity] with vector = [x, y, z]" doc:"acceleration of all bodies"`
	Materials map[string]*materialTable `key:"materials" default:"required" form:"[materials.NAME], one for each" doc:"materials"`
	Shapes    map[string]*shapeTable    `key:"shapes" form:"[shapes.NAME], one for each" doc:"shapes of bodies"`
	Bodies    []bodyTable               `key:"bodies" default:"required" form:"[[bodies]], one for each" doc:"a body, or many: generator says how"`
	Order     orderTable                `key:"order" doc:"the order in which the world holds the bodies. Files and messages number them in the order of the scene file"`
	Walls     []wallTable               `key:"walls" form:"[[walls]], one for each" doc:"bodies with prescribed motion"`
	Contact   contactTable              `key:"contact" doc:"how contacts are found"`
	Law       lawTable                  `key:"law" doc:"the force of contacts"`
	Broad     broadTable                `key:"broad" doc:"the search for neighbours. None of these keys changes a bit of the results"`
	Output    outputTable               `key:"output" doc:"what is written, and when"`
	Domain    *domainTable              `key:"domain" doc:"a box, and what its sides do with bodies"`
	Stage     []stageTable              `key:"stage" form:"[[stage]], one for each" doc:"a part of the run, in order, and what acts from its start on"`
	Removes   []removeTable             `key:"remove" form:"[[remove]], one for each" doc:"regions whose bodies go"`
	Measures  []measureTable            `key:"measure" form:"[[measure]], one for each" doc:"regions whose stress and other means are columns of history.csv"`
	Counts    []countTable              `key:"counts" form:"[[counts]], one for each" doc:"regions whose bodies are counted"`
}

// words are the lists of words that tags name.
var words = map[string][]string{
	"integrators": engine.Integrators(), "methods": narrow.MethodNames(), "searches": engine.Searches(), "laws": force.Names(), "fields": frameFields,
	"orders": curve.Names, "components": components, "sides": engine.Sides(),
}

// frameFields are the valid names of output.fields: fields of bodies, then fields of contacts.
var frameFields = []string{"id", "speed", "velocity", "spin", "material", "shape", "mass", "name", "force", "normal", "gap", "bodies", "sliding"}

type timeTable struct {
	Dt           any     `key:"dt" unit:"s" default:"required" bounds:"> 0" words:"auto" doc:"time step; auto is the advised one. A step above the stable limit of one contact is refused. A run warns of a step above a fiftieth of the contact time (a tenth under the linear law), or above the limit of bodies with six contacts, and of clumps with one for each piece"`
	Steps        int64   `key:"steps" unit:"steps" default:"required" bounds:"1 to 9007199254740992" group:"length" doc:"length of the whole run"`
	End          float64 `key:"end" unit:"s" bounds:"> 0" group:"length" doc:"the time when the run ends, rounded up to whole steps"`
	LocalDamping float64 `key:"local_damping" default:"0" bounds:"≥ 0 and ≤ 0.99" doc:"local damping of all bodies without damping_ratio: against each component of velocity and spin acts this share of the sum of forces or torques (Cundall 1987). It serves to find equilibria: free flight is damped, too"`
	Integrator   string  `key:"integrator" words:"integrators" default:"verlet" doc:"verlet is velocity Verlet with rotation. position-verlet computes positions from the last two positions, and velocities from positions"`
}

type gravityTable struct {
	Vector timedVector `key:"vector" unit:"m/s²" default:"[0, 0, -9.81], with dim = 2 [0, -9.81, 0]" doc:"acceleration. In one time step it may move the smallest body by the body's size at most"`
}

type materialTable struct {
	Density float64 `key:"density" unit:"kg/m³" bounds:"> 0" doc:"density of bodies of this material; may be left out for a material of walls only"`
}

type shapeTable struct {
	Builtin  string       `key:"builtin" default:"required" form:"a shape such as \"box:1x1x1\"" group:"shape" doc:"a short description of a shape"`
	File     string       `key:"file" form:"the name of a mesh file" group:"shape" doc:"a closed convex mesh: STL, OBJ, OFF or PLY. Vertices that no face uses are ignored, here and in walls"`
	Pieces   []pieceTable `key:"pieces" form:"a list of tables [{ shape, position, rotation }, …]" group:"shape" doc:"a clump of other shapes"`
	Files    []string     `key:"files" form:"names of mesh files" group:"shape" doc:"a clump of convex meshes"`
	Parts    string       `key:"parts" words:"objects" with:"file" doc:"objects: a clump; each object of the OBJ file is a convex piece, or each group if there are fewer than two objects"`
	Mass     any          `key:"mass" unit:"kg" default:"union" bounds:"> 0" words:"union sum" group:"mass" doc:"of a clump: union counts overlaps once, sum once for each piece; or a number, with centre and inertia"`
	MassOf   string       `key:"mass_of" form:"the name of a mesh file" group:"mass" doc:"of a clump: a closed mesh of the true body, convex or not, whose volume, centroid and inertia count"`
	Centre   vec.Vec3     `key:"centre" unit:"m" default:"required beside a number" with:"mass" doc:"centre of mass"`
	Inertia  []float64    `key:"inertia" unit:"kg·m²" default:"required beside a number" with:"mass" form:"six numbers [xx, yy, zz, xy, xz, yz]" doc:"about the centre, axes of the shape; xy = −∫xy dm"`
	Material string       `key:"material" default:"required but for pieces" form:"a text in quotes, the name of a material" doc:"name of a material"`
	Density  float64      `key:"density" unit:"kg/m³" default:"the material's" bounds:"> 0" doc:"density of this shape"`
	Scale    float64      `key:"scale" default:"1" bounds:"> 0" doc:"factor on all lengths of the shape, and of mass_of, except round and centre"`
	Round    float64      `key:"round" unit:"m" default:"0" bounds:"≥ 0" doc:"of a block: rounding radius. The body is the block and everything within this distance of it"`
}

// pieceTable is a piece of a clump.
type pieceTable struct {
	Shape    string    `key:"shape" default:"required" form:"a text in quotes, the name of a shape" doc:"name of a shape that is no clump; the piece has its material and density"`
	Position vec.Vec3  `key:"position" unit:"m" default:"0" doc:"of the frame of that shape's file, in the frame of the clump"`
	Rotation *vec.Quat `key:"rotation" default:"identity" doc:"of that frame"`
}

// bodyTable is one body, or a generator of many bodies.
type bodyTable struct {
	Name         string      `key:"name" form:"a name" doc:"name; generated bodies append -0, -1, …"`
	Velocity     timedVector `key:"velocity" unit:"m/s" default:"0" doc:"of the centre of mass; at most the body's size in a time step. It may vary in time beside fixed"`
	Spin         timedVector `key:"spin" unit:"rad/s" default:"0" doc:"at most half a turn in a time step. It may vary in time beside fixed"`
	Fixed        []string    `key:"fixed" words:"components" doc:"components of velocity and spin, world axes, that no force changes: they keep their values or follow a table. Along them the body counts as infinitely heavy"`
	Force        timedVector `key:"force" unit:"N" default:"0" doc:"acts at the centre of mass, world axes"`
	Torque       timedVector `key:"torque" unit:"N·m" default:"0" doc:"world axes"`
	Damping      string      `key:"damping" words:"local" default:"that of the law alone" with:"damping_ratio" doc:"local damping, as time.local_damping"`
	DampingRatio float64     `key:"damping_ratio" default:"time.local_damping" bounds:"> 0 and ≤ 0.99" with:"damping" doc:"share of the sum of forces that acts against the motion"`
	Rotation     any         `key:"rotation" default:"identity; of random: random" form:"a quaternion [w, x, y, z]" words:"random" doc:"orientation; random for generated bodies only"`

	Shape    string   `key:"shape" of:"one" default:"required" form:"a text in quotes, the name of a shape" doc:"name of a shape"`
	Position vec.Vec3 `key:"position" of:"one" unit:"m" default:"0" doc:"of the frame of the shape's file. A body may be at most 2³² of its radii from the origin"`

	Generator string         `key:"generator" of:"grid random wall pour fill" words:"grid random wall pour fill" doc:"makes many bodies: a lattice, bodies at random places, a pyramid of bricks, bodies that come in the course of the run, or as many at random places as a region holds"`
	Shapes    []string       `key:"shapes" of:"grid random wall pour fill" default:"required" form:"names of shapes [\"A\", \"B\"]" doc:"names of shapes, used in turn, or drawn by weights"`
	Weights   []float64      `key:"weights" of:"grid random wall pour fill" bounds:"≥ 0" form:"a list of numbers ≥ 0" doc:"the share of each shape"`
	Count     any            `key:"count" of:"grid random wall pour" default:"required; not beside to" form:"a whole number ≥ 1, or for a grid [nx, ny, nz]" doc:"number of bodies; of a wall: bricks in the lowest row; of a pour: at most so many"`
	Seed      *int64         `key:"seed" of:"grid random wall pour fill" default:"the scene's plus the number of the entry, from 0" bounds:"≥ 0" doc:"seed of everything that is drawn"`
	Spacing   any            `key:"spacing" of:"grid" unit:"m" default:"required" form:"a length > 0 m, or three of them" doc:"distance of centres: one number, or one for each axis"`
	Origin    vec.Vec3       `key:"origin" of:"grid wall" unit:"m" default:"0" doc:"first centre of a grid; middle of a wall's base"`
	Jitter    float64        `key:"jitter" of:"grid" unit:"m" default:"0" bounds:"≥ 0" doc:"centres are displaced by up to this along each axis"`
	Box       *[2]vec.Vec3   `key:"box" of:"random pour fill" unit:"m" default:"required" group:"region" doc:"a box that holds the bounding balls: its least corner and its greatest"`
	Cylinder  *cylinderTable `key:"cylinder" form:"a table { from, to, radius }" of:"random pour fill" group:"region" doc:"a cylinder that holds the bounding balls: from, to and radius"`
	Mesh      string         `key:"mesh" of:"random pour fill" group:"region" form:"the name of a mesh file" doc:"a closed mesh file, convex or not, not moved, that holds the bounding balls"`
	Joint     float64        `key:"joint" of:"wall" unit:"m" default:"0.001" bounds:"≥ 0" doc:"gap between the bricks of a row (Nezami et al. 2004)"`
	Rate      float64        `key:"rate" of:"pour" unit:"1/s" default:"required" bounds:"> 0" group:"rate" doc:"bodies in a second: body k, from 0, is due at from + k/rate"`
	MassRate  float64        `key:"mass_rate" of:"pour" unit:"kg/s" bounds:"> 0" group:"rate" doc:"mass in a second: a body is due when the mass since from is that of all bodies up to it"`
	From      float64        `key:"from" of:"pour" unit:"s" default:"0" bounds:"≥ 0" doc:"the pour begins"`
	To        float64        `key:"to" of:"pour" unit:"s" default:"none" bounds:"> 0" doc:"no body is due after this time"`
	Every     int64          `key:"every" of:"pour" unit:"steps" default:"100" bounds:"1 to 1000000000" doc:"steps from one time at which bodies come to the next"`
}

// cylinderTable is a cylindrical region of the random generator.
type cylinderTable struct {
	From   vec.Vec3 `key:"from" unit:"m" default:"0" doc:"centre of one end"`
	To     vec.Vec3 `key:"to" unit:"m" default:"required" form:"three numbers [x, y, z], the middle of the other end" doc:"centre of the other end, which must differ"`
	Radius float64  `key:"radius" unit:"m" default:"required" bounds:"> 0" doc:"radius"`
}

type orderTable struct {
	Bodies string `key:"bodies" words:"orders" default:"hilbert" doc:"along a space-filling curve of that name through the centres of mass at the start, so that neighbours lie near each other in memory; random; or none, as in the file. It changes speed and the last digits of results"`
}

type wallTable struct {
	Name     string         `key:"name" default:"wall-0, wall-1, …" form:"a name" doc:"name in the columns of history.csv; unique"`
	Material string         `key:"material" default:"required" form:"a text in quotes, the name of a material" doc:"name of a material"`
	Plane    *planeTable    `key:"plane" form:"a table { point, normal }" default:"required" group:"wall" doc:"a half-space: point and normal"`
	File     string         `key:"file" group:"wall" form:"the name of a mesh file" doc:"any mesh, open or closed. Faces may have dents, but a face may neither cross nor touch itself. Facets that meet at edges and are coplanar to a millionth of the wall's size are flattened and merged into convex polygons, without a warning. All facets that lie in one plane make one contact with a body"`
	Scale    float64        `key:"scale" default:"1" bounds:"> 0" with:"file" doc:"factor on the lengths of the mesh"`
	Position vec.Vec3       `key:"position" unit:"m" default:"0" with:"file" doc:"of the frame of the mesh"`
	Rotation *vec.Quat      `key:"rotation" default:"identity" with:"file" doc:"of the frame of the mesh"`
	Motion   *motionTable   `key:"motion" form:"a table { velocity, spin, centre, amplitude, frequency, ramp, from, to }" default:"fixed" doc:"how the wall moves"`
	Servo    *servoTable    `key:"servo" form:"a table { axis, force or stress, max_speed }" group:"follows" doc:"displaces the wall along an axis so that it is pressed with a force"`
	Load     *wallLoadTable `key:"load" form:"a table { axis, mass, force }" group:"follows" doc:"makes the wall a piston"`
	Present  bool           `key:"present" default:"true" doc:"false: the wall comes in a stage with add"`
}

type planeTable struct {
	Point  vec.Vec3 `key:"point" unit:"m" default:"0" doc:"a point on the plane"`
	Normal vec.Vec3 `key:"normal" default:"required" doc:"points out of the wall, towards the bodies; any length"`
}

// motionTable has the fields of engine.Motion.
type motionTable struct {
	Off       bool        // motion = false
	Velocity  timedVector `key:"velocity" unit:"m/s" default:"0" doc:"velocity. In a table of time, t counts from from"`
	Spin      timedVector `key:"spin" unit:"rad/s" default:"0" doc:"spin about centre. In a table of time, t counts from from, and the spins are parallel"`
	Centre    vec.Vec3    `key:"centre" unit:"m" default:"0" doc:"centre of the spin at time 0; it is displaced with the wall"`
	Amplitude vec.Vec3    `key:"amplitude" unit:"m" default:"0" with:"frequency" doc:"adds the displacement amplitude·sin(2π·frequency·t)"`
	Frequency float64     `key:"frequency" unit:"1/s" default:"0" bounds:"> 0" with:"amplitude" doc:"frequency. A period lasts at least two time steps"`
	Ramp      float64     `key:"ramp" unit:"s" default:"0" bounds:"≥ 0" with:"amplitude" doc:"time in which the amplitude grows smoothly from zero, so that nothing jumps at the start. A run warns of a ramp that is longer than the motion"`
	From      float64     `key:"from" unit:"s" default:"0" bounds:"≥ 0" doc:"the motion's time starts here"`
	To        float64     `key:"to" unit:"s" default:"0, no end" bounds:"≥ 0" doc:"the wall rests from here on"`
}

// ending is a table in whose place false may stand, which ends what an earlier table began.
type ending interface {
	end()
	ended() bool
}

func (t *motionTable) end()   { t.Off = true }
func (t *servoTable) end()    { t.Off = true }
func (t *wallLoadTable) end() { t.Off = true }

func (t *motionTable) ended() bool   { return t.Off }
func (t *servoTable) ended() bool    { return t.Off }
func (t *wallLoadTable) ended() bool { return t.Off }

// servoTable has the fields of engine.Servo.
type servoTable struct {
	Off      bool        // servo = false
	Axis     vec.Vec3    `key:"axis" default:"required" doc:"unit vector in which the wall presses. The servo displaces it along this axis alone; a motion across it goes on"`
	Force    timedNumber `key:"force" unit:"N" default:"required" group:"target" doc:"force of the bodies on the wall against the axis; > 0 presses"`
	Stress   timedNumber `key:"stress" unit:"Pa" group:"target" doc:"likewise, times an area"`
	Area     float64     `key:"area" unit:"m²" default:"projected, of the facets that face along the axis" bounds:"> 0" with:"stress" doc:"area of the stress"`
	Between  []string    `key:"between" with:"stress" form:"the names of four walls with planes, two opposite pairs" doc:"area of the stress on a plane: what these walls leave, measured in every step"`
	Gain     float64     `key:"gain" default:"0.5" bounds:"> 0 and ≤ 0.999" doc:"share of what is missing that a step makes up for"`
	MaxSpeed float64     `key:"max_speed" unit:"m/s" default:"required" bounds:"> 0" doc:"highest speed, and the speed while nothing touches the wall"`
	From     float64     `key:"from" unit:"s" default:"0" bounds:"≥ 0" doc:"until then the servo rests"`
	To       float64     `key:"to" unit:"s" default:"0, no end" bounds:"≥ 0" doc:"from then on the servo rests"`
}

// wallLoadTable has the fields of engine.WallLoad.
type wallLoadTable struct {
	Off     bool        // load = false
	Axis    vec.Vec3    `key:"axis" default:"required" doc:"unit vector in which the wall presses. Forces move it along this axis alone; a motion across it goes on"`
	Mass    float64     `key:"mass" unit:"kg" default:"required" bounds:"> 0" doc:"mass. Gravity does not act on it"`
	Force   timedNumber `key:"force" unit:"N" default:"0" doc:"force along the axis; > 0 presses"`
	Damping float64     `key:"damping" unit:"N·s/m" default:"0" bounds:"≥ 0" doc:"coefficient of a dashpot between the wall and the ground"`
}

// stageTable is a part of the run. What it leaves out stays as it is.
type stageTable struct {
	For          float64                    `key:"for" unit:"s" default:"required" bounds:"> 0" group:"end" doc:"duration"`
	Until        any                        `key:"until" unit:"s" bounds:"> 0" words:"rest" group:"end" doc:"the time of the run when it ends, or rest: some bodies touch, speed and ratio have held for 100 steps in a row, and every servo that works, of walls and of the domain, is within 1 % of its target"`
	Speed        float64                    `key:"speed" unit:"m/s" default:"any" bounds:"> 0" doc:"of rest: largest speed of a centre of mass"`
	Ratio        float64                    `key:"ratio" default:"any" bounds:"> 0" doc:"of rest: largest unbalanced force ratio, as in history.csv"`
	AtMost       float64                    `key:"at_most" unit:"s" default:"required for rest" bounds:"> 0" doc:"of rest: the stage ends after this time in any case, with a warning"`
	Gravity      *gravityTable              `key:"gravity" form:"as [gravity]" doc:"from the start of the stage on"`
	Law          *lawTable                  `key:"law" form:"as [law]" doc:"replaces all keys of [law]; [[stage.law.pair]] replaces all pairs. Contacts of a pair whose normal or area_exponent changes forget their friction springs"`
	Walls        map[string]*stageWallTable `key:"walls" form:"[stage.walls.NAME], one for each" doc:"what changes at a wall"`
	Bodies       map[string]*stageBodyTable `key:"bodies" form:"[stage.bodies.NAME], one for each" doc:"what changes at all bodies of an entry"`
	Domain       *stageDomainTable          `key:"domain" form:"a table { rate, servo }" doc:"what changes at the domain"`
	Dt           any                        `key:"dt" unit:"s" default:"as before" bounds:"> 0" words:"auto" doc:"time step; auto is the advised one"`
	LocalDamping *float64                   `key:"local_damping" default:"as before" bounds:"≥ 0 and ≤ 0.99" doc:"as in [time]"`
	Output       *outputTable               `key:"output" form:"as [output]" doc:"replaces the intervals of [output]"`
}

type stageWallTable struct {
	Motion *motionTable   `key:"motion" form:"as [walls.motion], or false" doc:"replaces the motion; false ends it"`
	Servo  *servoTable    `key:"servo" form:"as [walls.servo], or false" doc:"replaces servo and load; false ends the servo"`
	Load   *wallLoadTable `key:"load" form:"as [walls.load], or false" doc:"replaces servo and load; false ends the load"`
	Add    bool           `key:"add" default:"false" doc:"the wall, which has present = false or was removed, comes"`
	Remove bool           `key:"remove" default:"false" doc:"the wall goes"`
}

type stageBodyTable struct {
	Fixed    []string    `key:"fixed" words:"components" doc:"as in [[bodies]]; [] frees the bodies"`
	Velocity timedVector `key:"velocity" unit:"m/s" doc:"as in [[bodies]]"`
	Spin     timedVector `key:"spin" unit:"rad/s" doc:"as in [[bodies]]"`
	Force    timedVector `key:"force" unit:"N" doc:"as in [[bodies]]"`
	Torque   timedVector `key:"torque" unit:"N·m" doc:"as in [[bodies]]"`
}

type contactTable struct {
	Method      string      `key:"method" words:"methods" default:"auto" doc:"the narrow method for pairs without a valid certificate. gjk-epa gives the same bits, without the certificates of touching pairs. cp, fcp and slm may return more than the depth for a pair that overlaps deeply"`
	Location    string      `key:"location" words:"reduced full none" default:"reduced" doc:"where the force of the linear law acts: reduced is the centroid of the common section; full that of the overlap, where a facet is extruded away from the block; none the middle of the deepest points, which conserves energy for corners that hit, but not for faces at rest"`
	Interaction float64     `key:"interaction" unit:"m" default:"0" bounds:"≥ 0" doc:"gap up to which a contact is active: it is listed, counted and in frames, but has no force beyond reference_gap"`
	Relief      reliefTable `key:"relief" form:"a table { cap, time }" doc:"forgives deep overlaps at the start of a run, and brings them back slowly: cap and time"`
}

// reliefTable has the fields of engine.Relief.
type reliefTable struct {
	Cap  float64 `key:"cap" unit:"m" bounds:"≥ 0" with:"time" doc:"the part of an initial overlap beyond this depth has no force at time 0"`
	Time float64 `key:"time" unit:"s" bounds:"≥ 0" with:"cap" doc:"from this time on, the whole overlap acts; the forgiven part shrinks linearly until then. Greater than 0, unless cap is 0"`
}

type lawTable struct {
	Normal string      `key:"normal" words:"laws" default:"thickness" doc:"the law: thickness, which comes to rest and makes no energy; or linear, the spring and dashpot of PFC"`
	Keys   lawKeys     // the keys of force.KeysOf
	Pair   []pairTable `key:"pair" form:"[[law.pair]], one for each" doc:"keys of [law] for one pair of materials, in place of those of [law]"`
}

type pairTable struct {
	Materials []string `key:"materials" default:"required" form:"the names of two materials [\"A\", \"B\"]" doc:"the two names, in any order. A pair of materials may appear once"`
	Normal    *string  `key:"normal" words:"laws" default:"that of [law]"`
	Keys      lawKeys
}

// lawKeys are the given keys of laws, as package force describes them: pointers to float64 or bool, by name.
type lawKeys map[string]any

type broadTable struct {
	Method       string  `key:"method" words:"searches" default:"auto" doc:"neighbour search. auto chooses multilevel or cells at each search, by the bodies that move at that time"`
	Skin         float64 `key:"skin" unit:"m" default:"chosen" bounds:"≥ 0" doc:"least distance that a body may move between two searches for pairs"`
	Horizon      float64 `key:"horizon" unit:"s" default:"0" bounds:"≥ 0" doc:"the skin of a body is the way that it goes in this time, if that is more than skin"`
	Radius       float64 `key:"radius" unit:"m" default:"chosen" bounds:"> 0" with:"method vl" doc:"how far Verlet lists reach from a centre. At least 1.25 diagonals of the largest piece are used"`
	RebuildEvery int64   `key:"rebuild_every" unit:"searches" default:"by motion" bounds:"1 to 1000000000" with:"method vl" doc:"how many searches a Verlet list serves. A list that is too old for the motion of the bodies ends the run"`
}

// outputTable has the output intervals, in steps. With 0 only the first and the last step are
// written.
type outputTable struct {
	Every           *int64   `key:"every" unit:"steps" default:"at most 20 frames in the run, and 200 MB" bounds:"≥ 0" group:"frames" doc:"interval of frames; 0: no frames"`
	Interval        *float64 `key:"interval" unit:"s" bounds:"> 0" group:"frames" doc:"interval of frames as a time, at least dt; rounded to whole steps"`
	HistoryEvery    *int64   `key:"history_every" unit:"steps" default:"a thousandth of the run" bounds:"≥ 0" doc:"interval of rows of history.csv; 0: the first and the last step only"`
	StatesEvery     int64    `key:"states_every" unit:"steps" default:"0" bounds:"≥ 0" doc:"interval of states in states.csv; 0: the first and the last step only"`
	ContactsEvery   int64    `key:"contacts_every" unit:"steps" default:"0" bounds:"≥ 0" doc:"interval of lists of the active contacts in contacts.csv, with one at the first and the last step; 0: no contacts.csv"`
	CheckpointEvery int64    `key:"checkpoint_every" unit:"steps" default:"one at the end" bounds:"≥ 0" doc:"interval of checkpoints, with one at the end of the run; 0: none"`
	Bodies          []string `key:"bodies" form:"names of bodies [\"A\", \"B\"]" doc:"bodies whose place, and force and torque of their constraint, are columns of history.csv"`
	Fields          []string `key:"fields" words:"fields" default:"all" doc:"fields of frames"`
	Wrap            bool     `key:"wrap" default:"true" doc:"frames show the images of bodies and contacts in the box of a periodic domain; false: where they are"`
}

type countTable struct {
	Name  string       `key:"name" default:"required" form:"a name" doc:"unique"`
	Below *[2]vec.Vec3 `key:"below" unit:"m" default:"required" form:"a point and a normal [[x, y, z], [x, y, z]]" group:"region" doc:"a point of a plane and its normal, which points up. The region is strictly below the plane"`
	Box   *[2]vec.Vec3 `key:"box" unit:"m" group:"region" doc:"the least corner and the greatest. The sides belong to the region"`
	Mesh  string       `key:"mesh" group:"region" form:"the name of a mesh file" doc:"a closed mesh file, convex or not, not moved. The surface belongs to the region"`
}

// removeTable is a region whose bodies go.
type removeTable struct {
	Below   *[2]vec.Vec3 `key:"below" unit:"m" default:"required" form:"a point and a normal [[x, y, z], [x, y, z]]" group:"region" doc:"as in [[counts]]: bodies with their centre of mass below the plane go"`
	Box     *[2]vec.Vec3 `key:"box" unit:"m" group:"region" doc:"the least corner and the greatest: bodies in the box go"`
	Outside *[2]vec.Vec3 `key:"outside" unit:"m" group:"region" doc:"the least corner and the greatest: bodies outside the box go"`
	Every   int64        `key:"every" unit:"steps" default:"100" bounds:"1 to 1000000000" doc:"steps from one time at which bodies go to the next"`
}
