// The page in headless Chromium: with made data, and with runs of this repository.
import test, { after, before, describe } from "node:test";
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chunk, makeHistory, makeRun, makeSweep, pageOf } from "./fixture.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { launch, chromiumPath } = await import("./browser.mjs").catch(() => ({}));
const missing = !launch ? "node_modules is missing: npm ci" : !chromiumPath ? "Chromium is missing: apt-get install chromium" : "";
const skip = missing && process.env.SCREE_REQUIRE !== "all" ? missing : false;
const dir = mkdtempSync(join(tmpdir(), "scree-page-"));
const scree = join(dir, "scree");
const wait = { timeout: 60_000 };
let browser;

before(async () => {
  if (skip) return;
  assert.equal(missing, "");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Opens an address without network (unless online), and fails the test on an error of the console. */
async function open(t, url, { online = false, width = 1200, height = 800, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  if (!online) await context.setOffline(true);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (e) => errors.push(e.stack));
  page.on("console", (m) => {
    if (m.type() === "error" || (m.type() === "warning" && !/ReadPixels/.test(m.text()))) errors.push(m.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(page.allowed ? errors.filter((e) => !page.allowed.test(e)) : errors, []);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]", { state: "attached", ...wait });
  return page;
}

/** Writes a page of made data and opens it. */
async function openMade(t, data, hash = "", options) {
  const path = join(dir, `${t.name.replace(/\W+/g, "-")}.html`);
  await writeFile(path, await pageOf(data));
  return open(t, pathToFileURL(path) + hash, options);
}

const state = (page) => page.evaluate(() => window.scree.state());
const ready = (page, k) => page.waitForSelector(`html[data-ready="${k}"]`, { state: "attached", ...wait });

/** The colours of the 3D view at points of it, in px, as [r, g, b]; drawn anew and read at once. */
const pixels = (page, points) =>
  page.evaluate((at) => {
    window.scree.paint();
    const canvas = document.querySelector("#view canvas"), copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const g = copy.getContext("2d", { willReadFrequently: true }), ratio = canvas.width / canvas.clientWidth;
    g.drawImage(canvas, 0, 0);
    return at.map(([x, y]) => [...g.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].slice(0, 3));
  }, points);

const screen = (page, index) => page.evaluate((i) => window.scree.screen(i), index);
const differ = (a, b) => Math.max(...a.map((v, k) => Math.abs(v - b[k])));

/** The body whose middle is nearest to the eye, by clicks on all: bodies in front of others. */
async function pickSome(page, count) {
  const hits = [];
  for (let i = 0; i < count; i++) {
    const at = await screen(page, i);
    hits.push([i, at, await page.evaluate(([x, y]) => window.scree.pickAt(x, y), at)]);
  }
  return hits;
}

describe("made data", { skip }, () => {
  test("bodies are seen where they are, and nothing where they are not", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }));
    const empty = (await pixels(page, [[4, 4]]))[0];
    const places = [];
    for (let i = 0; i < 27; i++) places.push(await screen(page, i));
    for (const [i, colour] of (await pixels(page, places)).entries()) assert.ok(differ(colour, empty) > 20, `body ${i} is drawn as ${colour} on ${empty}`);
    // With the bodies hidden the same points are those of the page behind, through a wall at most.
    await page.locator("#look-card details").evaluate((d) => (d.open = true));
    await page.selectOption("#walls", "none");
    await page.selectOption("#body-mode", "none");
    await page.uncheck("#cell");
    await page.uncheck("#measures");
    for (const colour of await pixels(page, places)) assert.deepEqual(colour, empty);
  });

  test("slider and keys move between frames", async (t) => {
    const page = await openMade(t, makeRun());
    await ready(page, 5);
    await page.locator("#slider").fill("2");
    await ready(page, 2);
    assert.match(await page.textContent("#clock"), /0\.1 s\s+step 200/);
    await page.locator("#view").focus();
    for (const [key, k] of [[".", 3], ["PageDown", 4], [",", 3], ["PageUp", 2], ["End", 5], ["Home", 0]]) {
      await page.keyboard.press(key);
      await ready(page, k);
    }
    await page.keyboard.press(" ");
    await ready(page, 5); // plays to the end
    await page.waitForFunction(() => !window.scree.state().playing, null, wait);
  });

  test("keys move the camera", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }));
    await page.locator("#view").focus();
    const arm = ({ camera: { position, target } }) => position.map((v, d) => v - target[d]);
    const look = async (key) => {
      await page.keyboard.press(key);
      const v = arm(await state(page)), size = Math.hypot(...v);
      return v.map((c) => Math.round((1000 * c) / size) / 1000 + 0);
    };
    assert.deepEqual(await look("x"), [1, 0, 0]);
    assert.deepEqual(await look("y"), [0, -1, 0]);
    assert.deepEqual(await look("z"), [0, 0, 1]);
    await look("i");
    const before = await state(page);
    await page.keyboard.press("ArrowRight");
    const turned = await state(page);
    assert.ok(differ(turned.camera.position, before.camera.position) > 0.01 && differ(turned.camera.target, before.camera.target) < 1e-9);
    await page.keyboard.press("Shift+ArrowRight");
    assert.ok(differ((await state(page)).camera.target, turned.camera.target) > 0.01);
    const far = Math.hypot(...arm(await state(page)));
    await page.keyboard.press("+");
    assert.ok(Math.abs(Math.hypot(...arm(await state(page))) / far - 0.9) < 1e-6);
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("#help").isVisible()));
  });

  test("colours follow the field, and the bar has its unit", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }), "#frame=0");
    const places = await Promise.all([0, 8, 26].map((i) => screen(page, i)));
    await page.selectOption("#color", "mass");
    assert.equal((await state(page)).color.title, "mass (kg)");
    const byMass = await pixels(page, places);
    await page.selectOption("#color", "velocity");
    assert.equal((await state(page)).color.title, "|velocity| (m/s)");
    await page.selectOption("#part", "2");
    assert.equal((await state(page)).color.title, "velocity z (m/s)");
    assert.ok((await state(page)).color.range[0] < 0);
    const byVelocity = await pixels(page, places);
    assert.ok(places.some((_, k) => differ(byMass[k], byVelocity[k]) > 20));
    // The upper bodies fall faster: with the range of the frame they have the lowest velocity, viridis' dark end.
    // A lowest value above the highest one: the other way round.
    await page.selectOption("#range", "fixed");
    await page.fill("#lo", "3");
    await page.fill("#hi", "-1");
    assert.deepEqual((await state(page)).color.range, [-1, 3]);
    await page.selectOption("#color", "");
    assert.equal((await state(page)).color, null);
  });

  test("windows of odd heights have a colour bar, and no error", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }), "#frame=0&color=mass", { width: 1280, height: 501 });
    const barred = () => page.evaluate(() => {
      const bar = document.getElementById("bar"), copy = Object.assign(document.createElement("canvas"), { width: 1, height: bar.height });
      const g = copy.getContext("2d", { willReadFrequently: true });
      g.drawImage(bar, 26 * devicePixelRatio - bar.width, 0);
      return new Set(g.getImageData(0, 0, 1, bar.height).data).size;
    });
    for (const [width, height] of [[1280, 501], [390, 780], [1001, 333], [1280, 180], [700, 60], [1280, 502]]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(100); // for the observers of sizes
      await page.evaluate(() => window.scree.color("mass"));
      await page.evaluate(() => window.scree.go(window.scree.state().frame === 0 ? 1 : 0));
      assert.equal((await state(page)).color.field, "mass");
      if (height > 200) assert.ok((await barred()) > 50, `colours at ${width} × ${height}`);
    }
  });

  test("bodies outside a range of a field are hidden", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }), "#frame=0");
    await page.locator("#look-card details").evaluate((d) => (d.open = true));
    await page.selectOption("#hide", "mass");
    assert.equal((await state(page)).hidden, 0);
    const places = await Promise.all([18, 22, 26].map((i) => screen(page, i))), before = await pixels(page, places);
    await page.fill("#hide-hi", "1.75");
    const { hidden, bodies } = await state(page);
    assert.ok(hidden > 0 && hidden < bodies);
    assert.equal(await page.textContent("#hide-count"), `${hidden} hidden`);
    await page.fill("#hide-lo", "1.76");
    assert.equal((await state(page)).hidden, bodies);
    const after = await pixels(page, places);
    assert.ok(places.some((_, k) => differ(before[k], after[k]) > 20), "hidden bodies are not drawn");
    assert.equal(await page.evaluate(([x, y]) => window.scree.pickAt(x, y), places[2]), null);
    // By a component: all fall, none of them upward.
    await page.selectOption("#hide", "velocity");
    await page.selectOption("#hide-part", "2");
    assert.equal((await state(page)).hidden, 0);
    assert.ok(Number(await page.inputValue("#hide-lo")) < 0);
    await page.fill("#hide-lo", "0.001");
    await page.fill("#hide-hi", "9");
    assert.equal((await state(page)).hidden, bodies);
  });

  test("a click picks a body, a contact, or nothing", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }));
    const hits = await pickSome(page, 27);
    const itself = hits.filter(([i, , hit]) => hit?.number === i + 10);
    assert.ok(hits.every(([, , hit]) => hit?.kind === "body"), "every middle lies behind some body");
    assert.ok(itself.length >= 7, "bodies in front are picked");
    // By the mouse: the values are those of the data, and the trail and the plot appear.
    const [index, [x, y]] = itself[0];
    const box = await page.locator("#view").boundingBox();
    await page.mouse.click(box.x + x, box.y + y);
    const rows = Object.fromEntries((await state(page)).picked.rows);
    assert.equal(rows.number, String(index + 10));
    assert.equal(rows.speed, "0 m/s");
    assert.match(rows.mass, / kg$/);
    await page.check("#trail");
    await page.waitForFunction(() => window.scree.state().trail === 5, null, wait);
    await page.waitForSelector("#picked-plot canvas", wait);
    await page.keyboard.press("Escape");
    assert.equal((await state(page)).picked, null);
    assert.equal(await page.evaluate(() => window.scree.pickAt(3, 3)), null);
    // A contact of the named body: between it and the floor.
    await page.check("#contacts");
    assert.ok((await state(page)).contacts >= 27);
    const named = await screen(page, 2);
    const contact = await page.evaluate(([cx, cy]) => window.scree.pickAt(cx, cy), named); // rods meet in the middle
    assert.equal(contact.kind, "contact");
    const values = Object.fromEntries(contact.rows);
    assert.match(values.force, / N$/);
    assert.match(values.sliding, /^(yes|no)$/);
    assert.equal(values.normal, "(0, 0, -1)");
  });

  test("a cut shows what lies behind it", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }));
    await page.keyboard.press("z");
    const at = await screen(page, 22); // the uppermost body of the middle column
    assert.equal((await page.evaluate(([x, y]) => window.scree.pickAt(x, y), at)).number, 32);
    await page.locator("#look-card details").evaluate((d) => (d.open = true));
    await page.locator("#at-2").fill("380"); // 0.61 m, below the middle of that body and above the next
    assert.ok(await page.isChecked("#cut-2"));
    assert.equal((await page.evaluate(([x, y]) => window.scree.pickAt(x, y), at)).number, 23);
    await page.locator("#at-2").fill("0");
    assert.equal(await page.evaluate(([x, y]) => window.scree.pickAt(x, y), at), null);
  });

  test("a click on a plot goes to the frame of that time", async (t) => {
    const page = await openMade(t, makeRun());
    await page.waitForSelector("#plots .u-over", wait);
    const over = await page.locator("#plots .u-over").first().boundingBox();
    await page.mouse.click(over.x + over.width * 0.4, over.y + over.height / 2);
    await ready(page, 2); // 0.4 of 0.25 s
    assert.match(await page.locator("#plots .u-legend").first().textContent(), /kinetic.*J/);
  });

  test("summary, warnings, scene and licences are there", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 8 }));
    const text = await page.evaluate(() => document.body.textContent);
    for (const part of ["Rocks in a box", "3 contacts had a gap", "at rest", "00c0ffee00c0ffee", "scree run rocks.toml", 'name = "rocks"', "Permission is hereby granted", "uplot", "three"])
      assert.ok(text.includes(part), part);
    assert.equal(await page.locator("#rose svg").count(), 3);
    assert.equal(await page.locator("#marks span").count(), 2);
  });

  test("without a clipboard the command is selected", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 1 }));
    assert.match(await page.textContent("#legend"), /^1 body$/m);
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.click("#copy");
    await page.waitForFunction(() => getSelection().toString() === "scree run rocks.toml -o rocks.out", null, wait);
    assert.match(await page.textContent("#copy"), /selected/);
  });

  test("text of the data is never markup", async (t) => {
    const run = makeRun({ bodies: 8 });
    run.head.title = "<img src=x onerror=alert(1)>";
    run.head.warnings = ["<b>bold</b>"];
    run.head.summary = [["</script><script>document.title='bad'</script>", "<i>"]];
    const page = await openMade(t, run);
    assert.equal(await page.textContent("#title"), run.head.title);
    assert.equal(await page.locator("#notes b, #title img, #summary i").count(), 0);
  });

  test("pictures can be saved, and bare pages have no panels", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    assert.equal(download.suggestedFilename(), "rocks-500.png");
    const bytes = await readFile(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    const bare = await open(t, `${page.url()}#frame=3&view=z&color=speed&contacts=1&bare`);
    const { frame, color, contacts } = await state(bare);
    assert.deepEqual([frame, color.field, contacts > 0], [3, "speed", true]);
    assert.ok(!(await bare.locator("aside").isVisible()));
  });

  test("a broken frame and missing forms are named; other frames are shown", async (t) => {
    const run = makeRun({ bodies: 27 });
    run.frames[1] = run.frames[1].subarray(0, 200);
    run.head.missing = ["frame 300 was cut short"];
    const page = await openMade(t, run);
    assert.equal((await state(page)).bodies, 27);
    await page.evaluate(() => window.scree.go(1));
    assert.match(await page.textContent("#view-note"), /^Frame 1 cannot be shown/);
    assert.match(await page.textContent("#notes"), /frame 300 was cut short/);
    await page.evaluate(() => window.scree.go(2));
    assert.equal(await page.textContent("#view-note"), "");
  });

  test("a run without frames shows its history", async (t) => {
    const run = makeRun({ bodies: 8 });
    Object.assign(run, { frames: [], forms: null });
    run.head.frames = [];
    const page = await openMade(t, run);
    assert.equal(await page.getAttribute("html", "data-ready"), "none");
    await page.waitForSelector("#plots canvas", wait);
    assert.match(await page.textContent("#view-note"), /frames/);
  });

  test("without WebGL the page says so and shows the rest", async (t) => {
    const path = join(dir, "no-webgl.html");
    const text = await pageOf(makeRun({ bodies: 8 }));
    await writeFile(path, text.replace("<head>", "<head><script>HTMLCanvasElement.prototype.getContext = ((old) => function (kind, ...rest) { return /webgl/.test(kind) ? null : old.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext)</script>"));
    const page = await open(t, pathToFileURL(path).href);
    assert.match(await page.textContent("#view-note"), /WebGL/);
    await page.waitForSelector("#plots canvas", wait);
  });

  test("a sweep lays the curves of its runs over each other", async (t) => {
    const page = await openMade(t, makeSweep());
    assert.equal(await page.getAttribute("html", "data-ready"), "none");
    await page.waitForSelector("#plots canvas", wait);
    assert.equal(await page.locator("#plots .plot").count(), 5);
    assert.match(await page.locator("#plots .u-legend").first().textContent(), /friction 0\.2.*[1-9].* J.*friction 0\.5.*[1-9].* J/); // the last values
    assert.match(await page.textContent("#notes"), /friction 0\.9: the run was stopped/);
  });

  test("a narrow screen has no sideways scroll", async (t) => {
    const page = await openMade(t, makeRun({ bodies: 27 }), "", { width: 400, height: 800, hasTouch: true, isMobile: true });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const [x, y] = await screen(page, 26), box = await page.locator("#view").boundingBox();
    await page.touchscreen.tap(box.x + x, box.y + y);
    assert.equal((await state(page)).picked.kind, "body");
  });

  test("broken frames are passed over and marked, and the choice of fields stays", async (t) => {
    const run = makeRun({ bodies: 27 });
    run.frames[5] = chunk({ step: 500, time: 0.25, forms: [], missing: "the bodies are cut short" }, []);
    run.head.frames[5].broken = true;
    const page = await openMade(t, run);
    await ready(page, 4);
    await page.selectOption("#color", "velocity");
    await page.selectOption("#part", "2");
    const offered = () => page.evaluate(() => ["color", "hide", "picked-field", "part"].map((id) => [...document.getElementById(id).options].map((o) => o.value).join()));
    const before = await offered();
    assert.match(before[0], /speed.*mass/);
    await page.evaluate(() => window.scree.go(5));
    assert.equal((await state(page)).bodies, 0);
    assert.match(await page.textContent("#view-note"), /cut short/);
    assert.deepEqual(await offered(), before);
    assert.equal(await page.locator("#marks .broken").count(), 1);
    await page.evaluate(() => window.scree.go(2));
    assert.deepEqual(await offered(), before);
    assert.equal((await state(page)).color.title, "velocity z (m/s)");
    // The first frame shown is a broken one.
    const late = await open(t, `${page.url()}#frame=5&color=mass`);
    await ready(late, 5);
    await late.evaluate(() => window.scree.go(1));
    assert.match((await offered())[0], /speed.*mass/);
    assert.equal((await state(late)).bodies, 27);
  });

  test("names, kinds and a plane scene come from the head; far bodies are placed", async (t) => {
    const run = makeRun({ bodies: 27 }), plain = makeRun({ bodies: 27, far: true });
    Object.assign(run, { frames: plain.frames });
    Object.assign(run.head, { planar: true, kinds: { material: ["steel", "glass", "clay"] }, body_names: { 32: "the top" }, state: "interrupted" });
    const page = await openMade(t, run, "#color=material");
    assert.equal(await page.textContent("#state"), "interrupted");
    const { camera, color } = await state(page), arm = camera.position.map((v, d) => v - camera.target[d]);
    assert.ok(arm[2] > 100 * Math.hypot(arm[0], arm[1]), "seen along z");
    assert.deepEqual([color.kinds, color.names], [[1, 2], ["steel", "glass", "clay"]]);
    const hit = await page.evaluate(([x, y]) => window.scree.pickAt(x, y), await screen(page, 22));
    assert.equal(hit.number, 32);
    assert.ok(color.names.includes(Object.fromEntries(hit.rows).material));
    assert.equal(await page.textContent("#picked-title"), "Body the top");
    await page.waitForSelector("#picked-plot canvas", wait);
    assert.match(await page.textContent("#picked-plot figcaption"), /^speed of body the top/);
  });

  /** Serves a run as `scree view` does; head() is asked each time. */
  async function serve(t, whole, head) {
    const page = await readFile(new URL("../../report/page.html", import.meta.url)), asked = [];
    const server = createServer((request, response) => {
      const path = new URL(request.url, "http://x").pathname.replace("/token/", "");
      const send = (type, body) => response.writeHead(200, { "Content-Type": type }).end(body);
      asked.push(path);
      if (path === "") send("text/html", page);
      else if (path === "head") send("application/json", JSON.stringify(head()));
      else if (path === "history") send("application/octet-stream", whole.histories[0]);
      else if (/^frame\/\d$/.test(path)) send("application/octet-stream", whole.frames[Number(path.slice(6))]);
      else if (/^forms\/\d$/.test(path)) send("application/octet-stream", whole.forms);
      else response.writeHead(404).end("no such thing");
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    t.after(() => server.close());
    return { server, asked, tab: await open(t, `http://127.0.0.1:${server.address().port}/token/`, { online: true }) };
  }

  test("another run in the folder, and a history that grows, are read anew", async (t) => {
    const whole = makeRun({ bodies: 27, live: true });
    const now = { run: "first", done: false, state: "running", frames: whole.head.frames.slice(0, 2), history_bytes: 100, stages: [] };
    const { asked, tab } = await serve(t, whole, () => ({ ...whole.head, ...now }));
    await ready(tab, 1);
    const before = asked.filter((p) => p === "history").length;
    const shorter = whole.histories[0];
    whole.histories[0] = makeHistory(whole.head.columns, 200, 2);
    now.history_bytes = 200;
    now.stages = [{ name: "shake", step: 0, time: 0 }];
    await tab.waitForFunction(() => document.querySelectorAll("#marks span").length === 1, null, wait);
    assert.ok(asked.filter((p) => p === "history").length > before);
    await tab.evaluate(() => (window.stays = true));
    now.done = true;
    now.state = "killed";
    await tab.waitForFunction(() => document.getElementById("state").textContent === "killed", null, wait);
    assert.ok(await tab.evaluate(() => window.stays));
    whole.histories[0] = shorter;
    Object.assign(now, { run: "second", done: false, state: "running", frames: whole.head.frames.slice(0, 1) });
    await tab.waitForFunction(() => !window.stays && window.scree?.state().frames === 1, null, wait);
    await ready(tab, 0);
    assert.equal(await tab.textContent("#state"), "running");
    assert.equal(asked.filter((p) => p === "").length, 2);
  });

  test("a run that goes on is followed, and a server that has gone is named", async (t) => {
    const whole = makeRun({ bodies: 27, live: true });
    let shown = 2;
    const { server, tab } = await serve(t, whole, () => ({ ...whole.head, frames: whole.head.frames.slice(0, shown), done: shown === 6 }));
    tab.allowed = /ERR_CONNECTION_REFUSED/; // Chromium itself reports that the server has gone
    await ready(tab, 1);
    assert.equal(await tab.textContent("#state"), "running");
    shown = 4;
    await ready(tab, 3); // it was on the last frame, and stays on it
    await tab.evaluate(() => window.scree.go(0));
    shown = 5;
    await tab.waitForFunction(() => window.scree.state().frames === 5, null, wait);
    assert.equal((await state(tab)).frame, 0);
    server.closeAllConnections();
    server.close();
    await tab.waitForFunction(() => /has gone/.test(document.getElementById("lost").textContent), null, wait);
    assert.equal((await state(tab)).bodies, 27);
  });
});

