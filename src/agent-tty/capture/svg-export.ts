import type { Home } from "../home/index.ts";
import { pixelSize, svgDocument, THEMES, type ThemeName } from "../render/index.ts";
import { exportChunks, type RecordingExport, type RecordingOptions } from "./export-file.ts";
import { END_MS, openFilm } from "./frames.ts";

/** Writes an animated SVG, or a still one if the Session has only one screen. */
export async function exportSvg(
  home: Home,
  sessionId: string,
  path: string,
  options: RecordingOptions & { theme: ThemeName },
): Promise<RecordingExport> {
  const { facts, frames } = await openFilm(home, sessionId, options.theme, options);
  const size = pixelSize(facts.cols, facts.rows);
  const { background } = THEMES[options.theme];
  const text = svgDocument(frames, { size, background, endMs: END_MS });
  const { sizeBytes } = await exportChunks(home, { sessionId, path }, text, options.signal);
  return { path, sizeBytes, durationMs: facts.durationMs };
}
