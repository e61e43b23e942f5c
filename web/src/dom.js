// Elements made of data: text goes in by textContent alone.

/** An element with properties, and children that are elements or texts. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props))
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  node.append(...children.flat().map((c) => (c instanceof Node ? c : String(c))));
  return node;
}

export const $ = (id) => document.getElementById(id);

export const table = (rows) => el("table", {}, rows.map(([label, value]) => el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, value))));

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat());
  return node;
}

/** The colours of the scheme that is on, as CSS custom properties of the page. */
export function schemeColours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  return Object.fromEntries(["paper", "mark", "ink", "faint", "rule", "body", "cell", "measure", "chain", "slide"].map((n) => [n, get(n)]));
}
