import { resolve } from "node:path";
import { type CastTiming, exportAsciicast } from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import type { LogDamage } from "../../log/index.ts";
import type { CommandResult } from "../report.ts";

export async function recordExport(
  home: Home,
  sessionId: string,
  options: { out: string; timing: CastTiming },
): Promise<CommandResult> {
  const damage: LogDamage[] = [];
  const written = await exportAsciicast(home, sessionId, resolve(options.out), {
    timing: options.timing,
    onDamage: (found) => damage.push(found),
  });
  const { path, sizeBytes, durationMs } = written;
  const left = damage.length === 0 ? "" : `; ${damage.length} damaged places of the Event Log left out`;
  return {
    result: { path, bytes: sizeBytes, durationMs, damage },
    text: `${path} (${sizeBytes} bytes, ${Math.round(durationMs / 100) / 10} s)${left}`,
  };
}
