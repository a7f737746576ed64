import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Home } from "../home/index.ts";
import { encodePng, pixelSize, rasterize, type ThemeName } from "../render/index.ts";
import { exportFile, type RecordingExport, type RecordingOptions } from "./export-file.ts";
import { encodeWebm, requireFfmpeg } from "./ffmpeg.ts";
import { type Film, openFilm, timed } from "./frames.ts";

/** Writes a WebM video (VP9), encoded by this machine's ffmpeg. Rejects with FFMPEG_MISSING if ffmpeg does not start. */
export async function exportWebm(
  home: Home,
  sessionId: string,
  path: string,
  options: RecordingOptions & { theme: ThemeName },
): Promise<RecordingExport> {
  await requireFfmpeg(options.signal);
  const film = await openFilm(home, sessionId, options.theme, options);
  const pictures = await mkdtemp(join(tmpdir(), "agent-tty-webm-"));
  try {
    const list = await writePictures(film, pictures);
    const write = (temporary: string): Promise<void> => encodeWebm(list, temporary, options.signal);
    const { sizeBytes } = await exportFile(home, { sessionId, path }, write, options.signal);
    return { path, sizeBytes, durationMs: film.facts.durationMs };
  } finally {
    await rm(pictures, { recursive: true, force: true });
  }
}

/**
 * Writes one PNG per frame, and the list of them with their durations (https://ffmpeg.org/ffmpeg-formats.html#concat-1). Returns
 * the list's path.
 */
async function writePictures({ facts, frames }: Film, directory: string): Promise<string> {
  const size = pixelSize(facts.cols, facts.rows);
  const lines = ["ffconcat version 1.0"];
  for await (const { picture, durationMs } of timed(frames)) {
    const file = `${lines.length}.png`;
    await writeFile(join(directory, file), encodePng(rasterize(picture, size)));
    lines.push(`file ${file}\nduration ${(durationMs / 1000).toFixed(3)}`);
  }
  // The format ignores the last duration unless the last picture is listed a second time.
  const last = lines.at(-1)?.split("\n")[0];
  const list = join(directory, "list.ffconcat");
  await writeFile(list, `${[...lines, last].join("\n")}\n`);
  return list;
}
