// The page: its state, and what joins source, view, plots and panels.
import { openSource } from "./source.js";
import { Forms } from "./forms.js";
import { Frames, rangeOf } from "./frames.js";
import { placeOf } from "./frame.js";
import { View } from "./view.js";
import { Plots, plotsOf, readHistory, runOf } from "./plots.js";
import { bodyRows, contactRows, nameOf, showHead, showRose } from "./panels.js";
import { colourOf, counted, drawBar, kindsOf, short, withUnit } from "./colour.js";
import { chainsOf, trailOf } from "./chains.js";
import { $, el, fillOptions, schemeColours, table } from "./dom.js";
import { drawGizmo } from "./gizmo.js";

const hash = new URLSearchParams(location.hash.slice(1));
const bare = hash.has("bare");
const mostTrail = 400; // frames of the trail of a picked body
const playPause = 80; // ms between frames that play, at least

const source = openSource();
const forms = new Forms();
const frames = new Frames(source, forms);
let head, view, plots, colours;
let frame = null, shown = -1, wanted = -1, moving = null, playing = false, histories = [], noView = ""; // noView: why there is none
let scale = null, hidden = null; // of the colour field in this frame; of each body: 1 if hidden
let picked = null, track = []; // {kind: "body", number} or {kind: "contact", index, frame}; where the body was: {time, at, values}
const drawn = new Map(); // plots of the history by title

// ---- Frames ----

/** Shows frame k; a later call replaces an earlier one that waits. */
function go(k) {
  wanted = Math.max(0, Math.min(head.frames.length - 1, Math.round(k)));
  moving ??= (async () => {
    while (wanted !== shown) {
      const target = wanted;
      await frames.load(target).then((read) => showFrame(target, read, ""), (e) => showFrame(target, null, `Frame ${target} cannot be shown: ${e.message}`));
    }
  })().finally(() => (moving = null));
  return moving;
}

function showFrame(k, read, fault) {
  shown = k;
  $("slider").value = k;
  const { step, time } = head.frames[k];
  $("clock").textContent = `${withUnit(time, "s")}\nstep ${step}`;
  plots.mark(time);
  if (read && view) {
    frame = read;
    view.show(frame);
    fillFields();
    outlineBoxes();
    paint();
    showPicked();
  }
  const meta = read?.meta || {}, unknown = read ? read.bodies.forms.filter((h) => !forms.get(h)).length : 0;
  const notes = [noView, fault, meta.missing, unknown ? `Forms are missing: ${unknown}. Their bodies are not drawn.` : ""];
  $("view-note").textContent = notes.filter(Boolean).join("\n");
  if (!bare) showRose(meta.rose, meta.contacts);
  playing ? view?.move() : view?.paintNow();
  document.documentElement.dataset.ready = String(k);
}

// ---- Colours, hiding, contacts ----

const fieldOf = (id) => frame?.bodies.fields.get($(id).value);

/** Offers the fields of all frames that were shown, so that a broken frame takes none away. */
function fillFields() {
  const known = [...$("picked-field").options].map((o) => o.value), names = [...new Set([...known, ...frame.bodies.fields.keys()])];
  if ($("color").length && names.length === known.length) return;
  const options = names.map((n) => [n, head.units?.[n] ? `${n} (${head.units[n]})` : n]);
  fillOptions($("color"), [["", "nothing"], ...options]);
  fillOptions($("hide"), [["", "all bodies"], ...options]);
  fillOptions($("picked-field"), options);
  if (known.length) return fillParts();
  if (names.includes("speed")) $("picked-field").value = "speed";
  // A page whose bodies move in the mean, as against the run, starts in colours of speed.
  const speed = bare ? undefined : frame.bodies.fields.get("speed")?.values();
  const moves = speed?.length && speed.reduce((a, b) => a + b) / speed.length > 0.05 * frames.ranges.get("speed.0")[1];
  color(hash.get("color") ?? (moves ? "speed" : ""));
}

/** Colours by NAME, or NAME.x, NAME.y, NAME.z of a vector; "" for nothing. */
function color(text) {
  const [, name, part] = /^(.*?)(?:\.([xyz]|size))?$/.exec(text);
  $("color").value = frame?.bodies.fields.has(name) ? name : "";
  fillParts();
  if (part && part !== "size") $("part").value = "xyz".indexOf(part);
  paint();
}

function fillParts() {
  for (const [id, part] of [["color", "part"], ["hide", "hide-part"]]) {
    const column = fieldOf(id), n = column?.components || 1;
    if ($(id).value && !column) continue; // a frame without the field
    $(part).hidden = n === 1;
    fillOptions($(part), [["size", "size"], ...Array.from({ length: n }, (_, c) => [String(c), "xyz"[c] || c])]);
  }
}

