// Builds ../report/page.html: one file with script, style and the licences of what it carries.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

const at = (path) => new URL(path, import.meta.url);
const read = (path) => readFile(at(path), "utf8");
const out = process.argv[2] || at("../report/page.html");
const most = 1.5e6; // bytes

const bundle = async (entry, loader) => {
  const { outputFiles } = await build({
    stdin: { contents: entry, loader, resolveDir: at("src").pathname }, bundle: true, minify: true, write: false,
    format: "iife", target: ["chrome103", "firefox113", "safari16.4"], legalComments: "none", charset: "utf8",
  });
  return outputFiles[0].text.trim();
};

const licences = ["Scree: Apache License, Version 2.0"];
for (const name of ["three", "uplot"]) {
  const { version } = JSON.parse(await read(`node_modules/${name}/package.json`));
  licences.push(`${name} ${version}\n\n${(await read(`node_modules/${name}/LICENSE`)).trim()}`);
}

const script = await bundle('import "./main.js";', "js");
const style = await bundle('@import "uplot/dist/uPlot.min.css"; @import "./style.css";', "css");
const escape = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const fill = (page, mark, text) => {
  if (page.split(mark).length !== 2) throw new Error(`page.html has not one ${mark}`);
  return page.replace(mark, () => text);
};
if (script.includes("<!--")) throw new Error("the script holds <!--, which HTML reads as a comment");
let page = await read("src/page.html");
page = fill(page, "/*style*/", style);
page = fill(page, '<pre id="licences">', `<pre id="licences">${escape(licences.join("\n\n\n"))}`);
page = fill(page, "/*script*/", script.replaceAll("</script", "<\\/script"));
page = fill(page, "<!--scree-data-->", "<!--scree-data-->");
if (Buffer.byteLength(page) > most) throw new Error(`the page has ${Buffer.byteLength(page)} bytes, more than ${most}`);
await writeFile(out, page);
console.log(`${Buffer.byteLength(page)} bytes`);
