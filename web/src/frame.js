// A frame: poses relative to the place of the view, in its unit of length, and columns of fields.

const rowWidth = 1024; // bodies in a row of the texture of poses

/** The place of the view: the centre and half the diagonal of the box of the first frame. */
export function placeOf(box) {
  if (!box?.every(Number.isFinite)) box = [-1, -1, -1, 1, 1, 1];
  const size = Math.hypot(...[0, 1, 2].map((d) => box[d + 3] - box[d])) / 2;
  return { origin: [0, 1, 2].map((d) => (box[d] + box[d + 3]) / 2), size: size || 1 };
}

export const inPlace = (place, xyz) => xyz.map((v, d) => (v - place.origin[d % 3]) / place.size);

/** Positions relative to the place, without loss of digits far from the origin. */
function relative(column, place, out, stride) {
  for (let d = 0; d < 3 && column; d++) {
    const offset = column.offset[d] - place.origin[d], factor = column.factor[d];
    for (let i = 0; i < column.rows; i++) out[i * stride + d] = (offset + factor * column.data[i * 3 + d]) / place.size;
  }
  return out;
}

function readSet(chunk, prefix, place) {
  const get = (name) => chunk.columns.get(`${prefix}.${name}`), lead = `${prefix}.field.`;
  const position = get("position"), turn = get("rotation"), count = position?.rows || 0, rows = Math.max(1, Math.ceil(count / rowWidth));
  const poses = relative(position, place, new Float32Array(rows * rowWidth * 8), 8);
  for (let i = 0; i < count; i++) {
    let size = 0;
    for (let c = 0; c < 4 && turn; c++) size += turn.data[i * 4 + c] ** 2;
    // In the data w comes first, in the texture last.
    for (let c = 0; c < 4; c++) poses[i * 8 + 4 + c] = size > 0 ? turn.data[i * 4 + ((c + 1) % 4)] / Math.sqrt(size) : c === 3 ? 1 : 0;
  }
  return {
    count, rows, poses, position, forms: (chunk.meta.forms || []).map(String), form: get("form")?.data || new Uint8Array(count),
    number: get("number")?.data || Uint32Array.from({ length: count }, (_, i) => i),
    fields: new Map([...chunk.columns].filter(([name]) => name.startsWith(lead)).map(([name, column]) => [name.slice(lead.length), column])),
  };
}

function readContacts(chunk, place) {
  const get = (name) => chunk.columns.get(`contacts.${name}`), location = get("location"), force = get("force");
  if (!location) return null;
  return {
    count: location.rows, at: relative(location, place, new Float32Array(location.rows * 3), 3), location, force, size: force?.values("size"),
    normal: get("normal"), gap: get("gap"), a: get("a")?.data, b: get("b")?.data, sliding: get("sliding")?.data,
  };
}

export function readFrame(chunk, place) {
  return { meta: chunk.meta, bodies: readSet(chunk, "bodies", place), walls: readSet(chunk, "walls", place), contacts: readContacts(chunk, place) };
}
