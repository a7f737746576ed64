import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Home } from "../home/index.ts";
import { THEMES, type ThemeName } from "../render/index.ts";
import { openCast } from "./asciicast.ts";
import { exportChunks, type RecordingExport, type RecordingOptions } from "./export-file.ts";

/** The page is self-contained and fetches nothing. The player's decoder is WebAssembly inside its script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'wasm-unsafe-eval'",
  "style-src 'unsafe-inline'",
  "connect-src data:",
  "font-src data:",
  "img-src data:",
].join("; ");

const LONGEST_IDLE_SECONDS = 2;

/** Writes one page with asciinema-player and the recording. It can be opened from a file and makes no requests. */
export async function exportHtml(
  home: Home,
  sessionId: string,
  path: string,
  options: RecordingOptions & { theme: ThemeName },
): Promise<RecordingExport> {
  const cast = await openCast(home, sessionId, options);
  const directory = playerDirectory();
  const script = await readFile(join(directory, "asciinema-player.min.js"), "utf8");
  const style = await readFile(join(directory, "asciinema-player.css"), "utf8");
  const page = pageChunks(cast.lines, { script, style: style + themeStyle(options.theme) });
  const { sizeBytes } = await exportChunks(home, { sessionId, path }, page, options.signal);
  return { path, sizeBytes, durationMs: cast.totals.durationMs };
}

async function* pageChunks(
  castLines: AsyncIterable<string>,
  { script, style }: { script: string; style: string },
): AsyncGenerator<string> {
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Recording of a terminal Session</title>`;
  yield `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  yield `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body><div id="player"></div>\n`;
  yield `<script type="application/x-asciicast" id="cast">\n`;
  for await (const line of castLines) yield inert(line);
  yield `</script>\n<script>${script.replaceAll("</script", "<\\/script")}</script>\n<script>${START}</script></body></html>\n`;
}

/**
 * Returns the JSON with each "<" escaped, so that no string in it can end the script element. "<" occurs only inside strings,
 * where the escape means the same.
 */
function inert(jsonLine: string): string {
  return jsonLine.replaceAll("<", "\\u003c");
}

const START = `AsciinemaPlayer.create(
  { data: document.getElementById("cast").textContent.trim() },
  document.getElementById("player"),
  { theme: "session", fit: "both", preload: true, poster: "npt:0:0", controls: true, idleTimeLimit: ${LONGEST_IDLE_SECONDS} });`;

function themeStyle(name: ThemeName): string {
  const { background, foreground, ansi } = THEMES[name];
  const colors = ansi.map((color, index) => `--term-color-${index}:${color};`).join("");
  const player = `--term-color-foreground:${foreground};--term-color-background:${background};${colors}`;
  return `body{margin:0;background:${background}}#player{height:100vh}.asciinema-player-theme-session{${player}}`;
}

/**
 * Returns the player's directory: next to the bundle in the published package, or in the player's own package when run from the
 * sources.
 */
function playerDirectory(): string {
  const published = fileURLToPath(new URL("./player/", import.meta.url));
  if (existsSync(published)) return published;
  const require = createRequire(import.meta.url);
  return dirname(require.resolve("asciinema-player/dist/bundle/asciinema-player.min.js"));
}
