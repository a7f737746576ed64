import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { playRecording, type Played, readRecording } from "../../../test/support/tui-recordings/index.ts";
import { openTracker } from "./open-tracker.ts";

/**
 * Returns everything that a tracker sees at one time of one recording, for people who add support for another version: the screen
 * with row numbers, the other facts, the signals and the state. `moment` is RECORDING@T_MS. Throws a TypeError if there is no
 * such recording or time.
 */
export async function showMoment(directory: string, moment: string): Promise<string> {
  const [, name = "", time = ""] = /^(.+)@(\d+)$/.exec(moment) ?? [];
  const path = await recordingPath(directory, name);
  if (path === null)
    throw new TypeError(`no recording ${JSON.stringify(name)} below ${directory} (RECORDING@T_MS)`);
  const { header, ...rest } = await readRecording(path);
  const tracker = openTracker(header.tool, header.version ?? null);
  let screen: Extract<Played["event"], { type: "screen" }> | null = null;
  let last: Played | null = null;
  for (const played of playRecording({ header, ...rest }, tracker)) {
    if (played.event.atMs > Number(time)) break;
    last = played;
    if (played.event.type === "screen") screen = played.event;
  }
  if (last === null || screen === null) throw new TypeError(`nothing was shown yet at ${time} ms of ${name}`);
  return `${momentText(screen, last)}\n`;
}

async function recordingPath(directory: string, name: string): Promise<string | null> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found = entries.find(
    (entry) => entry.name.replace(/\.rec\.jsonl(\.gz)?$/, "") === name && entry.isFile(),
  );
  return found === undefined ? null : join(found.parentPath, basename(found.name));
}

function momentText(
  { screen, atMs }: Extract<Played["event"], { type: "screen" }>,
  { state, event }: Played,
): string {
  const { cursor, title, programReport, lines, cols, rows } = screen;
  const at =
    cursor === null
      ? "unknown"
      : `row ${cursor.row}, column ${cursor.col}${cursor.visible ? "" : ", hidden"}`;
  return [
    ...lines.map((line, row) => `${String(row).padStart(3)} │${line}`),
    `${cols} × ${rows}, cursor ${at}, looked at ${Math.round(atMs)} ms`,
    `title ${JSON.stringify(title)}, report ${JSON.stringify(programReport)}`,
    `after ${event.type} at ${Math.round(event.atMs)} ms: ${JSON.stringify(state, null, 2)}`,
  ].join("\n");
}
