// Chromium for tests and pictures.
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";

const places = [process.env.SCREE_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const chromiumPath = places.find((p) => p && existsSync(p));

/** Starts Chromium without network and with its drawing in software. */
export function launch() {
  return chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}
