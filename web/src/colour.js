// Colours of values, and how numbers are written.

// Viridis by a polynomial of sixth degree (M. Zucker, public domain).
const viridisTerms = [
  [0.2777273272234177, 0.005407344544966578, 0.3340998053353061],
  [0.1050930431085774, 1.404613529898575, 1.384590162594685],
  [-0.3308618287255563, 0.214847559468213, 0.09509516302823659],
  [-4.634230498983486, -5.799100973351585, -19.33244095627987],
  [6.228269936347081, 14.17993336680509, 56.69055260068105],
  [4.776384997670288, -13.74514537774601, -65.35303263337234],
  [-5.435455855934631, 4.645852612178535, 26.3124352495832],
];

export function viridis(t) {
  t = Math.min(1, Math.max(0, t));
  return [0, 1, 2].map((c) => Math.round(255 * Math.min(1, Math.max(0, viridisTerms.reduceRight((v, term) => v * t + term[c], 0)))));
}

const table = Array.from({ length: 256 }, (_, i) => viridis(i / 255));

// Okabe and Ito's colours, told apart by most eyes.
const distinct = [[230, 159, 0], [86, 180, 233], [0, 158, 115], [213, 94, 0], [0, 114, 178], [204, 121, 167], [240, 228, 66], [130, 130, 130],
  [122, 75, 30], [122, 79, 208], [192, 15, 60], [150, 200, 50]];

export const css = (rgb) => `rgb(${rgb.map(Math.round).join(" ")})`;

/** Kinds (few whole numbers, such as materials) instead of a scale? */
export function kindsOf(name, [lo, hi], names) {
  const whole = (v) => Math.abs(v - Math.round(v)) < 1e-3;
  if (!(names || /^(material|shape|kind)$/.test(name)) || !whole(lo) || !whole(hi) || hi - lo >= distinct.length) return null;
  return Array.from({ length: Math.round(hi - lo) + 1 }, (_, i) => Math.round(lo) + i);
}

/** The colour of a value on a scale {range, kinds}. */
export function colourOf(scale, v) {
  if (scale.kinds) return distinct[Math.max(0, Math.round(v - scale.kinds[0])) % distinct.length];
  const [lo, hi] = scale.range, t = hi > lo ? (v - lo) / (hi - lo) : 0;
  return table[Math.min(255, Math.max(0, Math.round(t * 255)))] || [128, 128, 128];
}

/** Digits of a value that its column can tell, at most four: step is the distance of two of its values. */
export const digitsOf = (v, step) => (step > 0 ? Math.min(4, Math.max(1, Math.floor(Math.log10(Math.abs(v) / step) + 1e-9) + 1)) : 4);

/** A number in at most four digits. */
export function short(v, digits = 4) {
  if (v === undefined || v === null) return "–";
  if (!Number.isFinite(v)) return String(v);
  if (v === 0) return "0";
  const a = Math.abs(v);
  if (Number.isInteger(v) && a < 1e7) return String(v);
  if (a < 1e-3 || a >= 1e6) return v.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  if (a >= 10 ** digits) return String(Math.round(v));
  const text = v.toPrecision(digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export const counted = (n, one, many = `${one}s`) => `${short(n)} ${n === 1 ? one : many}`;

export const withUnit = (v, unit, digits) => short(v, digits) + (unit && unit !== "1" ? ` ${unit}` : "");

/** Round numbers between lo and hi. */
export function ticks(lo, hi, most = 5) {
  if (!(hi > lo && hi - lo < Infinity)) return [lo];
  const raw = (hi - lo) / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999);
  const out = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) out.push(k * step + 0);
  return out;
}

/** Draws the colour bar with its title at the right edge of a 2D context of w × h px. */
export function drawBar(g, w, h, scale, ink, paper) {
  const wide = 12, tall = Math.round(Math.min(220, h * 0.5)), top = 44, x = w - 20 - wide, [lo, hi] = scale.range;
  Object.assign(g, { textAlign: "right", textBaseline: "middle", lineJoin: "round", lineWidth: 4, strokeStyle: paper });
  const fill = (style, ...box) => ((g.fillStyle = style), g.fillRect(...box));
  const write = (text, tx, ty, weight = 400) => {
    Object.assign(g, { font: `${weight} 12px system-ui, sans-serif`, fillStyle: ink });
    g.strokeText(text, tx, ty);
    g.fillText(text, tx, ty);
  };
  write(scale.title, w - 20, top - 20, 600);
  scale.kinds?.forEach((v, i) => {
    fill(css(colourOf(scale, v)), x, top + i * 20, wide, wide);
    write(scale.names?.[v] ?? String(v), x - 8, top + i * 20 + wide / 2);
  });
  if (scale.kinds) return;
  for (let i = 0; i < tall; i++) fill(css(table[Math.round(255 * (1 - i / Math.max(1, tall - 1)))]), x, top + i, wide, 1.5);
  for (const v of ticks(lo, hi)) {
    const y = top + (tall - 1) * (hi > lo ? 1 - (v - lo) / (hi - lo) : 1);
    fill(ink, x - 4, y - 0.5, 4, 1);
    write(short(v), x - 8, y);
  }
}
