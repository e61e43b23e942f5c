// Plots of the history, and of a picked body: uPlot with a mark at the time of the frame.
import uPlot from "uplot";
import { el, schemeColours } from "./dom.js";
import { short, withUnit } from "./colour.js";

const strokes = {
  light: ["#0b6e8a", "#c2410c", "#4d7c0f", "#7e22ce", "#b45309", "#be185d", "#1d4ed8", "#475569"],
  dark: ["#4cc2dd", "#fb923c", "#a3d65c", "#c792ea", "#fbbf24", "#f472b6", "#7aa2ff", "#a8b3c2"],
};
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
export const stroke = (k) => strokes[isDark() ? "dark" : "light"][k % 8];

/** Where curves meet the pointer, all plots show the same time. */
const sync = uPlot.sync("time");

export class Plots {
  /** go is called with a time (s) when a plot is clicked. */
  constructor(holder, go) {
    this.holder = holder;
    this.go = go;
    this.plots = new Map();
    this.stages = [];
    this.seen = new IntersectionObserver((entries) => {
      for (const e of entries) if (e.isIntersecting) this.draw(e.target);
    }, { rootMargin: "300px" });
    this.sized = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        const made = this.plots.get(target)?.made;
        if (made && target.clientWidth > 50) made.setSize({ width: target.clientWidth, height: made.height });
      }
    });
  }

  /** A plot {title, unit, x, series: [{label, unit, values, colour?}], note}; it is drawn once it comes into sight. */
  add({ title, unit, x, series, note = "" }, holder = this.holder) {
    const body = el("div", { className: "plot-body" });
    const box = el("figure", { className: "plot" }, el("figcaption", {}, title, unit ? el("span", { className: "unit" }, unit) : ""), body, el("p", { className: "note" }, note));
    holder.append(box);
    this.plots.set(body, { x, series });
    this.seen.observe(body);
    this.sized.observe(body);
    return body;
  }

  /** Other numbers for a plot: of a history that grew. */
  update(body, { x, series, note = "" }) {
    const plot = this.plots.get(body), same = plot.series.map((s) => s.label).join() === series.map((s) => s.label).join();
    Object.assign(plot, { x, series });
    body.nextSibling.textContent = note;
    if (same) return plot.made?.setData([x, ...series.map((s) => s.values)]);
    plot.made?.destroy();
    plot.made = undefined;
    this.draw(body);
  }

  remove(body) {
    this.plots.get(body)?.made?.destroy();
    this.plots.delete(body);
    this.seen.unobserve(body);
    this.sized.unobserve(body);
    body.parentElement.remove();
  }

  /** Draws all plots anew, in the colours of the scheme. */
  redraw() {
    for (const [body, plot] of this.plots)
      if (plot.made) {
        plot.made.destroy();
        plot.made = undefined;
        this.draw(body);
      }
  }

  /** Moves the mark of the frame. */
  mark(time) {
    this.time = time;
    for (const plot of this.plots.values()) {
      plot.made?.redraw(false, false);
      this.tell(plot);
    }
  }

  /** Without a pointer on it, a plot tells the values at the frame. */
  tell({ made, x }) {
    if (!made || this.time === undefined || made.cursor.left >= 0 || !x.length) return;
    made.setLegend({ idx: made.valToIdx(this.time) });
  }

  draw(body) {
    const plot = this.plots.get(body);
    if (!plot || plot.made || body.clientWidth < 50) return;
    const c = schemeColours();
    const axis = { stroke: c.faint, grid: { stroke: c.rule, width: 1 }, ticks: { stroke: c.rule, width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
    const value = (unit) => (_, v) => (v === null || v === undefined ? "" : withUnit(v, unit));
    const series = plot.series.map((s, k) => ({
      label: s.label, stroke: s.colour || stroke(k), width: 1.5, value: value(s.unit), points: { show: plot.x.length < 2 }, spanGaps: true,
    }));
    const options = {
      width: body.clientWidth, height: 170, padding: [8, 12, 0, 0], series: [{ label: "time", value: value("s") }, ...series],
      axes: [{ ...axis, size: 28, values: (_, v) => v.map((x) => short(x)) }, { ...axis, size: 58, values: (_, v) => v.map((x) => (x === null ? "" : Math.abs(x) >= 1e5 ? x.toExponential().replace("e+", "e") : short(x))) }],
      scales: { x: { time: false } }, legend: { live: true },
      cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false }, points: { size: 6 } },
      hooks: {
        draw: [(u) => this.drawMarks(u, c)],
        ready: [(u) => (this.listen(u), this.tell(plot))],
      },
    };
    plot.made = new uPlot(options, [plot.x, ...plot.series.map((s) => s.values)], body);
  }

  drawMarks(u, c) {
    const { left, top, width, height } = u.bbox, g = u.ctx;
    const upright = (time, colour, dash) => {
      const x = Math.round(u.valToPos(time, "x", true));
      if (!(x >= left && x <= left + width)) return null;
      g.save();
      g.strokeStyle = colour;
      g.lineWidth = devicePixelRatio;
      g.setLineDash(dash);
      g.beginPath();
      g.moveTo(x, top);
      g.lineTo(x, top + height);
      g.stroke();
      g.restore();
      return x;
    };
    for (const { name, time } of this.stages) {
      const x = upright(time, c.faint, [3 * devicePixelRatio, 3 * devicePixelRatio]);
      if (x === null || x > left + width * 0.85) continue;
      g.save();
      g.fillStyle = c.faint;
      g.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
      g.textAlign = "left";
      g.textBaseline = "top";
      g.fillText(name, x + 3 * devicePixelRatio, top + 2 * devicePixelRatio);
      g.restore();
    }
    if (this.time !== undefined) upright(this.time, c.mark, []);
  }

  /** A click, and not the end of a drag, goes to the time under it. */
  listen(u) {
    let down = null;
    u.over.addEventListener("pointerleave", () => setTimeout(() => this.mark(this.time)));
    u.over.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
    u.over.addEventListener("click", (e) => {
      if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      this.go(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"));
    });
  }
}

