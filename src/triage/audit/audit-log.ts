import { appendFileSync, closeSync, fsync, openSync } from "node:fs";
import { mkdir, readFile, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Clock, messageOf, OperationalError } from "agent-tty/kit";
import { type IssueRef } from "../../github/index.ts";
import { type AuditEntry, type AuditFact, hashOf } from "./audit-entry.ts";
import { type AuditErrorCode, readAuditLog } from "./read-audit-log.ts";

/**
 * Records the writes of one batch to GitHub: append-only, one line per entry. Each entry is on disk before the write that it
 * announces. A batch has one parent, so the file has one writer; an undo continues the hash chain after the batch has ended.
 */
export interface AuditLog {
  append(action: AuditEntry["action"], ref: IssueRef, fact: AuditFact): Promise<void>;
}

/** Returns the path of a batch's audit log: `<home>/runs/<run id>/audit.jsonl`. */
export function auditLogPath(runsDirectory: string, runId: string): string {
  return join(runsDirectory, runId, "audit.jsonl");
}

const toDisk = promisify(fsync);

/** An entry that waits to be written, and the functions that settle its promise. */
interface Waiting {
  entry: Pick<AuditEntry, "action" | "repo" | "number" | "fact" | "at">;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Returns the audit log at `path`. The file is read and created with the first entry, and again after a failure. `append` rejects
 * with AUDIT_LOG_DAMAGED or AUDIT_LOG_UNWRITABLE.
 */
export function createAuditLog(path: string, clock: Clock): AuditLog {
  let waiting: Waiting[] = [];
  let last: Promise<AuditEntry | null> | null = null;
  let isWriting = false;
  /** Writes all entries that arrived during the previous write with a single fsync. */
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      last = (last ?? reopen(path)).then((before) =>
        write(
          path,
          before,
          group.map(({ entry }) => entry),
        ),
      );
      await last.then(
        () => group.forEach(({ resolve }) => resolve()),
        (error: unknown) => {
          // The file is read again before the next entry, to find what this write has left in it.
          last = null;
          group.forEach(({ reject }) => reject(error));
        },
      );
    }
    isWriting = false;
  };
  return {
    append: (action, { repo, number }, fact) =>
      new Promise((resolve, reject) => {
        const at = new Date(clock.nowMs()).toISOString();
        waiting.push({ entry: { at, action, repo, number, fact }, resolve, reject });
        if (!isWriting) void writeAll();
      }),
  };
}

function reopen(path: string): Promise<AuditEntry | null> {
  return openEnd(path).catch((error: unknown) => {
    throw error instanceof OperationalError ? error : unwritable(path, error);
  });
}

/** Returns the last entry. Cuts off an incomplete line that a crash left, so that the next entry starts on a new line. */
async function openEnd(path: string): Promise<AuditEntry | null> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const entries = await readAuditLog(path);
  const text = await readFile(path, "utf8").catch(() => "");
  if (text !== "" && !text.endsWith("\n"))
    await truncate(path, Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)));
  return entries.at(-1) ?? null;
}

/** Appends the entries, waits until they are on disk, and returns the last one. */
async function write(
  path: string,
  before: AuditEntry | null,
  group: readonly Waiting["entry"][],
): Promise<AuditEntry | null> {
  let last = before;
  const lines: string[] = [];
  for (const { at, ...entry } of group) {
    const unsealed = { seq: (last?.seq ?? 0) + 1, at, ...entry, previous: last?.hash ?? null };
    last = { ...unsealed, hash: hashOf(unsealed) };
    lines.push(`${JSON.stringify(last)}\n`);
  }
  try {
    // The synchronous append only copies small lines to memory. Only the fsync is awaited, because each further await costs the
    // parent work.
    const file = openSync(path, "a", 0o600);
    try {
      appendFileSync(file, lines.join(""));
      await toDisk(file);
    } finally {
      closeSync(file);
    }
    return last;
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): OperationalError<AuditErrorCode> {
  return new OperationalError({
    code: "AUDIT_LOG_UNWRITABLE",
    message: `write to the audit log ${path}: ${messageOf(error)}`,
    remedy:
      "Free disk space or correct the permissions of the home. Nothing is published unless it can be recorded first.",
    cause: error,
  });
}
