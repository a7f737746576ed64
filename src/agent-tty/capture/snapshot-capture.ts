import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Home, writeFileAtomic } from "../home/index.ts";
import type { SemanticSnapshot } from "../screen/index.ts";
import { appendArtifact } from "./artifact-index.ts";

export type SnapshotFormat = "text" | "structured";

interface SnapshotIdentity {
  sessionId: string;
  capturedAtSeq: number;
  screenHash: string;
  cols: number;
  rows: number;
}

/** A9: what a caller is given; derived from exactly one Semantic Snapshot. */
export type SnapshotResult =
  | (SnapshotIdentity & { format: "text"; text: string })
  | (SnapshotIdentity & {
      format: "structured";
      visibleLines: string[];
      cursor: SemanticSnapshot["cursor"];
      title: string;
      alternateScreen: boolean;
    });

export function snapshotResult(
  sessionId: string,
  snapshot: SemanticSnapshot,
  format: SnapshotFormat,
): SnapshotResult {
  const { seq: capturedAtSeq, screenHash, cols, rows } = snapshot;
  const identity = { sessionId, capturedAtSeq, screenHash, cols, rows };
  if (format === "text") return { format, ...identity, text: snapshot.visibleLines.join("\n").trimEnd() };
  const { visibleLines, cursor, title, alternateScreen } = snapshot;
  return { format, ...identity, visibleLines, cursor, title, alternateScreen };
}

/**
 * A10, A11: writes the artifact, which holds exactly the result given, and its entry in the artifact index. Never asks
 * the renderer. Resolves with the artifact's path.
 */
export async function recordSnapshot(home: Home, result: SnapshotResult): Promise<string> {
  const directory = join(home.sessionDirectory(result.sessionId), "artifacts");
  const id = home.ids.ulid();
  const file = `snapshot-${id}.json`;
  const text = `${JSON.stringify(result, null, 2)}\n`;
  await writeFileAtomic(join(directory, file), text, home.ids.hex(4));
  await appendArtifact(directory, {
    id,
    type: "snapshot",
    file,
    capturedAtSeq: result.capturedAtSeq,
    createdAt: new Date(home.clock.nowMs()).toISOString(),
    sha256: createHash("sha256").update(text).digest("hex"),
    sizeBytes: Buffer.byteLength(text),
  });
  return join(directory, file);
}
