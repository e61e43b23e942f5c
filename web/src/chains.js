// Force chains and trails as rods.
import { Color } from "three";

const tone = (css) => new Color(css).convertLinearToSRGB().toArray();
const full = 0.98; // of forces are thinner than the thickest rods, so that one blow does not make all others thin

/** Rods from the middle of each body of a contact to its location; width by force. */
export function chainsOf({ contacts: c, bodies: set }, forms, place, colours, hidden) {
  if (!c) return [];
  const index = new Map(Array.from(set.number, (number, i) => [number, i]));
  const radii = set.forms.map((h) => (forms.get(h)?.radius || 0) / place.size);
  const mean = set.form.reduce((sum, f) => sum + (radii[f] || 0) / set.count, 0) || 0.02;
  const most = c.size?.length ? Float32Array.from(c.size).sort()[Math.floor(full * (c.count - 1))] : 0;
  const plain = tone(colours.chain), sliding = tone(colours.slide), rods = [];
  for (let k = 0; k < c.count; k++) {
    const at = Array.from(c.at.subarray(k * 3, k * 3 + 3));
    const width = most > 0 ? 0.2 * mean * Math.min(1.5, c.size[k] / most) : 0.05 * mean;
    const of = [c.a?.[k], c.b?.[k]].map((number) => index.get(number)).filter((i) => i !== undefined);
    if (of.some((i) => hidden?.[i])) continue;
    // A middle farther than the body reaches: the contact is at another image of it.
    const ends = of.map((i) => [Array.from(set.poses.subarray(i * 8, i * 8 + 3)), 1.1 * radii[set.form[i]]])
      .filter(([middle, reach]) => Math.hypot(...middle.map((v, d) => v - at[d])) <= reach).map(([middle]) => middle);
    if (!ends.length && c.normal) for (const s of [-0.3, 0.3]) ends.push(at.map((v, d) => v + s * mean * c.normal.at(k, d)));
    for (const end of ends) rods.push(Object.assign([...at, ...end, width, ...(c.sliding?.[k] ? sliding : plain)], { contact: k }));
  }
  return rods;
}

/** The way of a body through the frames: [{at}]. A step of more than half the periodic cell enters it at the other side. */
export const trailOf = (track, colours, half) =>
  track.slice(1).map(({ at }, k) => [...track[k].at, ...at, 0.002, ...tone(colours.mark)]).filter((r) => ![0, 1, 2].some((d) => Math.abs(r[d + 3] - r[d]) > half[d]));
