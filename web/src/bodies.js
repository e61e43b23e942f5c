// Sets of bodies: poses and colours lie in textures, so that a frame changes two textures and no geometry.
// Forms that many bodies share are instanced; all others lie in one merged geometry.
import * as THREE from "three";

const rowWidth = 1024; // as in frame.js
const leastInstances = 12; // a form of fewer bodies is merged
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
  int b = int(body + 0.5);
  ivec2 at = ivec2(b % ${rowWidth}, b / ${rowWidth});
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

function texture(rows, perBody, type) {
  const width = rowWidth * perBody;
  const data = new type(width * rows * 4);
  const made = new THREE.DataTexture(data, width, rows, THREE.RGBAFormat, type === Float32Array ? THREE.FloatType : THREE.UnsignedByteType);
  made.needsUpdate = true;
  return made;
}

export class BodySet {
  /** Sets of more corners than mostCorners are drawn with light forms. */
  constructor(forms, uniforms, scale, mostCorners, glass = false) {
    this.forms = forms;
    this.mostCorners = mostCorners;
    this.group = new THREE.Group();
    this.rows = 0;
    this.uniforms = {
      ...uniforms, scale: { value: scale }, poses: { value: null }, colours: { value: null },
      glass: { value: 0 }, picked: { value: -1 }, fade: { value: 0 },
    };
    this.material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, side: THREE.DoubleSide });
    this.setGlass(glass);
  }

  /** Backs of faces are seen through a cut, of glass, and of open forms. */
  setSides(cut) {
    this.cut = cut;
    const side = cut || this.open || this.material.transparent ? THREE.DoubleSide : THREE.FrontSide;
    if (side !== this.material.side) this.material.needsUpdate = true;
    this.material.side = side;
  }

  setGlass(glass) {
    this.uniforms.glass.value = glass ? 1 : 0;
    this.material.transparent = glass;
    this.material.depthWrite = !glass;
    this.setSides(this.cut);
  }

  show(set) {
    if (set.rows > this.rows) {
      this.rows = 2 ** Math.ceil(Math.log2(set.rows));
      for (const name of ["poses", "colours"]) this.uniforms[name].value?.dispose();
      this.uniforms.poses.value = texture(this.rows, 2, Float32Array);
      this.uniforms.colours.value = texture(this.rows, 1, Uint8Array);
    }
    this.uniforms.poses.value.image.data.set(set.poses);
    this.uniforms.poses.value.needsUpdate = true;
    if (!this.sameForms(set)) this.assemble(set);
    this.set = set;
  }

  /** Sets the colour of each body; alpha 0 hides it. */
  paint(colours) {
    this.uniforms.colours.value.image.data.set(colours);
    this.uniforms.colours.value.needsUpdate = true;
  }

  sameForms(set) {
    const old = this.set;
    if (!old || old.count !== set.count || old.forms.join() !== set.forms.join()) return false;
    return old.form.every((f, i) => f === set.form[i]);
  }

  assemble(set) {
    for (const mesh of this.group.children) mesh.geometry.dispose();
    this.group.clear();
    const users = set.forms.map(() => []);
    for (let i = 0; i < set.count; i++) users[set.form[i]]?.push(i);
    const order = users.map((_, f) => f).filter((f) => users[f].length && this.forms.get(set.forms[f]));
    let corners = 0;
    for (const f of order) corners += users[f].length * this.forms.get(set.forms[f]).count;
    const light = corners > this.mostCorners;
    this.open = order.some((f) => this.forms.get(set.forms[f]).open);
    this.setSides(this.cut);
    order.sort((a, b) => users[b].length - users[a].length);
    let instanced = 0;
    const rest = [];
    for (const f of order) {
      const form = this.forms.get(set.forms[f], light);
      if (users[f].length < leastInstances || instanced >= mostInstanced) {
        rest.push([form, users[f]]);
        continue;
      }
      instanced++;
      const geometry = new THREE.InstancedBufferGeometry();
      geometry.instanceCount = users[f].length;
      geometry.setAttribute("body", new THREE.InstancedBufferAttribute(Float32Array.from(users[f]), 1));
      this.addMesh(geometry, form);
    }
    if (rest.length) this.addMesh(...merge(rest));
  }

  addMesh(geometry, { position, normal, edge, index }) {
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 4, true));
    geometry.setAttribute("edge", new THREE.BufferAttribute(edge, 4, true));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }
}

function merge(parts) {
  let vertices = 0, indices = 0;
  for (const [form, users] of parts) {
    vertices += form.count * users.length;
    indices += form.index.length * users.length;
  }
  const all = {
    position: new Float32Array(vertices * 3), normal: new Int8Array(vertices * 4),
    edge: new Uint8Array(vertices * 4), index: new Uint32Array(indices),
  };
  const body = new Float32Array(vertices);
  let v = 0, i = 0;
  for (const [form, users] of parts)
    for (const user of users) {
      all.position.set(form.position, v * 3);
      all.normal.set(form.normal, v * 4);
      all.edge.set(form.edge, v * 4);
      body.fill(user, v, v + form.count);
      for (let k = 0; k < form.index.length; k++) all.index[i++] = v + form.index[k];
      v += form.count;
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("body", new THREE.BufferAttribute(body, 1));
  return [geometry, all];
}