/** Columns of a history chunk as arrays for uPlot. */
export function readHistory(chunk) {
  const columns = new Map();
  for (const [name, column] of chunk.columns)
    columns.set(name, Array.from(column.data, (v) => (Number.isFinite(v) ? v : null)));
  return { columns, missing: chunk.meta.missing, rows: columns.get("time")?.length || 0 };
}

/** The plots of a head: groups of columns of one run, or the runs of a sweep by column. */
export function plotsOf(head, histories) {
  const shown = head.columns.filter((c) => c.group);
  if (head.kind === "sweep") return shown.map((c) => ({ title: c.group === c.name ? c.name : `${c.group}: ${c.name}`, unit: c.unit, ...sweepOf(head, histories, c) }));
  const groups = new Map();
  for (const c of shown) {
    // Columns of different units do not share an axis.
    const key = `${c.group}\n${c.unit || ""}`;
    groups.set(key, [...(groups.get(key) || []), c]);
  }
  return [...groups].map(([key, columns]) => {
    const [title, unit] = key.split("\n");
    const { x, series } = runOf(histories[0], columns);
    // Curves that are zero throughout are named, not drawn, beside others.
    const zero = series.filter((s) => x.length && !s.values.some(Boolean));
    const drawn = zero.length === series.length ? series : series.filter((s) => !zero.includes(s));
    const note = drawn.length < series.length ? `zero throughout: ${zero.map((s) => s.label).join(", ")}` : "";
    return { title, unit, x, series: drawn, note };
  });
}

/** Columns of one run over time. */
export function runOf(history, columns) {
  const x = history.columns.get("time") || [];
  return { x, series: columns.map((c) => ({ label: c.name, unit: c.unit, values: history.columns.get(c.name) || x.map(() => null) })) };
}

function sweepOf(head, histories, column) {
  const tables = [], series = [];
  head.runs.forEach((run, k) => {
    const h = histories[k];
    const values = h?.columns.get(column.name);
    if (!values || !h.rows) return;
    tables.push([h.columns.get("time"), values]);
    series.push({ label: run.label, unit: column.unit, colour: stroke(k), run: k });
  });
  if (!tables.length) return { x: [], series: [] };
  const [x, ...values] = uPlot.join(tables);
  return { x, series: series.map((s, k) => ({ ...s, values: values[k] })) };
}
