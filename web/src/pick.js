// What a ray meets first: exact triangles of bodies, after a test of their enclosing balls.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const along = (ray, t) => ray.origin.map((v, d) => v + t * ray.direction[d]);

/** Turns v by the inverse of the unit quaternion q (x, y, z, w). */
function toBody(v, q) {
  const u = [-q[0], -q[1], -q[2]], e = cross(u, cross(u, v).map((c, d) => c + q[3] * v[d]));
  return v.map((x, d) => x + 2 * e[d]);
}

export function pickBody(ray, set, forms, scale, hidden) {
  const near = [], shapes = set.forms.map((h) => forms.get(h));
  const middle = (i) => set.poses.subarray(i * 8, i * 8 + 3);
  for (let i = 0; i < set.count; i++) {
    const form = shapes[set.form[i]];
    if (!form || hidden?.[i]) continue;
    const r = form.radius * scale, to = minus(middle(i), ray.origin), t = dot(to, ray.direction);
    if (dot(to, to) - t * t <= r * r && t > -r) near.push([t - r, i, form]);
  }
  near.sort((a, b) => a[0] - b[0]);
  let best = null;
  for (const [entry, i, form] of near) {
    if (best && entry > best.distance) break;
    const q = set.poses.subarray(i * 8 + 4, i * 8 + 8);
    const o = toBody(minus(ray.origin, middle(i)), q).map((v) => v / scale), d = toBody(ray.direction, q);
    for (const t of triangleHits(form, o, d))
      if (t * scale < (best?.distance ?? Infinity) && ray.shown(along(ray, t * scale))) best = { index: i, distance: t * scale };
  }
  return best;
}

/** Distances at which a ray passes the triangles of a form (Möller and Trumbore 1997). */
function* triangleHits({ position, index }, o, d) {
  const corner = (k) => position.subarray(index[k] * 3, index[k] * 3 + 3);
  for (let k = 0; k < index.length; k += 3) {
    const a = corner(k), e = minus(corner(k + 1), a), f = minus(corner(k + 2), a), p = cross(d, f), det = dot(e, p);
    if (det === 0) continue;
    const s = minus(o, a), u = dot(s, p) / det, q = cross(s, e), v = dot(d, q) / det, t = dot(f, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0) yield t;
  }
}

/** The index of the nearest rod whose axis passes within its radius, or two pixels, of the ray; or -1. */
export function pickRod(ray, rods) {
  let best = -1, nearest = Infinity;
  rods.forEach((rod, k) => {
    const axis = minus(rod.slice(3, 6), rod), w = minus(rod, ray.origin);
    const b = dot(axis, ray.direction), c = dot(axis, axis), e = dot(w, ray.direction), f = dot(w, axis), det = c - b * b;
    const s = Math.min(1, Math.max(0, det > 1e-12 * c ? (b * e - f) / det : 0.5));
    const on = axis.map((v, d) => rod[d] + s * v), t = dot(minus(on, ray.origin), ray.direction);
    const gap = Math.hypot(...minus(on, along(ray, t)));
    if (t > 0 && t < nearest && gap <= Math.max(rod[6], 2 * ray.pixel * t) && ray.shown(on)) [best, nearest] = [k, t];
  });
  return best;
}
