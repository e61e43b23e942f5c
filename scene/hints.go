package scene

// later begins the text of a key or word that only other releases have. A cure may follow.
const later = " is not available in this release"

// Texts that several hints share.
const (
	inLaw       = ` in [law], or in [[law.pair]] for a pair of materials`
	toBodies    = `[[bodies]], each with shape and position, or with a generator`
	toWalls     = `[[walls]] with plane = { point, normal }, or file = "MESH"`
	toPlane     = `plane = { point = [x, y, z], normal = [x, y, z] }`
	toMotion    = `motion = { velocity, spin, centre, amplitude, frequency }`
	toTime      = `[time] with dt, and steps or end`
	toOutput    = `[output] with every in steps, or interval in s`
	toBuiltin   = `builtin = "box:AxBxC", "ball:R", "rock:SEED,NVERTS,RADIUS" or another, or file = "MESH"`
	toBall      = `a shape [shapes.NAME] with builtin = "ball:R"`
	toBox       = `builtin = "box:AxBxC", with whole edges`
	toDensity   = `density of the material or shape: mass and inertia follow from it`
	toTurned    = `rotation = [w, x, y, z], a unit quaternion`
	toSpring    = `stiffness in N/m, or modulus with area_exponent,` + inLaw
	toFriction  = `friction` + inLaw
	toBounce    = `restitution` + inLaw
	toRatio     = `tangential_stiffness` + inLaw + `: (2−2ν)/(2−ν) of the stiffness for Poisson's ratio ν`
	toModulus   = `modulus with area_exponent = 0.5 and normal = "thickness"` + inLaw
	toDamping   = `restitution, or damping with normal = "linear",` + inLaw
	toResults   = `scree run SCENE -o FOLDER`
	laterClumps = later + `: a body of several pieces is made in Go today (engine.BodySpec.Parts)`
)

