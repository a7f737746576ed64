import {
  detailedSnapshotResult,
  recordSnapshot,
  type SnapshotDetail,
  type SnapshotFormat,
} from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import { replayDetailedSnapshot } from "../../replay/index.ts";
import type { CommandResult } from "../report.ts";

/** A14: from the Event Log alone, so it answers for live, exited and destroyed Sessions alike. */
export async function snapshot(
  home: Home,
  sessionId: string,
  options: { format: SnapshotFormat; atSeq: number | null; detail: SnapshotDetail },
): Promise<CommandResult> {
  const { format, atSeq, detail } = options;
  const screen = await replayDetailedSnapshot(home, sessionId, atSeq === null ? {} : { atSeq });
  const result = detailedSnapshotResult(sessionId, screen, format, detail);
  const artifactPath = await recordSnapshot(home, result);
  const text = result.format === "text" ? result.text : JSON.stringify(result, null, 2);
  return { result: { ...result, artifactPath }, text };
}
