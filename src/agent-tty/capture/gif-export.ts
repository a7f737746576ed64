import type { Home } from "../home/index.ts";
import { GifWriter, lineTop, pixelSize, rasterize, rasterizeLines, type ThemeName } from "../render/index.ts";
import { exportChunks, type RecordingExport, type RecordingOptions } from "./export-file.ts";
import { type Film, type Frame, openFilm, timed } from "./frames.ts";

/** Writes an animated GIF that repeats; its last picture is shown for `END_MS`. */
export async function exportGif(
  home: Home,
  sessionId: string,
  path: string,
  options: RecordingOptions & { theme: ThemeName },
): Promise<RecordingExport> {
  const film = await openFilm(home, sessionId, options.theme, options);
  const { sizeBytes } = await exportChunks(home, { sessionId, path }, gifBytes(film), options.signal);
  return { path, sizeBytes, durationMs: film.facts.durationMs };
}

async function* gifBytes({ facts, frames }: Film): AsyncGenerator<Uint8Array> {
  const writer = new GifWriter();
  const size = pixelSize(facts.cols, facts.rows);
  let before: Frame | null = null;
  for await (const frame of timed(frames)) {
    const { picture, durationMs } = frame;
    const changed = before === null ? null : changedLines(before, frame);
    if (changed === null) yield writer.add(rasterize(picture, size), 0, durationMs);
    else {
      const raster = rasterizeLines(picture, { ...changed, width: size.width });
      yield writer.add(raster, lineTop(changed.from), durationMs);
    }
    before = frame;
  }
  yield writer.finish();
}

/** Returns the range from the first to the last line that differs, or null if the screen's size has changed. */
function changedLines(before: Frame, after: Frame): { from: number; to: number } | null {
  const { cols, rows } = after.picture;
  if (before.picture.cols !== cols || before.picture.rows !== rows) return null;
  const differs = (key: string, row: number): boolean => key !== before.lineKeys[row];
  return { from: after.lineKeys.findIndex(differs), to: after.lineKeys.findLastIndex(differs) + 1 };
}
