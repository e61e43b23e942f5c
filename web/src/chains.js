// Force chains and trails as rods.
import { Color } from "three";

const tone = (css) => new Color(css).convertLinearToSRGB().toArray();

/** Rods from the middle of each body of a contact to its location; width by force. */
export function chainsOf(frame, forms, place, colours, hidden) {
  const c = frame.contacts;
  if (!c) return [];
  const set = frame.bodies, index = new Map();
  for (let i = 0; i < set.count; i++) index.set(set.number[i], i);
  const radii = set.forms.map((h) => (forms.get(h)?.radius || 0) / place.size);
  let mean = 0, most = 0;
  for (let i = 0; i < set.count; i++) mean += (radii[set.form[i]] || 0) / set.count;
  mean ||= 0.02;
  for (let k = 0; k < c.count; k++) most = Math.max(most, c.size?.[k] || 0);
  const plain = tone(colours.chain), sliding = tone(colours.slide), rods = [];
  for (let k = 0; k < c.count; k++) {
    const at = Array.from(c.at.subarray(k * 3, k * 3 + 3));
    const width = c.size && most > 0 ? 0.2 * mean * (c.size[k] / most) : 0.05 * mean;
    const colour = c.sliding?.[k] ? sliding : plain;
    const ends = [];
    let gone = false;
    for (const number of [c.a?.[k], c.b?.[k]]) {
      const i = index.get(number);
      if (i === undefined) continue;
      if (hidden?.[i]) gone = true;
      const middle = Array.from(set.poses.subarray(i * 8, i * 8 + 3));
      // Farther than the body reaches: the contact is at another image of it.
      if (Math.hypot(...middle.map((v, d) => v - at[d])) <= 1.1 * radii[set.form[i]]) ends.push(middle);
    }
    if (gone) continue;
    if (!ends.length && c.normal) for (const s of [-0.3, 0.3]) ends.push(at.map((v, d) => v + s * mean * c.normal.at(k, d)));
    for (const end of ends) {
      const rod = [...at, ...end, width, ...colour];
      rod.contact = k;
      rods.push(rod);
    }
  }
  return rods;
}

/** The way of a body through the frames: [{at}]. */
export function trailOf(track, colours) {
  const rods = [], colour = tone(colours.mark);
  for (let k = 1; k < track.length; k++) rods.push([...track[k - 1].at, ...track[k].at, 0.002, ...colour]);
  return rods;
}
