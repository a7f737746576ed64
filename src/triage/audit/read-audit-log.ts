import { readFile } from "node:fs/promises";
import { OperationalError } from "agent-tty/kit";
import { type AuditEntry, auditEntrySchema, hashOf } from "./audit-entry.ts";

export type AuditErrorCode = "AUDIT_LOG_DAMAGED" | "AUDIT_LOG_UNWRITABLE";

/**
 * All entries, the chain verified; none when there is no file. A torn last line is what a crash leaves: the write that
 * it would have announced never went out, so it does not count. Rejects with AUDIT_LOG_DAMAGED on anything else.
 */
export async function readAuditLog(path: string): Promise<AuditEntry[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split("\n");
  // The text after the last line end is empty, or a torn line.
  lines.pop();
  let previous: string | null = null;
  return lines.map((line, index) => {
    const entry = auditEntrySchema.safeParse(parseJson(line)).data;
    const isNext = entry?.seq === index + 1 && entry.previous === previous && entry.hash === hashOf(entry);
    if (entry === undefined || !isNext) throw damaged(path, index + 1);
    previous = entry.hash;
    return entry;
  });
}

function damaged(path: string, line: number): OperationalError<AuditErrorCode> {
  return new OperationalError({
    code: "AUDIT_LOG_DAMAGED",
    message: `read the audit log ${path}: its chain of hashes breaks at line ${line}`,
    remedy:
      "The file was changed after it was written: compare it with a copy (the batch's artifacts), undo by hand.",
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
