// Column chunks: a JSON head and typed columns, deflated as a whole.

const kinds = {
  u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array,
  u32: Uint32Array, f32: Float32Array, f64: Float64Array,
};

/** A column of numbers; min and max quantize it to 16 bits, scale multiplies it. */
export class Column {
  constructor(head, buffer, base) {
    const kind = kinds[head.type];
    if (!kind) throw new Error(`column ${head.name} has the unknown type ${head.type}`);
    this.name = head.name;
    this.components = head.components || 1;
    this.rows = head.rows;
    this.data = gathered(kind, new Uint8Array(buffer, base + head.offset), this.rows * this.components);
    this.offset = [];
    this.factor = [];
    for (let c = 0; c < this.components; c++) {
      this.offset.push(head.min ? head.min[c] : 0);
      this.factor.push(head.min ? (head.max[c] - head.min[c]) / 65535 : head.scale || 1);
    }
  }

  /** The value of a row and component. */
  at(row, c = 0) {
    return this.offset[c] + this.factor[c] * this.data[row * this.components + c];
  }

  /** All components of a row. */
  row(row) {
    return Array.from({ length: this.components }, (_, c) => this.at(row, c));
  }

  /** The values of one component, or the magnitude if part is "size". */
  values(part = 0) {
    const out = new Float32Array(this.rows);
    if (part !== "size" || this.components === 1) {
      const c = part === "size" ? 0 : part;
      for (let i = 0; i < this.rows; i++) out[i] = this.at(i, c);
      return out;
    }
    for (let i = 0; i < this.rows; i++) {
      let sum = 0;
      for (let c = 0; c < this.components; c++) sum += this.at(i, c) ** 2;
      out[i] = Math.sqrt(sum);
    }
    return out;
  }
}

/** The numbers of a column, whose lowest bytes come first, then the next ones: like bytes compress better together. */
function gathered(kind, bytes, n) {
  const size = kind.BYTES_PER_ELEMENT;
  const out = new Uint8Array(n * size);
  for (let b = 0; b < size; b++) for (let i = 0; i < n; i++) out[i * size + b] = bytes[b * n + i];
  return new kind(out.buffer);
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** Inflates a chunk and returns its meta and its columns by name. */
export async function readChunk(bytes) {
  const buffer = await inflate(bytes);
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const columns = new Map();
  for (const c of head.columns || []) columns.set(c.name, new Column(c, buffer, 4 + length));
  return { meta: head.meta || {}, columns };
}
