import type { Home } from "../home/index.ts";
import type { ThemeName } from "../render/index.ts";
import { exportAsciicast } from "./asciicast.ts";
import type { RecordingExport, RecordingOptions } from "./export-file.ts";
import { exportGif } from "./gif-export.ts";
import { exportHtml } from "./html-export.ts";
import { exportSvg } from "./svg-export.ts";
import { exportWebm } from "./webm-export.ts";

export type RecordingFormat = "asciicast" | "gif" | "svg" | "html" | "webm";

export interface RecordingLook {
  format: RecordingFormat;
  /** An asciicast has none: its player chooses. */
  theme: ThemeName;
}

/**
 * Writes a Session's recording. Rejects with SESSION_NOT_FOUND, SESSION_UNREADABLE, EXPORT_FAILED, for gif and webm
 * RENDERER_UNAVAILABLE and PICTURE_TOO_LARGE, and for webm FFMPEG_MISSING.
 */
export async function exportRecording(
  home: Home,
  sessionId: string,
  path: string,
  options: RecordingOptions & RecordingLook,
): Promise<RecordingExport> {
  const { format, theme, ...recording } = options;
  switch (format) {
    case "asciicast":
      return exportAsciicast(home, sessionId, path, recording);
    case "gif":
      return exportGif(home, sessionId, path, { ...recording, theme });
    case "svg":
      return exportSvg(home, sessionId, path, { ...recording, theme });
    case "html":
      return exportHtml(home, sessionId, path, { ...recording, theme });
    case "webm":
      return exportWebm(home, sessionId, path, { ...recording, theme });
    default:
      return format satisfies never;
  }
}
