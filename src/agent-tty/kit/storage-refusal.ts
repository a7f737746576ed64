import { messageOf, OperationalError } from "./operational-error.ts";

export type StorageErrorCode = "STORAGE_REFUSED";

const REMEDY = "free space, for example with `agent-tty gc`, or name another home with --home";
const RIGHTS_REMEDY = "give this user the right to write there, or name another home with --home";
/** Full, over quota, read-only, over the largest file, broken; closed to this user, or a file where a directory should be. */
const REMEDIES = new Map<unknown, string>([
  ...["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"].map((code) => [code, REMEDY] as const),
  ...["EACCES", "EPERM", "ENOTDIR"].map((code) => [code, RIGHTS_REMEDY] as const),
]);

/** Describes a refusal of the disk for a file without an error code of its own; null for every other error. */
export function storageRefusal(thrown: unknown): OperationalError<StorageErrorCode> | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  const remedy = REMEDIES.get(thrown.code);
  const path = "path" in thrown && typeof thrown.path === "string" ? { path: thrown.path } : {};
  // Signals and sockets are refused with these as well, and name no path.
  if (remedy === undefined || (remedy === RIGHTS_REMEDY && path.path === undefined)) return null;
  return new OperationalError<StorageErrorCode>({
    code: "STORAGE_REFUSED",
    message: `the disk refuses a file: ${messageOf(thrown)}`,
    remedy,
    details: path,
    cause: thrown,
  });
}
