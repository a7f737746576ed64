import { recordSnapshot, type SnapshotFormat, snapshotResult } from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import { replaySession } from "../../replay/index.ts";
import type { CommandResult } from "../report.ts";

/** A14: from the Event Log alone, so it answers for live, exited and destroyed Sessions alike. */
export async function snapshot(
  home: Home,
  sessionId: string,
  options: { format: SnapshotFormat; atSeq: number | null },
): Promise<CommandResult> {
  const screen = await replaySession(home, sessionId, options.atSeq === null ? {} : { atSeq: options.atSeq });
  const result = snapshotResult(sessionId, screen, options.format);
  const artifactPath = await recordSnapshot(home, result);
  const text = result.format === "text" ? result.text : JSON.stringify(result, null, 2);
  return { result: { ...result, artifactPath }, text };
}