const partOf = (id, column) => (column?.components > 1 ? ($(id).value === "size" ? "size" : Number($(id).value)) : 0);

function paint() {
  if (!frame || !view) return;
  const set = frame.bodies, column = fieldOf("color"), contacts = $("contacts").checked;
  const colour = new Uint8Array((set.poses.length / 8) * 4).fill(255);
  scale = null;
  if (column) {
    const name = $("color").value, mode = $("range").value;
    const part = partOf("part", column), values = column.values(part), names = head.kinds?.[name];
    const run = frames.ranges.get(`${name}.${part}`) || rangeOf(values);
    const range = mode === "frame" ? rangeOf(values) : mode === "fixed" ? [Number($("lo").value), Number($("hi").value)].sort((a, b) => a - b) : run;
    const title = column.components === 1 ? name : part === "size" ? `|${name}|` : `${name} ${"xyz"[part] || part}`;
    scale = { field: name, part, range, names, kinds: kindsOf(name, run, names), title: head.units?.[name] ? `${title} (${head.units[name]})` : title };
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
  view.bodies.uniforms.fade.value = $("body-mode").value === "faint" || contacts ? 0.6 : 0;
  for (const [set, id] of [[view.bodies, "body-mode"], [view.walls, "walls"]]) set.group.visible = $(id).value !== "none";
  view.walls.setGlass($("walls").value === "glass");
  view.uniforms.outline.value = $("outlines").checked ? 1 : 0;
  view.chains.set(contacts ? chainsOf(frame, forms, frames.place, colours, hidden) : []);
  overlay(showLegend);
  drawOverlay();
  view.draw();
}

/** An error in what lies over the view does not stop the page. */
function overlay(draw) {
  try {
    draw();
  } catch (e) {
    console.error(e);
  }
}

function hideByRange(colour) {
  const column = fieldOf("hide");
  hidden = null;
  $("hide-row").hidden = !column;
  if (!column) return;
  const [lo, hi] = [Number($("hide-lo").value), Number($("hide-hi").value)].sort((a, b) => a - b);
  hidden = Uint8Array.from(column.values(partOf("hide-part", column)), (v) => (v >= lo && v <= hi ? 0 : 1));
  hidden.forEach((h, i) => h && (colour[i * 4 + 3] = 0));
  $("hide-count").textContent = `${hidden.reduce((a, b) => a + b, 0)} hidden`;
}

/** Shows all bodies at first: the range of the field, rounded outward. */
function startHiding() {
  fillParts();
  const range = frames.ranges.get(`${$("hide").value}.${partOf("hide-part", fieldOf("hide"))}`) || [0, 0];
  [$("hide-lo").value, $("hide-hi").value] = range.map((v, k) => short(v + (k ? 1e-3 : -1e-3) * Math.abs(v), 5));
  paint();
}

function showLegend() {
  const { meta, bodies, contacts: c } = frame, lines = [`${counted(bodies.count, "body", "bodies")}${meta.every_body > 1 ? ` shown, one of ${meta.every_body}` : ""}`];
  if ($("contacts").checked) {
    if (!c) lines.push(meta.contacts_present ? "no contacts in this frame" : "this run has no contact frames");
    else lines.push(c.count < meta.contacts ? `the ${c.count} strongest of ${meta.contacts} contacts` : counted(c.count, "contact"));
    if (c?.size?.length) lines.push(`forces up to ${withUnit(rangeOf(c.size)[1], "N", 3)}${c.sliding ? "; sliding contacts are blue" : ""}`);
  }
  $("legend").textContent = lines.join("\n");
}

function drawOverlay() {
  const bar = $("bar"), { clientWidth: w, clientHeight: h } = $("view"), g = bar.getContext("2d");
  Object.assign(bar, { width: w * devicePixelRatio, height: h * devicePixelRatio });
  g.scale(devicePixelRatio, devicePixelRatio);
  if (scale) overlay(() => drawBar(g, w, h, scale, colours.ink, colours.paper));
}

function outlineBoxes() {
  const shapes = $("cell").checked && frame.meta.domain ? [{ box: frame.meta.domain, colour: colours.cell }] : [];
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

const unpick = () => ((picked = null), frame && showPicked());

function showPicked() {
  if (picked?.kind === "contact" && picked.frame !== shown) picked = null;
  const body = picked?.kind === "body", index = body ? frame.bodies.number.indexOf(picked.number) : -1;
  view.bodies.uniforms.picked.value = index;
  $("picked-card").hidden = !picked;
  $("picked-more").hidden = !body;
  showTrail();
  if (!picked) return;
  $("picked-title").textContent = body ? `Body ${titleOf(picked.number)}` : "Contact";
  const rows = !body ? contactRows(frame, picked.index) : index < 0 ? [["", "not in this frame"]] : bodyRows(frame, index);
  $("picked").replaceChildren(table(rows));
}

const titleOf = (number) => nameOf(frame, "body", number) ?? number;

/** Reads where a body was in all frames, for its trail and its plot. */
async function follow(number) {
  const rows = [];
  for (let k = 0; k < head.frames.length; k += Math.max(1, Math.ceil(head.frames.length / mostTrail))) {
    const set = (await frames.load(k).catch(() => null))?.bodies, index = set ? set.number.indexOf(number) : -1;
    if (picked?.number !== number) return;
    if (index < 0) continue;
    const values = {};
    for (const [name, column] of set.fields) values[name] = column.components > 1 ? Math.hypot(...column.row(index)) : column.at(index);
    rows.push({ time: head.frames[k].time, at: Array.from(set.poses.subarray(index * 8, index * 8 + 3)), values });
  }
  track = rows;
  showTrail();
  plotPicked();
}

function plotPicked() {
  if (plotPicked.body) plots.remove(plotPicked.body);
  plotPicked.body = null;
  const field = $("picked-field").value, unit = head.units?.[field];
  if (!field || track.length < 2) return;
  const series = [{ label: field, unit, values: track.map((r) => r.values[field] ?? null) }];
  plotPicked.body = plots.add({ title: `${field} of body ${titleOf(picked.number)}`, unit, x: track.map((r) => r.time), series }, $("picked-plot"));
}

function showTrail() {
  if (picked?.kind !== "body") track = [];
  const cell = frame.meta.domain, half = [0, 1, 2].map((d) => (cell ? (cell[d + 3] - cell[d]) / 2 / frames.place.size : Infinity));
  view.trail.set($("trail").checked ? trailOf(track, colours, half) : []);
  view.draw();
}

// ---- Time ----

async function play(on = !playing) {
  playing = on && head.frames.length > 1 && !!view;
  $("play").textContent = playing ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (!playing || play.running) return;
  play.running = true;
  if (shown >= head.frames.length - 1) await go(0);
  while (playing && shown < head.frames.length - 1) {
    const start = performance.now();
    await go(shown + 1);
    await new Promise((done) => setTimeout(() => requestAnimationFrame(done), Math.max(0, playPause - (performance.now() - start))));
  }
  play.running = false;
  play(false);
}

function goToTime(time) {
  const away = head.frames.map((f) => Math.abs(f.time - time));
  if (away.length) go(away.indexOf(Math.min(...away)));
}

function showMarks() {
  const list = head.frames, last = Math.max(1, list.length - 1);
  $("slider").max = last;
  const mark = (k, className, title, ...text) => el("span", { className, style: `left:${(100 * k) / last}%`, title }, text);
  const broken = list.flatMap((f, k) => (f.broken ? [mark(k, "broken", `step ${f.step} cannot be read whole`)] : []));
  $("marks").replaceChildren(...broken, ...(head.stages || []).map(({ name, time }) => {
    let k = list.findIndex((f) => f.time >= time);
    if (k > 0) k -= (list[k].time - time) / (list[k].time - list[k - 1].time);
    return k < 0 ? "" : mark(k, "", name, name);
  }));
}

/** The last frame that can be read whole, or the last one. */
const lastWhole = () => {
  const k = head.frames.findLastIndex((f) => !f.broken);
  return k < 0 ? head.frames.length - 1 : k;
};

// ---- History ----

/** The head, also of a run that has not begun. */
const readHead = () => source.head().then((h) => ({ ...h, frames: h.frames || [], columns: h.columns || [] }));

async function loadHistory() {
  const runs = head.kind === "sweep" ? head.runs || [] : [{}], notes = [];
  histories = [];
  for (const [r, { label, missing }] of runs.entries())
    histories.push(await source.history(r).then(readHistory, (e) => {
      if (!missing) notes.push(`The history${label ? ` of ${label}` : ""} cannot be shown: ${e.message}.`);
      return { columns: new Map(), rows: 0 };
    }));
  $("plots-note").textContent = [...notes, ...histories.map((h) => h.missing)].filter(Boolean).join("\n");
  plots.stages = head.stages || [];
  for (const plot of plotsOf(head, histories)) {
    const key = `${plot.title} ${plot.unit}`;
    if (drawn.has(key)) plots.update(drawn.get(key), plot);
    else if (plot.x.length) drawn.set(key, plots.add(plot));
  }
  const more = head.columns.filter((c) => !c.group && histories[0]?.columns.has(c.name) && !/^(step|time)$/.test(c.name));
  fillOptions($("more-columns"), [["", "plot another column …"], ...more.map((c) => [c.name, c.name])]);
  $("more-columns").hidden = !more.length;
}

function plotColumn(name) {
  const column = head.columns.find((c) => c.name === name);
  const sweep = () => plotsOf({ ...head, columns: [{ ...column, group: name }] }, histories)[0];
  $("plots").prepend(plots.add({ title: name, unit: column.unit, ...(head.kind === "sweep" ? sweep() : runOf(histories[0], [column])) }).parentElement);
  $("more-columns").value = "";
}

/** Asks the server again: often while the run goes on, and then for a run that replaces it in the folder. */
async function followRun() {
  for (let pause = 0; ; ) {
    await new Promise((done) => setTimeout(done, Math.max(pause, head.live && !head.done ? 1000 : 5000)));
    const next = await readHead().catch(() => null);
    $("lost").textContent = next ? "" : "The server of this page has gone; what was read stays.";
    if (!next || JSON.stringify(next) === JSON.stringify(head)) continue;
    if (head.run && next.run !== head.run) {
      if (next.run) return location.reload();
      continue; // the other run has not begun
    }
    const start = performance.now(), grew = next.frames.length > head.frames.length, last = wanted >= lastWhole();
    head = next;
    showHead(head);
    await loadHistory();
    showMarks();
    if (grew && !view) await startView();
    else if (grew && last && !playing) await go(lastWhole());
    pause = 5 * (performance.now() - start); // long histories are read less often
  }
}

// ---- Start ----

function applyScheme() {
  colours = schemeColours();
  view?.theme(colours);
  plots.redraw();
  outlineBoxes.key = "";
  if (!frame) return;
  outlineBoxes();
  paint();
}

async function startView() {
  const count = head.frames.length;
  if (!count) {
    $("view-note").textContent = head.frames_all ? "The frames of this run cannot be shown; its history can." : "This run has no frames yet, or kept none.";
    document.documentElement.dataset.ready = "none";
    return;
  }
  const first = Math.max(0, Math.min(count - 1, Number(hash.get("frame") ?? lastWhole()) || 0));
  // The place of the view is that of the first frame that can be read, a whole one if there is one.
  const order = [...head.frames.keys()].sort((a, b) => !!head.frames[a].broken - !!head.frames[b].broken);
  for (const k of order) if (!frames.place) await frames.load(k).catch(() => {});
  try {
    view = new View($("view"), frames.place || placeOf(), forms, bare);
    view.onDrawn = () => bare || overlay(() => drawGizmo(view));
    view.theme(colours);
    new ResizeObserver(drawOverlay).observe($("view"));
  } catch (e) {
    noView = `3D needs WebGL 2, which this browser does not offer (${e.message}). Plots and summary are complete.`;
  }
  $("contacts").checked = hash.get("contacts") === "1";
  showMarks();
  // Colours need the ranges of the run: pictures wait for them, pages begin with two frames.
  if (bare && hash.get("color")) await frames.scan(count);
  else if (!bare) await frames.load(count >> 1).catch(() => {});
  if (view && frames.cache.size) {
    view.show(await frames.load(first).catch(() => [...frames.cache.values()][0]));
    view.look(hash.get("view") || (head.planar ? "z" : "iso"));
  }
  await go(first);
  if (!bare && view) frames.scan(count, source.whole ? Infinity : 30).then(paint);
}

function listen() {
  const on = (kind, ids, act) => ids.split(" ").forEach((id) => $(id).addEventListener(kind, act));
  on("change", "part range contacts outlines walls body-mode", paint);
  on("change", "color", () => (fillParts(), paint()));
  on("change", "cell measures", () => frame && (outlineBoxes(), view.draw()));
  on("input", "lo hi hide-lo hide-hi", paint);
  on("change", "hide hide-part", startHiding);
  for (let axis = 0; axis < 3; axis++) {
    let sign = 1;
    const set = () => {
      const { place, box } = view, t = Number($(`at-${axis}`).value) / 1000;
      const at = place.origin[axis] + place.size * (box[axis] + t * (box[axis + 3] - box[axis]));
      $(`where-${axis}`).textContent = withUnit(at, "m", 3);
      view.cut(axis, $(`cut-${axis}`).checked ? at : null, sign);
    };
    on("input", `at-${axis}`, () => (($(`cut-${axis}`).checked = true), set()));
    on("change", `cut-${axis}`, set);
    on("click", `flip-${axis}`, () => ((sign = -sign), set()));
  }
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => view?.look(button.dataset.view));
  on("input", "slider", () => (play(false), go(Number($("slider").value))));
  on("change", "trail", showTrail);
  on("change", "picked-field", plotPicked);
  on("change", "more-columns", (e) => plotColumn(e.target.value));
  const clicks = {
    fit: () => view?.fit(), save: savePicture, play: () => play(), unpick, "help-open": () => $("help").showModal(),
    copy,
  };
  for (const [id, act] of Object.entries(clicks)) on("click", id, act);
  let down = [0, 0];
  $("view").addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]), true);
  on("click", "view", (e) => {
    const box = $("view").getBoundingClientRect();
    if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) <= 4) pickAt(e.clientX - box.left, e.clientY - box.top);
  });
  addEventListener("keydown", onKey);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyScheme);
}

