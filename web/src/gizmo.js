// The axes and the ruler in the corner of the view.
import { $, svg } from "./dom.js";
import { withUnit } from "./colour.js";

const tones = { x: "#d6453d", y: "#3c9a4a", z: "#3b78d8" };

export function drawGizmo(view) {
  const axes = Object.entries(view.axes()).sort((a, b) => a[1][2] - b[1][2]);
  $("gizmo").replaceChildren(...axes.flatMap(([name, [x, y, z]]) => {
    const opacity = z < -0.3 ? 0.55 : 1;
    return [svg("line", { x2: x * 22, y2: -y * 22, stroke: tones[name], "stroke-width": 2, opacity }),
      svg("text", { x: x * 29, y: -y * 29 + 3.5, fill: tones[name], "text-anchor": "middle", opacity }, name)];
  }));
  const pixel = view.metresPerPixel(), most = pixel * 110, power = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].map((f) => f * power).find((v) => v <= most);
  $("ruler").style.width = `${length / pixel}px`;
  $("ruler").firstElementChild.textContent = withUnit(length, "m");
}
