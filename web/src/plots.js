// Plots of the history, and of a picked body: uPlot with a mark at the time of the frame.
import uPlot from "uplot";
import { el, schemeColours } from "./dom.js";
import { css, short, viridis, withUnit } from "./colour.js";

const strokes = {
  light: ["#0072b2", "#d55e00", "#009e73", "#c14ba3", "#e69f00", "#00b5c8", "#1f2628", "#7a4b1e", "#6a3fc0", "#c00f3c", "#7f8a00", "#8a949b"],
  dark: ["#3f9bff", "#ff7433", "#1fc48f", "#f08bd0", "#f2b41c", "#6fe3ff", "#f4f4f4", "#b8834d", "#9a78ff", "#ff4d6d", "#c6dc4a", "#8a949b"],
};
const colourCount = strokes.light.length, dashes = [[], [8, 4], [2, 3]];
const stroke = (k) => strokes[matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"][k % colourCount];
const sync = uPlot.sync("time"); // where curves meet the pointer, all plots show the same time
const tick = (v) => (Math.abs(v) >= 1e5 ? v.toExponential().replace("e+", "e") : short(v));
const columnsOf = ({ x, series }) => [x, ...series.map((s) => s.values)];

export class Plots {
  /** go is called with a time (s) when a plot is clicked. */
  constructor(holder, go) {
    Object.assign(this, { holder, go, plots: new Map(), stages: [] });
    this.seen = new IntersectionObserver((entries) => entries.forEach((e) => e.isIntersecting && this.draw(e.target)), { rootMargin: "300px" });
    this.sized = new ResizeObserver((entries) => entries.forEach(({ target }) => {
      const made = this.plots.get(target)?.made;
      if (made && target.clientWidth > 50) made.setSize({ width: target.clientWidth, height: made.height });
    }));
  }

  /** A plot {title, unit, x, series: [{label, unit, values, colour?}], note}; it is drawn once it comes into sight. */
  add({ title, unit, x, series, note = "" }, holder = this.holder) {
    const body = el("div", { className: "plot-body" }), caption = el("figcaption", {}, title, unit ? el("span", { className: "unit" }, unit) : "");
    holder.append(el("figure", { className: "plot" }, caption, body, el("p", { className: "note" }, note)));
    this.plots.set(body, { x, series });
    for (const watch of [this.seen, this.sized]) watch.observe(body);
    return body;
  }

  /** Other numbers for a plot: of a history that grew. */
  update(body, { x, series, note = "" }) {
    const plot = this.plots.get(body), same = plot.series.map((s) => s.label).join() === series.map((s) => s.label).join();
    Object.assign(plot, { x, series });
    body.nextSibling.textContent = note;
    if (same) plot.made?.setData(columnsOf(plot)), this.tell(plot);
    else if (plot.made) this.drawAnew(body);
  }

  remove(body) {
    this.plots.get(body)?.made?.destroy();
    this.plots.delete(body);
    for (const watch of [this.seen, this.sized]) watch.unobserve(body);
    body.parentElement.remove();
  }

  /** Draws all plots in the colours of the scheme. */
  redraw() {
    for (const [body, { made }] of this.plots) if (made) this.drawAnew(body);
  }

  drawAnew(body) {
    const plot = this.plots.get(body);
    plot.made.destroy();
    plot.made = undefined;
    this.draw(body);
  }

  /** Moves the mark of the frame. */
  mark(time) {
    this.time = time;
    for (const plot of this.plots.values()) {
      plot.made?.redraw(false, false);
      this.tell(plot);
    }
  }

  /** Without a pointer on it, a plot tells the values at the frame, or the last ones. */
  tell({ made, x }) {
    if (made && !(made.cursor.left >= 0) && x.length) made.setLegend({ idx: this.time === undefined ? x.length - 1 : made.valToIdx(this.time) });
  }

  draw(body) {
    const plot = this.plots.get(body);
    if (!plot || plot.made || body.clientWidth < 50) return;
    const c = schemeColours();
    const axis = { stroke: c.faint, grid: { stroke: c.rule, width: 1 }, ticks: { stroke: c.rule, width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
    // A curve without a row at the pointer has its value of the row before.
    const value = (unit) => (u, v, k, row) => {
      while ((v ?? null) === null && row > 0) v = u.data[k][--row];
      return (v ?? null) === null ? "" : withUnit(v, unit);
    };
    const values = (_, all) => all.map((v) => (v === null ? "" : tick(v)));
    const series = plot.series.map((s, k) => ({
      label: s.label, stroke: s.colour || stroke(k), dash: dashes[Math.floor(k / colourCount) % dashes.length], width: 1.5, value: value(s.unit), points: { show: plot.x.length < 2 }, spanGaps: true,
    }));
    plot.made = new uPlot({
      width: body.clientWidth, height: 170, padding: [8, 12, 0, 0], series: [{ label: "time", value: value("s") }, ...series],
      axes: [{ ...axis, size: 28, values }, { ...axis, size: 58, values }], scales: { x: { time: false } },
      cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false }, points: { size: 6 } },
      hooks: { draw: [(u) => this.drawMarks(u, c)], ready: [(u) => (this.listen(u), this.tell(plot))] },
    }, columnsOf(plot), body);
  }

  drawMarks(u, c) {
    const { left, top, width, height } = u.bbox, g = u.ctx, ratio = devicePixelRatio;
    const upright = (time, colour, dash, name) => {
      const x = Math.round(u.valToPos(time, "x", true));
      if (!(x >= left && x <= left + width)) return;
      g.save();
      Object.assign(g, { strokeStyle: colour, fillStyle: colour, lineWidth: ratio, font: `${10 * ratio}px system-ui, sans-serif`, textAlign: "left", textBaseline: "top" });
      g.setLineDash(dash.map((d) => d * ratio));
      g.stroke(new Path2D(`M${x} ${top}V${top + height}`));
      if (x < left + width * 0.85) g.fillText(name, x + 3 * ratio, top + 2 * ratio);
      g.restore();
    };
    for (const { name, time } of this.stages) upright(time, c.faint, [3, 3], name);
    if (this.time !== undefined) upright(this.time, c.mark, [], "");
  }

  /** A click, and not the end of a drag, goes to the time under it. */
  listen({ over, posToVal }) {
    let down = [0, 0];
    over.addEventListener("pointerleave", () => setTimeout(() => this.mark(this.time)));
    over.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
    over.addEventListener("click", (e) => {
      if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) <= 4) this.go(posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    });
  }
}

