import { resolve } from "node:path";
import {
  captureRecording,
  exportRecording,
  ownOutput,
  type RecordingLook,
  type RecordingOptions,
} from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import type { CommandResult } from "../report.ts";
import { skippedDamage } from "../skipped-damage.ts";

/** Writes the recording to `out`, or to the Session's artifacts if `out` is null. Rejects as `exportRecording` does. */
export async function recordExport(
  home: Home,
  sessionId: string,
  options: RecordingLook & Pick<RecordingOptions, "timing" | "signal"> & { out: string | null },
): Promise<CommandResult> {
  const { damage, onDamage, warnings } = skippedDamage(await home.readManifest(sessionId));
  const { out, ...recording } = options;
  const look = { ...recording, onDamage };
  const written =
    out === null
      ? await captureRecording(home, sessionId, look)
      : await exportRecording(home, sessionId, resolve(out), look);
  const { path, sizeBytes, durationMs } = written;
  // A sentence behind the recording would be a part of it.
  const isOutput = (await ownOutput(path)) === process.stdout;
  return {
    result: {
      path,
      bytes: sizeBytes,
      durationMs: Math.round(durationMs),
      damage,
    },
    text: isOutput ? "" : `${path} (${sizeBytes} bytes, ${Math.round(durationMs / 100) / 10} s)`,
    warnings: warnings(),
  };
}
