// The 3D view: camera, bodies, walls, rods, boxes, and what lies under the pointer.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { BodySet } from "./bodies.js";
import { Rods } from "./rods.js";
import { el } from "./dom.js";
import { inPlace } from "./frame.js";
import { pickBody, pickRod } from "./pick.js";

const far = 1e9; // of a cut that cuts nothing
const wallColour = [140, 160, 185, 255];
const directions = { x: [1, 0, 0], y: [0, -1, 0], z: [0, -1e-4, 1], iso: [0.62, -0.9, 0.55] };
const halfAngle = (14 * Math.PI) / 180; // of the view, from top to bottom
const spread = Math.tan(halfAngle);
const manyTriangles = 1e5; // for a view that is drawn by the processor

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
  /** Throws if the browser has no WebGL. A fine view smooths edges in any case. */
  constructor(holder, place, forms, fine) {
    Object.assign(this, { software: softwareDrawn(), place, forms, holder, labels: [], radius: 1 });
    this.renderer = new THREE.WebGLRenderer({ antialias: fine || !this.software });
    this.setRatio(1);
    holder.prepend(this.renderer.domElement);
    this.camera = new THREE.PerspectiveCamera((2 * halfAngle * 180) / Math.PI);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.move());
    const vector = (x) => ({ value: new THREE.Vector3(x, x, x) }), colour = () => ({ value: new THREE.Color() });
    this.uniforms = { cut: vector(far), cutSign: vector(1), light: vector(0), outline: { value: 1 }, pixel: { value: 0 }, paper: colour(), mark: colour() };
    this.bodies = new BodySet(forms, this.uniforms, 1 / place.size);
    this.walls = new BodySet(forms, this.uniforms, 1 / place.size, true);
    this.chains = new Rods(this.uniforms, 10);
    this.trail = new Rods(this.uniforms, 20);
    this.lines = new THREE.Group();
    this.scene = new THREE.Scene().add(this.bodies.group, this.walls.group, this.lines, this.chains.mesh, this.trail.mesh);
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  /** Draws factor × as many pixels on a line as the screen has. */
  setRatio(factor) {
    const ratio = factor * Math.min(2, devicePixelRatio);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.holder;
    if (!w || !h) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.paintNow();
  }

  /** Colours of the scheme, {paper, mark}, as CSS colours. */
  theme(colours) {
    this.scene.background = new THREE.Color(colours.paper);
    // Shaders of this page write colours as they are shown.
    for (const name of ["paper", "mark"]) this.uniforms[name].value.set(colours[name]).convertLinearToSRGB();
    this.draw();
  }

  show(frame) {
    this.frame = frame;
    this.bodies.show(frame.bodies);
    this.walls.show(frame.walls);
    this.walls.paint(Uint8Array.from({ length: frame.walls.poses.length / 2 }, (_, i) => wallColour[i % 4]));
    this.box = frame.meta.box?.every(Number.isFinite) ? inPlace(this.place, frame.meta.box) : [-1, -1, -1, 1, 1, 1];
    this.radius = Math.max(1, ...this.box.map(Math.abs));
  }

  /** Boxes and balls as lines: [{box | ball, colour, name}]. */
  outline(shapes) {
    for (const { geometry, material } of this.lines.children) [geometry, material].forEach((made) => made.dispose());
    this.lines.clear();
    for (const { node } of this.labels.splice(0)) node.remove();
    for (const { box, ball, colour, name } of shapes) {
      const points = box ? boxLines(inPlace(this.place, box)) : ballLines(inPlace(this.place, ball.slice(0, 3)), ball[3] / this.place.size);
      const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
      this.lines.add(Object.assign(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour })), { frustumCulled: false }));
      if (!name) continue;
      const node = el("span", { className: "label" }, name);
      this.holder.append(node);
      this.labels.push({ node, at: inPlace(this.place, box ? [box[0], box[1], box[5]] : [ball[0], ball[1], ball[2] + ball[3]]) });
    }
  }

  /** Cuts off what lies beyond a coordinate (m) along an axis; null for no cut. */
  cut(axis, at, sign = 1) {
    const { cut, cutSign } = this.uniforms;
    cutSign.value.setComponent(axis, sign);
    cut.value.setComponent(axis, at === null ? far : (sign * (at - this.place.origin[axis])) / this.place.size);
    for (const set of [this.bodies, this.walls]) set.setSides(cut.value.toArray().some((c) => c < far));
    this.draw();
  }

  look(name) {
    this.fit(new THREE.Vector3(...(directions[name] || directions.iso)).normalize());
  }

  /** Moves the camera so that the box fills the view, seen from a direction. */
  fit(direction = this.camera.position.clone().sub(this.controls.target).normalize()) {
    const [x0, y0, z0, x1, y1, z1] = this.box, centre = this.controls.target.set((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize(), up = new THREE.Vector3().crossVectors(direction, right);
    let distance = 1e-3;
    for (const x of [x0, x1]) for (const y of [y0, y1]) for (const z of [z0, z1]) {
      const v = new THREE.Vector3(x, y, z).sub(centre);
      const across = Math.max(Math.abs(v.dot(right)) / this.camera.aspect, Math.abs(v.dot(up))) / spread;
      distance = Math.max(distance, v.dot(direction) + across * 1.08);
    }
    this.putCamera(direction.multiplyScalar(distance));
  }

  /** Puts the camera at an arm from the target. */
  putCamera(arm) {
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.draw();
  }

  turn(across, up) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const s = new THREE.Spherical().setFromCartesianCoords(arm.x, arm.z, -arm.y); // of an axis y that points up
    const v = new THREE.Vector3().setFromSphericalCoords(s.radius, Math.min(Math.PI - 1e-4, Math.max(1e-4, s.phi - up)), s.theta + across);
    this.putCamera(arm.set(v.x, -v.z, v.y));
  }

  pan(across, up) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.add(new THREE.Vector3(across, up, 0).multiplyScalar(arm.length()).applyQuaternion(this.camera.quaternion));
    this.putCamera(arm);
  }

  zoom(factor) {
    this.putCamera(this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor));
  }

  /** Draws at the next turn of the screen. */
  draw() {
    this.waiting ??= requestAnimationFrame(() => this.paintNow());
  }

  /** Draws while the view moves: in fewer pixels if the processor draws much. */
  move() {
    if (this.software && this.renderer.info.render.triangles > manyTriangles) {
      this.setRatio(0.5);
      clearTimeout(this.rest);
      this.rest = setTimeout(() => (this.setRatio(1), this.paintNow()), 400);
    }
    this.draw();
  }

  paintNow() {
    cancelAnimationFrame(this.waiting);
    this.waiting = undefined;
    if (!this.frame) return;
    const { camera, holder } = this, d = camera.position.length(), reach = this.radius * 2;
    camera.far = d + reach;
    camera.near = Math.max((d - reach) * 0.9, camera.position.distanceTo(this.controls.target) * 0.01, 1e-5);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.uniforms.light.value.set(-0.45, 0.55, 0.75).normalize().transformDirection(camera.matrixWorld);
    this.uniforms.pixel.value = spread / holder.clientHeight;
    this.renderer.render(this.scene, camera);
    for (const { node, at } of this.labels) node.style.transform = `translate(${this.onScreen(at).map((v) => `${v}px`)}) translateY(-110%)`;
    this.onDrawn?.();
  }

  /** The axes of space on the screen, for the gizmo: {x: [right, up, toward the eye], …}. */
  axes() {
    const inverse = this.camera.quaternion.clone().invert(), on = (...v) => new THREE.Vector3(...v).applyQuaternion(inverse).toArray();
    return { x: on(1, 0, 0), y: on(0, 1, 0), z: on(0, 0, 1) };
  }

  /** Metres per pixel at the depth of the target. */
  metresPerPixel() {
    return (2 * this.camera.position.distanceTo(this.controls.target) * spread * this.place.size) / this.holder.clientHeight;
  }

  /** Where a point of the place is on the screen, in px of the holder. */
  onScreen(at) {
    this.camera.updateMatrixWorld();
    const p = new THREE.Vector3(...at).project(this.camera);
    return [((p.x + 1) / 2) * this.holder.clientWidth, ((1 - p.y) / 2) * this.holder.clientHeight];
  }

  /** The body or contact at a point of the holder in px: {kind, index} or null. */
  pick(x, y, hidden) {
    this.camera.updateMatrixWorld();
    const at = new THREE.Vector3((x / this.holder.clientWidth) * 2 - 1, 1 - (y / this.holder.clientHeight) * 2, 0.5).unproject(this.camera);
    const [cut, sign] = ["cut", "cutSign"].map((name) => this.uniforms[name].value.toArray());
    const shown = (p) => p.every((v, d) => v * sign[d] <= cut[d]);
    const ray = { origin: this.camera.position.toArray(), direction: at.sub(this.camera.position).normalize().toArray(), shown, pixel: this.uniforms.pixel.value * 2 };
    const rod = pickRod(ray, this.chains.rods);
    if (rod >= 0) return { kind: "contact", index: this.chains.rods[rod].contact };
    const hit = this.bodies.group.visible && pickBody(ray, this.frame.bodies, this.forms, 1 / this.place.size, hidden);
    return hit ? { kind: "body", index: hit.index } : null;
  }
}

function boxLines([x0, y0, z0, x1, y1, z1]) {
  const out = [], corner = (k) => [k & 1 ? x1 : x0, k & 2 ? y1 : y0, k & 4 ? z1 : z0];
  for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) out.push(...corner(k), ...corner(k | bit));
  return out;
}

function ballLines(centre, r) {
  const out = [], n = 64;
  for (const [e, f] of [[0, 1], [1, 2], [2, 0]])
    for (let k = 0; k < 2 * n; k++) {
      const p = [...centre], a = (2 * Math.PI * Math.ceil(k / 2)) / n; // each corner ends a line and begins one
      p[e] += r * Math.cos(a);
      p[f] += r * Math.sin(a);
      out.push(...p);
    }
  return out;
}
