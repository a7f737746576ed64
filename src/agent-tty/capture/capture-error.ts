import type { RenderErrorCode } from "../render/index.ts";

export type CaptureErrorCode = "EXPORT_FAILED" | "FFMPEG_MISSING" | RenderErrorCode;
