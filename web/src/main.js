// The page: its state, and what joins source, view, plots and panels.
import { openSource } from "./source.js";
import { Forms } from "./forms.js";
import { readFrame, placeOf } from "./frame.js";
import { View } from "./view.js";
import { Plots, plotsOf, readHistory, runOf } from "./plots.js";
import { bodyRows, contactRows, showHead, showRose } from "./panels.js";
import { colourOf, drawBar, kindsOf, short, withUnit } from "./colour.js";
import { chainsOf, trailOf } from "./chains.js";
import { $, el, schemeColours, svg, table } from "./dom.js";

const root = document.documentElement;
const hash = new URLSearchParams(location.hash.slice(1));
const bare = hash.has("bare");
const mostCached = 3e7; // bodies × fields kept in decoded frames
const mostTrail = 400; // frames of the trail of a picked body

const source = openSource();
const forms = new Forms();
const cache = new Map();
const ranges = new Map(); // of each field and part, over the frames seen
let head, view, place, plots, colours;
let frame = null, shown = -1, wanted = -1, moving = null, playing = false;
let scale = null; // of the colour field in this frame
let hidden = null; // of each body: 1 if hidden
let picked = null; // {kind: "body", number} or {kind: "contact", index, frame}
let histories = [];
let track = []; // rows of the picked body: {k, time, index, set}
const drawn = new Map(); // plot bodies of the history by title

// ---- Frames ----

async function load(k) {
  if (cache.has(k)) {
    const found = cache.get(k);
    cache.delete(k); // to the end: used last
    cache.set(k, found);
    return found;
  }
  const chunk = await source.frame(k);
  const wantedForms = (chunk.meta.forms || []).map(String);
  const from = forms.firstMissing(wantedForms);
  if (from >= 0 && !(source.whole && forms.entries.size)) forms.add(await source.forms(k, from));
  place ??= placeOf(chunk.meta.box);
  const read = readFrame(chunk, place);
  addRanges(read);
  cache.set(k, read);
  let size = 0;
  for (const f of [...cache.values()].reverse()) size += f.bodies.count * (8 + f.bodies.fields.size);
  for (const old of [...cache.keys()]) {
    if (size <= mostCached || cache.size <= 2) break;
    const f = cache.get(old);
    size -= f.bodies.count * (8 + f.bodies.fields.size);
    cache.delete(old);
  }
  return read;
}

const partsOf = (column) => (column.components > 1 ? ["size", ...Array(column.components).keys()] : [0]);

function rangeOf(values) {
  let lo = Infinity, hi = -Infinity;
  for (const v of values) {
    if (v < lo) lo = v;
    if (v > hi) hi = v;
  }
  return lo <= hi ? [lo, hi] : [0, 0];
}

function addRanges(read) {
  if (!read.bodies.count) return;
  for (const [name, column] of read.bodies.fields)
    for (const part of partsOf(column)) {
      const [lo, hi] = rangeOf(column.values(part)), key = `${name}.${part}`, old = ranges.get(key);
      ranges.set(key, old ? [Math.min(lo, old[0]), Math.max(hi, old[1])] : [lo, hi]);
    }
}

/** Reads the other frames once, so that colours mean the same in all of them. */
async function scan() {
  const n = head.frames.length, step = source.whole ? 1 : Math.max(1, Math.ceil(n / 30));
  for (let k = 0; k < n; k += step) if (k !== shown) await load(k).catch(() => {});
  if (frame) paint();
}

/** Shows frame k; a later call replaces an earlier one that waits. */
function go(k) {
  wanted = Math.max(0, Math.min(head.frames.length - 1, Math.round(k)));
  moving ??= (async () => {
    while (wanted !== shown) {
      const target = wanted;
      let read = null, fault = "";
      try {
        read = await load(target);
      } catch (e) {
        fault = `Frame ${target} cannot be shown: ${e.message}`;
      }
      showFrame(target, read, fault);
    }
  })().finally(() => (moving = null));
  return moving;
}

