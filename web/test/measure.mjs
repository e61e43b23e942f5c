// Measures the page of a run in headless Chromium, whose drawing is in software:
//   npm run measure -- ADDRESS|PAGE.html
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const seconds = 10;
const [from] = process.argv.slice(2);
if (!from) {
  console.error("usage: npm run measure -- ADDRESS|PAGE.html");
  process.exit(1);
}
const address = from.startsWith("http") ? from : pathToFileURL(resolve(process.env.INIT_CWD || ".", from)).href;
const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
let bytes = 0;
tab.on("response", async (r) => { bytes += (await r.body().catch(() => "")).length; });
const began = performance.now();
await tab.goto(address);
await tab.waitForSelector("html[data-ready]", { state: "attached", timeout: 120_000 });
const loaded = (performance.now() - began) / 1000;
const frames = await tab.evaluate((seconds) => new Promise((done) => {
  const from = performance.now();
  let n = 0;
  const next = () => {
    if (performance.now() - from > 1000 * seconds) return done(1000 * n / (performance.now() - from));
    window.scree.view(["x", "y", "z", "iso"][n++ % 4]);
    window.scree.paint();
    requestAnimationFrame(next);
  };
  next();
}), seconds);
console.log(`first picture after ${loaded.toFixed(2)} s, ${(bytes / 1e6).toFixed(2)} MB received, ${frames.toFixed(1)} frames/s`);
await browser.close();
