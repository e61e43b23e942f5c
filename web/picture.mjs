// Saves a picture of a frame of a report:
//   npm run picture -- DIR frame.png [--frame N] [--view x|y|z|iso] [--color FIELD] [--contacts] [--size WxH] [--dark]
import { resolve } from "node:path";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "./test/browser.mjs";

const usage = "usage: npm run picture -- DIR|PAGE.html PICTURE.png [--frame N] [--view x|y|z|iso] [--color FIELD] [--contacts] [--size WxH] [--dark]";

function fail(text) {
  console.error(text);
  process.exit(1);
}

const text = { type: "string" }, options = { frame: text, view: text, color: text, size: text, contacts: { type: "boolean" }, dark: { type: "boolean" } };
let values, positionals;
try {
  ({ values, positionals } = parseArgs({ allowPositionals: true, options }));
} catch (e) {
  fail(`${e.message}\n${usage}`);
}
const size = /^(\d+)x(\d+)$/.exec(values.size ?? "960x720");
if (positionals.length !== 2 || !size || !["x", "y", "z", "iso", undefined].includes(values.view)) fail(usage);
// npm runs in the folder of package.json; paths are those of the caller.
const from = process.env.INIT_CWD || process.cwd();
let page = resolve(from, positionals[0]);
try {
  if (statSync(page).isDirectory()) page = resolve(page, "report.html");
  statSync(page);
} catch {
  fail(`${page} does not exist: scree report writes it`);
}
const hash = new URLSearchParams({ bare: "" });
for (const name of ["frame", "color", "view"]) if (values[name] !== undefined) hash.set(name, values[name]);
if (values.contacts) hash.set("contacts", "1");

const browser = await launch();
try {
  const tab = await browser.newPage({ viewport: { width: +size[1], height: +size[2] }, colorScheme: values.dark ? "dark" : "light" });
  await tab.goto(`${pathToFileURL(page)}#${hash}`);
  await tab.waitForSelector("html[data-ready]", { state: "attached", timeout: 120_000 });
  const state = await tab.evaluate(() => window.scree.state());
  if (!state.webgl || state.frame < 0) throw new Error(`${page} shows no frame`);
  if (values.frame !== undefined && state.frame !== Number(values.frame)) throw new Error(`${page} has the frames 0 to ${state.frames - 1}`);
  if (values.color && values.color.split(".")[0] !== state.color?.field) throw new Error(`the frames have no field ${values.color}`);
  await tab.screenshot({ path: resolve(from, positionals[1]) });
} catch (e) {
  console.error(e.message);
  process.exitCode = 1;
} finally {
  await browser.close();
}