async function copy() {
  const text = $("command"), copied = await navigator.clipboard?.writeText(text.textContent).then(() => true, () => false);
  if (!copied) getSelection().selectAllChildren(text);
  $("copy").textContent = copied ? "copied" : "selected: press Ctrl+C";
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
  const from = e.target, own = /^(Arrow|Home|End|Page|Enter| )/.test(e.key) && !(from.id === "slider" && e.key === " ");
  if (from.matches?.("input[type=number], select") || (own && from.matches?.("input, button, summary, a"))) return;
  const step = (d) => (play(false), go(wanted + d)), zoom = (f) => () => view?.zoom(f);
  const arrow = (x, y) => () => (e.shiftKey ? view?.pan(x * 0.03, y * 0.03) : view?.turn(x * 0.08, -y * 0.08));
  const act = {
    ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, 1), ArrowDown: arrow(0, -1), "+": zoom(0.9), "=": zoom(0.9), "-": zoom(1 / 0.9),
    " ": () => play(), ",": () => step(-1), PageUp: () => step(-1), ".": () => step(1), PageDown: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity),
    x: () => view?.look("x"), y: () => view?.look("y"), z: () => view?.look("z"), i: () => view?.look("iso"), f: () => view?.fit(), s: savePicture,
    c: () => $("contacts").click(), o: () => $("outlines").click(), Escape: unpick, "?": () => $("help").showModal(),
  }[e.key];
  if (!act) return;
  act();
  e.preventDefault();
}

