// Forms: the geometry of bodies in their own frame, ready to draw, by their hash.
import { cross, minus } from "./pick.js";

/**
 * Triangles of one form: corners, normals, marks of outlines, index. A light form shares corners between
 * faces, without outlines: a normal of zero tells the shader to find that of the face.
 */
function build(chunk, entry, light) {
  const get = (name) => chunk.columns.get(name)?.data;
  const xyz = get("vertex"), sizes = get("polygon"), corners = get("corner");
  const [[v0, vertices], [c0], [p0, polygons], [s0, smooth], [t0, triangles]] = ["vertices", "corners", "polygons", "smooth", "triangles"].map((k) => entry[k] || [0, 0]);
  let flat = 0;
  for (let p = p0; p < p0 + polygons; p++) flat += Math.max(0, sizes[p] - 2);
  const sharp = light ? vertices : flat * 3, count = sharp + smooth;
  const form = {
    open: !!entry.open, radius: 0, count, position: new Float32Array(count * 3), normal: new Int8Array(count * 4),
    edge: new Uint8Array(count * 4).fill(255), index: new Uint32Array((flat + triangles) * 3),
  };
  if (light) form.position.set(xyz.subarray(v0 * 3, (v0 + sharp) * 3));
  for (let p = p0, at = c0, n = 0, i = 0; p < p0 + polygons; at += sizes[p++]) {
    const size = sizes[p], corner = (k) => xyz.subarray((v0 + corners[at + k]) * 3, (v0 + corners[at + k]) * 3 + 3);
    const normal = light ? null : newell(corner, size);
    for (let k = 1; k + 1 < size; k++) {
      // A component of edge is zero along one side of the triangle; sides inside the polygon have none.
      const inner = [false, k + 2 < size, k > 1];
      [0, k, k + 1].forEach((c, j) => {
        form.index[i++] = light ? corners[at + c] : n;
        if (light) return;
        form.position.set(corner(c), n * 3);
        form.normal.set(normal, n * 4);
        form.edge.set(inner.map((hidden, d) => (j === d || hidden ? 255 : 0)), n * 4);
        n++;
      });
    }
  }
  if (smooth) {
    form.position.set(get("smooth_vertex").subarray(s0 * 3, (s0 + smooth) * 3), sharp * 3);
    const normals = get("smooth_normal"), index = get("triangle");
    for (let i = 0; i < smooth; i++) form.normal.set(normals.subarray((s0 + i) * 3, (s0 + i) * 3 + 3), (sharp + i) * 4);
    for (let i = 0; i < triangles * 3; i++) form.index[flat * 3 + i] = sharp + index[t0 * 3 + i];
  }
  for (let i = 0; i < count; i++) form.radius = Math.max(form.radius, Math.hypot(...form.position.subarray(i * 3, i * 3 + 3)));
  return form;
}

/** The normal of a polygon, also of one that is not quite plane, times 127. */
function newell(corner, size) {
  let n = [0, 0, 0];
  for (let k = 1; k + 1 < size; k++) n = cross(minus(corner(k), corner(0)), minus(corner(k + 1), corner(0))).map((v, d) => v + n[d]);
  const norm = Math.hypot(...n) || 1;
  return n.map((v) => Math.round((127 * v) / norm));
}

export class Forms {
  entries = new Map();
  built = new Map();

  add(chunk) {
    for (const entry of chunk.meta.forms || []) this.entries.set(String(entry.hash), [chunk, entry]);
  }

  /** The first index of a list of hashes that is not known yet, or -1. */
  firstMissing(hashes) {
    return hashes.findIndex((h) => !this.entries.has(h));
  }

  /** The form of a hash; null if the data have none. */
  get(hash, light = false) {
    const key = light ? `${hash} light` : hash, entry = this.entries.get(hash);
    if (!entry) return null;
    if (!this.built.has(key)) this.built.set(key, build(...entry, light));
    return this.built.get(key);
  }
}
