// A frame: poses relative to the place of the view, in its unit of length, and columns of fields.

const rowWidth = 1024; // bodies in a row of the texture of poses

/** The place of the view: the centre and half the diagonal of the box of the first frame. */
export function placeOf(box) {
  if (!box?.every(Number.isFinite)) box = [-1, -1, -1, 1, 1, 1];
  const origin = [0, 1, 2].map((d) => (box[d] + box[d + 3]) / 2);
  const size = Math.hypot(...[0, 1, 2].map((d) => box[d + 3] - box[d])) / 2;
  return { origin, size: size > 0 ? size : 1 };
}

export const inPlace = (place, xyz) => xyz.map((v, d) => (v - place.origin[d % 3]) / place.size);

/** Positions relative to the place, without loss of digits far from the origin. */
function relative(column, place, out, stride) {
  if (!column) return;
  for (let d = 0; d < 3; d++) {
    const offset = column.offset[d] - place.origin[d], factor = column.factor[d];
    for (let i = 0; i < column.rows; i++)
      out[i * stride + d] = (offset + factor * column.data[i * 3 + d]) / place.size;
  }
}

function readSet(chunk, prefix, place) {
  const get = (name) => chunk.columns.get(`${prefix}.${name}`);
  const count = get("position")?.rows || 0;
  const rows = Math.max(1, Math.ceil(count / rowWidth));
  const poses = new Float32Array(rows * rowWidth * 8);
  relative(get("position"), place, poses, 8);
  const turn = get("rotation");
  for (let i = 0; i < count; i++) {
    let size = 0;
    for (let c = 0; c < 4 && turn; c++) size += turn.data[i * 4 + c] ** 2;
    // In the data w comes first, in the texture last.
    for (let c = 0; c < 4; c++) poses[i * 8 + 4 + c] = size > 0 ? turn.data[i * 4 + ((c + 1) % 4)] / Math.sqrt(size) : c === 3 ? 1 : 0;
  }
  const fields = new Map();
  const lead = `${prefix}.field.`;
  for (const [name, column] of chunk.columns) if (name.startsWith(lead)) fields.set(name.slice(lead.length), column);
  const form = get("form")?.data || new Uint8Array(count);
  const number = get("number")?.data || Uint32Array.from({ length: count }, (_, i) => i);
  return { count, rows, poses, form, forms: (chunk.meta.forms || []).map(String), number, fields, position: get("position") };
}

function readContacts(chunk, place) {
  const get = (name) => chunk.columns.get(`contacts.${name}`);
  const location = get("location");
  if (!location) return null;
  const at = new Float32Array(location.rows * 3);
  relative(location, place, at, 3);
  return {
    count: location.rows, at, location, force: get("force"), normal: get("normal"), gap: get("gap"),
    a: get("a")?.data, b: get("b")?.data, sliding: get("sliding")?.data,
    size: get("force")?.values("size"),
  };
}

export function readFrame(chunk, place) {
  return {
    meta: chunk.meta,
    bodies: readSet(chunk, "bodies", place),
    walls: readSet(chunk, "walls", place),
    contacts: readContacts(chunk, place),
  };
}
