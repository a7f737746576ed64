import type { Home } from "../home/index.ts";
import { GifWriter, pixelSize, rasterize, type ThemeName } from "../render/index.ts";
import { exportChunks, type RecordingExport, type RecordingOptions } from "./export-file.ts";
import { type Film, openFilm, timed } from "./frames.ts";

/** An animated GIF that repeats; its last picture stands for a while. */
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
  for await (const { picture, durationMs } of timed(frames)) {
    yield writer.add(rasterize(picture, size), durationMs);
  }
  yield writer.finish();
}
