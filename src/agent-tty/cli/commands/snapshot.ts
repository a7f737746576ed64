import {
  recordSnapshot,
  type SnapshotDetail,
  type SnapshotFormat,
  type SnapshotResult,
} from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import { requireEvent } from "../at-seq.ts";
import { askLiveHost } from "../live-host.ts";
import type { CommandResult } from "../report.ts";
import { type SkippedDamage, skippedDamage } from "../skipped-damage.ts";

export interface SnapshotArguments {
  format: SnapshotFormat;
  atSeq: number | null;
  detail: SnapshotDetail;
}

/**
 * Returns the screen of a Session and records it as an artifact. The live host answers if there is one (A20). A past screen, or
 * the screen of a Session without a live host, is replayed from the Event Log, so ended Sessions work, too (A14).
 */
export async function snapshot(
  home: Home,
  sessionId: string,
  options: SnapshotArguments,
): Promise<CommandResult> {
  const { format, atSeq, detail } = options;
  if (atSeq !== null) await requireEvent(home, sessionId, atSeq);
  const live =
    atSeq === null
      ? await askLiveHost(home, sessionId, (host) => host.call({ method: "snapshot", format, detail }))
      : null;
  const skipped = skippedDamage(await home.readManifest(sessionId));
  const shown = (live as SnapshotResult | null) ?? (await replayed(home, sessionId, options, skipped));
  const result = { ...shown, ...skipped.fields() };
  const artifactPath = await recordSnapshot(home, result);
  const text = result.format === "text" ? result.text : JSON.stringify(result, null, 2);
  return { result: { ...result, artifactPath }, text, warnings: skipped.warnings() };
}

async function replayed(
  home: Home,
  sessionId: string,
  { format, atSeq, detail }: SnapshotArguments,
  { onDamage }: SkippedDamage,
): Promise<SnapshotResult> {
  const [replay, capture] = await Promise.all([
    import("../../replay/index.ts"),
    import("../../capture/index.ts"),
  ]);
  const at = atSeq === null ? { onDamage } : { atSeq, onDamage };
  if (format === "text" && !detail.scrollback)
    return capture.snapshotResult(sessionId, await replay.replaySession(home, sessionId, at), format);
  const screen = await replay.replayDetailedSnapshot(home, sessionId, at);
  return capture.detailedSnapshotResult(sessionId, screen, format, detail);
}
