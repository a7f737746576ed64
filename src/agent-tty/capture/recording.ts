import type { Home } from "../home/index.ts";
import type { ThemeName } from "../render/index.ts";
import { exportAsciicast } from "./asciicast.ts";
import type { RecordingExport, RecordingOptions } from "./export-file.ts";

export type RecordingFormat = "asciicast" | "gif" | "svg" | "html" | "webm";

export interface RecordingLook {
  format: RecordingFormat;
  /** The colours. They are not used for an asciicast, whose player chooses them. */
  theme: ThemeName;
}

/**
 * Writes a Session's recording and loads only the code of the requested format. Rejects with SESSION_NOT_FOUND,
 * SESSION_UNREADABLE, EXPORT_FAILED, for gif and webm RENDERER_UNAVAILABLE and PICTURE_TOO_LARGE, and for webm FFMPEG_MISSING.
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
    case "gif": {
      const { exportGif } = await import("./gif-export.ts");
      return exportGif(home, sessionId, path, { ...recording, theme });
    }
    case "svg": {
      const { exportSvg } = await import("./svg-export.ts");
      return exportSvg(home, sessionId, path, { ...recording, theme });
    }
    case "html": {
      const { exportHtml } = await import("./html-export.ts");
      return exportHtml(home, sessionId, path, { ...recording, theme });
    }
    case "webm": {
      const { exportWebm } = await import("./webm-export.ts");
      return exportWebm(home, sessionId, path, { ...recording, theme });
    }
    default:
      return format satisfies never;
  }
}
