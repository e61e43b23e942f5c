// Forms: the geometry of bodies in their own frame, ready to draw, by their hash.

/**
 * Triangles of one form: corners, normals, marks of outlines, index. A light form shares corners between
 * faces, without outlines: a normal of zero tells the shader to find that of the face.
 */
function build(chunk, entry, light) {
  const get = (name) => chunk.columns.get(name)?.data;
  const xyz = get("vertex"), sizes = get("polygon"), corners = get("corner");
  const [v0] = entry.vertices || [0, 0], [c0] = entry.corners || [0, 0];
  const [p0, polygons] = entry.polygons || [0, 0];
  const [s0, smooth] = entry.smooth || [0, 0], [t0, triangles] = entry.triangles || [0, 0];

  let flat = 0;
  for (let p = p0; p < p0 + polygons; p++) flat += Math.max(0, sizes[p] - 2);
  const sharp = light ? entry.vertices?.[1] || 0 : flat * 3;
  const count = sharp + smooth;
  const form = {
    open: !!entry.open, radius: 0, count,
    position: new Float32Array(count * 3),
    normal: new Int8Array(count * 4),
    edge: new Uint8Array(count * 4),
    index: new Uint32Array((flat + triangles) * 3),
  };
  if (light) {
    form.position.set(xyz.subarray(v0 * 3, (v0 + sharp) * 3));
    form.edge.fill(255);
  }
  let n = 0, at = c0, i = 0;
  for (let p = p0; p < p0 + polygons; p++) {
    const size = sizes[p];
    const corner = (k) => (v0 + corners[at + k]) * 3;
    if (light) {
      for (let k = 1; k + 1 < size; k++) for (const c of [0, k, k + 1]) form.index[i++] = corners[at + c];
      at += size;
      continue;
    }
    const normal = newell(xyz, corner, size);
    for (let k = 1; k + 1 < size; k++) {
      // A component of edge is zero along one side of the triangle; sides inside the polygon have none.
      const inner = [false, k + 2 < size, k > 1];
      [0, k, k + 1].forEach((c, j) => {
        for (let d = 0; d < 3; d++) {
          form.position[n * 3 + d] = xyz[corner(c) + d];
          form.normal[n * 4 + d] = Math.round(normal[d] * 127);
          form.edge[n * 4 + d] = j === d || inner[d] ? 255 : 0;
        }
        form.index[i++] = n++;
      });
    }
    at += size;
  }
  if (smooth) {
    n = sharp;
    form.position.set(get("smooth_vertex").subarray(s0 * 3, (s0 + smooth) * 3), n * 3);
    const normals = get("smooth_normal"), index = get("triangle");
    for (let i = 0; i < smooth; i++)
      for (let d = 0; d < 3; d++) {
        form.normal[(n + i) * 4 + d] = normals[(s0 + i) * 3 + d];
        form.edge[(n + i) * 4 + d] = 255;
      }
    for (let i = 0; i < triangles * 3; i++) form.index[flat * 3 + i] = n + index[t0 * 3 + i];
  }
  for (let i = 0; i < count; i++)
    form.radius = Math.max(form.radius, Math.hypot(...form.position.subarray(i * 3, i * 3 + 3)));
  return form;
}

function newell(xyz, corner, size) {
  const n = [0, 0, 0], o = corner(0);
  for (let k = 0; k < size; k++) {
    const a = corner(k), b = corner((k + 1) % size);
    for (let d = 0; d < 3; d++) {
      const e = (d + 1) % 3, f = (d + 2) % 3;
      n[d] += (xyz[a + e] - xyz[o + e]) * (xyz[b + f] - xyz[o + f]) - (xyz[a + f] - xyz[o + f]) * (xyz[b + e] - xyz[o + e]);
    }
  }
  const size3 = Math.hypot(...n) || 1;
  return n.map((c) => c / size3);
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
    const key = light ? `${hash} light` : hash;
    if (!this.built.has(key)) {
      const entry = this.entries.get(hash);
      if (!entry) return null;
      this.built.set(key, build(...entry, light));
    }
    return this.built.get(key);
  }
}