/** Columns of a history chunk as arrays for uPlot. */
export function readHistory({ columns, meta }) {
  const read = new Map([...columns].map(([name, { data }]) => [name, Array.from(data, (v) => (Number.isFinite(v) ? v : null))]));
  return { columns: read, missing: meta.missing, rows: read.get("time")?.length || 0 };
}

/** The plots of a head: groups of columns of one run, or the runs of a sweep by column. */
export function plotsOf(head, histories) {
  const shown = head.columns.filter((c) => c.group), groups = new Map();
  if (head.kind === "sweep") {
    const plots = shown.map((c) => ({ title: c.group === c.name ? c.name : `${c.group}: ${c.name}`, unit: c.unit, ...sweepOf(head, histories, c) }));
    return plots.filter((p) => p.series.some((s) => s.values.some(Boolean)));
  }
  // Columns of different units do not share an axis.
  for (const c of shown) groups.set(`${c.group}\n${c.unit || ""}`, [...(groups.get(`${c.group}\n${c.unit || ""}`) || []), c]);
  return [...groups].map(([key, columns]) => {
    const [title, unit] = key.split("\n"), { x, series } = runOf(histories[0], columns);
    // Curves that are zero throughout are named, not drawn, beside others.
    const zero = series.filter((s) => x.length && !s.values.some(Boolean)), all = zero.length === series.length;
    const note = !all && zero.length ? `zero throughout: ${zero.map((s) => s.label).join(", ")}` : "";
    return { title, unit, x, series: all ? series : series.filter((s) => !zero.includes(s)), note };
  });
}

/** Columns of one run over time. */
export function runOf(history, columns) {
  const x = history.columns.get("time") || [];
  return { x, series: columns.map((c) => ({ label: c.name, unit: c.unit, values: history.columns.get(c.name) || x.map(() => null) })) };
}

function sweepOf(head, histories, { name, unit }) {
  const parts = head.runs.map(({ label }) => label.split(","));
  // What all runs have in common is left out of their names.
  const tells = (part, k) => parts.some((other) => other.length !== parts[0].length || other[k] !== part);
  const colour = (k) => (parts.length > colourCount ? css(viridis((0.9 * k) / (parts.length - 1))) : stroke(k));
  const of = parts.map((p, k) => ({ label: p.filter(tells).join(", ") || p.join(), unit, colour: colour(k), from: histories[k].columns })).filter(({ from }) => from.get(name)?.length);
  if (!of.length) return { x: [], series: [] };
  const [x, ...values] = uPlot.join(of.map(({ from }) => [from.get("time"), from.get(name)]));
  return { x, series: of.map((s, k) => ({ ...s, values: values[k] })) };
}