function showFrame(k, read, fault) {
  shown = k;
  $("slider").value = k;
  const { step, time } = head.frames[k];
  $("clock").textContent = `${withUnit(time, "s")}\nstep ${step}`;
  plots?.mark(time);
  if (read && view) {
    frame = read;
    view.show(frame);
    fillFields();
    outlineBoxes();
    paint();
    showPicked();
  }
  const meta = read?.meta || {};
  const unknown = read ? read.bodies.forms.filter((h) => !forms.get(h)).length : 0;
  const notes = [noView.text, fault, meta.missing, unknown ? `${unknown} forms are missing: their bodies are not drawn.` : ""];
  $("view-note").textContent = notes.filter(Boolean).join("\n");
  if (!bare) showRose(meta.rose, meta.contacts);
  showLegend();
  playing ? view?.move() : view?.paintNow();
  root.dataset.ready = String(k);
}

// ---- Colours, hiding, contacts ----

const isField = (name) => frame?.bodies.fields.has(name);
const partNow = () => (isField($("color").value) && frame.bodies.fields.get($("color").value).components > 1 ? ($("part").value === "size" ? "size" : Number($("part").value)) : 0);

function fillFields() {
  const names = [...frame.bodies.fields.keys()];
  const known = [...$("color").options].slice(1).map((o) => o.value);
  if (names.join() === known.join()) return;
  const first = known.length === 0, now = $("color").value, kept = $("hide").value;
  const options = () => names.map((n) => el("option", { value: n }, head.units?.[n] ? `${n} (${head.units[n]})` : n));
  $("color").replaceChildren(el("option", { value: "" }, "nothing"), ...options());
  $("hide").replaceChildren(el("option", { value: "" }, "all bodies"), ...options());
  $("picked-field").replaceChildren(...options());
  $("hide").value = names.includes(kept) ? kept : "";
  const asked = hash.get("color");
  if (first && asked !== null) color(asked);
  else if (first && !bare && moves()) color("speed");
  else $("color").value = names.includes(now) ? now : "";
  fillParts();
  if (names.includes("speed")) $("picked-field").value = "speed";
}

/** Do bodies of this frame move, as against the run? Then the page starts in colours of speed. */
function moves() {
  const speed = frame.bodies.fields.get("speed");
  return speed && rangeOf(speed.values())[1] > 0.05 * ranges.get("speed.0")[1];
}

/** Colours by NAME, or NAME.x, NAME.y, NAME.z of a vector; "" for nothing. */
function color(text) {
  const [, name, part] = /^(.*?)(?:\.([xyz]|size))?$/.exec(text);
  $("color").value = isField(name) ? name : "";
  fillParts();
  if (part && part !== "size") $("part").value = "xyz".indexOf(part);
  paint();
}

function fillParts() {
  const column = frame?.bodies.fields.get($("color").value);
  const vector = column?.components > 1;
  $("part").hidden = !vector;
  if (vector && $("part").options.length !== column.components + 1)
    $("part").replaceChildren(el("option", { value: "size" }, "size"), ...[...Array(column.components).keys()].map((c) => el("option", { value: c }, "xyz"[c] || c)));
}

