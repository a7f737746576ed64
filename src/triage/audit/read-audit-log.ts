import { readFile } from "node:fs/promises";
import { OperationalError, parseJson } from "agent-tty/kit";
import { type AuditEntry, auditEntrySchema, hashOf } from "./audit-entry.ts";

export type AuditErrorCode = "AUDIT_LOG_DAMAGED" | "AUDIT_LOG_UNWRITABLE";

/**
 * Returns all entries after verifying the chain; none when there is no file. Ignores an incomplete last line, which a crash
 * leaves: the write that it would have announced was never sent. Rejects with AUDIT_LOG_DAMAGED on any other defect.
 */
export async function readAuditLog(path: string): Promise<AuditEntry[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split("\n");
  // The text after the last line end is empty or an incomplete line.
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
      "The file was changed after it was written. Compare it with a copy (for example in the batch's artifacts), and undo by hand.",
  });
}