const go = spawnSync("go", ["version"]).status === 0;
const noGo = go || process.env.SCREE_REQUIRE === "all" || process.env.SCREE_RUNS ? false : "go is missing";

describe("runs", { skip: skip || noGo }, () => {
  before(() => {
    const built = spawnSync("go", ["build", "-o", scree, "./cmd/scree"], { cwd: root, encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
  });

  for (const [name, flags, bodies] of [["drop", ["--steps", "4000"], 48], ["hourglass", ["--steps", "2000"], 400]])
    test(`the report of examples/${name}.toml opens from disk`, async (t) => {
      const runs = process.env.SCREE_RUNS; // a folder that holds drop/report.html and hourglass/report.html
      let path = runs && join(runs, name, "report.html");
      if (!runs) {
        const ran = spawnSync(scree, ["run", `examples/${name}.toml`, ...flags, "-o", join(dir, name), "--report"], { cwd: root, encoding: "utf8" });
        assert.equal(ran.status, 0, ran.stderr);
        path = join(dir, name, "report.html");
      }
      assert.ok(existsSync(path));
      const page = await open(t, pathToFileURL(path).href);
      const first = await state(page);
      assert.equal(first.bodies, bodies);
      const empty = (await pixels(page, [[4, 4]]))[0];
      const hits = await pickSome(page, Math.min(bodies, 48));
      assert.ok(hits.filter(([i, , hit]) => hit?.rows.length > 4 && hit.kind === "body").length > 20);
      const colours = await pixels(page, hits.map(([, at]) => at));
      assert.ok(colours.filter((c) => differ(c, empty) > 20).length > hits.length / 2);
      await page.selectOption("#color", "speed");
      assert.match((await state(page)).color.title, /^speed \(m\/s\)$/);
      await page.locator("#slider").fill("1");
      await ready(page, 1);
      await page.locator("#view").focus();
      await page.keyboard.press("Home");
      await ready(page, 0);
      assert.ok((await page.locator("#plots .plot").count()) >= 4);
      assert.ok((await page.locator("#summary tr").count()) >= 5);
    });

  test("scree run --view is followed to its end", async (t) => {
    const out = join(dir, "live");
    const run = spawn(scree, ["run", "examples/drop.toml", "-o", out, "--view"], { cwd: root });
    const ended = new Promise((done) => run.on("exit", done));
    t.after(async () => {
      run.kill("SIGINT");
      await ended;
    });
    let text = "";
    const address = await new Promise((found, lost) => {
      const read = (data) => {
        text += data;
        const match = /http:\/\/\S+/.exec(text);
        if (match) found(match[0]);
      };
      run.stdout.on("data", read);
      run.stderr.on("data", read);
      run.on("exit", () => lost(new Error(text)));
    });
    const page = await open(t, address, { online: true });
    await page.waitForFunction(() => window.scree.state().bodies === 48, null, wait);
    await ready(page, 40); // the last frame of the scene
    await page.waitForFunction(() => /^(|complete)$/.test(document.getElementById("state").textContent), null, wait);
  });
});

test("the page is the one that the sources make", { skip: launch ? false : missing }, async () => {
  const built = join(dir, "page.html");
  const made = spawnSync(process.execPath, ["build.mjs", built], { cwd: fileURLToPath(new URL("..", import.meta.url)), encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);
  assert.ok((await readFile(built)).equals(await readFile(new URL("../../report/page.html", import.meta.url))), "npm run build, and commit report/page.html");
});
