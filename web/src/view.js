// The 3D view: camera, bodies, walls, rods, boxes, and what lies under the pointer.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { BodySet } from "./bodies.js";
import { Rods } from "./rods.js";
import { inPlace } from "./frame.js";
import { pickBody, pickRod } from "./pick.js";

const far = 1e9;
const wallColour = [140, 160, 185, 255];
const directions = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], iso: [0.62, -0.9, 0.55] };

/** Drawn by the processor? Then edges are not smoothed, to gain time. */
function softwareDrawn() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("this browser has no WebGL 2");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class View {
  /** Throws if the browser has no WebGL. */
  constructor(holder, place, forms, smooth) {
    this.software = softwareDrawn();
    this.place = place;
    this.forms = forms;
    this.holder = holder;
    this.renderer = new THREE.WebGLRenderer({ antialias: smooth || !this.software });
    this.setRatio(1);
    holder.prepend(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(28, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.move());
    this.uniforms = {
      cut: { value: new THREE.Vector3(far, far, far) }, cutSign: { value: new THREE.Vector3(1, 1, 1) },
      light: { value: new THREE.Vector3(0, 0, 1) }, outline: { value: 1 }, pixel: { value: 0 },
      paper: { value: new THREE.Color() }, mark: { value: new THREE.Color() },
    };
    const mostCorners = this.software ? 2e5 : 4e6;
    this.bodies = new BodySet(forms, this.uniforms, 1 / place.size, mostCorners);
    this.walls = new BodySet(forms, this.uniforms, 1 / place.size, mostCorners, true);
    this.chains = new Rods(this.uniforms, 10);
    this.trail = new Rods(this.uniforms, 20);
    this.lines = new THREE.Group();
    this.scene.add(this.bodies.group, this.walls.group, this.lines, this.chains.mesh, this.trail.mesh);
    this.labels = [];
    this.radius = 1;
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  /** Draws factor × as many pixels on a line as the screen has. */
  setRatio(factor) {
    const ratio = factor * Math.min(2, devicePixelRatio);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  /** Draws while the view moves: in fewer pixels if the processor draws much. */
  move() {
    if (this.software && this.renderer.info.render.triangles > 1e5) {
      this.setRatio(0.5);
      clearTimeout(this.rest);
      this.rest = setTimeout(() => (this.setRatio(1), this.paintNow()), 400);
    }
    this.draw();
  }

  /** Colours of the scheme: {paper, mark, ink} as CSS colours. */
  theme(colours) {
    this.colours = colours;
    this.scene.background = new THREE.Color(colours.paper);
    // Shaders of this page write colours as they are shown.
    for (const name of ["paper", "mark"]) this.uniforms[name].value.set(colours[name]).convertLinearToSRGB();
    this.draw();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.holder;
    if (!w || !h) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.paintNow();
  }

  show(frame) {
    this.frame = frame;
    this.bodies.show(frame.bodies);
    this.walls.show(frame.walls);
    this.walls.paint(Uint8Array.from({ length: frame.walls.poses.length / 2 }, (_, i) => wallColour[i % 4]));
    const box = frame.meta.box?.every(Number.isFinite) ? inPlace(this.place, frame.meta.box) : [-1, -1, -1, 1, 1, 1];
    this.box = box;
    this.radius = Math.max(1, ...[0, 1, 2].map((d) => Math.max(Math.abs(box[d]), Math.abs(box[d + 3]))));
  }

  /** Boxes and balls as lines: [{box | ball, colour, name}]. */
  outline(shapes) {
    for (const line of this.lines.children) {
      line.geometry.dispose();
      line.material.dispose();
    }
    this.lines.clear();
    for (const label of this.labels) label.node.remove();
    this.labels = [];
    for (const { box, ball, colour, name } of shapes) {
      const points = box ? boxLines(inPlace(this.place, box)) : ballLines(inPlace(this.place, ball.slice(0, 3)), ball[3] / this.place.size);
      const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
      const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour }));
      lines.frustumCulled = false;
      this.lines.add(lines);
      if (!name) continue;
      const node = document.createElement("span");
      node.className = "label";
      node.textContent = name;
      this.holder.append(node);
      const top = box ? inPlace(this.place, [box[0], box[1], box[5]]) : inPlace(this.place, [ball[0], ball[1], ball[2] + ball[3]]);
      this.labels.push({ node, at: new THREE.Vector3(...top) });
    }
  }

  /** Cuts off what lies beyond a coordinate (m) along an axis; null for no cut. */
  cut(axis, at, sign = 1) {
    const key = "xyz"[axis];
    this.uniforms.cutSign.value[key] = sign;
    this.uniforms.cut.value[key] = at === null ? far : (sign * (at - this.place.origin[axis])) / this.place.size;
    for (const set of [this.bodies, this.walls]) set.setSides(this.uniforms.cut.value.toArray().some((c) => c < far));
    this.draw();
  }

  look(name) {
    const d = new THREE.Vector3(...(directions[name] || directions.iso)).normalize();
    if (name === "z") d.set(0, -1e-4, 1).normalize();
    this.fit(d);
  }

  /** Moves the camera so that the box fills the view, seen from a direction. */
  fit(direction) {
    const [x0, y0, z0, x1, y1, z1] = this.box || [-1, -1, -1, 1, 1, 1];
    const centre = new THREE.Vector3((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    const d = direction || this.camera.position.clone().sub(this.controls.target).normalize();
    const right = new THREE.Vector3().crossVectors(this.camera.up, d).normalize();
    const up = new THREE.Vector3().crossVectors(d, right);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 1e-3;
    for (const x of [x0, x1]) for (const y of [y0, y1]) for (const z of [z0, z1]) {
      const v = new THREE.Vector3(x, y, z).sub(centre);
      const across = Math.max(Math.abs(v.dot(right)) / (tan * this.camera.aspect), Math.abs(v.dot(up)) / tan);
      distance = Math.max(distance, v.dot(d) + across * 1.08);
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(d, distance);
    this.controls.update();
  }

  turn(across, up) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const s = new THREE.Spherical().setFromVector3(new THREE.Vector3(arm.x, arm.z, -arm.y));
    s.theta += across;
    s.phi = Math.min(Math.PI - 1e-4, Math.max(1e-4, s.phi - up));
    const v = new THREE.Vector3().setFromSpherical(s);
    this.camera.position.set(v.x, -v.z, v.y).add(this.controls.target);
    this.controls.update();
  }

  pan(across, up) {
    const d = this.camera.position.distanceTo(this.controls.target);
    const move = new THREE.Vector3(across * d, up * d, 0).applyQuaternion(this.camera.quaternion);
    this.camera.position.add(move);
    this.controls.target.add(move);
    this.controls.update();
  }

  zoom(factor) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  /** Draws at the next turn of the screen. */
  draw() {
    this.waiting ??= requestAnimationFrame(() => this.paintNow());
  }

  paintNow() {
    if (this.waiting) cancelAnimationFrame(this.waiting);
    this.waiting = undefined;
    if (!this.frame) return;
    const d = this.camera.position.length(), reach = this.radius * 2;
    this.camera.far = d + reach;
    this.camera.near = Math.max((d - reach) * 0.9, this.camera.position.distanceTo(this.controls.target) * 0.01, 1e-5);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.uniforms.light.value.set(-0.45, 0.55, 0.75).normalize().transformDirection(this.camera.matrixWorld);
    this.uniforms.pixel.value = Math.tan((this.camera.fov * Math.PI) / 360) / this.holder.clientHeight;
    this.renderer.render(this.scene, this.camera);
    this.placeLabels();
    this.onDrawn?.();
  }

  placeLabels() {
    const { clientWidth: w, clientHeight: h } = this.holder;
    for (const { node, at } of this.labels) {
      const p = at.clone().project(this.camera);
      node.style.transform = `translate(${((p.x + 1) / 2) * w}px, ${((1 - p.y) / 2) * h}px) translateY(-110%)`;
    }
  }

  /** The axes of space on the screen, for the gizmo: {x: [right, up, toward the eye], …}. */
  axes() {
    const inverse = this.camera.quaternion.clone().invert();
    const on = (v) => new THREE.Vector3(...v).applyQuaternion(inverse).toArray();
    return { x: on([1, 0, 0]), y: on([0, 1, 0]), z: on([0, 0, 1]) };
  }

  /** Metres per pixel at the depth of the target. */
  metresPerPixel() {
    const d = this.camera.position.distanceTo(this.controls.target);
    return (2 * d * Math.tan((this.camera.fov * Math.PI) / 360) * this.place.size) / this.holder.clientHeight;
  }

  /** The body or contact at a point of the holder in px: {kind, index} or null. */
  pick(x, y, hidden) {
    const { clientWidth: w, clientHeight: h } = this.holder;
    this.camera.updateMatrixWorld();
    const origin = this.camera.position.toArray();
    const direction = new THREE.Vector3((x / w) * 2 - 1, 1 - (y / h) * 2, 0.5).unproject(this.camera).sub(this.camera.position).normalize().toArray();
    const { cut, cutSign } = this.uniforms;
    const shown = (p) => p.every((v, d) => v * cutSign.value.getComponent(d) <= cut.value.getComponent(d));
    const ray = { origin, direction, shown, pixel: this.uniforms.pixel.value * 2 };
    if (this.chains.mesh.visible) {
      const rod = pickRod(ray, this.chains.rods);
      if (rod >= 0) return { kind: "contact", index: this.chains.rods[rod].contact };
    }
    if (this.bodies.group.visible) {
      const hit = pickBody(ray, this.frame.bodies, this.forms, 1 / this.place.size, hidden);
      if (hit) return { kind: "body", index: hit.index, distance: hit.distance };
    }
    return null;
  }

  /** Where a point of the place is on the screen, in px of the holder. */
  onScreen(at) {
    const p = new THREE.Vector3(...at).project(this.camera);
    return [((p.x + 1) / 2) * this.holder.clientWidth, ((1 - p.y) / 2) * this.holder.clientHeight];
  }
}

function boxLines([x0, y0, z0, x1, y1, z1]) {
  const c = (k) => [k & 1 ? x1 : x0, k & 2 ? y1 : y0, k & 4 ? z1 : z0];
  const out = [];
  for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) out.push(...c(k), ...c(k | bit));
  return out;
}

function ballLines([x, y, z], r) {
  const out = [], n = 64;
  for (const [e, f] of [[0, 1], [1, 2], [2, 0]])
    for (let k = 0; k < n; k++)
      for (const a of [k, k + 1].map((i) => (2 * Math.PI * i) / n)) {
        const p = [x, y, z];
        p[e] += r * Math.cos(a);
        p[f] += r * Math.sin(a);
        out.push(...p);
      }
  return out;
}
