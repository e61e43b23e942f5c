// Elements made of data: text goes in by textContent alone.

/** An element with properties, and children that are elements or texts. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) name in node ? (node[name] = value) : node.setAttribute(name, value);
  node.append(...children.flat().map((c) => (c instanceof Node ? c : String(c))));
  return node;
}

/** An element of SVG with attributes, and children that are elements or texts. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat());
  return node;
}

export const $ = (id) => document.getElementById(id);

export const table = (rows) => el("table", {}, rows.map(([label, value]) => el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, value))));

/** Gives a select other options [value, text]; its choice stays if it can. */
export function fillOptions(select, options) {
  const now = select.value;
  select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  select.value = options.some(([value]) => value === now) ? now : options[0]?.[0];
}

/** The colours of the scheme that is on, from the custom properties of the page. */
export function schemeColours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(["paper", "mark", "ink", "faint", "rule", "body", "cell", "measure", "chain", "slide"].map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}