function paint() {
  if (!frame || !view) return;
  const set = frame.bodies, name = $("color").value, part = partNow();
  const colour = new Uint8Array(Math.max(1, set.poses.length / 8) * 4).fill(255);
  scale = null;
  if (isField(name)) {
    const values = set.fields.get(name).values(part);
    const mode = $("range").value;
    const run = ranges.get(`${name}.${part}`) || rangeOf(values);
    const range = mode === "frame" ? rangeOf(values) : mode === "fixed" ? [Number($("lo").value), Number($("hi").value)] : run;
    const title = set.fields.get(name).components > 1 ? (part === "size" ? `|${name}|` : `${name} ${"xyz"[part] || part}`) : name;
    scale = { name, part, range, kinds: kindsOf(name, run), title: head.units?.[name] ? `${title} (${head.units[name]})` : title };
    if (mode !== "fixed") [$("lo").value, $("hi").value] = range.map((v) => short(v));
    for (let i = 0; i < set.count; i++) colour.set(colourOf(scale, values[i]), i * 4);
  } else {
    const rgb = [1, 3, 5].map((k) => parseInt(colours.body.slice(k, k + 2), 16));
    // A little variety by number, so that neighbours are told apart.
    for (let i = 0; i < set.count; i++) {
      const shade = 0.86 + 0.14 * (((set.number[i] * 2654435761) >>> 0) / 2 ** 32);
      for (let c = 0; c < 3; c++) colour[i * 4 + c] = rgb[c] * shade;
    }
  }
  $("range-row").hidden = !scale || !!scale.kinds;
  for (const id of ["lo", "hi"]) $(id).readOnly = $("range").value !== "fixed";
  hideByRange(colour);
  view.bodies.paint(colour);
  view.bodies.uniforms.fade.value = $("body-mode").value === "faint" || $("contacts").checked ? 0.6 : 0;
  view.bodies.group.visible = $("body-mode").value !== "none";
  view.walls.group.visible = $("walls").value !== "none";
  view.walls.setGlass($("walls").value === "glass");
  view.uniforms.outline.value = $("outlines").checked ? 1 : 0;
  view.chains.set($("contacts").checked ? chainsOf(frame, forms, place, colours, hidden) : []);
  showLegend();
  drawOverlay();
  view.draw();
}

function hideByRange(colour) {
  const column = frame.bodies.fields.get($("hide").value);
  hidden = null;
  $("hide-row").hidden = !column;
  if (!column) return;
  const lo = Number($("hide-lo").value), hi = Number($("hide-hi").value);
  const values = column.values("size");
  let count = 0;
  hidden = new Uint8Array(frame.bodies.count);
  for (let i = 0; i < hidden.length; i++)
    if (!(values[i] >= lo && values[i] <= hi)) {
      hidden[i] = 1;
      colour[i * 4 + 3] = 0;
      count++;
    }
  $("hide-count").textContent = `${count} hidden`;
}

function showLegend() {
  if (bare || !view) return;
  const lines = [], meta = frame?.meta || {};
  if (frame) lines.push(`${frame.bodies.count} bodies${meta.every_body > 1 ? ` shown, one of ${meta.every_body}` : ""}`);
  if (frame && $("contacts").checked) {
    const c = frame.contacts;
    if (!c) lines.push(meta.contacts_present === false ? "this run has no contact frames" : "no contacts in this frame");
    else {
      lines.push(c.count < meta.contacts ? `the ${c.count} strongest of ${meta.contacts} contacts` : `${c.count} contacts`);
      if (c.size?.length) lines.push(`thickest: ${withUnit(rangeOf(c.size)[1], "N", 3)}${c.sliding ? "; sliding ones blue" : ""}`);
    }
  }
  $("legend").textContent = lines.join("\n");
}

function drawOverlay() {
  const bar = $("bar"), { clientWidth: w, clientHeight: h } = $("view"), ratio = devicePixelRatio;
  bar.width = w * ratio;
  bar.height = h * ratio;
  const g = bar.getContext("2d");
  g.scale(ratio, ratio);
  if (scale) drawBar(g, w, h, scale, colours.ink, colours.paper);
}

function drawGizmo() {
  const axes = Object.entries(view.axes()).sort((a, b) => a[1][2] - b[1][2]);
  const tones = { x: "#d6453d", y: "#3c9a4a", z: "#3b78d8" };
  $("gizmo").replaceChildren(...axes.flatMap(([name, [x, y, z]]) => {
    const text = svg("text", { x: x * 29, y: -y * 29 + 3.5, fill: tones[name], "text-anchor": "middle", opacity: z < -0.3 ? 0.6 : 1 });
    text.textContent = name;
    return [svg("line", { x2: x * 22, y2: -y * 22, stroke: tones[name], "stroke-width": 2, opacity: z < -0.3 ? 0.5 : 1 }), text];
  }));
  const metres = view.metresPerPixel() * 110, power = 10 ** Math.floor(Math.log10(metres));
  const length = [5, 2, 1].map((f) => f * power).find((v) => v <= metres);
  $("ruler").style.width = `${length / view.metresPerPixel()}px`;
  $("ruler").firstElementChild.textContent = withUnit(length, "m");
}

