import { resolve } from "node:path";
import {
  captureRecording,
  exportRecording,
  type RecordingLook,
  type RecordingOptions,
} from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import type { LogDamage } from "../../log/index.ts";
import type { CommandResult } from "../report.ts";

/** Writes to `out`, or among the Session's artifacts when that is null. Rejects as `exportRecording` does. */
export async function recordExport(
  home: Home,
  sessionId: string,
  options: RecordingLook & Pick<RecordingOptions, "timing" | "signal"> & { out: string | null },
): Promise<CommandResult> {
  const damage: LogDamage[] = [];
  const { out, ...recording } = options;
  const look = { ...recording, onDamage: (found: LogDamage): number => damage.push(found) };
  const written =
    out === null
      ? await captureRecording(home, sessionId, look)
      : await exportRecording(home, sessionId, resolve(out), look);
  const { path, sizeBytes, durationMs } = written;
  const left = damage.length === 0 ? "" : `; ${damage.length} damaged places of the Event Log left out`;
  return {
    result: { path, bytes: sizeBytes, durationMs: Math.round(durationMs), damage },
    text: `${path} (${sizeBytes} bytes, ${Math.round(durationMs / 100) / 10} s)${left}`,
  };
}
