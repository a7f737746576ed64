import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Home } from "../home/index.ts";
import { writeFileAtomic } from "../kit/index.ts";
import type { DetailedSnapshot, SemanticSnapshot, TerminalModes } from "../screen/index.ts";
import { appendArtifact } from "./artifact-index.ts";
import { type SnapshotCellLine, snapshotCells } from "./snapshot-cells.ts";

export type SnapshotFormat = "text" | "structured";

interface SnapshotIdentity {
  sessionId: string;
  capturedAtSeq: number;
  screenHash: string;
  cols: number;
  rows: number;
  /** 0-based. */
  cursorRow: number;
  cursorCol: number;
}

export interface SnapshotLine {
  /** 0-based. */
  row: number;
  text: string;
}

/** The result that a caller receives. It derives from exactly one Semantic Snapshot (A9). */
export type SnapshotResult =
  | (SnapshotIdentity & { format: "text"; text: string })
  | (SnapshotIdentity & {
      format: "structured";
      visibleLines: SnapshotLine[];
      cursor: SemanticSnapshot["cursor"];
      title: string;
      alternateScreen: boolean;
      /** The same value under the name that published clients read. */
      isAltScreen: boolean;
      /** On request: all lines above the screen, oldest first. */
      scrollbackLines?: SnapshotLine[];
      /** On request: every cell of the screen with its style. */
      cells?: SnapshotCellLine[];
      modes?: TerminalModes;
    });

export interface SnapshotDetail {
  cells: boolean;
  scrollback: boolean;
}

/**
 * Returns a snapshot as the JSON document of `agent-tty snapshot`. `text` contains the visible lines without trailing whitespace.
 */
export function snapshotResult(
  sessionId: string,
  snapshot: SemanticSnapshot,
  format: SnapshotFormat,
): SnapshotResult {
  const identity = identityOf(sessionId, snapshot);
  if (format === "text") return { format, ...identity, text: snapshot.visibleLines.join("\n").trimEnd() };
  const { cursor, title, alternateScreen } = snapshot;
  const visibleLines = numbered(snapshot.visibleLines);
  return { format, ...identity, visibleLines, cursor, title, alternateScreen, isAltScreen: alternateScreen };
}

/**
 * Returns a snapshot as JSON. The structured format contains the modes and, if `detail` requests them, the cells and the
 * scrollback. In the text format, the scrollback comes before the screen.
 */
export function detailedSnapshotResult(
  sessionId: string,
  snapshot: DetailedSnapshot,
  format: SnapshotFormat,
  detail: SnapshotDetail,
): SnapshotResult {
  const { scrollbackLines, modes, visibleLines } = snapshot;
  if (format === "text") {
    const lines = detail.scrollback ? [...scrollbackLines, ...visibleLines] : visibleLines;
    return { format, ...identityOf(sessionId, snapshot), text: lines.join("\n").trimEnd() };
  }
  return {
    ...snapshotResult(sessionId, snapshot, format),
    ...(detail.scrollback ? { scrollbackLines: numbered(scrollbackLines) } : {}),
    ...(detail.cells ? { cells: snapshotCells(snapshot), modes } : {}),
  };
}

/**
 * Writes the artifact, which contains exactly the given result (A10), and its entry in the artifact index. Resolves with the
 * artifact's path. It never uses the renderer, so a capture changes nothing (A11).
 */
export async function recordSnapshot(home: Home, result: SnapshotResult): Promise<string> {
  const directory = join(home.sessionDirectory(result.sessionId), "artifacts");
  const id = home.ids.ulid();
  const file = `snapshot-${id}.json`;
  const text = `${JSON.stringify(result, null, 2)}\n`;
  await writeFileAtomic(join(directory, file), text, home.ids.hex(4));
  await appendArtifact(home, directory, {
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

function identityOf(sessionId: string, snapshot: SemanticSnapshot): SnapshotIdentity {
  const { seq: capturedAtSeq, screenHash, cols, rows, cursor } = snapshot;
  return { sessionId, capturedAtSeq, screenHash, cols, rows, cursorRow: cursor.row, cursorCol: cursor.col };
}

function numbered(lines: readonly string[]): SnapshotLine[] {
  return lines.map((text, row) => ({ row, text }));
}
