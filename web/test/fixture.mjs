// Data of the page made by hand: rocks and balls that settle in a box, with contacts and a history.
import { deflateRawSync } from "node:zlib";
import { readFile } from "node:fs/promises";

const types = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

/** A chunk of columns {name, type, components, data, min?, max?, scale?}. */
export function chunk(meta, columns) {
  let offset = 0;
  const heads = columns.map(({ data, ...c }) => {
    const head = { components: 1, ...c, rows: data.length / (c.components || 1), offset };
    offset += Math.ceil((data.length * types[c.type].BYTES_PER_ELEMENT) / 8) * 8;
    return head;
  });
  let json = JSON.stringify({ meta, columns: heads });
  while ((4 + Buffer.byteLength(json)) % 8) json += " ";
  const out = Buffer.alloc(4 + Buffer.byteLength(json) + offset);
  out.writeUInt32LE(Buffer.byteLength(json));
  out.write(json, 4);
  columns.forEach((c, k) => {
    const typed = types[c.type].from(c.data), bytes = new Uint8Array(typed.buffer), size = typed.BYTES_PER_ELEMENT;
    const start = out.length - offset + heads[k].offset;
    // The lowest bytes of all numbers come first, then the next ones.
    for (let i = 0; i < bytes.length; i++) out[start + (i % size) * typed.length + Math.floor(i / size)] = bytes[i];
  });
  return deflateRawSync(out);
}

/** Numbers quantized to 16 bits, by component. */
export function quantized(name, values, components = 1) {
  const min = Array(components).fill(Infinity), max = Array(components).fill(-Infinity);
  values.forEach((v, i) => {
    min[i % components] = Math.min(min[i % components], v);
    max[i % components] = Math.max(max[i % components], v);
  });
  const data = values.map((v, i) => {
    const c = i % components;
    if (!(max[c] > min[c])) return 0;
    const step = (max[c] - min[c]) / 65535;
    // Zero falls on a step.
    return min[c] < 0 && max[c] > 0 ? Math.min(65535, Math.max(0, Math.round(v / step) + Math.round(-min[c] / step))) : Math.round((v - min[c]) / step);
  });
  return { name, type: "u16", components, data, min, max };
}

export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// A dodecahedron: faces as lists of corners, from the three golden rectangles of its dual.
const g = (1 + Math.sqrt(5)) / 2;
const icosahedron = [];
for (const a of [-1, 1]) for (const b of [-g, g]) icosahedron.push([0, a, b], [a, b, 0], [b, 0, a]);
const faces20 = [];
for (let i = 0; i < 12; i++) for (let j = i + 1; j < 12; j++) for (let k = j + 1; k < 12; k++) {
  const near = (p, q) => Math.abs(Math.hypot(...icosahedron[p].map((v, d) => v - icosahedron[q][d])) - 2) < 1e-9;
  if (near(i, j) && near(j, k) && near(i, k)) faces20.push([i, j, k]);
}
const corners20 = faces20.map((f) => [0, 1, 2].map((d) => f.reduce((s, v) => s + icosahedron[v][d], 0) / 3));
const pentagons = icosahedron.map((n, v) => {
  const around = faces20.map((_, f) => f).filter((f) => faces20[f].includes(v));
  const u = corners20[around[0]].map((c, d) => c - n[d] * (0.8)), cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const w = cross(n, u), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const angle = (f) => Math.atan2(dot(corners20[f], w) / Math.hypot(...w), dot(corners20[f], u) / Math.hypot(...u));
  return around.sort((p, q) => angle(p) - angle(q));
});

function ballMesh(radius, n = 12) {
  const vertex = [], normal = [], triangle = [];
  for (let i = 0; i <= n; i++) for (let j = 0; j < 2 * n; j++) {
    const p = (Math.PI * i) / n, a = (Math.PI * j) / n;
    const d = [Math.sin(p) * Math.cos(a), Math.sin(p) * Math.sin(a), Math.cos(p)];
    vertex.push(...d.map((c) => c * radius));
    normal.push(...d.map((c) => Math.round(c * 127)));
    const next = i * 2 * n + ((j + 1) % (2 * n)), here = i * 2 * n + j;
    if (i < n) triangle.push(here, here + 2 * n, next, next, here + 2 * n, next + 2 * n);
  }
  return { vertex, normal, triangle };
}

