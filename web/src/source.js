// Where the page gets its data: elements of the page itself, or the server that sent it.
import { readChunk } from "./chunk.js";

const element = (id) => document.getElementById(id);

function fromBase64(text) {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Data in the page: report.html. */
class Embedded {
  whole = true;
  async head() {
    return JSON.parse(element("scree-head").textContent);
  }
  async chunk(id) {
    const found = element(id);
    if (!found) throw new Error("it is not in this page");
    return readChunk(fromBase64(found.textContent));
  }
  history(run = 0) {
    return this.chunk(`scree-history-${run}`);
  }
  frame(k) {
    return this.chunk(`scree-frame-${k}`);
  }
  forms() {
    return this.chunk("scree-forms");
  }
}

/** Data from the server of `scree view`. */
class Served {
  whole = false;
  async get(path) {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.text()).trim() || `the server answers ${answer.status}`);
    return answer;
  }
  async head() {
    return (await this.get("head")).json();
  }
  async chunk(path) {
    return readChunk(await (await this.get(path)).arrayBuffer());
  }
  history(run = 0) {
    return this.chunk(run ? `history?run=${run}` : "history");
  }
  frame(k) {
    return this.chunk(`frame/${k}`);
  }
  forms(k, from) {
    return this.chunk(`forms/${k}?from=${from}`);
  }
}

export function openSource() {
  return element("scree-head") ? new Embedded() : new Served();
}
