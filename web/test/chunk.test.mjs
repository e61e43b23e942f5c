// The codec, the forms and the pick, without a browser.
import test from "node:test";
import assert from "node:assert/strict";
import { chunk, makeRun, quantized, random } from "./fixture.mjs";
import { readChunk } from "../src/chunk.js";
import { Forms } from "../src/forms.js";
import { inPlace, placeOf, readFrame } from "../src/frame.js";
import { pickBody } from "../src/pick.js";
import { digitsOf, short, ticks, viridis } from "../src/colour.js";

test("a chunk gives back its columns", async () => {
  const rnd = random(3), values = Array.from({ length: 300 }, () => 1e5 + rnd());
  const read = await readChunk(chunk({ step: 7, text: "µ" }, [
    quantized("q", values, 3), { name: "i", type: "i16", scale: 1 / 32767, data: [-32767, 0, 32767] },
    { name: "n", type: "u32", data: [0, 4294967295] }, { name: "t", type: "f64", data: [1e-300, 0.1] }, { name: "none", type: "u8", data: [] },
  ]));
  assert.equal(read.meta.step, 7);
  assert.equal(read.meta.text, "µ");
  const q = read.columns.get("q");
  assert.equal(q.rows, 100);
  // Half of a step of a range of at most 1.
  values.forEach((v, i) => assert.ok(Math.abs(q.at(Math.floor(i / 3), i % 3) - v) <= 0.5 / 65535 + 1e-10));
  assert.deepEqual([0, 1, 2].map((i) => read.columns.get("i").at(i)), [-1, 0, 1]);
  assert.deepEqual([...read.columns.get("n").data], [0, 4294967295]);
  assert.deepEqual([...read.columns.get("t").data], [1e-300, 0.1]);
  assert.equal(read.columns.get("none").rows, 0);
  assert.ok(Math.abs(q.values("size")[5] - Math.hypot(...q.row(5))) < 0.02);
});

test("zero of a quantized column is exactly zero, and digits follow the steps", async () => {
  for (const [lo, hi] of [[-9.81, 3.3], [-1e-7, 1], [-1, 1e-7], [-3, 3]]) {
    const { columns } = await readChunk(chunk({}, [quantized("v", [lo, 0, hi, 0.4 * lo, 0.7 * hi])]));
    const v = columns.get("v"), step = (hi - lo) / 65535;
    assert.equal(v.at(1), 0);
    assert.equal(v.values()[1], 0);
    [lo, 0, hi, 0.4 * lo, 0.7 * hi].forEach((x, i) => assert.ok(Math.abs(v.at(i) - x) <= 0.5001 * step, `${x}: ${v.at(i)}`));
    assert.deepEqual(v.steps, [step]);
  }
  assert.deepEqual([[3.2, 0.05], [1e-4, 1e-4], [5, 0], [5, 1e-9], [0, 0.1]].map(([v, s]) => digitsOf(v, s)), [2, 1, 4, 4, 1]);
});

test("a cut chunk is refused", async () => {
  const whole = chunk({}, [quantized("q", Array.from({ length: 1000 }, Math.random))]);
  await assert.rejects(readChunk(whole.subarray(0, whole.length / 2)));
});

test("forms have outward normals and outlines only on the sides of polygons", async () => {
  const forms = new Forms();
  forms.add(await readChunk(makeRun({ bodies: 8, frames: 1, distinct: 2 }).forms));
  const form = forms.get(String(10n ** 18n));
  assert.equal(form.count, 12 * 9); // twelve pentagons of three triangles each
  let marked = 0;
  for (let i = 0; i < form.count; i++) {
    const p = form.position.subarray(i * 3, i * 3 + 3), n = form.normal.subarray(i * 4, i * 4 + 3);
    assert.ok(p[0] * n[0] + p[1] * n[1] + p[2] * n[2] > 0, "a normal points inward");
  }
  for (let t = 0; t < form.count; t += 3)
    for (let d = 0; d < 3; d++) if ([0, 1, 2].every((j) => j === d || form.edge[(t + j) * 4 + d] === 0)) marked++;
  assert.equal(marked, 12 * 5, "sides with an outline");
  const light = forms.get(String(10n ** 18n), true);
  assert.equal(light.count, 20);
  assert.equal(light.index.length, form.index.length);
  const volume = (f) => {
    let v = 0;
    for (let k = 0; k < f.index.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map((j) => f.position.subarray(f.index[k + j] * 3, f.index[k + j] * 3 + 3));
      v += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    return v;
  };
  assert.ok(volume(form) > 0 && Math.abs(volume(form) / volume(light) - 1) < 1e-5);
  const ball = forms.get("77"); // of radius 0.25, of triangles
  assert.ok(Math.abs(volume(ball) / ((4 / 3) * Math.PI * 0.25 ** 3) - 1) < 0.05);
  assert.equal(forms.get("0"), null);
});

for (const [size, origin] of [[1, [0, 0, 0]], [1e-6, [0, 0, 0]], [1e6, [0, 0, 0]], [1, [5e6, -4e6, 1e3]]])
  test(`a ray picks the nearest body: scene of ${size} m at ${origin[0]} m`, async () => {
    const run = makeRun({ bodies: 27, frames: 1, distinct: 3, size, origin, balls: false });
    const forms = new Forms();
    forms.add(await readChunk(run.forms));
    const data = await readChunk(run.frames[0]);
    const place = placeOf(data.meta.box);
    const { bodies } = readFrame(data, place);
    // From above through the middle of the lattice: the uppermost body of the middle column, number 10 + 22.
    const middle = inPlace(place, bodies.position.row(22));
    const ray = { origin: [middle[0], middle[1], 10], direction: [0, 0, -1], shown: () => true };
    const hit = pickBody(ray, bodies, forms, 1 / place.size);
    assert.equal(bodies.number[hit.index], 32);
    // A cut below that body leaves the one under it; hidden ones are passed as well.
    const cut = { ...ray, shown: (p) => p[2] < middle[2] - 0.2 / placeOf([0, 0, 0, 1.5, 1.5, 1.6]).size };
    assert.equal(bodies.number[pickBody(cut, bodies, forms, 1 / place.size).index], 23);
    const hidden = bodies.number.map((n) => (n === 32 ? 1 : 0));
    assert.equal(bodies.number[pickBody(ray, bodies, forms, 1 / place.size, hidden).index], 23);
    assert.equal(pickBody({ ...ray, direction: [0, 0, 1] }, bodies, forms, 1 / place.size), null);
  });

test("numbers and colours", () => {
  assert.deepEqual([0, 1e-9, 0.1, 123456.7, -2.50004, 1e9, 12].map((v) => short(v)), ["0", "1e-9", "0.1", "123457", "-2.5", "1e9", "12"]);
  assert.deepEqual(ticks(0, 1), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(ticks(0, Infinity), [0]);
  assert.deepEqual(viridis(0), [71, 1, 85]);
  const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  for (let k = 1; k <= 20; k++) assert.ok(light(viridis(k / 20)) > light(viridis((k - 1) / 20)), "lighter with the value");
});