function formsChunk(forms) {
  const c = { vertex: [], polygon: [], corner: [], smooth_vertex: [], smooth_normal: [], triangle: [] };
  const entries = forms.map((f) => {
    const entry = { hash: f.hash, open: !!f.open };
    const put = (key, name, values, size) => {
      entry[key] = [c[name].length / size, values.length / size];
      c[name].push(...values);
    };
    put("vertices", "vertex", f.vertex || [], 3);
    put("corners", "corner", (f.faces || []).flat(), 1);
    put("polygons", "polygon", (f.faces || []).map((x) => x.length), 1);
    put("smooth", "smooth_vertex", f.smooth?.vertex || [], 3);
    c.smooth_normal.push(...(f.smooth?.normal || []));
    put("triangles", "triangle", f.smooth?.triangle || [], 3);
    return entry;
  });
  return chunk({ forms: entries }, [
    { name: "vertex", type: "f32", components: 3, data: c.vertex }, { name: "polygon", type: "u8", data: c.polygon },
    { name: "corner", type: "u32", data: c.corner }, { name: "smooth_vertex", type: "f32", components: 3, data: c.smooth_vertex },
    { name: "smooth_normal", type: "i8", components: 3, data: c.smooth_normal }, { name: "triangle", type: "u32", components: 3, data: c.triangle },
  ]);
}

/** A run of n bodies on a lattice that falls; every second one is a ball if balls is set. */
export function makeRun({ bodies = 300, frames = 6, distinct = 40, size = 1, origin = [0, 0, 0], balls = true, contacts = true, live = false, far = false } = {}) {
  const rnd = random(7), side = Math.ceil(Math.cbrt(bodies)), pitch = size / side;
  const at = (p) => p.map((v, d) => v + origin[d]);
  const forms = [];
  for (let k = 0; k < distinct; k++) {
    const s = [0, 1, 2].map(() => pitch * (0.4 + 0.06 * rnd()));
    forms.push({ hash: String(10n ** 18n + BigInt(k)), vertex: corners20.flatMap((c) => c.map((v, d) => (v * s[d]) / 1.3)), faces: pentagons });
  }
  if (balls) forms.push({ hash: "77", smooth: ballMesh(pitch * 0.5) });
  const w = size * 0.75;
  forms.push({ hash: "5", open: true, vertex: [-w, -w, 0, w, -w, 0, w, w, 0, -w, w, 0], faces: [[0, 1, 2, 3]] });
  forms.push({ hash: "6", open: true, vertex: [-w, w, 0, w, w, 0, w, w, size, -w, w, size], faces: [[0, 1, 2, 3]] });
  const rotation = Array.from({ length: bodies }, () => [0, 1, 2, 3].map(() => rnd() - 0.5));
  const chunks = [], list = [];
  for (let k = 0; k < frames; k++) {
    const time = k * 0.05, drop = Math.max(0, 1 - k / Math.max(1, frames - 1));
    const position = [], turn = [], form = [], speed = [], velocity = [];
    for (let i = 0; i < bodies; i++) {
      const x = i % side, y = Math.floor(i / side) % side, z = Math.floor(i / side / side);
      position.push(...at([(x - (side - 1) / 2) * pitch, (y - (side - 1) / 2) * pitch, (z + 0.5) * pitch * (1 + 0.6 * drop)]));
      const q = [...rotation[i]];
      q[0] += drop;
      const norm = Math.hypot(...q);
      turn.push(...q.map((c) => Math.round((c / norm) * 32767)));
      form.push(balls && i % 3 === 0 ? distinct : i % distinct);
      const v = -drop * (z + 1) * pitch * 4;
      speed.push(Math.abs(v));
      velocity.push(0.1 * v * Math.sin(i), 0.1 * v * Math.cos(i), v);
    }
    // With a body far away, which the box leaves out, positions are plain numbers.
    if (far) position[0] -= 1e7 * size;
    const columns = [
      far ? { name: "bodies.position", type: "f64", components: 3, data: position } : quantized("bodies.position", position, 3),
      { name: "bodies.rotation", type: "i16", components: 4, scale: 1 / 32767, data: turn },
      { name: "bodies.number", type: "u32", data: form.map((_, i) => i + 10) }, { name: "bodies.form", type: "u16", data: form },
      quantized("bodies.field.speed", speed), quantized("bodies.field.velocity", velocity, 3),
      quantized("bodies.field.material", form.map((f) => f % 3)), quantized("bodies.field.mass", form.map((f) => 1 + f * 0.1)),
      { name: "walls.position", type: "f64", components: 3, data: [...origin, ...origin] },
      { name: "walls.rotation", type: "i16", components: 4, scale: 1 / 32767, data: [32767, 0, 0, 0, 32767, 0, 0, 0] },
      { name: "walls.number", type: "u32", data: [0, 1] }, { name: "walls.form", type: "u16", data: [forms.length - 2, forms.length - 1] },
    ];
    const meta = {
      step: k * 100, time, box: [...at([-w, -w, 0]), ...at([w, w, size * 1.6])], domain: [...at([-w, -w, 0]), ...at([w, w, size])],
      forms: forms.map((f) => f.hash), contacts: 0, contacts_present: contacts, body_names: { 12: "the third" }, wall_names: { 0: "floor" },
    };
    if (contacts && drop < 0.5) {
      const location = [], force = [], normal = [], gap = [], a = [], b = [], slides = [];
      for (let i = 0; i < bodies && location.length < 15000; i++) {
        const z = Math.floor(i / side / side), below = i - side * side;
        const here = position.slice(i * 3, i * 3 + 3);
        location.push(here[0], here[1], here[2] - pitch / 2);
        force.push(0.1 * rnd(), 0.1 * rnd(), (side - z) * (0.4 + rnd()));
        normal.push(0, 0, -32767);
        gap.push(-1e-5 * rnd());
        a.push(i + 10);
        b.push(below >= 0 ? below + 10 : 0);
        slides.push(rnd() < 0.1 ? 1 : 0);
      }
      meta.contacts = a.length;
      const bins = () => Array.from({ length: 36 }, (_, j) => Math.round(10 + 8 * Math.cos((2 * Math.PI * j) / 18) + 3 * rnd()));
      meta.rose = { xy: bins(), yz: bins(), zx: bins() };
      columns.push(
        quantized("contacts.location", location, 3), quantized("contacts.force", force, 3), quantized("contacts.gap", gap),
        { name: "contacts.normal", type: "i16", components: 3, scale: 1 / 32767, data: normal },
        { name: "contacts.a", type: "u32", data: a }, { name: "contacts.b", type: "u32", data: b }, { name: "contacts.sliding", type: "u8", data: slides });
    }
    chunks.push(chunk(meta, columns));
    list.push({ step: k * 100, time });
  }
  const rows = (frames - 1) * 20 + 1, end = list.at(-1).time;
  const head = {
    format: 1, kind: "run", title: "Rocks in a box", dir: "rocks.out", command: "scree run rocks.toml -o rocks.out", version: "scree v0.0-test",
    machine: "a machine of two cores", hash: "00c0ffee00c0ffee", live, done: !live, frames: list, frames_all: frames, missing: [],
    warnings: ["3 contacts had a gap that no method resolved."], scene_name: "rocks.toml", scene: '# Rocks in a box\nname = "rocks"\n',
    summary: [["bodies", String(bodies)], ["time", `${end} s in ${(frames - 1) * 100} steps`], ["ended", "at rest: the speeds are below 1e-3 m/s"]],
    stages: [{ name: "pour", step: 0, time: 0 }, { name: "rest", step: 200, time: end * 0.6 }],
    measures: [{ name: "middle", box: [...at([-w / 3, -w / 3, 0]), ...at([w / 3, w / 3, size / 2])] }, { name: "probe", ball: [...at([0, 0, size / 2]), size / 5] }],
    units: { speed: "m/s", velocity: "m/s", mass: "kg" },
    columns: [
      { name: "kinetic", unit: "J", group: "energies" }, { name: "potential", unit: "J", group: "energies" }, { name: "residual", unit: "J", group: "left over" },
      { name: "active", unit: "", group: "contacts" }, { name: "wall.floor.force.z", unit: "N", group: "forces of wall floor" }, { name: "steps_rebuilt", unit: "", group: "" },
    ],
  };
  return { head, frames: chunks, forms: formsChunk(forms), histories: [makeHistory(head.columns, rows, end)] };
}

