// Sets of bodies: poses and colours lie in textures, so that a frame changes two textures and no geometry.
// Forms that many bodies share are instanced; all others lie in one merged geometry.
import * as THREE from "three";

const rowWidth = 1024; // as in frame.js
const leastInstances = 12; // a form of fewer bodies is merged
const mostCorners = 4e6; // sets of more are drawn with light forms
const mostInstanced = 48; // draw calls of instanced forms

const vertexShader = `
attribute float body;
attribute vec3 edge;
uniform sampler2D poses, colours;
uniform float scale;
varying vec3 vNormal, vWorld, vEdge;
varying vec4 vColour;
varying float vBody;
void main() {
  ivec2 at = ivec2(int(body + 0.5) % ${rowWidth}, int(body + 0.5) / ${rowWidth});
  vColour = texelFetch(colours, at, 0);
  if (vColour.a == 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec4 p = texelFetch(poses, ivec2(at.x * 2, at.y), 0);
  vec4 q = texelFetch(poses, ivec2(at.x * 2 + 1, at.y), 0);
  vec3 v = position * scale;
  vWorld = p.xyz + v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
  vNormal = normal + 2.0 * cross(q.xyz, cross(q.xyz, normal) + q.w * normal);
  vEdge = edge;
  vBody = body;
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}`;

const fragmentShader = `
uniform vec3 cut, cutSign, light, paper, mark;
uniform float outline, fade, glass, picked;
varying vec3 vNormal, vWorld, vEdge;
varying vec4 vColour;
varying float vBody;
void main() {
  if (any(greaterThan(vWorld * cutSign, cut))) discard;
  vec3 eye = normalize(cameraPosition - vWorld);
  vec3 n = dot(vNormal, vNormal) > 0.01 ? normalize(vNormal) : normalize(cross(dFdx(vWorld), dFdy(vWorld)));
  bool inside = dot(n, eye) < 0.0;
  bool capped = inside && glass == 0.0 && any(lessThan(cut, vec3(1e8)));
  if (inside) n = -n;
  float lit = max(dot(n, light), 0.0);
  float shade = 0.48 + 0.16 * n.z + 0.46 * lit;
  vec3 colour = vColour.rgb;
  // Behind a cut one looks into the body: its inside, drawn flat and paler, stands for the cut face.
  if (capped) { shade = 0.9; lit = 0.2; colour = mix(colour, vec3(1.0), 0.18); }
  bool marked = abs(vBody - picked) < 0.5;
  if (marked) colour = mix(colour, mark, 0.75);
  float dark = 1.0 - smoothstep(0.15, 0.4, dot(colour, vec3(0.3, 0.6, 0.1)));
  // Dark colours get some light, so that shapes are seen.
  colour = colour * shade + dark * 0.12 * (lit - 0.2);
  vec3 wide = fwidth(vEdge);
  vec3 near = vEdge / max(wide, vec3(1e-6));
  float line = 1.0 - smoothstep(0.2, 1.2, min(near.x, min(near.y, near.z)));
  line *= outline * (1.0 - smoothstep(0.08, 0.3, max(wide.x, max(wide.y, wide.z))));
  if (!capped) colour = mix(colour * (1.0 - 0.45 * line), colour + 0.25 * line, dark);
  float alpha = 1.0;
  if (glass > 0.0) {
    float rim = 1.0 - abs(dot(n, eye));
    // Walls seen from behind hide least.
    alpha = (inside ? 0.4 : 1.0) * (mix(0.10, 0.42, rim * rim) + 0.22 * line);
  }
  gl_FragColor = vec4(mix(colour, paper, marked ? 0.0 : fade), alpha);
}`;

function texture(rows, perBody, kind, type) {
  const width = rowWidth * perBody;
  return new THREE.DataTexture(new kind(width * rows * 4), width, rows, THREE.RGBAFormat, type);
}

