import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf, OperationalError } from "../kit/index.ts";
import type { RenderErrorCode } from "../render/index.ts";

export type CaptureErrorCode = "EXPORT_FAILED" | "FFMPEG_MISSING" | RenderErrorCode;

const ENCODE_LIMIT_MS = 10 * 60_000;
const PROBE_LIMIT_MS = 10_000;
/** How many characters from the end of ffmpeg's output an error quotes. */
const QUOTED_CHARACTERS = 500;

const run = promisify(execFile);

/** Checks that ffmpeg starts, before any picture is drawn. Rejects with FFMPEG_MISSING. */
export async function requireFfmpeg(signal?: AbortSignal): Promise<void> {
  try {
    await run("ffmpeg", ["-version"], processOptions(PROBE_LIMIT_MS, signal));
  } catch (error) {
    signal?.throwIfAborted();
    throw new OperationalError<CaptureErrorCode>({
      code: "FFMPEG_MISSING",
      message: `cannot create a webm recording: ffmpeg does not start: ${messageOf(error)}`,
      remedy:
        "install ffmpeg (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg), or export gif, svg or html",
      cause: error,
    });
  }
}

/** Encodes the listed pictures as VP9, each with its own duration. Rejects with EXPORT_FAILED. */
export async function encodeWebm(list: string, out: string, signal?: AbortSignal): Promise<void> {
  const input = ["-f", "concat", "-safe", "0", "-i", list];
  const codec = ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "30", "-b:v", "0", "-row-mt", "1"];
  const speed = ["-deadline", "realtime", "-cpu-used", "6", "-fps_mode", "vfr"];
  const command = [
    "-hide_banner",
    "-loglevel",
    "error",
    "-y",
    ...input,
    ...codec,
    ...speed,
    "-f",
    "webm",
    out,
  ];
  try {
    await run("ffmpeg", command, processOptions(ENCODE_LIMIT_MS, signal));
  } catch (error) {
    signal?.throwIfAborted();
    throw new OperationalError<CaptureErrorCode>({
      code: "EXPORT_FAILED",
      message: `ffmpeg could not encode the recording: ${messageOf(error).slice(-QUOTED_CHARACTERS)}`,
      remedy: "check that this ffmpeg has libvpx-vp9 (`ffmpeg -encoders`), or export gif, svg or html",
      cause: error,
    });
  }
}

function processOptions(timeout: number, signal?: AbortSignal): Parameters<typeof run>[2] {
  const env = { PATH: process.env["PATH"] ?? "" };
  return { timeout, env, ...(signal === undefined ? {} : { signal }) };
}