function outlineBoxes() {
  const shapes = [];
  if ($("cell").checked && frame.meta.domain) shapes.push({ box: frame.meta.domain, colour: colours.cell });
  if ($("measures").checked) for (const m of head.measures || []) shapes.push({ ...m, colour: colours.measure, name: bare ? "" : m.name });
  const key = JSON.stringify(shapes);
  if (key !== outlineBoxes.key) view.outline(shapes);
  outlineBoxes.key = key;
}

// ---- Picking ----

function pickAt(x, y) {
  if (!view || !frame) return null;
  const hit = view.pick(x, y, hidden);
  picked = !hit ? null : hit.kind === "body" ? { kind: "body", number: frame.bodies.number[hit.index] } : { kind: "contact", index: hit.index, frame: shown };
  track = [];
  showPicked();
  if (picked?.kind === "body") follow(picked.number);
  return state().picked;
}

function showPicked() {
  if (picked?.kind === "contact" && picked.frame !== shown) picked = null;
  const body = picked?.kind === "body";
  const index = body ? frame.bodies.number.indexOf(picked.number) : -1;
  view.bodies.uniforms.picked.value = index;
  $("picked-card").hidden = !picked;
  $("picked-more").hidden = !body;
  showTrail();
  view.draw();
  if (!picked) return;
  const name = body && frame.meta.body_names?.[picked.number];
  $("picked-title").textContent = body ? `Body ${name || picked.number}` : "Contact";
  const rows = body ? (index < 0 ? [["", "not in this frame"]] : bodyRows(frame, index, head.units || {}, frame.bodies.position.row(index))) : contactRows(frame, picked.index);
  $("picked").replaceChildren(table(rows));
}

/** Reads where a body was in all frames, for its trail and its plot. */
async function follow(number) {
  const step = Math.max(1, Math.ceil(head.frames.length / mostTrail));
  const rows = [];
  for (let k = 0; k < head.frames.length; k += step) {
    const set = (await load(k).catch(() => null))?.bodies;
    if (picked?.number !== number) return;
    const index = set ? set.number.indexOf(number) : -1;
    if (index < 0) continue;
    const values = {};
    for (const [name, column] of set.fields) values[name] = column.components > 1 ? Math.hypot(...column.row(index)) : column.at(index);
    rows.push({ k, time: head.frames[k].time, at: Array.from(set.poses.subarray(index * 8, index * 8 + 3)), values });
  }
  track = rows;
  showTrail();
  plotPicked();
}

function plotPicked() {
  for (const body of plotPicked.bodies || []) plots.remove(body);
  plotPicked.bodies = [];
  const field = $("picked-field").value;
  if (!field || track.length < 2) return;
  const series = [{ label: field, unit: head.units?.[field], values: track.map((r) => r.values[field] ?? null) }];
  const title = `${field} of body ${picked.number}`;
  plotPicked.bodies.push(plots.add({ title, unit: head.units?.[field], x: track.map((r) => r.time), series }, $("picked-plot")));
  plots.mark(head.frames[shown]?.time);
}

function showTrail() {
  if (!picked || picked.kind !== "body") track = [];
  view.trail.set($("trail").checked ? trailOf(track, colours) : []);
  view.draw();
}

// ---- Time ----

