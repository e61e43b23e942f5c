// Panels of words: summary, picked body or contact, rose of contact normals.
import { el, $, svg, table } from "./dom.js";
import { counted, digitsOf, short, withUnit } from "./colour.js";

let head = {}; // the one that was shown last

/** The name of a body or wall: of the frame, or of all frames. */
export const nameOf = (frame, kind, number) => (frame.meta[`${kind}_names`] || {})[number] ?? head[`${kind}_names`]?.[number];

/** What the run was, in words. */
export function showHead(now) {
  head = now;
  const name = head.title || head.scene_name || head.dir || "run";
  document.title = `${name} · Scree`;
  $("title").textContent = name;
  const state = head.state ?? (head.live && !head.done ? "running" : "");
  $("state").textContent = head.kind === "sweep" ? `sweep of ${counted(head.runs?.length || 0, "run")}` : state;
  $("state").classList.toggle("live", state === "running");
  const missing = [...(head.missing || []), ...(head.runs || []).filter((r) => r.missing).map((r) => `${r.label}: ${r.missing}`)];
  const notes = (className, texts) => texts.map((text) => el("p", { className }, text));
  $("notes").replaceChildren(...notes("warning", head.warnings || []), ...notes("missing", missing));
  $("summary").replaceChildren(table(head.summary || []), ...(head.table ? [runsTable(head.table)] : []));
  $("summary-card").hidden = !head.summary?.length && !head.table;
  const about = [["folder", head.dir], ["version", head.version], ["machine", head.machine], ["state hash", head.hash]];
  $("made").replaceChildren(table(about.filter(([k, v]) => v && !head.summary?.some(([label]) => label === k)).map(([k, v]) => [k, k === "state hash" ? el("code", {}, v) : v])));
  for (const id of ["command", "scene"]) {
    $(id).textContent = head[id] || "";
    $(`${id}-box`).hidden = !head[id];
  }
  $("scene-name").textContent = `scene ${head.scene_name || ""}`;
}

/** The table of a sweep: its first row has the titles. */
function runsTable([titles, ...rows]) {
  const line = (cells, tag) => el("tr", {}, cells.map((c) => el(tag, {}, c)));
  return el("div", { className: "wide" }, el("table", { className: "runs" }, line(titles || [], "th"), rows.map((r) => line(r, "td"))));
}

/** Values of a picked body. */
export function bodyRows(frame, index) {
  const { number: numbers, position, fields } = frame.bodies, number = numbers[index], name = nameOf(frame, "body", number);
  const rows = [...(name ? [["name", name]] : []), ["number", String(number)], ["position", vector(position, index, "m")]];
  for (const [field, column] of fields) {
    const kind = head.kinds?.[field]?.[Math.round(column.at(index))], length = kind ?? size(column, index, head.units?.[field]);
    rows.push([field, column.components > 1 ? `${length}  ${vector(column, index)}` : length]);
  }
  return rows;
}

/** Values of a picked contact. */
export function contactRows(frame, index) {
  const c = frame.contacts, rows = [];
  const who = (n) => nameOf(frame, "body", n) ?? nameOf(frame, "wall", n) ?? String(n);
  if (c.a && c.b) rows.push(["between", `${who(c.a[index])} and ${who(c.b[index])}`]);
  rows.push(["location", vector(c.location, index, "m")]);
  if (c.force) {
    const normal = c.normal && Math.abs(c.force.row(index).reduce((s, v, d) => s + v * c.normal.at(index, d), 0));
    rows.push(["force", size(c.force, index, "N")], ["force on the first", vector(c.force, index, "N")]);
    if (c.normal) rows.push(["normal part", withUnit(normal, "N", digitsOf(normal, Math.max(...c.force.steps)))]);
  }
  if (c.normal) rows.push(["normal", vector(c.normal, index)]);
  if (c.gap) rows.push(["gap", size(c.gap, index, "m")]);
  if (c.sliding) rows.push(["sliding", c.sliding[index] ? "yes" : "no"]);
  return rows;
}

const vector = (column, row, unit) => `(${column.row(row).map((v, c) => short(v, digitsOf(v, column.steps[c]))).join(", ")})${unit ? ` ${unit}` : ""}`;

/** A number, or the length of a vector, of a row of a column. */
function size(column, row, unit) {
  const v = column.components > 1 ? Math.hypot(...column.row(row)) : column.at(row);
  return withUnit(v, unit, digitsOf(v, Math.max(...column.steps)));
}

/** Three polar histograms of contact normals. */
export function showRose(rose, contacts) {
  $("rose-card").hidden = !rose;
  if (!rose) return;
  const planes = [["xy", "x", "y"], ["yz", "y", "z"], ["zx", "z", "x"]];
  $("rose").replaceChildren(...planes.filter(([p]) => rose[p]).map(([plane, right, up]) => {
    const counts = rose[plane], most = Math.max(1, ...counts), n = counts.length;
    const wedges = counts.map((count, k) => {
      const r = 40 * Math.sqrt(count / most); // area by count
      const at = (a) => `${(r * Math.cos(a)).toFixed(2)} ${(-r * Math.sin(a)).toFixed(2)}`;
      const a0 = (2 * Math.PI * k) / n, a1 = (2 * Math.PI * (k + 1)) / n;
      return svg("path", { d: `M0 0L${at(a0)}A${r} ${r} 0 0 0 ${at(a1)}Z` }, svg("title", {}, `${Math.round((k * 360) / n)}° to ${Math.round(((k + 1) * 360) / n)}°: ${count}`));
    });
    return svg("svg", { viewBox: "-52 -52 104 104", role: "img", "aria-label": `contact normals in the plane ${plane}` },
      svg("circle", { r: 40 }), svg("path", { class: "axes", d: "M-40 0H40M0 -40V40" }), ...wedges, svg("text", { x: 47, y: 3 }, right), svg("text", { y: -44 }, up));
  }));
  $("rose-note").textContent = `Directions of ${counted(contacts, "contact")}; the area of a wedge is the number of normals in 10 degrees.`;
}
