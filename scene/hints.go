package scene

import (
	"cmp"
	"strings"
)

// later begins the text of a key or word that only other releases have. A cure may follow.
const later = " is not available in this release"

const inLaw = " in [law], or in [[law.pair]] for a pair of materials"

// hints lists words of other programs and of other releases, and what stands for them: keys by their path without numbers
// and names ("materials.friction"), or by the last word, or for the top of a file alone (".title"). "builtin=sphere" is a
// word as the value of a key.
var hints = func() map[string]string {
	all := map[string]string{}
	for _, h := range [][2]string{
		// Contact laws.
		{"E elasticmodulus emod materials.modulus young youngmodulus youngsmodulus", `modulus with area_exponent = 0.5 and normal = "thickness"` + inLaw},
		{"bodies.friction contact.friction fric friction frictioncoefficient materials.friction mu mus shapes.friction walls.friction", "friction" + inLaw},
		{"bodies.restitution bounce coefficientofrestitution coefficientrestitution contact.restitution cor e en materials.restitution restitution restitutioncoefficient shapes.restitution", "restitution" + inLaw},
		{"dampingratio", "restitution e, which is exp(−πβ/√(1−β²)) for a damping ratio β," + inLaw}, {"cmat", "[law] and [[law.pair]]"},
		{"cn contact.damping damping dn dpnratio gamma materials.damping viscosity", `restitution, or damping with normal = "linear",` + inLaw},
		{"contact.stiffness materials.stiffness solimp solref stiffness", "stiffness in N/m, or modulus with area_exponent," + inLaw},
		{"contactlaw laws", "[law]"}, {"contactmodel model", `normal = "thickness" or "linear"` + inLaw},
		{"contacts", "[law] for forces, [contact] for how contacts are found"}, {"frictionangle", "friction = tan(angle)" + inLaw},
		{"kn knormal", "stiffness" + inLaw},
		{"kratio nu poisson poissonsratio", "tangential_stiffness" + inLaw + ": (2−2ν)/(2−ν) of the stiffness for Poisson's ratio ν"},
		{"ks kt", "tangential_stiffness" + inLaw}, {"law.gap", "reference_gap"}, {"law.type", `normal = "thickness" or "linear"`},
		{"normal=hertz normal=hertzian normal=hertzmindlin", `under "thickness", modulus and area_exponent = 0.5 give the forces of elastic solids`},
		{"normal=hooke normal=linearspringdashpot", `"linear" is spring and dashpot`}, {"pairstyle", `[law] with normal = "thickness" or "linear"`},
		// Gravity, time, output and the program.
		{".description", "a comment"}, {".name .title", "a comment: a scene is named after its file"}, {".version", "no such key: a scene has no version"},
		{"cellsize", "no such key: the search chooses the size of its cells"}, {"checkpoint", "[output] with checkpoint_every"},
		{"color colour rgba", "no such key: colours are chosen in ParaView"},
		{"config option run settings simulation solver", "[time] with dt, and steps or end"},
		{"cycles iterations nsteps numsteps steps", "steps in [time]"}, {"deltat dt timestep", "dt in [time]"},
		{"dump dumpevery frames output.dt output.freq output.frequency output.period output.steps record save saveevery vtk vtkevery", "[output] with every in steps, or interval in s"},
		{"duration end endtime tend totaltime", "end in [time]"}, {"fps", "[output] with interval, the inverse in s"},
		{"g gravity", "[gravity] with vector = [x, y, z]"},
		{"gravity.acceleration gravity.g gravity.magnitude gravity.value gravity.x gravity.y gravity.z", "vector = [x, y, z]"},
		{"gravity.direction", "vector = [x, y, z], with its magnitude"}, {"integrator", "integrator in [time]"},
		{"nthreads threads workers", "scree run SCENE --workers N"},
		{"outdir output.dir output.directory output.file output.folder output.name output.path outputdir", "scree run SCENE -o FOLDER"},
		{"output.format", "no such key: frames are files of ParaView"}, {"restart", "[output] with checkpoint_every, and scree run SCENE --restart FILE"},
		{"substeps", "a smaller dt in [time]"}, {"time.max time.stop time.total", "end"}, {"time.n", "steps"},
		{"time.start", "no such key: a run starts at 0"}, {"time.step", "dt"}, {"units", "no such key: any consistent units, such as m, kg and s"},
		// Materials and shapes.
		{"builtin=brick builtin=cuboid", "box:AxBxC"}, {"builtin=capsule", "a block with round, the rounding radius"},
		{"builtin=circle", "disc:R, with dim = 2"}, {"builtin=cube", "box:AxAxA, with the edge A"}, {"builtin=cylinder", "prism:N,R,H, a prism of N sides"},
		{"builtin=ellipsoid", `file = "MESH": scree shape make superquadric:A,B,C,E1,E2,NPOINTS -o MESH makes one`},
		{"shapes.filename shapes.mesh shapes.obj shapes.path shapes.stl shapes.vertices walls.mesh walls.stl", `file = "MESH"`},
		{"builtin=mesh", `file = "MESH" in place of builtin`}, {"builtin=octahedron", "octa:EDGE"},
		{"builtin=polyhedron", `rock:SEED,NVERTS,RADIUS, or file = "MESH"`}, {"builtin=sphere", "ball:R, with the radius R"},
		{"builtin=tetrahedron", "tetra:EDGE"}, {"geom", "[shapes.NAME] and [[bodies]]"}, {"geometry shape", "[shapes.NAME]"},
		{"shapes.ball shapes.radius shapes.sphere", `builtin = "ball:R"`}, {"shapes.box", `builtin = "box:AxBxC"`},
		{"shapes.dimensions shapes.extents shapes.halfextents shapes.length", `builtin = "box:AxBxC", with whole edges`},
		{"shapes.edge shapes.kind shapes.shape shapes.size shapes.type", `builtin = "box:AxBxC", "ball:R", "rock:SEED,NVERTS,RADIUS" or another, or file = "MESH"`},
		// Bodies.
		{"angle angles axisangle euler ori orientation quat quaternion", "rotation = [w, x, y, z], a unit quaternion"},
		{"angularvelocity angvel bodies.w omega walls.motion.axis walls.motion.omega walls.motion.rpm", "spin = [x, y, z] in rad/s"},
		{"ball balls blocks body generate grains insert particle particles rigidbodies sphere spheres template", "[[bodies]], each with shape and position, or with a generator"},
		{"bodies.builtin", "a shape [shapes.NAME] with builtin"},
		{"bodies.centre bodies.location bodies.x bodies.y bodies.z center pos translation xyz", "position = [x, y, z]"},
		{"shapes.center", "centre"}, {"remove.mesh", "below, box or outside"}, {"stage.domain.box", "rate or servo: the box is that of [domain]"}, {"bodies.cylinder.axis bodies.cylinder.center bodies.cylinder.height", "from and to, the centres of the ends"},
		{"bodies.density", "density in [shapes.NAME]"}, {"bodies.file", `a shape [shapes.NAME] with file = "MESH"`},
		{"bodies.geom bodies.meshfile bodies.size", `builtin = "box:AxBxC", "ball:R", "rock:SEED,NVERTS,RADIUS" or another, or file = "MESH" in [shapes.NAME]`},
		{"bodies.material", "material in [shapes.NAME]"}, {"bodies.n num number porosity", "count, with a generator"},
		{"bodies.radius", `a shape [shapes.NAME] with builtin = "ball:R"`}, {"bodies.region", `generator = "random", "fill" or "pour" with box, cylinder or mesh`}, {"generator=insert generator=insertion generator=rain generator=rainfall", `"pour" brings bodies in the course of the run`},
		{"bodies.type", `no such key: all bodies move, what does not is one of [[walls]]; shape = "NAME" is one of [shapes.NAME]`},
		{"bodies.v bodies.vx bodies.vz initialvelocity linearvelocity linvel vel", "velocity = [x, y, z]"},
		{"inertia mass", "density of the material or shape: mass and inertia follow from it"}, {"material", "[materials.NAME]"}, {"rho", "density"},
		// Walls.
		{"boundaries box builtin=plane container facet facets floor ground mesh meshes plane planes wall", `[[walls]] with plane = { point, normal }, or file = "MESH"`},
		{"bodies.nx bodies.ny bodies.nz", `count = [nx, ny, nz], with generator = "grid"`},
		{"dynamic isfixed static", "[[walls]] for what does not move freely"}, {"kinematic", "[[walls]] with motion"},
		{"walls.amplitude walls.axis walls.frequency walls.omega walls.rpm walls.spin walls.vel walls.velocity", "motion = { velocity, spin, centre, amplitude, frequency }"},
		{"walls.box", `file = "MESH", or a wall with plane for each side`},
		{"walls.builtin walls.shape walls.type", `plane = { point = [x, y, z], normal = [x, y, z] }, or file = "MESH"`},
		{"walls.motion.center walls.motion.origin", "centre"}, {"walls.motion.end", "to"}, {"walls.motion.period", "frequency, its inverse"},
		{"walls.motion.start", "from"}, {"walls.normal walls.offset walls.point walls.xplane walls.yplane walls.z walls.zplane", "plane = { point = [x, y, z], normal = [x, y, z] }"},
		{"walls.plane.d walls.plane.offset", "point = [x, y, z]"}, {"walls.plane.origin walls.plane.position", "point"},
		// Searches.
		{"broadphase neighbor neighbors neighbour", "[broad]"}, {"contact.relief.depth", "cap"}, {"cutoff skin verletdist", "skin in [broad]"},
		{"margin", "interaction in [contact]"}, {"method=gjk", "gjk-epa is GJK with EPA"},
		// Other releases.
		{"adhesion cohesion law.bond law.cohesion law.points law.rolling law.rollingfriction law.surfaceenergy law.twistingfriction rollingfriction rollingresistance", later + ": a law of your own may have it, in a program (docs/howto/add-a-force-law.md)"},
		{"bodies.clump bodies.parts bodies.pieces clump clumps multisphere pieces", "[shapes.NAME] with pieces, files, or file and parts"},
		{"bodies.lineardamping bodies.angulardamping", later + ": restitution in [law] damps contacts"},
		{"bond bonds joints springs", later + ": bodies touch, and no more than touch, today"},
		{"boundary periodic pbc", `[domain], with box and x = "periodic"`}, {"contact.location=potential", later + `: "reduced" is the default`},
		{"law.exponent", later + ": area_exponent goes with modulus"},
		{"output.report", later + ": summary.json has the totals of a run"},
		{"processes", later + ": scree run SCENE --workers N uses the processors of one machine"},
		{"rounding", later + ": round in [shapes.NAME] is the rounding radius"},
	} {
		for _, word := range strings.Fields(h[0]) {
			all[word] = h[1]
		}
	}
	return all
}()

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
