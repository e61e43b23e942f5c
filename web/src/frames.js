// Frames that were read, and the ranges of their fields.
import { placeOf, readFrame } from "./frame.js";

const mostCached = 3e7; // numbers kept in decoded frames, about

export function rangeOf(values) {
  let lo = Infinity, hi = -Infinity;
  for (const v of values) {
    if (v < lo) lo = v;
    if (v > hi) hi = v;
  }
  return lo <= hi ? [lo, hi] : [0, 0];
}

const partsOf = (column) => (column.components > 1 ? ["size", ...Array(column.components).keys()] : [0]);

export class Frames {
  cache = new Map();
  ranges = new Map(); // of each field and part, over the frames read so far

  constructor(source, forms) {
    Object.assign(this, { source, forms });
  }

  async load(k) {
    let read = this.cache.get(k);
    if (!read) {
      const chunk = await this.source.frame(k);
      const from = this.forms.firstMissing((chunk.meta.forms || []).map(String));
      if (from >= 0 && !(this.source.whole && this.forms.entries.size)) this.forms.add(await this.source.forms(k, from));
      this.place ??= placeOf(chunk.meta.box);
      read = readFrame(chunk, this.place);
      this.addRanges(read.bodies);
    }
    this.cache.delete(k); // and to the end: used last
    this.cache.set(k, read);
    const most = Math.max(2, mostCached / (1 + read.bodies.count * (8 + read.bodies.fields.size)));
    for (const old of this.cache.keys()) if (this.cache.size > most) this.cache.delete(old);
    return read;
  }

  /** Reads frames, up to some number of them at equal distances; unreadable ones are passed over. */
  async scan(count, most = Infinity) {
    for (let k = 0; k < count; k += Math.max(1, Math.ceil(count / most))) await this.load(k).catch(() => {});
  }

  addRanges({ count, fields }) {
    for (const [name, column] of count ? fields : [])
      for (const part of partsOf(column)) {
        const [lo, hi] = rangeOf(column.values(part)), key = `${name}.${part}`, old = this.ranges.get(key) || [lo, hi];
        this.ranges.set(key, [Math.min(lo, old[0]), Math.max(hi, old[1])]);
      }
  }
}