// hints lists keys of other programs and of other releases, and what stands for them: by the path without numbers and
// names ("materials.friction"), by the last word, or for the top of a file alone (".title"). "builtin=sphere" is a word as the value of a key.
var hints = map[string]string{
	// Contact laws.
	"mu": toFriction, "mu_s": toFriction, "fric": toFriction, "friction_coefficient": toFriction, "frictionAngle": "friction = tan(angle)" + inLaw,
	"materials.friction": toFriction, "shapes.friction": toFriction, "walls.friction": toFriction, "bodies.friction": toFriction, "friction": toFriction, "contact.friction": toFriction,
	"kn": "stiffness" + inLaw, "k_n": "stiffness" + inLaw, "knormal": "stiffness" + inLaw, "materials.stiffness": toSpring, "stiffness": toSpring, "contact.stiffness": toSpring,
	"kt": "tangential_stiffness" + inLaw, "ks": "tangential_stiffness" + inLaw, "k_t": "tangential_stiffness" + inLaw, "kratio": toRatio,
	"young": toModulus, "E": toModulus, "youngs_modulus": toModulus, "youngsModulus": toModulus, "young_modulus": toModulus, "elastic_modulus": toModulus, "emod": toModulus,
	"materials.modulus": toModulus, "poisson": toRatio, "poissons_ratio": toRatio, "poissonsRatio": toRatio, "nu": toRatio,
	"e": toBounce, "en": toBounce, "cor": toBounce, "coefficient_of_restitution": toBounce, "coefficientRestitution": toBounce, "restitution_coefficient": toBounce,
	"materials.restitution": toBounce, "shapes.restitution": toBounce, "bodies.restitution": toBounce, "restitution": toBounce, "contact.restitution": toBounce, "bounce": toBounce,
	"gamma": toDamping, "dn": toDamping, "cn": toDamping, "viscosity": toDamping, "dp_nratio": toDamping, "materials.damping": toDamping, "contact.damping": toDamping, "damping": toDamping,
	"model": `normal = "thickness" or "linear"` + inLaw, "law.type": `normal = "thickness" or "linear"`, "contact_model": `normal = "thickness" or "linear"` + inLaw,
	"pair_style": `[law] with normal = "thickness" or "linear"`, "contacts": "[law] for forces, [contact] for how contacts are found", "laws": "[law]", "cmat": "[law] and [[law.pair]]",
	"normal=hertz": `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`, "normal=hooke": `"linear" is spring and dashpot`,
	"normal=hertz-mindlin": `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`, "normal=hertzian": `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`,
	"normal=linear_spring_dashpot": `"linear" is spring and dashpot`, "law.gap": "reference_gap",

	// Gravity, time and output.
	"g": "[gravity] with vector = [x, y, z]", "gravity.g": "vector = [x, y, z]", "gravity.direction": "vector = [x, y, z], with its magnitude", "gravity.magnitude": "vector = [x, y, z]",
	"gravity.acceleration": "vector = [x, y, z]", "gravity.value": "vector = [x, y, z]", "gravity.z": "vector = [x, y, z]", "gravity.y": "vector = [x, y, z]", "gravity.x": "vector = [x, y, z]",
	"timestep": "dt in [time]", "time_step": "dt in [time]", "dt": "dt in [time]", "delta_t": "dt in [time]", "time.step": "dt", "deltat": "dt in [time]",
	"nsteps": "steps in [time]", "n_steps": "steps in [time]", "num_steps": "steps in [time]", "iterations": "steps in [time]", "cycles": "steps in [time]", "steps": "steps in [time]", "time.n": "steps",
	"duration": "end in [time]", "t_end": "end in [time]", "tend": "end in [time]", "total_time": "end in [time]", "end": "end in [time]", "end_time": "end in [time]", "time.total": "end", "time.max": "end", "time.stop": "end",
	"simulation": toTime, "settings": toTime, "run": toTime, "solver": toTime, "option": toTime, "config": toTime, "substeps": "a smaller dt in [time]", "time.start": "nothing: a run starts at 0",
	"integrator": `integrator in [time]`, "units": "nothing: any consistent units, such as m, kg and s", ".title": "a comment: a scene is named after its file", ".name": "a comment: a scene is named after its file",
	".description": "a comment", ".version": "nothing: a scene has no version", "threads": "scree run SCENE --workers N", "nthreads": "scree run SCENE --workers N", "workers": "scree run SCENE --workers N",
	"dump": toOutput, "save": toOutput, "vtk": toOutput, "record": toOutput, "dump_every": toOutput, "vtk_every": toOutput, "save_every": toOutput, "frames": toOutput, "output.freq": toOutput, "output.frequency": toOutput,
	"output.dt": toOutput, "output.period": toOutput, "output.steps": toOutput, "fps": "[output] with interval, the inverse in s", "checkpoint": "[output] with checkpoint_every", "restart": "[output] with checkpoint_every, and scree run SCENE --restart FILE",
	"output.folder": toResults, "output.dir": toResults, "output.directory": toResults, "output.path": toResults, "output.file": toResults, "output.format": "nothing: frames are files of ParaView",
	"output_dir": toResults, "outdir": toResults, "output.name": toResults,

	// Materials, shapes and bodies.
	"material": "[materials.NAME]", "rho": "density", "mass": toDensity, "inertia": toDensity, "color": "nothing: colours are chosen in ParaView", "colour": "nothing: colours are chosen in ParaView", "rgba": "nothing: colours are chosen in ParaView",
	"shape": "[shapes.NAME]", "geom": "[shapes.NAME] and [[bodies]]", "geometry": "[shapes.NAME]", "shapes.type": toBuiltin, "shapes.kind": toBuiltin, "shapes.shape": toBuiltin, "bodies.type": `shape = "NAME" of a [shapes.NAME]`,
	"shapes.radius": `builtin = "ball:R"`, "shapes.size": toBuiltin, "shapes.half_extents": toBox, "shapes.halfextents": toBox, "shapes.extents": toBox, "shapes.dimensions": toBox, "shapes.length": toBox, "shapes.edge": toBuiltin, "shapes.vertices": `file = "MESH"; scree shape make HULL turns points into a mesh`,
	"shapes.mesh": `file = "MESH"`, "shapes.stl": `file = "MESH"`, "shapes.obj": `file = "MESH"`, "shapes.path": `file = "MESH"`, "shapes.filename": `file = "MESH"`, "shapes.sphere": `builtin = "ball:R"`, "shapes.box": `builtin = "box:AxBxC"`, "shapes.ball": `builtin = "ball:R"`,
	"builtin=sphere": `ball:R, with the radius R`, "builtin=Sphere": `ball:R, with the radius R`, "builtin=cube": `box:AxAxA, with the edge A`, "builtin=cuboid": `box:AxBxC`, "builtin=brick": `box:AxBxC`, "builtin=cylinder": `prism:N,R,H, a prism of N sides`,
	"builtin=capsule": "a block with round, the rounding radius", "builtin=tetrahedron": "tetra:EDGE", "builtin=octahedron": "octa:EDGE", "builtin=polyhedron": `rock:SEED,NVERTS,RADIUS, or file = "MESH"`, "builtin=circle": "disc:R, with dim = 2",
	"builtin=ellipsoid": `file = "MESH": scree help shape make shows how to make one`, "builtin=plane": toWalls, "builtin=mesh": `file = "MESH" in place of builtin`,
	"particles": toBodies, "particle": toBodies, "balls": toBodies, "ball": toBodies, "spheres": toBodies, "sphere": toBodies, "body": toBodies, "grains": toBodies, "blocks": toBodies, "rigid_bodies": toBodies, "generate": toBodies, "template": toBodies, "insert": toBodies,
	"pos": "position", "center": "position", "bodies.centre": "position", "bodies.location": "position", "xyz": "position", "bodies.x": "position = [x, y, z]", "bodies.y": "position = [x, y, z]", "bodies.z": "position = [x, y, z]", "translation": "position",
	"vel": "velocity", "bodies.v": "velocity", "linear_velocity": "velocity", "linvel": "velocity", "bodies.vx": "velocity = [x, y, z]", "bodies.vz": "velocity = [x, y, z]", "initial_velocity": "velocity",
	"omega": "spin in rad/s", "angular_velocity": "spin in rad/s", "angvel": "spin in rad/s", "ang_vel": "spin in rad/s", "angularVelocity": "spin in rad/s", "bodies.w": "spin in rad/s",
	"quat": toTurned, "quaternion": toTurned, "orientation": toTurned, "ori": toTurned, "euler": toTurned, "angle": toTurned, "axis_angle": toTurned, "angles": toTurned,
	"bodies.radius": toBall, "bodies.size": toBuiltin + " in [shapes.NAME]", "bodies.geom": toBuiltin + " in [shapes.NAME]", "bodies.mesh_file": toBuiltin + " in [shapes.NAME]", "bodies.file": `a shape [shapes.NAME] with file = "MESH"`, "bodies.builtin": "a shape [shapes.NAME] with builtin",
	"bodies.material": "material in [shapes.NAME]", "bodies.density": "density in [shapes.NAME]", "bodies.n": "count, with a generator", "number": "count, with a generator", "num": "count, with a generator", "bodies.region": `generator = "random" with box, cylinder or mesh`, "porosity": "count, with a generator",
	"dynamic": "[[walls]] for what does not move freely", "static": "[[walls]] for what does not move freely", "is_fixed": "[[walls]] for what does not move freely", "kinematic": "[[walls]] with motion", "bodies.fixed": later + ": what does not move freely is one of [[walls]]",
	"joints": later, "bodies.joint_type": later, "springs": later,

	// Walls.
	"planes": toWalls, "plane": toWalls, "wall": toWalls, "floor": toWalls, "ground": toWalls, "boundaries": toWalls, "meshes": toWalls, "mesh": toWalls, "facets": toWalls, "facet": toWalls, "box": toWalls + ", one for each side", "container": toWalls + ", one for each side",
	"walls.normal": toPlane, "walls.point": toPlane, "walls.type": toPlane + `, or file = "MESH"`, "walls.shape": toPlane + `, or file = "MESH"`, "walls.builtin": toPlane + `, or file = "MESH"`, "walls.offset": toPlane, "walls.z": toPlane,
	"walls.mesh": `file = "MESH"`, "walls.stl": `file = "MESH"`, "walls.box": `file = "MESH", or a wall with plane for each side`, "walls.velocity": toMotion, "walls.spin": toMotion, "walls.vel": toMotion, "walls.omega": toMotion, "walls.rpm": toMotion + ": spin in rad/s", "walls.axis": toMotion, "walls.amplitude": toMotion, "walls.frequency": toMotion,
	"walls.motion.period": "frequency, its inverse", "walls.motion.omega": "spin in rad/s", "walls.motion.rpm": "spin in rad/s, as a vector", "walls.motion.axis": "spin = [x, y, z] in rad/s", "walls.motion.origin": "centre", "walls.motion.center": "centre", "walls.motion.start": "from", "walls.motion.end": "to", "walls.plane.origin": "point", "walls.plane.position": "point", "walls.plane.offset": "point = [x, y, z]", "walls.plane.d": "point = [x, y, z]",

	// Searches.
	"neighbor": "[broad]", "neighbour": "[broad]", "neighbors": "[broad]", "broadphase": "[broad]", "broad_phase": "[broad]", "verlet_dist": "skin in [broad]", "cutoff": "skin in [broad]", "margin": "interaction in [contact]", "cell_size": `nothing: [broad] method = "cells" chooses it`, "skin": "skin in [broad]",

	// Other releases.
	"periodic": later, "boundary": later + ": walls bound a scene today", "bonds": later, "bond": later, "processes": later + ": scree run SCENE --workers N uses the processors of one machine", "domain": later + ": walls bound a scene today", "order": later,
	"stage": later + ": run a scene, then a second one from its checkpoint", "measure": later + ": [[counts]] count bodies in regions", "remove": later, "walls.servo": later + ": a wall moves with motion", "output.report": later, "output.contacts_every": later + ": frames have the contacts",
	"law.bond": later, "law.rolling": later, "rolling_friction": later, "law.rolling_friction": later, "law.twisting_friction": later, "cohesion": later, "adhesion": later, "law.cohesion": later, "law.surface_energy": later, "law.points": later, "law.exponent": later + ": area_exponent goes with modulus",
	"bodies.parts": laterClumps, "clump": laterClumps, "clumps": laterClumps, "pieces": laterClumps, "bodies.clump": laterClumps, "shapes.pieces": laterClumps, "shapes.files": laterClumps, "multisphere": laterClumps,
	"rounding": later + ": round in [shapes.NAME] is the rounding radius", "bodies.force": later, "bodies.torque": later, "bodies.damping": later + ": restitution in [law] damps contacts",
	"generator=fill": later + `: "random" fills a region`, "contact.location=potential": later,
}

// hintOf returns the hint for a key by its path without numbers and names, or by its name, or "".
func hintOf(path, name string) string {
	if text, ok := hints["."+path]; ok {
		return text
	}
	if text, ok := hints[path]; ok {
		return text
	}
	return hints[name]
}