function play(on = !playing) {
  playing = on && head.frames.length > 1 && !!view;
  $("play").textContent = playing ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (!playing || play.running) return;
  play.running = true;
  (async () => {
    if (shown >= head.frames.length - 1) await go(0);
    while (playing && shown < head.frames.length - 1) {
      const start = performance.now();
      await go(shown + 1);
      const rest = 80 - (performance.now() - start);
      await new Promise((done) => setTimeout(() => requestAnimationFrame(done), Math.max(0, rest)));
    }
    play.running = false;
    play(false);
  })();
}

function goToTime(time) {
  let best = 0;
  head.frames.forEach((f, k) => {
    if (Math.abs(f.time - time) < Math.abs(head.frames[best].time - time)) best = k;
  });
  if (head.frames.length) go(best);
}

function showMarks() {
  const n = head.frames.length;
  $("slider").max = Math.max(0, n - 1);
  $("marks").replaceChildren(...(head.stages || []).map(({ name, time }) => {
    let k = head.frames.findIndex((f) => f.time >= time);
    if (k < 0) return "";
    if (k > 0) k -= (head.frames[k].time - time) / (head.frames[k].time - head.frames[k - 1].time);
    return el("span", { style: `left:${(100 * k) / Math.max(1, n - 1)}%`, title: name }, name);
  }));
}

// ---- History ----

async function loadHistory() {
  const runs = head.kind === "sweep" ? (head.runs || []).length : 1, notes = [];
  const read = [];
  for (let r = 0; r < runs; r++)
    read.push(await source.history(r).then(readHistory, (e) => {
      const label = head.runs?.[r]?.label;
      if (!head.runs?.[r]?.missing) notes.push(`The history${label ? ` of ${label}` : ""} cannot be shown: ${e.message}.`);
      return { columns: new Map(), rows: 0 };
    }));
  histories = read;
  notes.push(...read.map((h) => h.missing).filter(Boolean));
  $("plots-note").textContent = notes.join("\n");
  plots.stages = head.stages || [];
  for (const plot of plotsOf(head, read)) {
    const key = `${plot.title} ${plot.unit}`;
    if (drawn.has(key)) plots.update(drawn.get(key), plot);
    else if (plot.x.length) drawn.set(key, plots.add(plot));
  }
  const more = (head.columns || []).filter((c) => !c.group && read[0]?.columns.has(c.name) && !/^(step|time)$/.test(c.name));
  $("more-columns").replaceChildren(el("option", { value: "" }, "plot another column …"), ...more.map((c) => el("option", { value: c.name }, c.name)));
  $("more-columns").hidden = !more.length;
}

function plotColumn(name) {
  const column = head.columns.find((c) => c.name === name);
  if (!column) return;
  const { x, series } = head.kind === "sweep" ? plotsOf({ ...head, columns: [{ ...column, group: name }] }, histories)[0] : runOf(histories[0], [column]);
  const body = plots.add({ title: name, unit: column.unit, x, series });
  $("plots").prepend(body.parentElement);
  $("more-columns").value = "";
}

/** Asks the server again while the run goes on. */
async function followRun() {
  while (head.live && !head.done) {
    await new Promise((done) => setTimeout(done, 1000));
    let next;
    try {
      next = await source.head();
      $("lost").textContent = "";
    } catch {
      $("lost").textContent = "The server of this page has gone; what was read stays.";
      continue;
    }
    const grew = next.frames.length > head.frames.length, last = wanted === head.frames.length - 1;
    const changed = JSON.stringify(next) !== JSON.stringify(head);
    head = next;
    if (changed) {
      showHead(head);
      await loadHistory();
      showMarks();
    }
    if (grew && !view) await startView();
    else if (grew && last && !playing) await go(head.frames.length - 1);
  }
}

// ---- Start ----

function applyScheme() {
  colours = schemeColours();
  view?.theme(colours);
  plots?.redraw();
  outlineBoxes.key = "";
  if (frame) {
    outlineBoxes();
    paint();
  }
}

function noView(text) {
  noView.text = text;
  $("view-note").textContent = text;
}

