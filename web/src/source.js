// Where the page gets its data: elements of the page itself, or the server that sent it.
import { readChunk } from "./chunk.js";

const element = (id) => document.getElementById(id);

/** Data in the page: report.html. */
function embedded() {
  const chunk = async (id) => {
    const text = element(id)?.textContent;
    if (text === undefined) throw new Error("it is not in this page");
    const raw = atob(text.trim()), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return readChunk(bytes);
  };
  return {
    whole: true,
    head: async () => JSON.parse(element("scree-head").textContent),
    history: (run) => chunk(`scree-history-${run}`),
    frame: (k) => chunk(`scree-frame-${k}`),
    forms: () => chunk("scree-forms"),
  };
}

/** Data from the server of `scree view`. */
function served() {
  const get = async (path) => {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.text()).trim() || `the server answers ${answer.status}`);
    return answer;
  };
  const chunk = async (path) => readChunk(await (await get(path)).arrayBuffer());
  return {
    whole: false,
    head: async () => (await get("head")).json(),
    history: (run) => chunk(run ? `history?run=${run}` : "history"),
    frame: (k) => chunk(`frame/${k}`),
    forms: (k, from) => chunk(`forms/${k}?from=${from}`),
  };
}

export const openSource = () => (element("scree-head") ? embedded() : served());
