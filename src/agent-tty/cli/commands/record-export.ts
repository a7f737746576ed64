import { resolve } from "node:path";
import { exportRecording, type RecordingLook, type RecordingOptions } from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import type { LogDamage } from "../../log/index.ts";
import type { CommandResult } from "../report.ts";

export async function recordExport(
  home: Home,
  sessionId: string,
  options: RecordingLook & Pick<RecordingOptions, "timing" | "signal"> & { out: string },
): Promise<CommandResult> {
  const damage: LogDamage[] = [];
  const { out, ...recording } = options;
  const written = await exportRecording(home, sessionId, resolve(out), {
    ...recording,
    onDamage: (found) => damage.push(found),
  });
  const { path, sizeBytes, durationMs } = written;
  const left = damage.length === 0 ? "" : `; ${damage.length} damaged places of the Event Log left out`;
  return {
    result: { path, bytes: sizeBytes, durationMs: Math.round(durationMs), damage },
    text: `${path} (${sizeBytes} bytes, ${Math.round(durationMs / 100) / 10} s)${left}`,
  };
}
