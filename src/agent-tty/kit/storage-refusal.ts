import { messageOf, OperationalError } from "./operational-error.ts";

export type StorageErrorCode = "STORAGE_REFUSED";

/** Full, over quota, read-only, over the largest file, broken. */
const REFUSALS = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"]);

/** Describes a refusal of the disk for a file without an error code of its own; null for every other error. */
export function storageRefusal(thrown: unknown): OperationalError<StorageErrorCode> | null {
  if (!(thrown instanceof Error) || !("code" in thrown) || !REFUSALS.has(thrown.code)) return null;
  const path = "path" in thrown && typeof thrown.path === "string" ? { path: thrown.path } : {};
  return new OperationalError<StorageErrorCode>({
    code: "STORAGE_REFUSED",
    message: `the disk refuses a file: ${messageOf(thrown)}`,
    remedy: "free space, for example with `agent-tty gc`, or name another home with --home",
    details: path,
    cause: thrown,
  });
}