export class BodySet {
  constructor(forms, uniforms, scale, glass = false) {
    Object.assign(this, { forms, group: new THREE.Group(), rows: 0 });
    const own = { scale, poses: null, colours: null, glass: 0, picked: -1, fade: 0 };
    this.uniforms = { ...uniforms, ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])) };
    this.material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms });
    this.setGlass(glass);
  }

  setGlass(glass) {
    this.uniforms.glass.value = glass ? 1 : 0;
    Object.assign(this.material, { transparent: glass, depthWrite: !glass });
    this.setSides(this.cut);
  }

  /** Backs of faces are seen through a cut, of glass, and of open forms. */
  setSides(cut) {
    this.cut = cut;
    const side = cut || this.open || this.material.transparent ? THREE.DoubleSide : THREE.FrontSide;
    if (side !== this.material.side) this.material.needsUpdate = true;
    this.material.side = side;
  }

  show(set) {
    const { poses, colours } = this.uniforms;
    if (set.rows > this.rows) {
      this.rows = 2 ** Math.ceil(Math.log2(set.rows));
      for (const old of [poses, colours]) old.value?.dispose();
      poses.value = texture(this.rows, 2, Float32Array, THREE.FloatType);
      colours.value = texture(this.rows, 1, Uint8Array, THREE.UnsignedByteType);
    }
    this.write(poses.value, set.poses);
    if (!this.sameForms(set)) this.assemble(set);
    this.set = set;
  }

  /** Sets the colour of each body; alpha 0 hides it. */
  paint(colours) {
    this.write(this.uniforms.colours.value, colours);
  }

  write(texture, values) {
    texture.image.data.set(values);
    texture.needsUpdate = true;
  }

  sameForms({ count, forms, form }) {
    return this.set?.count === count && this.set.forms.join() === forms.join() && this.set.form.every((f, i) => f === form[i]);
  }

  assemble(set) {
    for (const mesh of this.group.children) mesh.geometry.dispose();
    this.group.clear();
    const users = set.forms.map(() => []), get = (f, light) => this.forms.get(set.forms[f], light);
    for (let i = 0; i < set.count; i++) users[set.form[i]]?.push(i);
    const order = users.map((_, f) => f).filter((f) => users[f].length && get(f)).sort((a, b) => users[b].length - users[a].length);
    const light = order.reduce((sum, f) => sum + users[f].length * get(f).count, 0) > mostCorners;
    this.open = order.some((f) => get(f).open);
    this.setSides(this.cut);
    const instanced = order.filter((f, k) => users[f].length >= leastInstances && k < mostInstanced);
    for (const f of instanced) {
      const geometry = new THREE.InstancedBufferGeometry();
      geometry.instanceCount = users[f].length;
      this.addMesh(geometry, new THREE.InstancedBufferAttribute(Float32Array.from(users[f]), 1), get(f, light));
    }
    const rest = order.slice(instanced.length).map((f) => [get(f, light), users[f]]);
    if (rest.length) this.addMesh(new THREE.BufferGeometry(), ...merge(rest));
  }

  addMesh(geometry, body, { position, normal, edge, index }) {
    geometry.setAttribute("body", body);
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 4, true));
    geometry.setAttribute("edge", new THREE.BufferAttribute(edge, 4, true));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.group.add(Object.assign(new THREE.Mesh(geometry, this.material), { frustumCulled: false }));
  }
}

/** One geometry of forms and the bodies that have them, with the body of each corner. */
function merge(parts) {
  const sum = (of) => parts.reduce((n, [form, users]) => n + of(form) * users.length, 0);
  const corners = sum((form) => form.count), body = new Float32Array(corners);
  const all = {
    position: new Float32Array(corners * 3), normal: new Int8Array(corners * 4), edge: new Uint8Array(corners * 4),
    index: new Uint32Array(sum((form) => form.index.length)),
  };
  let v = 0, i = 0;
  for (const [form, users] of parts)
    for (const user of users) {
      all.position.set(form.position, v * 3);
      all.normal.set(form.normal, v * 4);
      all.edge.set(form.edge, v * 4);
      body.fill(user, v, v + form.count);
      for (const k of form.index) all.index[i++] = v + k;
      v += form.count;
    }
  return [new THREE.BufferAttribute(body, 1), all];
}