export function makeHistory(columns, rows, end, factor = 1) {
  const time = Array.from({ length: rows }, (_, k) => (end * k) / Math.max(1, rows - 1));
  return chunk({ rows }, [
    { name: "step", type: "f64", data: time.map((t) => Math.round(t * 2000)) }, { name: "time", type: "f64", data: time },
    ...columns.map((c, n) => ({ name: c.name, type: "f32", data: time.map((t) => factor * (n + 1) * Math.exp((-3 * t) / end) * (1 + 0.2 * Math.sin((20 * t) / end + n))) })),
  ]);
}

/** A sweep of three runs, of which one has no history. */
export function makeSweep() {
  const run = makeRun({ bodies: 1, frames: 2, distinct: 1, balls: false });
  const head = {
    ...run.head, kind: "sweep", title: "friction.sweep", frames: [], warnings: [], stages: [], measures: [],
    runs: [{ label: "friction 0.2", dir: "a" }, { label: "friction 0.5", dir: "b" }, { label: "friction 0.9", dir: "c", missing: "the run was stopped before its first row" }],
  };
  return { head, frames: [], forms: null, histories: [makeHistory(head.columns, 50, 1), makeHistory(head.columns, 80, 1.4, 0.7)] };
}

/** The page with a run in it, as `scree report` writes it. */
export async function pageOf({ head, frames, forms, histories }) {
  const page = await readFile(new URL("../../report/page.html", import.meta.url), "utf8");
  const element = (id, text, type = "text/plain") => `<script type="${type}" id="${id}">${text}</script>\n`;
  const data = element("scree-head", JSON.stringify(head).replaceAll("</", "<\\/"), "application/json") +
    (forms ? element("scree-forms", forms.toString("base64")) : "") +
    frames.map((f, k) => element(`scree-frame-${k}`, f.toString("base64"))).join("") +
    histories.map((h, k) => element(`scree-history-${k}`, h.toString("base64"))).join("");
  return page.replace("<!--scree-data-->", () => data);
}
