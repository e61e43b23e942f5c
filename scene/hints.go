package scene

import (
	"cmp"
	"strings"
)

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
	laterLaw    = later + `: a law of your own may have it, in a program (docs/howto/add-a-force-law.md)`
	laterOne    = `: bodies touch, and no more than touch, today`
	laterClumps = later + `: a body of several pieces is made in Go today (engine.BodySpec.Parts)`
)

// hints lists keys of other programs and of other releases, and what stands for them: by the path without numbers and
// names ("materials.friction"), by the last word, or for the top of a file alone (".title"). "builtin=sphere" is a word as the value of a key.
var hints = map[string]string{
	// Contact laws.
	"mu": toFriction, "mus": toFriction, "fric": toFriction, "frictioncoefficient": toFriction, "frictionangle": "friction = tan(angle)" + inLaw,
	"materials.friction": toFriction, "shapes.friction": toFriction, "walls.friction": toFriction, "bodies.friction": toFriction, "friction": toFriction, "contact.friction": toFriction,
	"kn": "stiffness" + inLaw, "knormal": "stiffness" + inLaw, "materials.stiffness": toSpring, "stiffness": toSpring, "contact.stiffness": toSpring,
	"kt": "tangential_stiffness" + inLaw, "ks": "tangential_stiffness" + inLaw, "kratio": toRatio,
	"young": toModulus, "E": toModulus, "e": toBounce, "youngsmodulus": toModulus, "youngmodulus": toModulus, "elasticmodulus": toModulus, "emod": toModulus,
	"materials.modulus": toModulus, "poisson": toRatio, "poissonsratio": toRatio, "nu": toRatio,
	"en": toBounce, "cor": toBounce, "coefficientofrestitution": toBounce, "coefficientrestitution": toBounce, "restitutioncoefficient": toBounce,
	"materials.restitution": toBounce, "shapes.restitution": toBounce, "bodies.restitution": toBounce, "restitution": toBounce, "contact.restitution": toBounce, "bounce": toBounce,
	"gamma": toDamping, "dn": toDamping, "cn": toDamping, "viscosity": toDamping, "dpnratio": toDamping, "materials.damping": toDamping, "contact.damping": toDamping, "damping": toDamping,
	"model": `normal = "thickness" or "linear"` + inLaw, "law.type": `normal = "thickness" or "linear"`, "contactmodel": `normal = "thickness" or "linear"` + inLaw,
	"pairstyle": `[law] with normal = "thickness" or "linear"`, "contacts": "[law] for forces, [contact] for how contacts are found", "laws": "[law]", "cmat": "[law] and [[law.pair]]",
	"normal=hertz": `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`, "normal=hooke": `"linear" is spring and dashpot`,
	"normal=hertzmindlin": `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`, "normal=hertzian": `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`,
	"normal=linearspringdashpot": `"linear" is spring and dashpot`, "law.gap": "reference_gap",

	"dampingratio": toBounce, "rollingresistance": laterLaw, "contactlaw": "[law]", "method=gjk": "gjk-epa is GJK with EPA", "contact.relief.depth": "cap", "solref": toSpring, "solimp": toSpring,

	// Gravity, time and output.
	"gravity": "[gravity] with vector = [x, y, z]",
	"g":       "[gravity] with vector = [x, y, z]", "gravity.g": "vector = [x, y, z]", "gravity.direction": "vector = [x, y, z], with its magnitude", "gravity.magnitude": "vector = [x, y, z]",
	"gravity.acceleration": "vector = [x, y, z]", "gravity.value": "vector = [x, y, z]", "gravity.z": "vector = [x, y, z]", "gravity.y": "vector = [x, y, z]", "gravity.x": "vector = [x, y, z]",
	"timestep": "dt in [time]", "dt": "dt in [time]", "deltat": "dt in [time]", "time.step": "dt",
	"nsteps": "steps in [time]", "numsteps": "steps in [time]", "iterations": "steps in [time]", "cycles": "steps in [time]", "steps": "steps in [time]", "time.n": "steps",
	"duration": "end in [time]", "tend": "end in [time]", "totaltime": "end in [time]", "end": "end in [time]", "endtime": "end in [time]", "time.total": "end", "time.max": "end", "time.stop": "end",
	"simulation": toTime, "settings": toTime, "run": toTime, "solver": toTime, "option": toTime, "config": toTime, "substeps": "a smaller dt in [time]", "time.start": "no such key: a run starts at 0",
	"integrator": `integrator in [time]`, "units": "no such key: any consistent units, such as m, kg and s", ".title": "a comment: a scene is named after its file", ".name": "a comment: a scene is named after its file",
	".description": "a comment", ".version": "no such key: a scene has no version", "threads": "scree run SCENE --workers N", "nthreads": "scree run SCENE --workers N", "workers": "scree run SCENE --workers N",
	"dump": toOutput, "save": toOutput, "vtk": toOutput, "record": toOutput, "dumpevery": toOutput, "vtkevery": toOutput, "saveevery": toOutput, "frames": toOutput, "output.freq": toOutput, "output.frequency": toOutput,
	"output.dt": toOutput, "output.period": toOutput, "output.steps": toOutput, "fps": "[output] with interval, the inverse in s", "checkpoint": "[output] with checkpoint_every", "restart": "[output] with checkpoint_every, and scree run SCENE --restart FILE",
	"output.folder": toResults, "output.dir": toResults, "output.directory": toResults, "output.path": toResults, "output.file": toResults, "output.format": "no such key: frames are files of ParaView",
	"outputdir": toResults, "outdir": toResults, "output.name": toResults,

	// Materials, shapes and bodies.
	"material": "[materials.NAME]", "rho": "density", "mass": toDensity, "inertia": toDensity, "color": "no such key: colours are chosen in ParaView", "colour": "no such key: colours are chosen in ParaView", "rgba": "no such key: colours are chosen in ParaView",
	"shape": "[shapes.NAME]", "geom": "[shapes.NAME] and [[bodies]]", "geometry": "[shapes.NAME]", "shapes.type": toBuiltin, "shapes.kind": toBuiltin, "shapes.shape": toBuiltin, "bodies.type": `shape = "NAME" of a [shapes.NAME]`,
	"shapes.radius": `builtin = "ball:R"`, "shapes.size": toBuiltin, "shapes.halfextents": toBox, "shapes.extents": toBox, "shapes.dimensions": toBox, "shapes.length": toBox, "shapes.edge": toBuiltin, "shapes.vertices": `file = "MESH"; scree shape make HULL turns points into a mesh`,
	"shapes.mesh": `file = "MESH"`, "shapes.stl": `file = "MESH"`, "shapes.obj": `file = "MESH"`, "shapes.path": `file = "MESH"`, "shapes.filename": `file = "MESH"`, "shapes.sphere": `builtin = "ball:R"`, "shapes.box": `builtin = "box:AxBxC"`, "shapes.ball": `builtin = "ball:R"`,
	"builtin=sphere": `ball:R, with the radius R`, "builtin=cube": `box:AxAxA, with the edge A`, "builtin=cuboid": `box:AxBxC`, "builtin=brick": `box:AxBxC`, "builtin=cylinder": `prism:N,R,H, a prism of N sides`,
	"builtin=capsule": "a block with round, the rounding radius", "builtin=tetrahedron": "tetra:EDGE", "builtin=octahedron": "octa:EDGE", "builtin=polyhedron": `rock:SEED,NVERTS,RADIUS, or file = "MESH"`, "builtin=circle": "disc:R, with dim = 2",
	"builtin=ellipsoid": `file = "MESH": scree help shape make shows how to make one`, "builtin=plane": toWalls, "builtin=mesh": `file = "MESH" in place of builtin`,
	"particles": toBodies, "particle": toBodies, "balls": toBodies, "ball": toBodies, "spheres": toBodies, "sphere": toBodies, "body": toBodies, "grains": toBodies, "blocks": toBodies, "rigidbodies": toBodies, "generate": toBodies, "template": toBodies, "insert": toBodies,
	"pos": "position", "center": "position", "bodies.centre": "position", "bodies.location": "position", "xyz": "position", "bodies.x": "position = [x, y, z]", "bodies.y": "position = [x, y, z]", "bodies.z": "position = [x, y, z]", "translation": "position",
	"vel": "velocity", "bodies.v": "velocity", "linearvelocity": "velocity", "linvel": "velocity", "bodies.vx": "velocity = [x, y, z]", "bodies.vz": "velocity = [x, y, z]", "initialvelocity": "velocity",
	"omega": "spin in rad/s", "angularvelocity": "spin in rad/s", "angvel": "spin in rad/s", "bodies.w": "spin in rad/s",
	"quat": toTurned, "quaternion": toTurned, "orientation": toTurned, "ori": toTurned, "euler": toTurned, "angle": toTurned, "axisangle": toTurned, "angles": toTurned,
	"bodies.radius": toBall, "bodies.size": toBuiltin + " in [shapes.NAME]", "bodies.geom": toBuiltin + " in [shapes.NAME]", "bodies.meshfile": toBuiltin + " in [shapes.NAME]", "bodies.file": `a shape [shapes.NAME] with file = "MESH"`, "bodies.builtin": "a shape [shapes.NAME] with builtin",
	"bodies.material": "material in [shapes.NAME]", "bodies.density": "density in [shapes.NAME]", "bodies.n": "count, with a generator", "number": "count, with a generator", "num": "count, with a generator", "bodies.region": `generator = "random" with box, cylinder or mesh`, "porosity": "count, with a generator",
	"dynamic": "[[walls]] for what does not move freely", "static": "[[walls]] for what does not move freely", "isfixed": "[[walls]] for what does not move freely", "kinematic": "[[walls]] with motion", "bodies.fixed": later + ": what does not move freely is one of [[walls]]",
	"joints": later + laterOne, "springs": later + laterOne,

	"bodies.cylinder.height": "from and to, the centres of the ends", "bodies.cylinder.axis": "from and to, the centres of the ends", "bodies.cylinder.center": "from and to, the centres of the ends",

	// Walls.
	"planes": toWalls, "plane": toWalls, "wall": toWalls, "floor": toWalls, "ground": toWalls, "boundaries": toWalls, "meshes": toWalls, "mesh": toWalls, "facets": toWalls, "facet": toWalls, "box": toWalls + ", one for each side", "container": toWalls + ", one for each side",
	"walls.normal": toPlane, "walls.point": toPlane, "walls.type": toPlane + `, or file = "MESH"`, "walls.shape": toPlane + `, or file = "MESH"`, "walls.builtin": toPlane + `, or file = "MESH"`, "walls.offset": toPlane, "walls.z": toPlane,
	"walls.mesh": `file = "MESH"`, "walls.stl": `file = "MESH"`, "walls.box": `file = "MESH", or a wall with plane for each side`, "walls.velocity": toMotion, "walls.spin": toMotion, "walls.vel": toMotion, "walls.omega": toMotion, "walls.rpm": toMotion + ": spin in rad/s", "walls.axis": toMotion, "walls.amplitude": toMotion, "walls.frequency": toMotion,
	"walls.motion.period": "frequency, its inverse", "walls.motion.omega": "spin in rad/s", "walls.motion.rpm": "spin in rad/s, as a vector", "walls.motion.axis": "spin = [x, y, z] in rad/s", "walls.motion.origin": "centre", "walls.motion.center": "centre", "walls.motion.start": "from", "walls.motion.end": "to", "walls.plane.origin": "point", "walls.plane.position": "point", "walls.plane.offset": "point = [x, y, z]", "walls.plane.d": "point = [x, y, z]",

	// Searches.
	"neighbor": "[broad]", "neighbour": "[broad]", "neighbors": "[broad]", "broadphase": "[broad]", "verletdist": "skin in [broad]", "cutoff": "skin in [broad]", "margin": "interaction in [contact]", "cellsize": `nothing: [broad] method = "cells" chooses it`, "skin": "skin in [broad]",

	// Other releases.
	"periodic": later + ": walls bound a scene today", "boundary": later + ": walls bound a scene today", "bonds": later + laterOne, "bond": later + laterOne, "processes": later + ": scree run SCENE --workers N uses the processors of one machine", "domain": later + ": walls bound a scene today", "order": later + ": bodies keep the order of the file",
	"stage": later + ": run a scene, then a second one from its checkpoint", "measure": later + ": [[counts]] count bodies in regions", "remove": later + ": a program removes bodies today (engine.World.RemoveBody)", "walls.servo": later + ": a wall moves with motion", "output.report": later, "output.contactsevery": later + ": frames have the contacts",
	"law.bond": laterLaw, "law.rolling": laterLaw, "rollingfriction": laterLaw, "law.rollingfriction": laterLaw, "law.twistingfriction": laterLaw, "cohesion": laterLaw, "adhesion": laterLaw, "law.cohesion": laterLaw, "law.surfaceenergy": laterLaw, "law.points": laterLaw, "law.exponent": later + ": area_exponent goes with modulus",
	"bodies.parts": laterClumps, "clump": laterClumps, "clumps": laterClumps, "pieces": laterClumps, "bodies.clump": laterClumps, "shapes.pieces": laterClumps, "shapes.files": laterClumps, "multisphere": laterClumps,
	"rounding": later + ": round in [shapes.NAME] is the rounding radius", "bodies.force": later + ": gravity acts on bodies, and walls move them", "bodies.torque": later + ": gravity acts on bodies, and walls move them", "bodies.damping": later + ": restitution in [law] damps contacts",
	"generator=fill": later + `: "random" fills a region`, "contact.location=potential": later + `: "reduced" is the default`,
}

// hintOf returns the hint for a key by its path without numbers and names, or by its name, or "". Case, underscores
// and hyphens do not matter.
func hintOf(path, name string) string {
	plain := strings.NewReplacer("_", "", "-", "")
	if text := hints[name]; len(name) == 1 && text != "" {
		return text // E is no e.
	}
	path, name = plain.Replace(strings.ToLower(path)), plain.Replace(strings.ToLower(name))
	return cmp.Or(hints["."+path], hints[path], hints[name])
}