/** Saves what the view shows, with its colour bar. */
function savePicture() {
  if (!view) return;
  view.paintNow();
  const { width, height } = view.renderer.domElement, picture = el("canvas", { width, height }), g = picture.getContext("2d");
  for (const layer of [view.renderer.domElement, $("bar")]) g.drawImage(layer, 0, 0, width, height);
  picture.toBlob((blob) => {
    const link = el("a", { href: URL.createObjectURL(blob), download: `${head.scene_name?.replace(/\.toml$/, "") || "scree"}-${head.frames[shown].step}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

/** What the page shows: for tests and scripts. */
function state() {
  return {
    frame: shown, frames: head.frames.length, time: head.frames[shown]?.time, playing, webgl: !!view, software: view?.software,
    bodies: frame?.bodies.count || 0, hidden: hidden ? hidden.reduce((a, b) => a + b, 0) : 0, color: scale,
    contacts: view?.chains.rods.length || 0, trail: view?.trail.rods.length || 0, triangles: view?.renderer.info.render.triangles,
    camera: view && { position: view.camera.position.toArray(), target: view.controls.target.toArray() },
    picked: picked && { ...picked, rows: [...$("picked").querySelectorAll("tr")].map((r) => [...r.cells].map((c) => c.textContent)) },
  };
}

async function start() {
  document.body.classList.toggle("bare", bare);
  head = await readHead();
  if (head.format !== 1) throw new Error(`these data have format ${head.format}; this page reads format 1`);
  showHead(head);
  document.body.classList.toggle("sweep", head.kind === "sweep");
  colours = schemeColours();
  plots = new Plots($("plots"), goToTime);
  listen();
  const screen = (index) => view.onScreen(frame.bodies.poses.subarray(index * 8, index * 8 + 3)); // of the middle of a body, px
  window.scree = { go, view: (name) => view?.look(name), color, pickAt, state, paint: () => view?.paintNow(), screen };
  const later = bare || loadHistory();
  if (head.kind !== "sweep") await startView();
  await later;
  document.documentElement.dataset.ready ??= "none";
  if (!source.whole) followRun();
}

start().catch((e) => {
  $("notes").append(el("p", { className: "missing" }, `This page cannot show its data: ${e.message}.`));
  document.documentElement.dataset.ready = "none";
});