async function startView() {
  noView("");
  if (!head.frames?.length) {
    noView(head.frames_all ? "The frames of this run cannot be shown; its history can." : "This run has no frames yet, or kept none.");
    root.dataset.ready = "none";
    return;
  }
  const asked = hash.has("frame") ? Number(hash.get("frame")) : head.frames.length - 1;
  const first = Math.max(0, Math.min(head.frames.length - 1, asked || 0));
  // The place of the view is that of the first frame that can be read.
  for (let k = 0; k < head.frames.length && !place; k++) await load(k).catch(() => {});
  try {
    view = new View($("view"), place || placeOf(), forms, bare);
    view.onDrawn = () => bare || drawGizmo();
    view.theme(colours);
    new ResizeObserver(drawOverlay).observe($("view"));
  } catch (e) {
    view = null;
    noView(`3D needs WebGL 2, which this browser does not offer (${e.message}). Plots and summary are complete.`);
  }
  $("contacts").checked = hash.get("contacts") === "1";
  showMarks();
  if (bare && hash.get("color")) for (let k = 0; k < head.frames.length; k++) await load(k).catch(() => {});
  if (view && cache.size) {
    frame = await load(first).catch(() => [...cache.values()][0]);
    view.show(frame);
    view.look(hash.get("view") || "iso");
  }
  if (!bare) await load(head.frames.length >> 1).catch(() => {}); // for the range of speeds
  await go(first);
  if (!bare && view) scan();
}

const num = (id, set) => $(id).addEventListener("input", set);

function listen() {
  for (const id of ["part", "range", "contacts", "outlines", "walls", "body-mode"]) $(id).addEventListener("change", paint);
  $("color").addEventListener("change", () => (fillParts(), paint()));
  for (const id of ["cell", "measures"]) $(id).addEventListener("change", () => (outlineBoxes(), view.draw()));
  for (const id of ["lo", "hi", "hide-lo", "hide-hi"]) num(id, paint);
  $("hide").addEventListener("change", () => {
    const column = frame.bodies.fields.get($("hide").value);
    if (column) {
      const [lo, hi] = ranges.get(`${$("hide").value}.${column.components > 1 ? "size" : 0}`) || [0, 0];
      // Rounded outward: all bodies are within at first.
      [$("hide-lo").value, $("hide-hi").value] = [Number(lo.toPrecision(4)) - Math.abs(lo) * 1e-3, Number(hi.toPrecision(4)) + Math.abs(hi) * 1e-3].map((v) => short(v, 5));
    }
    paint();
  });
  for (let axis = 0; axis < 3; axis++) {
    let sign = 1;
    const set = () => {
      const box = view.box, t = Number($(`at-${axis}`).value) / 1000;
      const at = place.origin[axis] + place.size * (box[axis] + t * (box[axis + 3] - box[axis]));
      view.cut(axis, $(`cut-${axis}`).checked ? at : null, sign);
    };
    num(`at-${axis}`, () => (($(`cut-${axis}`).checked = true), set()));
    $(`cut-${axis}`).addEventListener("change", set);
    $(`flip-${axis}`).addEventListener("click", () => ((sign = -sign), set()));
  }
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => view?.look(button.dataset.view));
  $("fit").addEventListener("click", () => view?.fit());
  $("save").addEventListener("click", savePicture);
  $("play").addEventListener("click", () => play());
  num("slider", () => (play(false), go(Number($("slider").value))));
  $("trail").addEventListener("change", showTrail);
  $("picked-field").addEventListener("change", plotPicked);
  $("unpick").addEventListener("click", unpick);
  $("more-columns").addEventListener("change", (e) => plotColumn(e.target.value));
  $("copy").addEventListener("click", () => navigator.clipboard?.writeText($("command").textContent));
  $("help-open").addEventListener("click", () => $("help").showModal());
  let down = null;
  $("view").addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]), true);
  $("view").addEventListener("click", (e) => {
    if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
    const box = $("view").getBoundingClientRect();
    pickAt(e.clientX - box.left, e.clientY - box.top);
  });
  addEventListener("keydown", onKey);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyScheme);
}

