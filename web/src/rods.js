// Rods: many short cylinders in one draw call, for force chains and trails.
import * as THREE from "three";

const vertexShader = `
attribute vec3 from, to, tone;
attribute float radius;
uniform float pixel;
varying vec3 vNormal, vTone, vWorld;
void main() {
  vec3 z = distance(from, to) > 0.0 ? normalize(to - from) : vec3(0.0, 0.0, 1.0);
  vec3 x = normalize(cross(z, abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 middle = mix(from, to, position.z);
  vNormal = x * position.x + cross(z, x) * position.y;
  vWorld = middle + vNormal * max(radius, pixel * distance(cameraPosition, middle)); // no rod is thinner than a pixel
  vTone = tone;
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}`;

const fragmentShader = `
uniform vec3 cut, cutSign, light;
varying vec3 vNormal, vTone, vWorld;
void main() {
  if (any(greaterThan(vWorld * cutSign, cut))) discard;
  gl_FragColor = vec4(vTone * (0.62 + 0.38 * max(dot(normalize(vNormal), light), 0.0)), 1.0);
}`;

const sides = 6, corners = [], index = [];
for (let s = 0; s < sides; s++) {
  const a = (2 * Math.PI * s) / sides, k = 2 * s, next = (k + 2) % (2 * sides);
  corners.push(Math.cos(a), Math.sin(a), 0, Math.cos(a), Math.sin(a), 1);
  index.push(k, next, k + 1, next, next + 1, k + 1);
}

export class Rods {
  constructor(uniforms, order) {
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: THREE.DoubleSide, transparent: true });
    this.mesh = new THREE.Mesh(new THREE.InstancedBufferGeometry(), material);
    Object.assign(this.mesh, { frustumCulled: false, renderOrder: order });
    // Rods are seen through bodies, and hide each other in the right order.
    this.mesh.onBeforeRender = (renderer) => renderer.clearDepth();
    this.set([]);
  }

  /** Rods as arrays [x0 y0 z0 x1 y1 z1 radius r g b]. */
  set(rods) {
    const geometry = new THREE.InstancedBufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(corners, 3)).setIndex(index);
    const packed = new THREE.InstancedInterleavedBuffer(new Float32Array(rods.flat()), 10);
    for (const [name, size, offset] of [["from", 3, 0], ["to", 3, 3], ["radius", 1, 6], ["tone", 3, 7]])
      geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(packed, size, offset));
    geometry.instanceCount = rods.length;
    this.mesh.geometry.dispose();
    Object.assign(this.mesh, { geometry, visible: rods.length > 0 });
    this.rods = rods;
  }
}
