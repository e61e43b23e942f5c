// Column chunks: a JSON head and typed columns, deflated as a whole.

const kinds = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

/** A column of numbers; min and max quantize it to 16 bits, scale multiplies it. */
export class Column {
  constructor({ name, type, components = 1, rows, offset, min, max, scale }, buffer, base) {
    if (!kinds[type]) throw new Error(`column ${name} has the unknown type ${type}`);
    Object.assign(this, { name, components, rows });
    this.data = gathered(kinds[type], new Uint8Array(buffer, base + offset), rows * components);
    this.factor = Array.from({ length: components }, (_, c) => (min ? (max[c] - min[c]) / 65535 : scale || 1));
    // Of a range on both sides of zero, one step is exactly zero.
    this.offset = this.factor.map((f, c) => (!min ? 0 : min[c] < 0 && max[c] > 0 ? -f * Math.round(-min[c] / f) : min[c]));
    this.steps = this.factor.map((f) => (min || scale ? f : 0)); // between two values; 0 if the numbers are plain
  }

  /** The value of a row and component. */
  at(row, c = 0) {
    return this.offset[c] + this.factor[c] * this.data[row * this.components + c];
  }

  /** All components of a row. */
  row(row) {
    return this.offset.map((_, c) => this.at(row, c));
  }

  /** The values of one component, or the magnitude of a vector if part is "size". */
  values(part = 0) {
    const out = new Float32Array(this.rows), vector = part === "size" && this.components > 1;
    for (let i = 0; i < this.rows; i++) out[i] = vector ? Math.hypot(...this.row(i)) : this.at(i, part === "size" ? 0 : part);
    return out;
  }
}

/** The numbers of a column, whose lowest bytes come first, then the next ones: like bytes compress better together. */
function gathered(kind, bytes, n) {
  const size = kind.BYTES_PER_ELEMENT, out = new Uint8Array(n * size);
  for (let b = 0; b < size; b++) for (let i = 0; i < n; i++) out[i * size + b] = bytes[b * n + i];
  return new kind(out.buffer);
}

/** Inflates a chunk and returns its meta and its columns by name. */
export async function readChunk(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return { meta: head.meta || {}, columns: new Map((head.columns || []).map((c) => [c.name, new Column(c, buffer, 4 + length)])) };
}