function unpick() {
  picked = null;
  if (view && frame) showPicked();
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
  const from = e.target, typing = from.matches?.("input[type=number], select, textarea");
  if (typing || (from.matches?.("input, button, summary, a") && /^(Arrow|Home|End|Page|Enter| )/.test(e.key) && !(from.id === "slider" && e.key === " "))) return;
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
  const toggle = (id) => $(id).click();
  const step = (d) => (play(false), go(wanted + d));
  const keys = {
    "+": () => view?.zoom(0.9), "=": () => view?.zoom(0.9), "-": () => view?.zoom(1 / 0.9), " ": () => play(),
    ",": () => step(-1), PageUp: () => step(-1), ".": () => step(1), PageDown: () => step(1),
    Home: () => step(-Infinity), End: () => step(Infinity), f: () => view?.fit(), s: savePicture,
    c: () => toggle("contacts"), o: () => toggle("outlines"), Escape: unpick, "?": () => $("help").showModal(),
  };
  for (const name of ["x", "y", "z", "i"]) keys[name] = () => view?.look(name === "i" ? "iso" : name);
  if (move && view) e.shiftKey ? view.pan(move[0] * 0.03, move[1] * 0.03) : view.turn(move[0] * 0.08, -move[1] * 0.08);
  else if (keys[e.key]) keys[e.key]();
  else return;
  e.preventDefault();
}

/** Saves what the view shows, with its colour bar. */
function savePicture() {
  if (!view) return;
  view.paintNow();
  const canvas = view.renderer.domElement;
  const picture = el("canvas", { width: canvas.width, height: canvas.height }), g = picture.getContext("2d");
  g.drawImage(canvas, 0, 0);
  g.drawImage($("bar"), 0, 0, canvas.width, canvas.height);
  picture.toBlob((blob) => {
    const link = el("a", { href: URL.createObjectURL(blob), download: `${head.scene_name?.replace(/\.toml$/, "") || "scree"}-${head.frames[shown].step}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

/** Where the middle of a body is in the view, px. */
const screen = (index) => view.onScreen(frame.bodies.poses.subarray(index * 8, index * 8 + 3));

function state() {
  return {
    frame: shown, frames: head.frames.length, time: head.frames[shown]?.time, playing, webgl: !!view,
    bodies: frame?.bodies.count || 0, hidden: hidden ? hidden.reduce((a, b) => a + b, 0) : 0,
    color: scale ? { field: scale.name, part: scale.part, range: scale.range, title: scale.title } : null,
    contacts: view?.chains.rods.length || 0, trail: view?.trail.rods.length || 0, software: view?.software,
    calls: view?.renderer.info.render.calls, triangles: view?.renderer.info.render.triangles,
    camera: view ? { position: view.camera.position.toArray(), target: view.controls.target.toArray() } : null,
    picked: picked && { ...picked, rows: [...$("picked").querySelectorAll("tr")].map((r) => [r.cells[0].textContent, r.cells[1].textContent]) },
  };
}

async function start() {
  document.body.classList.toggle("bare", bare);
  head = await source.head();
  if (head.format !== 1) throw new Error(`these data have format ${head.format}; this page reads format 1`);
  head.frames ||= [];
  showHead(head);
  document.body.classList.toggle("sweep", head.kind === "sweep");
  colours = schemeColours();
  plots = new Plots($("plots"), goToTime);
  listen();
  window.scree = { go, view: (name) => view?.look(name), color, pickAt, state, paint: () => view?.paintNow(), screen };
  const later = bare || loadHistory();
  if (head.kind === "sweep") {
    await later;
    root.dataset.ready = "none";
  } else await startView();
  await later;
  if (!source.whole) followRun();
}

start().catch((e) => {
  $("notes").append(el("p", { className: "missing" }, `This page cannot show its data: ${e.message}.`));
  root.dataset.ready = "none";
});
